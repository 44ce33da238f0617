package llm

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

const (
	blockRows = 64 // query rows that go through the products together
	fewRows   = 4  // up to which keys are read where they lie
)

// attend computes attention in T, one key head after the other: the rows of all query heads that share it, block by
// block.
//
//	rows × keys   scores  = Q · Kᵀ     panels of K, or dot products for few rows
//	              scores  = softmax(scores · scale + mask)
//	rows × width  result  = scores · V
type attend[T float32 | float64] struct {
	scores  dense.Product[T]
	dots    dense.DotRows[T]
	results dense.Product[T]
}

func (a *attend[T]) open() {
	a.scores.Panels = true
	a.results.Off = make([]int32, dense.OffsetCount)
	zeros := make([]T, blockRows)
	a.scores.Start, a.results.Start = zeros, zeros
}

// parts of the temp memory, in elements.
type layout struct {
	rows, keys, values, panels, scores, result, mask int // where each begins
	total                                            int
}

// extent lays out what rows query rows over so many keys take. Keys and values that are used where they lie take nothing.
func extent(rows, keys, width int, keysLie, valuesLie bool) layout {
	var l layout
	count := func(needed bool, n int) int {
		if needed {
			return n
		}
		return 0
	}
	for _, p := range [...]struct {
		at *int
		n  int
	}{
		{&l.rows, rows * width}, {&l.keys, count(!keysLie, keys*width)}, {&l.values, count(!valuesLie, keys*width)},
		{&l.panels, count(rows > fewRows, dense.PanelCount(keys, width))},
		{&l.scores, rows * keys}, {&l.result, rows * width}, {&l.mask, keys},
	} {
		*p.at = l.total
		l.total += (p.n + 15) &^ 15
	}
	return l
}

// lies says whether rows of keys or values, at positions along dimension seq, can be used where they lie.
func lies(t *executor.Tensor, seq int) bool {
	width := t.Sizes[3]
	return (t.DType == arg.F32 || t.DType == arg.F64) && (t.Strides[3] == 1 || width == 1) && t.Strides[seq] >= width
}

func (a *attend[T]) run(s *executor.Scope, c *sdpaCall, tier dense.Tier) error {
	a.scores.Tier, a.dots.Tier, a.results.Tier = tier, tier, tier
	width, heads := c.q.Sizes[3], c.k.Sizes[c.head]
	share, n := c.q.Sizes[c.head]/heads, c.q.Sizes[c.seq]
	total := share * n
	l := extent(min(blockRows, total), c.keys, width, lies(c.k, c.seq), lies(c.v, c.seq))
	size := sizeOf[T]()
	temp, err := s.TempBytes(size * l.total)
	if err != nil {
		return err
	}
	buf := executor.SliceBytes[T](temp)
	for b := range c.q.Sizes[0] {
		for h := range heads {
			few := total <= fewRows
			keys, lead := a.side(c, 1, c.k, b, h, buf[l.keys:l.values], temp[l.keys*size:])
			if !few {
				dense.PackPanels(buf[l.panels:l.scores], keys, c.keys, width, lead, 1)
			}
			values, leadV := a.side(c, 2, c.v, b, h, buf[l.values:l.panels], temp[l.values*size:])
			for r0 := 0; r0 < total; r0 += blockRows {
				m := min(blockRows, total-r0)
				q := buf[l.rows:][:m*width]
				for r := range m {
					c.row(temp[(l.rows+r*width)*size:], 0, c.q, b, h*share+(r0+r)/n, (r0+r)%n)
				}
				scores, result := buf[l.scores:][:m*c.keys], buf[l.result:][:m*width]
				if few {
					a.dots.M, a.dots.N, a.dots.K = m, c.keys, width
					a.dots.A, a.dots.LDA, a.dots.B, a.dots.LDB, a.dots.C, a.dots.LDC = q, width, keys, lead, scores, c.keys
					dense.Run(s, a.dots.Parts(), a.dots.Work(), &a.dots)
				} else {
					p := &a.scores
					p.M, p.N, p.K, p.A, p.LDA, p.B, p.C, p.LDC = m, c.keys, width, q, width, buf[l.panels:l.scores], scores, c.keys
					p.Setup()
					dense.Run(s, p.Parts(), p.Work(), p)
				}
				for r := range m {
					a.soften(c, (r0+r)%n, scores[r*c.keys:][:c.keys], buf[l.mask:][:c.keys], temp[l.mask*size:])
				}
				p := &a.results
				p.M, p.N, p.K, p.A, p.LDA, p.B, p.LDB, p.C, p.LDC = m, width, c.keys, scores, c.keys, values, leadV, result, width
				p.Setup()
				dense.Run(s, p.Parts(), p.Work(), p)
				for r := range m {
					var i [3]int
					i[0], i[c.head], i[c.seq] = b, h*share+(r0+r)/n, (r0+r)%n
					a.store(c, i, temp[(l.result+r*width)*size:], width)
				}
			}
		}
	}
	a.scores.A, a.scores.B, a.scores.C, a.results.A, a.results.B, a.results.C = nil, nil, nil, nil, nil, nil
	a.dots.A, a.dots.B, a.dots.C = nil, nil, nil
	return nil
}

