package nn

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
)

var convBackSig = arg.Sign("aten::convolution_backward.out", "grad_output input weight bias_sizes stride padding dilation transposed output_padding groups output_mask out0 out1 out2")

func convolutionBackward() executor.Op {
	return byFloat(convBackSig, func() site.Work { return &convBack[float32]{} }, func() site.Work { return &convBack[float64]{} })
}

// convBack computes the gradients of a convolution's input, weight and bias, those that the mask asks for.
type convBack[T float32 | float64] struct {
	geo        geometry
	mask       [3]bool
	in, to     [3]*executor.Tensor // gradient, input, weight; outputs
	g, x, w    dense.View[T]
	gs, xs, ws [5]int
	out        [3]dense.View[T]
	os         [3][5]int
	stage      stage[T]
}

// stage is one of the three gradients, cut by output or input channel.
type stage[T float32 | float64] struct {
	c    *convBack[T]
	kind int
}

func (c *convBack[T]) Plan(args []*executor.Value) error {
	r := convBackSig.Read(args)
	g := r.Tensor(0)
	x, w := r.Like(1, g), r.Like(2, g)
	if c.geo.read(&r, 4, 1, x, 2, w); r.Err != nil {
		return r.Err
	}
	for d, n := range c.geo.out[:c.geo.rank+2] {
		if g.Rank() != c.geo.rank+2 || g.Sizes[d] != n {
			return convBackSig.Bad(0, fmt.Sprintf("sizes %v", c.geo.out[:c.geo.rank+2]), site.Sizes(g))
		}
	}
	mask := args[10].Bools()
	if len(mask) != 3 {
		return convBackSig.Bad(10, "three bools", number(len(mask)))
	}
	copy(c.mask[:], mask)
	c.in = [3]*executor.Tensor{g, x, w}
	strides(&c.gs, g)
	strides(&c.xs, x)
	strides(&c.ws, w)
	bias := [1]int{c.geo.OutC}
	for i, sizes := range [3][]int{x.Sizes, w.Sizes, bias[:]} {
		if !c.mask[i] {
			continue
		}
		c.to[i] = r.Like(11+i, g)
		if r.Resize(11+i, c.to[i], sizes...); r.Err != nil {
			return r.Err
		}
		if i < 2 {
			strides(&c.os[i], c.to[i])
		}
	}
	return nil
}

func (c *convBack[T]) Run(s *executor.Scope) error {
	c.g, c.x, c.w = view[T](c.in[0]), view[T](c.in[1]), view[T](c.in[2])
	c.stage.c = c
	work := c.geo.Batch * c.geo.WeightCount() * c.geo.Out[0] * c.geo.Out[1] * c.geo.Out[2]
	for i, want := range c.mask {
		if !want {
			continue
		}
		c.out[i] = view[T](c.to[i])
		c.stage.kind = i
		parts := c.geo.OutC
		if i == 0 {
			parts = c.geo.InC
		}
		dense.Run(s, parts, work, &c.stage)
	}
	return nil
}

// Do computes one channel: of the input for its gradient, of the output for weight and bias.
func (s *stage[T]) Do(channel int) {
	switch s.kind {
	case 0:
		s.c.input(channel)
	case 1:
		s.c.weights(channel)
	default:
		s.c.bias(channel)
	}
}

func pos(i int, size [3]int) [3]int {
	return [3]int{i / (size[1] * size[2]), i / size[2] % size[1], i % size[2]}
}

func offset(st *[5]int, p [3]int) int { return p[0]*st[2] + p[1]*st[3] + p[2]*st[4] }

func volume(s [3]int) int { return s[0] * s[1] * s[2] }

func (c *convBack[T]) bias(o int) {
	var sum T
	for n := range c.geo.Batch {
		for i := range volume(c.geo.Out) {
			sum += c.g.At(n*c.gs[0] + o*c.gs[1] + offset(&c.gs, pos(i, c.geo.Out)))
		}
	}
	c.out[2].Set(o, sum)
}

// meet gives the element of the large side (input of a forward convolution, output of a transposed one) that kernel
// position k joins with element p of the small side.
func (c *convBack[T]) meet(p, k [3]int) (q [3]int, ok bool) {
	g := &c.geo
	large := g.In
	if g.Transposed {
		large = g.Out
	}
	for d := range 3 {
		q[d] = p[d]*g.Stride[d] - g.Pad[d] + k[d]*g.Dil[d]
		if q[d] < 0 || q[d] >= large[d] {
			return q, false
		}
	}
	return q, true
}

