package dense

// Shape is what a convolution is about: sizes in elements, the three spatial dimensions in the order depth, height, width
// (leading ones are 1 for convolutions of fewer dimensions).
type Shape struct {
	Batch, InC, OutC, Groups          int
	In, Out, Kernel, Stride, Pad, Dil [3]int
	Transposed                        bool
}

// Conv is a convolution, forward or transposed, on tensors of any strides. Padding, strides and layout are dealt with
// while the input is copied into padded planes; 1×1 convolutions of contiguous planes skip that and are matrix products
// in place.
//
// Its life: NewConv, Plan for a shape, then set the fields and Run. Plan allocates only where a shape needs longer tables
// than all before.
type Conv[T Real] struct {
	Shape
	X, Y             View[T] // input, output
	XStride, YStride [5]int  // batch, channel, depth, height, width
	W                []T     // WeightCount elements, by PackWeights
	Start            []T     // one a output channel: the bias
	Planes           []T     // PlaneCount elements
	Tier             Tier

	passes  []pass
	taps    []tap
	off     []int32
	phases  []phase
	dims    [3]int // of one plane
	chanLen int    // planes of one channel
	pitch   int    // elements between rows of outputs before they are stored, with room to write a tile too far
	direct  bool
	product Product[T]
	fill    fillTask[T]
	blocks  blockTask[T]
	units   unitTask[T]
	n, g    int // what fill and blocks work on
}

// pass is one matrix product: the outputs o = first + step·q of a transposed convolution whose taps are the same, or all
// outputs of a forward one.
type pass struct {
	taps        int // first entry in Conv.taps
	count       int // taps
	w           int // first element in W
	first, outs [3]int
	step        [3]int
	run         int // columns, gaps between rows counted in
}

// tap is one position of the kernel and where its column begins in a channel's planes.
type tap struct{ kernel, off int }

// phase is a plane of every stride-th element, from first on.
type phase struct{ first [3]int }

const unitSlots = 8 // groups that are worked on at once

// NewConv makes a convolution for a tier.
func NewConv[T Real](t Tier) *Conv[T] {
	c := &Conv[T]{Tier: t}
	c.fill.c, c.blocks.c, c.units.c = c, c, c
	return c
}

func (s *Shape) kernelLen() int { return s.Kernel[0] * s.Kernel[1] * s.Kernel[2] }

// WeightCount is the number of weights.
func (s *Shape) WeightCount() int { return s.OutC * (s.InC / max(s.Groups, 1)) * s.kernelLen() }

// InPlace says whether contiguous weights [OutC][InC/Groups][kernel] can be used as W without PackWeights.
func (s *Shape) InPlace() bool { return !s.Transposed }

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// Plan prepares for a shape whose sizes fit each other.
func (c *Conv[T]) Plan(s Shape) {
	c.Shape = s
	c.passes, c.taps, c.phases = c.passes[:0], c.taps[:0], c.phases[:0]
	if s.Transposed {
		c.planTransposed()
	} else {
		c.planForward()
	}
	c.off, c.pitch = c.off[:0], 0
	cg := c.InC / c.Groups
	for i := range c.passes {
		p := &c.passes[i]
		p.run = ((p.outs[0]-1)*c.dims[1]+p.outs[1]-1)*c.dims[2] + p.outs[2]
		if p.outs[0] < 1 || p.outs[1] < 1 || p.outs[2] < 1 {
			p.run = 0
		}
		c.pitch = max(c.pitch, min(p.run, runCols)+tileCols)
		for ci := range cg {
			for _, t := range c.taps[p.taps : p.taps+p.count] {
				c.off = append(c.off, int32(ci*c.chanLen+t.off))
			}
		}
	}
	if c.direct && cap(c.product.Off) == 0 {
		c.product.Off = make([]int32, OffsetCount)
	}
}

