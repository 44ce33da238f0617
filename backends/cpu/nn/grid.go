package nn

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
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
	return operator(gridSig, func(args []*executor.Value) (call, error) {
		x, err := gridSig.Tensor(args, 0)
		if err != nil {
			return nil, err
		}
		switch x.DType {
		case arg.F16, arg.BF16, arg.F32:
			return &grid[float32]{}, nil
		case arg.F64:
			return &grid[float64]{}, nil
		}
		return nil, gridSig.DType(0, x, arg.Floats)
	})
}

// grid reads the input at positions that a second tensor [N, H, W, 2] gives as x, y in −1…1.
type grid[F float32 | float64] struct {
	mode, padding int
	align         bool
	in, out       planes
	gs            [4]int
	x, g, y       dense.View[F]
}

func (g *grid[F]) needs() []memory.Need { return nil }

func (g *grid[F]) plan(args []*executor.Value) error {
	ts, err := operands(gridSig, args, 4, 0, 1, 5)
	if err != nil {
		return err
	}
	x, at, y := ts[0], ts[1], ts[2]
	if err := image(gridSig, 0, x); err != nil {
		return err
	}
	if at.Sizes[0] != x.Sizes[0] || at.Sizes[3] != 2 {
		return gridSig.Bad(1, fmt.Sprintf("sizes [%d H W 2]", x.Sizes[0]), sizes(at))
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
	return nil
}

func (g *grid[F]) run(s *executor.Scope, args []*executor.Value) error {
	g.x, g.g, g.y = view[F](args[0].Tensor()), view[F](args[1].Tensor()), view[F](args[5].Tensor())
	dense.Run(s, g.out.n*g.out.h, 8*g.out.count()*g.out.h*g.out.w, g)
	return nil
}

// Do samples one row of all channels.
func (g *grid[F]) Do(part int) {
	n, oy := part/g.out.h, part%g.out.h
	for ox := range g.out.w {
		at := n*g.gs[0] + oy*g.gs[1] + ox*g.gs[2]
		x := g.unnormalise(g.g.At(at), g.in.w)
		y := g.unnormalise(g.g.At(at+g.gs[3]), g.in.h)
		if g.mode != gridBicubic {
			x, y = g.fold(x, g.in.w), g.fold(y, g.in.h)
		}
		for c := range g.in.c {
			in := n*g.in.sn + c*g.in.sc
			var v F
			switch g.mode {
			case gridNearest:
				v = g.at(in, F(math.RoundToEven(float64(y))), F(math.RoundToEven(float64(x))))
			case gridBilinear:
				v = g.bilinear(in, y, x)
			default:
				v = g.bicubic(in, y, x)
			}
			g.y.Set(n*g.out.sn+c*g.out.sc+oy*g.out.sh+ox*g.out.sw, v)
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

// at reads the element at a whole position, 0 outside.
func (g *grid[F]) at(in int, y, x F) F {
	if !(y >= 0 && y < F(g.in.h) && x >= 0 && x < F(g.in.w)) {
		return 0
	}
	return g.x.At(in + int(y)*g.in.sh + int(x)*g.in.sw)
}

func (g *grid[F]) bilinear(in int, y, x F) F {
	y0, x0 := F(math.Floor(float64(y))), F(math.Floor(float64(x)))
	wy, wx := y-y0, x-x0
	if wy != wy || wx != wx { // not a number, or infinite: outside
		return 0
	}
	return g.at(in, y0, x0)*(1-wx)*(1-wy) + g.at(in, y0, x0+1)*wx*(1-wy) + g.at(in, y0+1, x0)*(1-wx)*wy + g.at(in, y0+1, x0+1)*wx*wy
}

func (g *grid[F]) bicubic(in int, y, x F) F {
	y0, x0 := F(math.Floor(float64(y))), F(math.Floor(float64(x)))
	wy, wx := cubic(y-y0), cubic(x-x0)
	var sum F
	for i := range 4 {
		var line F
		yy := g.fold(y0+F(i-1), g.in.h)
		for j := range 4 {
			line += wx[j] * g.at(in, yy, g.fold(x0+F(j-1), g.in.w))
		}
		sum += wy[i] * line
	}
	return sum
}

// cubic gives the four weights of Keys' kernel with A = −0.75 at fraction t.
func cubic[F float32 | float64](t F) [4]F {
	const a = -0.75
	near := func(x F) F { return ((a+2)*x-(a+3))*x*x + 1 }
	far := func(x F) F { return ((a*x-5*a)*x+8*a)*x - 4*a }
	return [4]F{far(t + 1), near(t), near(1 - t), far(2 - t)}
}