// columns are the columns of the small side that kernel column k joins with one of the large side.
func (c *convBack[T]) columns(k, small int) (lo, hi int) {
	g := &c.geo
	large := g.In[2]
	if g.Transposed {
		large = g.Out[2]
	}
	first, step := k*g.Dil[2]-g.Pad[2], g.Stride[2] // column p meets first + p·step
	if first < 0 {
		lo = (step - 1 - first) / step
	}
	if last := large - 1 - first; last >= 0 {
		hi = min(small, last/step+1)
	}
	return lo, hi
}

// addProducts adds n products to sum, one after the other: of elements i, i+di … of x and j, j+dj … of y.
func addProducts[T float32 | float64](sum T, x *dense.View[T], i, di int, y *dense.View[T], j, dj, n int) T {
	if x.Same == nil || y.Same == nil {
		for range n {
			sum += x.At(i) * y.At(j)
			i, j = i+di, j+dj
		}
		return sum
	}
	a, b := x.Same, y.Same
	for range n {
		sum += a[i] * b[j]
		i, j = i+di, j+dj
	}
	return sum
}

func (c *convBack[T]) weightAt(st *[5]int, o, ci int) int {
	cg, og := c.geo.InC/c.geo.Groups, c.geo.OutC/c.geo.Groups
	if c.geo.Transposed {
		return (o/og*cg+ci)*st[0] + o%og*st[1]
	}
	return o*st[0] + ci*st[1]
}

func (c *convBack[T]) weights(o int) {
	g := &c.geo
	cg, og := g.InC/g.Groups, g.OutC/g.Groups
	small := g.Out
	if g.Transposed {
		small = g.In
	}
	for ci := range cg {
		ch := o/og*cg + ci
		for i := range volume(g.Kernel) {
			k := pos(i, g.Kernel)
			var sum T
			lo, hi := c.columns(k[2], small[2])
			for row := range g.Batch * small[0] * small[1] {
				n, p := row/(small[0]*small[1]), [3]int{row / small[1] % small[0], row % small[1], lo}
				q, ok := c.meet(p, k)
				if !ok || lo >= hi {
					continue
				}
				in, out, di, do := q, p, g.Stride[2]*c.xs[4], c.gs[4]
				if g.Transposed {
					in, out, di, do = p, q, c.xs[4], g.Stride[2]*c.gs[4]
				}
				sum = addProducts(sum, &c.x, n*c.xs[0]+ch*c.xs[1]+offset(&c.xs, in), di, &c.g, n*c.gs[0]+o*c.gs[1]+offset(&c.gs, out), do, hi-lo)
			}
			c.out[1].Set(c.weightAt(&c.os[1], o, ci)+offset(&c.os[1], k), sum)
		}
	}
}

func (c *convBack[T]) input(ch int) {
	g := &c.geo
	cg, og := g.InC/g.Groups, g.OutC/g.Groups
	for n := range g.Batch {
		for j := range volume(g.In) {
			in := pos(j, g.In)
			var sum T
			for i := range volume(g.Kernel) {
				k := pos(i, g.Kernel)
				out, ok := c.output(in, k)
				if !ok {
					continue
				}
				o, step := ch/cg*og, c.ws[0]
				if g.Transposed {
					step = c.ws[1]
				}
				sum = addProducts(sum, &c.w, c.weightAt(&c.ws, o, ch%cg)+offset(&c.ws, k), step, &c.g, n*c.gs[0]+o*c.gs[1]+offset(&c.gs, out), c.gs[1], og)
			}
			c.out[0].Set(n*c.os[0][0]+ch*c.os[0][1]+offset(&c.os[0], in), sum)
		}
	}
}

// output gives the element of the output that kernel position k joins with element in of the input.
func (c *convBack[T]) output(in, k [3]int) (p [3]int, ok bool) {
	g := &c.geo
	if g.Transposed {
		return c.meet(in, k)
	}
	for d := range 3 {
		x := in[d] + g.Pad[d] - k[d]*g.Dil[d]
		p[d] = x / g.Stride[d]
		if x < 0 || x%g.Stride[d] != 0 || p[d] >= g.Out[d] {
			return p, false
		}
	}
	return p, true
}