func (c *Conv[T]) planForward() {
	one := [3]int{1, 1, 1}
	c.direct = c.Kernel == one && c.Stride == one && c.Pad == [3]int{}
	var period, used [3]int // taps whose index differs by the period read the same phase
	for d := range 3 {
		period[d] = c.Stride[d] / gcd(c.Stride[d], c.Dil[d])
		used[d] = min(c.Kernel[d], period[d])
		c.dims[d] = c.Out[d] + (c.Kernel[d]-1)*c.Dil[d]/c.Stride[d]
	}
	first := func(d, i int) int { return i*c.Dil[d]%c.Stride[d] - c.Pad[d] }
	for a := range used[0] {
		for b := range used[1] {
			for e := range used[2] {
				c.phases = append(c.phases, phase{[3]int{first(0, a), first(1, b), first(2, e)}})
			}
		}
	}
	plane := c.dims[0] * c.dims[1] * c.dims[2]
	c.chanLen = plane * len(c.phases)
	c.passes = append(c.passes, pass{count: c.kernelLen(), outs: c.Out, step: one})
	for kd := range c.Kernel[0] {
		for kh := range c.Kernel[1] {
			for kw := range c.Kernel[2] {
				at, ph := 0, 0
				for d, k := range [3]int{kd, kh, kw} {
					x := k * c.Dil[d]
					at = at*c.dims[d] + x/c.Stride[d]
					ph = ph*used[d] + k%period[d]
				}
				c.taps = append(c.taps, tap{len(c.taps), ph*plane + at})
			}
		}
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// planTransposed cuts the outputs by their phase φ = (o + pad) mod stride. With o + pad = stride·q + φ, a tap k reaches o
// from input q − (k·dil − φ)/stride if k·dil ≡ φ, so every phase is a forward convolution with stride 1.
func (c *Conv[T]) planTransposed() {
	c.direct = false
	var left, right [3]int // zeros before the input, and elements that are read from index 0 on
	for d := range 3 {
		reach := (c.Kernel[d] - 1) * c.Dil[d] / c.Stride[d]
		left[d] = max(0, reach-floorDiv(c.Pad[d], c.Stride[d]))
		right[d] = max(c.In[d], floorDiv(c.Out[d]-1+c.Pad[d], c.Stride[d])+1)
		c.dims[d] = left[d] + right[d]
	}
	c.phases = append(c.phases, phase{[3]int{-left[0], -left[1], -left[2]}})
	c.chanLen = c.dims[0] * c.dims[1] * c.dims[2]
	w := 0
	for pd := range c.Stride[0] {
		for ph := range c.Stride[1] {
			for pw := range c.Stride[2] {
				p := pass{taps: len(c.taps), w: w, step: c.Stride}
				base, empty := 0, false
				for d, f := range [3]int{pd, ph, pw} {
					q0 := -floorDiv(f-c.Pad[d], c.Stride[d])
					p.first[d] = q0*c.Stride[d] + f - c.Pad[d]
					q1 := floorDiv(c.Out[d]-1+c.Pad[d]-f, c.Stride[d])
					p.outs[d] = q1 - q0 + 1
					empty = empty || p.outs[d] <= 0
					base = base*c.dims[d] + q0 + left[d]
				}
				for k := range c.kernelLen() {
					pos := [3]int{k / (c.Kernel[1] * c.Kernel[2]), k / c.Kernel[2] % c.Kernel[1], k % c.Kernel[2]}
					back, hit := 0, true
					for d, f := range [3]int{pd, ph, pw} {
						x := pos[d]*c.Dil[d] - f
						hit = hit && x%c.Stride[d] == 0
						back = back*c.dims[d] + x/c.Stride[d]
					}
					if hit {
						c.taps = append(c.taps, tap{k, base - back})
					}
				}
				p.count = len(c.taps) - p.taps
				w += c.OutC * (c.InC / c.Groups) * p.count
				if empty {
					p.outs = [3]int{}
				}
				c.passes = append(c.passes, p)
			}
		}
	}
}

// PackWeights writes W in the order of the passes. strides are those of a forward weight [OutC][InC/Groups][d][h][w] or a
// transposed one [InC][OutC/Groups][d][h][w].
func (c *Conv[T]) PackWeights(dst []T, src View[T], strides [5]int) {
	cg, og := c.InC/c.Groups, c.OutC/c.Groups
	at := 0
	for _, p := range c.passes {
		for o := range c.OutC {
			for ci := range cg {
				base := o*strides[0] + ci*strides[1]
				if c.Transposed {
					base = (o/og*cg+ci)*strides[0] + o%og*strides[1]
				}
				for _, t := range c.taps[p.taps : p.taps+p.count] {
					k := t.kernel
					off := k/(c.Kernel[1]*c.Kernel[2])*strides[2] + k/c.Kernel[2]%c.Kernel[1]*strides[3] + k%c.Kernel[2]*strides[4]
					src.Load(dst[at:at+1], base+off, 1, 1)
					at++
				}
			}
		}
	}
}

// grouped says whether whole groups are the unit of work: depthwise and the like.
func (c *Conv[T]) grouped() bool { return c.Groups >= unitSlots/2 }

// PlaneCount is the number of elements of Planes.
func (c *Conv[T]) PlaneCount() int {
	if c.isDirect() {
		return 0
	}
	if c.grouped() {
		return c.slotLen() * min(unitSlots, max(c.Batch*c.Groups, 1))
	}
	return c.planeLen()
}

// planeLen is the length of one group's planes, with room to read a tile too far.
func (c *Conv[T]) planeLen() int { return c.InC/c.Groups*c.chanLen + tileCols }

// slotLen is that and the rows of outputs of a group that one worker has to itself.
func (c *Conv[T]) slotLen() int { return c.planeLen() + tileRows*c.pitch }

// isDirect says whether the convolution is a matrix product on the tensors where they lie.
func (c *Conv[T]) isDirect() bool {
	return c.direct && !c.X.half() && !c.Y.half() && packedPlane(c.XStride, c.In) && packedPlane(c.YStride, c.Out)
}

func packedPlane(strides [5]int, size [3]int) bool {
	return (size[2] == 1 || strides[4] == 1) && (size[1] == 1 || strides[3] == size[2]) && (size[0] == 1 || strides[2] == size[1]*size[2])
}

// Run computes the convolution.
func (c *Conv[T]) Run(pool Pool) {
	if c.Batch == 0 || c.OutC == 0 {
		return
	}
	if len(c.Start) < c.OutC || len(c.W) < c.WeightCount() || len(c.Planes) < c.PlaneCount() {
		panic("BUG: dense: a convolution's memory is shorter than planned")
	}
	units := c.Batch * c.Groups
	macs := c.OutC * (c.InC / c.Groups) * c.kernelLen() * c.Out[0] * c.Out[1] * c.Out[2]
	switch {
	case c.isDirect():
		for i := range units {
			c.multiply(pool, i/c.Groups, i%c.Groups)
		}
	case c.grouped():
		if c.units.parts = min(unitSlots, units); c.Batch*macs < WorthSharing {
			c.units.parts = 1
		}
		Run(pool, c.units.parts, c.Batch*macs, &c.units)
	default:
		for i := range units {
			c.n, c.g = i/c.Groups, i%c.Groups
			Run(pool, c.InC/c.Groups, macs/c.Groups, &c.fill)
			for p := range c.passes {
				c.blocks.pass = &c.passes[p]
				c.blocks.off = p
				Run(pool, c.blocks.count(), macs/c.Groups, &c.blocks)
			}
		}
	}
}

// multiply computes a group of an image in place.
func (c *Conv[T]) multiply(pool Pool, n, g int) {
	cg, og := c.InC/c.Groups, c.OutC/c.Groups
	size := c.In[0] * c.In[1] * c.In[2]
	if cg == 1 && og*size < WorthSharing { // there may be many such groups
		x := c.X.Same[n*c.XStride[0]+g*c.XStride[1]:]
		for o := g * og; o < (g+1)*og; o++ {
			row(c.Tier, size, 1, c.W[o:], x, packedOffsets[:1], c.Y.Same[n*c.YStride[0]+o*c.YStride[1]:], c.Start[o:])
		}
		return
	}
	p := &c.product
	p.M, p.N, p.K, p.Tier = og, size, cg, c.Tier
	p.A, p.LDA = c.W[g*og*cg:], cg
	p.B, p.LDB = c.X.Same[n*c.XStride[0]+g*cg*c.XStride[1]:], c.XStride[1]
	p.C, p.LDC = c.Y.Same[n*c.YStride[0]+g*og*c.YStride[1]:], c.YStride[1]
	p.Start = c.Start[g*og:]
	p.Setup()
	Run(pool, p.Parts(), p.Work(), p)
}
