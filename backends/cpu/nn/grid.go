package nn

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

var gridSig = arg.Sign("aten::grid_sampler_2d.out", "input grid interpolation_mode padding_mode align_corners out")

// Modes of grid_sampler_2d, by their numbers in PyTorch.
const (
	gridBilinear, gridNearest, gridBicubic = 0, 1, 2
	padZeros, padBorder, padReflection     = 0, 1, 2
)

func gridSampler2d() executor.Op {
	return site.Operator(gridSig, func(args []*executor.Value) (site.Call, error) {
		return byFloat(gridSig, args, &grid[float32]{}, &grid[float64]{})
	})
}

// grid reads the input at positions that a second tensor [N, H, W, 2] gives as x, y in −1…1.
type grid[F float32 | float64] struct {
	mode, padding int
	align         bool
	in, out       planes
	gs            [4]int
	elems         widened[F]
	at            dense.View[F] // the second tensor
}

func (g *grid[F]) Needs() []memory.Need { return g.elems.needs() }

func (g *grid[F]) Plan(args []*executor.Value) error {
	ts, err := operands(gridSig, args, 4, 0, 1, 5)
	if err != nil {
		return err
	}
	x, at, y := ts[0], ts[1], ts[2]
	if err := image(gridSig, 0, x); err != nil {
		return err
	}
	if at.Sizes[0] != x.Sizes[0] || at.Sizes[3] != 2 {
		return gridSig.Bad(1, fmt.Sprintf("sizes [%d H W 2]", x.Sizes[0]), site.Sizes(at))
	}
	if g.mode, err = gridSig.IntIn(args, 2, 0, 2); err != nil {
		return err
	}
	if g.padding, err = gridSig.IntIn(args, 3, 0, 2); err != nil {
		return err
	}
	if g.align, err = gridSig.Bool(args, 4); err != nil {
		return err
	}
	if err := resizePlanes(gridSig, 5, y, x, at.Sizes[1], at.Sizes[2]); err != nil {
		return err
	}
	g.in, g.out = planesOf(x), planesOf(y)
	copy(g.gs[:], at.Strides)
	g.elems.plan(x, y)
	return nil
}

func (g *grid[F]) Run(s *executor.Scope, args []*executor.Value) error {
	if err := g.elems.open(s, args[0].Tensor(), args[5].Tensor()); err != nil {
		return err
	}
	g.at = view[F](args[1].Tensor())
	dense.Run(s, g.out.n*g.out.h, 8*g.out.count()*g.out.h*g.out.w, g)
	g.elems.close(args[5].Tensor())
	return nil
}

// taps are the input elements that make up one output, the same for all channels.
type taps[F float32 | float64] struct {
	n      int
	off    [16]int
	weight [16]F
}

// Do samples one row of all channels.
func (g *grid[F]) Do(part int) {
	n, oy := part/g.out.h, part%g.out.h
	var t taps[F]
	for ox := range g.out.w {
		at := n*g.gs[0] + oy*g.gs[1] + ox*g.gs[2]
		x := g.unnormalise(g.at.At(at), g.in.w)
		y := g.unnormalise(g.at.At(at+g.gs[3]), g.in.h)
		t.n = 0
		switch g.mode {
		case gridNearest:
			g.tap(&t, F(math.RoundToEven(float64(g.fold(y, g.in.h)))), F(math.RoundToEven(float64(g.fold(x, g.in.w)))), 1)
		case gridBilinear:
			g.bilinear(&t, g.fold(y, g.in.h), g.fold(x, g.in.w))
		default:
			g.bicubic(&t, y, x)
		}
		out := n*g.out.sn + oy*g.out.sh + ox*g.out.sw
		for c := range g.in.c {
			in := g.elems.x[n*g.in.sn+c*g.in.sc:]
			var sum F
			for i, off := range t.off[:t.n] {
				sum += in[off] * t.weight[i]
			}
			g.elems.y[out+c*g.out.sc] = sum
		}
	}
}

// unnormalise maps −1…1 to positions in n elements.
func (g *grid[F]) unnormalise(x F, n int) F {
	if g.align {
		return (x + 1) / 2 * F(n-1)
	}
	return ((x+1)*F(n) - 1) / 2
}

// fold brings a position outside into the input, as the padding mode says.
func (g *grid[F]) fold(x F, n int) F {
	switch g.padding {
	case padBorder:
		return clamped(x, n)
	case padReflection:
		low, span := F(-0.5), F(n)
		if g.align {
			low, span = 0, F(n-1)
		}
		if span == 0 {
			return 0
		}
		x = F(math.Abs(float64(x - low)))
		rest := F(math.Mod(float64(x), float64(span)))
		if int64(math.Floor(float64(x/span)))%2 == 0 {
			return clamped(rest+low, n)
		}
		return clamped(span-rest+low, n)
	}
	return x
}

// clamped puts a position into 0…n-1; NaN goes to the end, as PyTorch's order of min and max has it.
func clamped[F float32 | float64](x F, n int) F {
	if x < 0 {
		return 0
	}
	if x < F(n-1) {
		return x
	}
	return F(n - 1)
}

// tap adds the element at a whole position; outside there is nothing.
func (g *grid[F]) tap(t *taps[F], y, x, weight F) {
	if y >= 0 && y < F(g.in.h) && x >= 0 && x < F(g.in.w) {
		t.off[t.n], t.weight[t.n] = int(y)*g.in.sh+int(x)*g.in.sw, weight
		t.n++
	}
}

func (g *grid[F]) bilinear(t *taps[F], y, x F) {
	y0, x0 := F(math.Floor(float64(y))), F(math.Floor(float64(x)))
	wy, wx := y-y0, x-x0
	g.tap(t, y0, x0, (1-wx)*(1-wy))
	g.tap(t, y0, x0+1, wx*(1-wy))
	g.tap(t, y0+1, x0, (1-wx)*wy)
	g.tap(t, y0+1, x0+1, wx*wy)
}

func (g *grid[F]) bicubic(t *taps[F], y, x F) {
	y0, x0 := F(math.Floor(float64(y))), F(math.Floor(float64(x)))
	wy, wx := cubic(y-y0), cubic(x-x0)
	for i := range 4 {
		for j := range 4 {
			g.tap(t, g.fold(y0+F(i-1), g.in.h), g.fold(x0+F(j-1), g.in.w), wy[i]*wx[j])
		}
	}
}

// cubic gives the four weights of Keys' kernel with A = −0.75 at fraction t.
func cubic[F float32 | float64](t F) [4]F {
	const a = -0.75
	near := func(x F) F { return ((a+2)*x-(a+3))*x*x + 1 }
	far := func(x F) F { return ((a*x-5*a)*x+8*a)*x - 4*a }
	return [4]F{far(t + 1), near(t), near(1 - t), far(2 - t)}
}