func sizeOf[T float32 | float64]() int {
	if _, ok := any(T(0)).(float32); ok {
		return 4
	}
	return 8
}

// side gives the rows of keys or values of one head: where they lie if they can be used there, else copied.
func (a *attend[T]) side(c *sdpaCall, which int, t *executor.Tensor, b, h int, buf []T, bytes []byte) (rows []T, lead int) {
	width := t.Sizes[3]
	if lies(t, c.seq) {
		return executor.Slice[T](t)[b*t.Strides[0]+h*t.Strides[c.head]:], t.Strides[c.seq]
	}
	for n := range c.keys {
		c.row(bytes[n*width*sizeOf[T]():], which, t, b, h, n)
	}
	return buf, width
}

// soften makes weights of a row of scores. Keys after the query's own position get none where attention is causal; a
// row without any key becomes 0.
func (a *attend[T]) soften(c *sdpaCall, n int, x, mask []T, maskBytes []byte) {
	if c.causal {
		seen := min(c.start+n+1, len(x))
		clear(x[seen:])
		x = x[:seen]
	}
	scale, most := T(c.scale), T(math.Inf(-1))
	if c.mask != nil {
		c.maskLoad(maskBytes, c.mask.Data, n*c.mask.Strides[0], c.mask.Strides[1], len(x))
		if c.mask.DType == arg.Bool {
			for i, m := range mask[:len(x)] {
				mask[i] = 0
				if m == 0 {
					mask[i] = T(math.Inf(-1))
				}
			}
		}
		for i, v := range x {
			v = T(v*scale) + mask[i]
			x[i] = v
			most = max(most, v)
		}
	} else {
		for i, v := range x {
			v *= scale
			x[i] = v
			most = max(most, v)
		}
	}
	if math.IsInf(float64(most), -1) {
		clear(x)
		return
	}
	var sum T
	for i, v := range x {
		x[i] = v - most
	}
	sum = exponentials(x)
	for i := range x {
		x[i] /= sum
	}
}

// exponentials replaces each number by its exponential and gives their sum.
func exponentials[T float32 | float64](x []T) T {
	if y, ok := any(x).([]float32); ok {
		fmath.Exp(y, y)
		var acc walk.Acc
		fmath.Sum(&acc.F, y)
		return T(acc.Sum())
	}
	var sum T
	for i, v := range x {
		x[i] = T(math.Exp(float64(v)))
		sum += x[i]
	}
	return sum
}

func (a *attend[T]) store(c *sdpaCall, i [3]int, src []byte, width int) {
	t := c.out
	off := i[0]*t.Strides[0] + i[1]*t.Strides[1] + i[2]*t.Strides[2]
	size := t.DType.Size()
	if t.Strides[3] == 1 || width == 1 {
		c.stored(t.Data[off*size:], src, 0, 1, width)
		return
	}
	for d := range width {
		c.stored(t.Data[(off+d*t.Strides[3])*size:], src, d, 1, 1)
	}
}
