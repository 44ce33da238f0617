package nn

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
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
	brain bool // they are bfloat16
}

func (g *gridHalf) Plan(args []*executor.Value) error {
	if err := g.grid.Plan(args); err != nil {
		return err
	}
	g.brain = args[0].Tensor().DType == arg.BF16
	return nil
}

// round gives the nearest number of the 16-bit type.
func (g *gridHalf) round(x float32) float32 {
	if g.brain {
		return walk.BF16ToF32(walk.F32ToBF16(x))
	}
	return walk.F16ToF32(walk.F32ToF16(x))
}

func (g *gridHalf) Run(s *executor.Scope) error { return g.over(s, g) }

// Do samples the pieces of one part, of all channels.
func (g *gridHalf) Do(part int) {
	lo, hi := walk.Part(g.pieces(), g.parts, part, 1)
	p := &g.pads[part]
	for i := lo; i < hi; i++ {
		n, r, ox, m := g.piece(i)
		g.load(p.y[:m], p.x[:m], n, r, ox)
		for j := range m {
			g.find(p, j)
		}
		for c := range g.in.c {
			in, to := g.elems.x[n*g.in.sn+c*g.in.sc:], g.output(n, c, r, ox)
			for j := range m {
				g.elems.y[to+j*g.out.sw] = g.sample(p, j, in)
			}
		}
	}
}

// find sets the taps of output j.
func (g *gridHalf) find(p *gridPad[float32], j int) {
	t, y, x := &p.taps, g.unnormalise(p.y[j], g.in.h), g.unnormalise(p.x[j], g.in.w)
	switch g.mode {
	case gridBicubic:
		y0, x0 := floor(y), floor(x)
		p.wy[j], p.wx[j] = g.cubic(g.round(y-y0)), g.cubic(g.round(x-x0))
		for i := range 16 {
			g.tap(t, 16*j+i, g.fold(g.round(y0+float32(i/4-1)), g.in.h), g.fold(g.round(x0+float32(i%4-1)), g.in.w), p.wx[j][i%4])
		}
	case gridBilinear:
		g.bilinear(t, 4*j, g.fold(y, g.in.h), g.fold(x, g.in.w))
	default:
		y, x = g.fold(y, g.in.h), g.fold(x, g.in.w)
		g.tap(t, j, float32(math.RoundToEven(float64(y))), float32(math.RoundToEven(float64(x))), 1)
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
	var sum float32
	for i, k := range off {
		if k >= 0 {
			sum = g.round(sum + g.round(in[k]*weight[i]))
		}
	}
	return sum
}

// unnormalise maps −1…1 to a position in n elements.
func (g *gridHalf) unnormalise(v float32, n int) float32 {
	if g.align {
		return g.round(g.round(v+1) * g.round(float32(n-1)/2))
	}
	return g.round(g.round(g.round(v+1)*g.round(float32(n)/2)) - 0.5)
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

func (g *gridHalf) bilinear(t *taps[float32], i int, y, x float32) {
	y0, x0 := floor(y), floor(x)
	south, east := g.round(y-y0), g.round(x-x0)
	north, west := g.round(1-south), g.round(1-east)
	y1, x1 := g.round(y0+1), g.round(x0+1)
	g.tap(t, i, y0, x0, g.round(west*north))
	g.tap(t, i+1, y0, x1, g.round(east*north))
	g.tap(t, i+2, y1, x0, g.round(west*south))
	g.tap(t, i+3, y1, x1, g.round(east*south))
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
