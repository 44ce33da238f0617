package nn

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// gridHalf is grid_sampler_2d of 16-bit floats. PyTorch computes it in vectors of that type, which round after every single
// operation, positions included: near a pixel's edge another pixel is read than a wider type would read, so that only the same
// steps give the same result. They are written out here in f32, which holds each step of a half exactly enough to be rounded once.
//
// Source: pytorch/pytorch aten/src/ATen/native/cpu/GridSamplerKernel.cpp.
type gridHalf struct {
	grid[float32]
	rounding
	height, width float32 // half of those of the input, between the centres of its corners if those are aligned
}

func (g *gridHalf) Plan(args []*executor.Value) error {
	if err := g.grid.Plan(args); err != nil {
		return err
	}
	g.rounding = roundingTo(args[0].Tensor().DType)
	less := 0
	if g.align {
		less = 1
	}
	g.height, g.width = g.round(float32(g.in.h-less)/2), g.round(float32(g.in.w-less)/2)
	return nil
}

func (g *gridHalf) Run(s *executor.Scope) error { return g.over(s, g) }

// Do samples the pieces of one part, of all channels.
func (g *gridHalf) Do(part int) {
	lo, hi := walk.Part(g.pieces(), g.parts, part, 1)
	p := &g.pads[part]
	for i := lo; i < hi; i++ {
		n, r, ox, m := g.piece(i)
		g.load(p.at[:m], p.at[m:2*m], n, r, ox)
		g.find(p, m)
		for c := range g.in.c {
			in, to := g.elems.x[n*g.in.sn+c*g.in.sc:], g.output(n, c, r, ox)
			for j := range m {
				g.elems.y[to+j*g.out.sw] = g.sample(p, j, in)
			}
		}
	}
}

// find sets the taps of m outputs, whose y stand before their x: what is done to both is done at once.
func (g *gridHalf) find(p *gridPad[float32], m int) {
	t, y, x := &p.taps, p.at[:m], p.at[m:2*m]
	g.unnormalise(p.at[:2*m], m)
	if g.mode != gridBicubic {
		g.foldAll(y, g.in.h)
		g.foldAll(x, g.in.w)
	}
	switch g.mode {
	case gridBicubic:
		for j := range m {
			g.bicubic(p, j, y[j], x[j])
		}
	case gridBilinear:
		g.bilinear(p, m)
	default:
		for j := range m {
			g.tap(t, j, float32(math.RoundToEven(float64(y[j]))), float32(math.RoundToEven(float64(x[j]))), 1)
		}
	}
}

// sample makes output j of a channel.
func (g *gridHalf) sample(p *gridPad[float32], j int, in []float32) (v float32) {
	t := &p.taps
	switch g.mode {
	case gridBicubic:
		for r := range 4 {
			row := g.sum(in, t.off[16*j+4*r:][:4], t.weight[16*j+4*r:])
			v = g.round(v + g.round(row*p.wy[j][r]))
		}
	case gridBilinear:
		v = g.sum(in, t.off[4*j:][:4], t.weight[4*j:])
	default:
		if k := t.off[j]; k >= 0 {
			v = in[k]
		}
	}
	return v
}

// sum adds weighted elements, of which those outside are zeros.
func (g *gridHalf) sum(in []float32, off []int, weight []float32) float32 {
	var (
		r      = g.rounding
		sum    float32
		rounds = func(x float32) float32 {
			if b := math.Float32bits(x); r.fits(b) {
				return r.bits(b)
			}
			return r.rest(x)
		}
	)
	for i, k := range off {
		if k >= 0 {
			sum = rounds(sum + rounds(in[k]*weight[i]))
		}
	}
	return sum
}

// unnormalise maps −1…1 to positions, m of rows and as many of columns.
func (g *gridHalf) unnormalise(at []float32, m int) {
	for j := range at {
		at[j]++
	}
	g.roundAll(at)
	for j := range at[:m] {
		at[j] *= g.height
		at[m+j] *= g.width
	}
	g.roundAll(at)
	if g.align {
		return
	}
	for j := range at {
		at[j] -= 0.5
	}
	g.roundAll(at)
}

// foldAll is fold for all of x.
func (g *gridHalf) foldAll(x []float32, n int) {
	if g.padding == padZeros {
		return
	}
	for j, v := range x {
		x[j] = g.fold(v, n)
	}
}

// fold brings a position outside into the input, as the padding mode says.
func (g *gridHalf) fold(x float32, n int) float32 {
	switch g.padding {
	case padBorder:
		return clamped(x, n)
	case padReflection:
		low, twice := float32(0.5), g.round(float32(2*n))
		if g.align {
			low, twice = 0, g.round(float32(2*(n-1)))
		}
		if twice == 0 {
			return 0
		}
		x = float32(math.Abs(float64(g.round(x + low))))
		x = g.round(x - g.round(float32(math.Trunc(float64(g.round(x/twice))))*twice))
		return clamped(g.round(min(x, g.round(twice-x))-low), n)
	}
	return x
}

func (g *gridHalf) bicubic(p *gridPad[float32], j int, y, x float32) {
	y0, x0 := floor(y), floor(x)
	p.wy[j], p.wx[j] = g.cubic(g.round(y-y0)), g.cubic(g.round(x-x0))
	for i := range 16 {
		g.tap(&p.taps, 16*j+i, g.fold(g.round(y0+float32(i/4-1)), g.in.h), g.fold(g.round(x0+float32(i%4-1)), g.in.w), p.wx[j][i%4])
	}
}

func (g *gridHalf) bilinear(p *gridPad[float32], m int) {
	at, next, far, near := p.at[:2*m], p.next[:2*m], p.far[:2*m], p.near[:2*m]
	for j, v := range at {
		at[j] = floor(v)
		next[j], far[j] = at[j]+1, v-at[j]
	}
	g.roundAll(next)
	g.roundAll(far)
	for j, v := range far {
		near[j] = 1 - v
	}
	g.roundAll(near)
	t := &p.taps
	for j := range m {
		w, north, south, west, east := (*[4]float32)(t.weight[4*j:]), near[j], far[j], near[m+j], far[m+j]
		w[0], w[1], w[2], w[3] = west*north, east*north, west*south, east*south
	}
	g.roundAll(t.weight[:4*m])
	for j := range m {
		w, upper, lower, left, right := (*[4]float32)(t.weight[4*j:]), g.row(at[j]), g.row(next[j]), g.column(at[m+j]), g.column(next[m+j])
		t.set(4*j, upper+left, w[0])
		t.set(4*j+1, upper+right, w[1])
		t.set(4*j+2, lower+left, w[2])
		t.set(4*j+3, lower+right, w[3])
	}
}

// cubic gives the four weights of Keys' kernel with A = −0.75 at fraction t, by Horner's rule.
func (g *gridHalf) cubic(t float32) [4]float32 {
	const a = -0.75
	r := g.round
	near := func(x float32) float32 { return r(r(r(r(r((a+2)*x)-(a+3))*x)*x) + 1) }
	far := func(x float32) float32 { return r(r(r(r(r(r(a*x)-5*a)*x)+8*a)*x) - 4*a) }
	return [4]float32{far(r(t + 1)), near(t), near(r(1 - t)), far(r(2 - t))}
}

func floor(x float32) float32 { return float32(math.Floor(float64(x))) }
