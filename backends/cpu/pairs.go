package cpu

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// pairs is the distances of the rows of two matrices, computed as T: a task of which each part takes some rows of a.
type pairs[T float32 | float64] struct {
	c        *distCall
	a, b     []T
	lda, ldb int // from row to row
	panels   []T // of b, for norms that have folds
	na, nb   int
	m        int // elements of a row
	size     int // bytes of a number
	off      int // of the present matrix in out
}

// partRows are the rows of a in one part.
const partRows = 4 * dense.DistanceRows

func (p *pairs[T]) run(s *executor.Scope, c *distCall) error {
	p.c = c
	ra, rb := c.a.Rank(), c.b.Rank()
	p.na, p.nb, p.m = c.a.Sizes[ra-2], c.b.Sizes[rb-2], c.a.Sizes[ra-1]
	if p.size = 4; c.wide() {
		p.size = 8
	}
	temp, err := s.TempBytes(p.size * c.elements())
	if err != nil {
		return err
	}
	room := executor.SliceBytes[T](temp)
	p.panels = room[(p.na+p.nb)*p.m:]
	batches := 1
	var cur [3]walk.Cursor
	if !c.self {
		batches = c.n
		for k := range cur {
			c.batches[k].Seek(&cur[k], 0)
		}
	}
	for i := range batches {
		if i > 0 {
			for k := range cur {
				c.batches[k].Skip(&cur[k], 1)
			}
		}
		p.a, p.lda = p.rows(c.a, cur[0].Off, temp, room)
		used := p.na * p.m
		p.b, p.ldb = p.rows(c.b, cur[1].Off, temp[p.size*used:], room[used:])
		if c.folded {
			dense.PackPanels(p.panels, p.b, p.nb, p.m, p.ldb, 1)
		}
		p.off = cur[2].Off
		dense.Run(s, (p.na+partRows-1)/partRows, p.na*p.nb*p.m, p)
	}
	return nil
}

// rows gives the rows of a matrix whose elements are contiguous: those of the tensor, or copies.
func (p *pairs[T]) rows(t *executor.Tensor, at int, temp []byte, room []T) ([]T, int) {
	r := t.Rank()
	if p.m == 0 {
		return room, 0
	}
	if t.Strides[r-1] == 1 && !arg.IsHalf(t.DType) {
		return executor.Slice[T](t)[at:], t.Strides[r-2]
	}
	for i := range t.Sizes[r-2] {
		p.c.load(temp[p.size*i*p.m:], t.Data, at+i*t.Strides[r-2], t.Strides[r-1], p.m)
	}
	return room, p.m
}

// Do measures some rows of a.
func (p *pairs[T]) Do(part int) {
	i0 := part * partRows
	i1 := min(i0+partRows, p.na)
	if p.c.folded {
		for i := i0; i < i1; i += dense.DistanceRows {
			p.fold(i, min(i+dense.DistanceRows, i1))
		}
		return
	}
	var room powers
	for i := i0; i < i1; i++ {
		first := 0
		if p.c.self {
			first = i + 1
		}
		p.measure(i, first, &room)
	}
}

// measure finds the distances of row i of a from those of b from first on, as many at once as have room.
func (p *pairs[T]) measure(i, first int, room *powers) {
	x, step := p.a[i*p.lda:][:p.m], max(1, powersWidth/max(p.m, 1))
	var found [powersWidth]T
	for j := first; j < p.nb; j += step {
		some := found[:min(step, p.nb-j, powersWidth)]
		lengths(some, x, p.b[j*p.ldb:], p.ldb, p.c.p, room)
		p.store(i, j, some)
	}
}

// fold measures up to four rows of a, from i on, against all of b, or against those behind them.
func (p *pairs[T]) fold(i, end int) {
	const width = dense.DistanceColumns
	var sums [dense.DistanceRows * width]T
	var at [dense.DistanceRows]int
	for r := range at {
		at[r] = min(i+r, end-1) * p.lda
	}
	first := 0
	if p.c.self {
		first = (i + 1) / width * width
	}
	tier := dense.Best()
	for j := first; j < p.nb; j += width {
		dense.Distances(tier, p.c.norm, p.m, p.a, at, p.panels[j*p.m:][:width*p.m], &sums)
		if p.c.norm == dense.Squares {
			roots(sums[:])
		}
		for r := range end - i {
			p.store(i+r, j, sums[r*width:][:min(width, p.nb-j)])
		}
	}
}

