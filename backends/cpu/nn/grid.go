package nn

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/workers"
	"github.com/ptero-rt/ptero/memory"
)

var gridSig = arg.Sign("aten::grid_sampler_2d.out", "input grid interpolation_mode padding_mode align_corners out")

// Modes of grid_sampler_2d, by their numbers in PyTorch.
const (
	gridBilinear, gridNearest, gridBicubic = 0, 1, 2
	padZeros, padBorder, padReflection     = 0, 1, 2
)

func gridSampler2d() executor.Op {
	return site.Typed(gridSig, arg.Floats, func(d executor.DType) site.Work {
		switch d {
		case arg.F32:
			return &grid[float32]{}
		case arg.F64:
			return &grid[float64]{}
		}
		return &gridHalf{}
	})
}

// grid reads the input at positions that a second tensor [N, H, W, 2] gives as x, y in −1…1.
type grid[F float32 | float64] struct {
	mode, padding int
	align         bool
	in, out       planes
	gs            [4]int
	elems         widened[F]
	where         *executor.Tensor // the second tensor
	at            dense.View[F]    // its elements
	rows, cols    int              // of outputs: all of an image are one row where they lie so on both sides
	step          int              // outputs sampled together
	parts         int              // that the pieces of all rows are cut into
	pads          []gridPad[F]     // one for each part
}

// gridPad is what a part is at work on: too much to be cleared in every call.
type gridPad[F float32 | float64] struct {
	taps            taps[F]
	at              [2 * cut]F    // positions: y, then x
	wy, wx          [cut / 4][4]F // the factors of bicubic weights, for 16-bit floats
	next, far, near [2 * cut]F    // the positions after those and what weighs either, for bilinear ones of 16 bits
}

func (g *grid[F]) Needs() []memory.Need { return g.elems.needs() }

func (g *grid[F]) Plan(args []*executor.Value) error {
	r := gridSig.Read(args)
	x := image(&r, 0, arg.Floats)
	at, y := r.Like(1, x), r.Like(5, x)
	g.mode, g.padding, g.align = r.IntIn(2, 0, 2), r.IntIn(3, 0, 2), r.Bool(4)
	r.Rank(0, x, 4)
	r.Rank(1, at, 4)
	if r.Err != nil {
		return r.Err
	}
	if at.Sizes[0] != x.Sizes[0] || at.Sizes[3] != 2 {
		return gridSig.Bad(1, fmt.Sprintf("sizes [%d H W 2]", x.Sizes[0]), site.Sizes(at))
	}
	if resizePlanes(&r, 5, y, x, [2]int(at.Sizes[1:])); r.Err != nil {
		return r.Err
	}
	g.in, g.out = planesOf(x), planesOf(y)
	g.where = at
	copy(g.gs[:], at.Strides)
	g.elems.plan(x, y)
	g.rows, g.cols, g.step = g.out.h, g.out.w, cut
	if g.gs[1] == g.cols*g.gs[2] && g.out.sh == g.cols*g.out.sw {
		g.rows, g.cols = 1, g.rows*g.cols
	}
	if g.mode == gridBicubic {
		g.step = cut / 4
	}
	if g.parts = min(g.pieces(), walk.Parts(g.work())); len(g.pads) < g.parts {
		g.pads = make([]gridPad[F], g.parts)
	}
	return nil
}

// inRow is how many pieces a row has, pieces how many all have.
func (g *grid[F]) inRow() int  { return (g.cols + g.step - 1) / g.step }
func (g *grid[F]) pieces() int { return g.out.n * g.rows * g.inRow() }

// piece finds piece i: m outputs of row r of image n, from column ox on.
func (g *grid[F]) piece(i int) (n, r, ox, m int) {
	row := i / g.inRow()
	ox = i % g.inRow() * g.step
	return row / g.rows, row % g.rows, ox, min(g.step, g.cols-ox)
}

// work is about how many multiplications there are.
func (g *grid[F]) work() int { return 8 * g.out.count() * g.out.h * g.out.w }

