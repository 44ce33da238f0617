package dense

// fillTask copies one channel of the present group into its planes.
type fillTask[T Real] struct{ c *Conv[T] }

func (f *fillTask[T]) Do(ci int) {
	c := f.c
	c.fillChannel(c.Planes[ci*c.chanLen:(ci+1)*c.chanLen], c.n, c.g*(c.InC/c.Groups)+ci)
}

// fillChannel writes all phases of a channel, zeros around the input.
func (c *Conv[T]) fillChannel(dst []T, n, channel int) {
	step := [3]int{1, 1, 1}
	if !c.Transposed {
		step = c.Stride
	}
	base := n*c.XStride[0] + channel*c.XStride[1]
	for _, ph := range c.phases {
		// The columns of the plane that hold input: x = first + i·step within 0…size-1.
		lo := max(0, -floorDiv(ph.first[2], step[2]))
		hi := min(c.dims[2], floorDiv(c.In[2]-1-ph.first[2], step[2])+1)
		lo, hi = min(lo, c.dims[2]), max(hi, 0)
		for d := range c.dims[0] {
			z := ph.first[0] + d*step[0]
			for h := range c.dims[1] {
				y := ph.first[1] + h*step[1]
				line := dst[:c.dims[2]]
				dst = dst[c.dims[2]:]
				if z < 0 || z >= c.In[0] || y < 0 || y >= c.In[1] || hi <= lo {
					clear(line)
					continue
				}
				clear(line[:lo])
				clear(line[hi:])
				x := ph.first[2] + lo*step[2]
				c.X.Load(line[lo:], base+z*c.XStride[2]+y*c.XStride[3]+x*c.XStride[4], step[2]*c.XStride[4], hi-lo)
			}
		}
	}
}

// Columns of a run are computed so many at a time; few is up to how many, with a tile, a smaller part of the stack is cleared.
const (
	runCols = 512
	few     = 64
)

// blockTask computes one block of output channels and columns of the present group and pass.
type blockTask[T Real] struct {
	c    *Conv[T]
	pass *pass
	off  int
}

func (b *blockTask[T]) count() int {
	og := b.c.OutC / b.c.Groups
	return (og + blockRows - 1) / blockRows * ((b.pass.run + runCols - 1) / runCols)
}

func (b *blockTask[T]) Do(part int) {
	if b.c.pitch <= few {
		b.short(part)
	} else {
		b.long(part)
	}
}

//go:noinline
func (b *blockTask[T]) short(part int) {
	var tmp [tileRows * few]T
	b.some(part, tmp[:])
}

//go:noinline
func (b *blockTask[T]) long(part int) {
	var tmp [tileRows * (runCols + tileCols)]T
	b.some(part, tmp[:])
}

func (b *blockTask[T]) some(part int, tmp []T) {
	c := b.c
	cols := (b.pass.run + runCols - 1) / runCols
	i0, j0 := part/cols*blockRows, part%cols*runCols
	c.block(b.pass, c.Planes, tmp, c.n, c.g, i0, min(i0+blockRows, c.OutC/c.Groups), j0, min(j0+runCols, b.pass.run))
}

// block computes output channels i0…i1 of a group for columns j0…j1 of the run and stores those that are outputs.
func (c *Conv[T]) block(p *pass, planes, tmp []T, n, g, i0, i1, j0, j1 int) {
	cg, og := c.InC/c.Groups, c.OutC/c.Groups
	k := cg * p.count
	off := c.off[cg*p.taps:][:k]
	for i := i0; i < i1; {
		rows := rowsOf(i1 - i)
		o := g*og + i
		w, start := c.W[p.w+o*k:], c.Start[o:]
		if rows == 1 {
			row(c.Tier, j1-j0, k, w, planes[j0:], off, tmp, start)
		} else {
			for j := j0; j < j1; j += tileCols {
				tile(c.Tier, rows, k, w, k, planes[j:], off, tmp[j-j0:], c.pitch, start)
			}
		}
		for r := range rows {
			c.storeRun(p, tmp[r*c.pitch:][:j1-j0], j0, n*c.YStride[0]+(o+r)*c.YStride[1])
		}
		i += rows
	}
}

// storeRun writes the columns from j0 on of one channel's run to their places, leaving out the gaps.
func (c *Conv[T]) storeRun(p *pass, run []T, j0, base int) {
	j1, pitch := j0+len(run), c.dims[2]
	for line := j0 / pitch; line*pitch < j1; line++ {
		d, h := line/c.dims[1], line%c.dims[1]
		if h >= p.outs[1] {
			continue
		}
		lo, hi := max(j0, line*pitch), min(j1, line*pitch+p.outs[2])
		if lo >= hi {
			continue
		}
		x := p.first[2] + (lo-line*pitch)*p.step[2]
		at := base + (p.first[0]+d*p.step[0])*c.YStride[2] + (p.first[1]+h*p.step[1])*c.YStride[3] + x*c.YStride[4]
		c.Y.Store(run[lo-j0:hi-j0], at, p.step[2]*c.YStride[4])
	}
}

// unitTask computes every parts-th group of the batch, in a slot of its own.
type unitTask[T Real] struct {
	c     *Conv[T]
	parts int
}

func (u *unitTask[T]) Do(part int) {
	c := u.c
	planes := c.Planes[part*c.slotLen() : (part+1)*c.slotLen()]
	tmp := planes[c.planeLen():]
	cg, og := c.InC/c.Groups, c.OutC/c.Groups
	for i := part; i < c.Batch*c.Groups; i += u.parts {
		n, g := i/c.Groups, i%c.Groups
		for ci := range cg {
			c.fillChannel(planes[ci*c.chanLen:(ci+1)*c.chanLen], n, g*cg+ci)
		}
		for k := range c.passes {
			p := &c.passes[k]
			for j := 0; j < p.run; j += runCols {
				c.block(p, planes, tmp, n, g, 0, og, j, min(j+runCols, p.run))
			}
		}
	}
}