func roots[T float32 | float64](x []T) {
	if f, ok := any(x).([]float32); ok {
		fmath.Sqrt(f, f)
		return
	}
	for i, v := range x {
		x[i] = T(math.Sqrt(float64(v)))
	}
}

// store writes the distances from row i of a to rows of b from j on.
func (p *pairs[T]) store(i, j int, x []T) {
	out := p.c.out
	r := out.Rank()
	step, at := out.Strides[r-1], p.off
	if p.c.self {
		skip := max(0, i+1-j)
		if skip >= len(x) {
			return
		}
		x, j = x[skip:], j+skip
		at += (i*(2*p.na-i-1)/2 + j - i - 1) * step
	} else {
		at += i*out.Strides[r-2] + j*step
	}
	if arg.IsHalf(out.DType) {
		y := executor.Slice[uint16](out)
		for k, v := range x {
			if out.DType == arg.F16 {
				y[at+k*step] = walk.F32ToF16(float32(v))
			} else {
				y[at+k*step] = walk.F32ToBF16(float32(v))
			}
		}
		return
	}
	y := executor.Slice[T](out)
	if step == 1 {
		copy(y[at:], x)
		return
	}
	for k, v := range x {
		y[at+k*step] = v
	}
}

// lengths finds the p-norms of the differences of x and some rows of y, which are next apart.
func lengths[T float32 | float64](dst, x, y []T, next int, p float64, room *powers) {
	if f, ok := any(x).([]float32); ok {
		found, _ := any(dst).([]float32)
		g, _ := any(y).([]float32)
		room.lengths(found, f, g, next, p)
		return
	}
	for j := range dst {
		var sums [4]float64
		for i, v := range x {
			sums[i&3] += math.Pow(math.Abs(float64(v)-float64(y[j*next+i])), p)
		}
		dst[j] = T(math.Pow((sums[0]+sums[2])+(sums[1]+sums[3]), 1/p))
	}
}

// powers is room for the differences of some short rows, or of a piece of a long one, and for their powers.
type powers struct{ d, powers, other [powersWidth]float32 }

const powersWidth = 128

// lengths takes several rows only where they fit.
func (w *powers) lengths(dst, x, y []float32, next int, p float64) {
	var sum walk.Acc
	for at := 0; at < len(x); at += powersWidth {
		m := min(powersWidth, len(x)-at)
		n := m * len(dst)
		for j := range dst {
			fmath.Sub(w.d[j*m:][:m], x[at:][:m], y[j*next+at:][:m])
		}
		fmath.Abs(w.d[:n], w.d[:n])
		raise(w.powers[:n], w.d[:n], w.other[:n], p)
		for j := range dst {
			if at == 0 {
				sum = walk.Acc{}
			}
			if fmath.Sum(&sum.F, w.powers[j*m:][:m]); at+m == len(x) {
				dst[j] = float32(math.Pow(sum.Sum(), 1/p))
			}
		}
	}
}

// raise is the power p of numbers that are not negative, which it changes. Multiples of ½ are products.
func raise(dst, x, scratch []float32, p float64) {
	whole := math.Trunc(p)
	if p > 16 || p != whole && p != whole+0.5 {
		for i := range scratch {
			scratch[i] = float32(p)
		}
		fmath.Pow(dst, x, scratch)
		return
	}
	some := p != whole
	if some {
		fmath.Sqrt(dst, x)
	}
	for n := int(whole); n > 0; n >>= 1 {
		if n&1 == 1 {
			if some {
				fmath.Mul(dst, dst, x)
			} else {
				copy(dst, x)
			}
			some = true
		}
		fmath.Mul(x, x, x)
	}
}