func (g *grid[F]) Run(s *executor.Scope) error {
	return g.over(s, g)
}

// over runs the parts of a task between opening and closing the tensors.
func (g *grid[F]) over(s *executor.Scope, t workers.Task) error {
	if err := g.elems.open(s); err != nil {
		return err
	}
	g.at = view[F](g.where)
	dense.Run(s, g.parts, g.work(), t)
	g.elems.close()
	return nil
}

// taps are the input elements that make up some outputs, the same for all channels: n for each, fewer where some are
// outside, whose offsets are negative.
type taps[F float32 | float64] struct {
	n      int
	off    [4 * cut]int
	weight [4 * cut]F
}

// Do samples the pieces of one part, of all channels.
func (g *grid[F]) Do(part int) {
	lo, hi := walk.Part(g.pieces(), g.parts, part, 1)
	p := &g.pads[part]
	for i := lo; i < hi; i++ {
		n, r, ox, m := g.piece(i)
		y, x := p.at[:m], p.at[m:2*m]
		g.load(y, x, n, r, ox)
		g.unnormalise(x, g.in.w)
		g.unnormalise(y, g.in.h)
		g.taps(&p.taps, y, x)
		for c := range g.in.c {
			g.channel(&p.taps, m, g.elems.x[n*g.in.sn+c*g.in.sc:], g.output(n, c, r, ox))
		}
	}
}

// load reads the positions of a piece.
func (g *grid[F]) load(y, x []F, n, r, ox int) {
	at := n*g.gs[0] + r*g.gs[1] + ox*g.gs[2]
	g.at.Load(x, at, g.gs[2], len(x))
	g.at.Load(y, at+g.gs[3], g.gs[2], len(y))
}

// output is the place of one.
func (g *grid[F]) output(n, c, r, ox int) int {
	return n*g.out.sn + c*g.out.sc + r*g.out.sh + ox*g.out.sw
}

// taps finds the elements for outputs at places in the input.
func (g *grid[F]) taps(t *taps[F], y, x []F) {
	y = y[:len(x)]
	if g.mode == gridBicubic {
		t.n = 16
		for j := range x {
			g.bicubic(t, 16*j, y[j], x[j])
		}
		return
	}
	g.foldAll(x, g.in.w)
	g.foldAll(y, g.in.h)
	if g.mode == gridBilinear {
		t.n = 4
		for j := range x {
			g.bilinear(t, 4*j, y[j], x[j])
		}
		return
	}
	t.n = 1
	for j := range x {
		g.tap(t, j, F(math.RoundToEven(float64(y[j]))), F(math.RoundToEven(float64(x[j]))), 1)
	}
}

// channel makes m outputs of one channel.
func (g *grid[F]) channel(t *taps[F], m int, in []F, at int) {
	switch t.n {
	case 1:
		for _, k := range t.off[:m] {
			var v F
			if k >= 0 {
				v = in[k]
			}
			g.elems.y[at] = v
			at += g.out.sw
		}
		return
	case 4:
		for j := range m {
			off, weight := (*[4]int)(t.off[4*j:]), (*[4]F)(t.weight[4*j:])
			var sum F
			if k := off[0]; k >= 0 {
				sum = F(in[k] * weight[0])
			}
			if k := off[1]; k >= 0 {
				sum += F(in[k] * weight[1])
			}
			if k := off[2]; k >= 0 {
				sum += F(in[k] * weight[2])
			}
			if k := off[3]; k >= 0 {
				sum += F(in[k] * weight[3])
			}
			g.elems.y[at] = sum
			at += g.out.sw
		}
		return
	}
	for j := range m {
		var sum F
		off, weight := t.off[j*t.n:][:t.n], t.weight[j*t.n:][:t.n]
		for i, k := range off {
			if k >= 0 {
				sum += F(in[k] * weight[i])
			}
		}
		g.elems.y[at] = sum
		at += g.out.sw
	}
}

// unnormalise maps −1…1 to positions in n elements.
func (g *grid[F]) unnormalise(x []F, n int) {
	if g.align {
		for j, v := range x {
			x[j] = (v + 1) / 2 * F(n-1)
		}
		return
	}
	for j, v := range x {
		x[j] = (F((v+1)*F(n)) - 1) / 2
	}
}

// foldAll is fold for all of x.
func (g *grid[F]) foldAll(x []F, n int) {
	if g.padding == padZeros {
		return
	}
	for j, v := range x {
		x[j] = g.fold(v, n)
	}
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
		switch { // the usual cases of what follows, whose differences are exact
		case x < span:
			return clamped(x+low, n)
		case x < 2*span:
			return clamped(span-(x-span)+low, n)
		}
		rest := F(math.Mod(float64(x), float64(span)))
		if int64(math.Floor(float64(x/span)))%2 == 0 {
			return clamped(rest+low, n)
		}
		return clamped(span-rest+low, n)
	}
	return x
}

// clamped puts a position into 0…n-1; NaN goes to the start, as PyTorch's order of min and max has it.
func clamped[F float32 | float64](x F, n int) F {
	if !(x > 0) {
		return 0
	}
	if x < F(n-1) {
		return x
	}
	return F(n - 1)
}

// outside is the offset of rows and columns that are not in the input.
const outside = math.MinInt / 2

// row and column are the offsets of whole positions.
func (g *grid[F]) row(y F) int {
	if y >= 0 && y < F(g.in.h) {
		return int(y) * g.in.sh
	}
	return outside
}

func (g *grid[F]) column(x F) int {
	if x >= 0 && x < F(g.in.w) {
		return int(x) * g.in.sw
	}
	return outside
}

// set makes tap i the element at an offset; outside there is a zero, which counts only where its weight is no number: a
// position that is none or infinite makes the output NaN, and so any element will do.
func (t *taps[F]) set(i, offset int, weight F) {
	if offset < 0 && weight != weight {
		offset = 0
	}
	t.off[i], t.weight[i] = offset, weight
}

// tap sets tap i to the element at a whole position.
func (g *grid[F]) tap(t *taps[F], i int, y, x, weight F) { t.set(i, g.row(y)+g.column(x), weight) }

func (g *grid[F]) bilinear(t *taps[F], i int, y, x F) {
	y0, x0 := F(math.Floor(float64(y))), F(math.Floor(float64(x)))
	wy, wx := y-y0, x-x0
	upper, lower, left, right := g.row(y0), g.row(y0+1), g.column(x0), g.column(x0+1)
	t.set(i, upper+left, (1-wx)*(1-wy))
	t.set(i+1, upper+right, wx*(1-wy))
	t.set(i+2, lower+left, (1-wx)*wy)
	t.set(i+3, lower+right, wx*wy)
}

func (g *grid[F]) bicubic(t *taps[F], i int, y, x F) {
	y0, x0 := F(math.Floor(float64(y))), F(math.Floor(float64(x)))
	var wy, wx [4]F
	cubic(&wy, y-y0)
	cubic(&wx, x-x0)
	ys, xs := [4]F{y0 - 1, y0, y0 + 1, y0 + 2}, [4]F{x0 - 1, x0, x0 + 1, x0 + 2}
	g.foldAll(ys[:], g.in.h)
	g.foldAll(xs[:], g.in.w)
	columns := [4]int{g.column(xs[0]), g.column(xs[1]), g.column(xs[2]), g.column(xs[3])}
	for r, y := range &ys {
		row, weight := g.row(y), wy[r]
		for c, column := range &columns {
			t.set(i, row+column, weight*wx[c])
			i++
		}
	}
}

// cubic gives the four weights of Keys' kernel with A = −0.75 at fraction t.
func cubic[F float32 | float64](weights *[4]F, t F) {
	const a = -0.75
	near := func(x F) F { return ((a+2)*x-(a+3))*x*x + 1 }
	far := func(x F) F { return ((a*x-5*a)*x+8*a)*x - 4*a }
	weights[0], weights[1], weights[2], weights[3] = far(t+1), near(t), near(1-t), far(2-t)
}
