package nn

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
)

var linearSig = arg.Sign("aten::linear.out", "input weight bias out")

func linear() executor.Op {
	return byNumber(linearSig, newLinear[complex64], newLinear[complex128], newLinear[float32], newLinear[float64], newLinear[uint8], newLinear[int8], newLinear[int16], newLinear[int32], newLinear[int64])
}

// linearCall computes input·weightᵀ + bias, for a weight [out][in].
type linearCall[T dense.Number] struct {
	product[T]
	bias *executor.Tensor
}

func newLinear[T dense.Number]() site.Work {
	m := &linearCall[T]{}
	m.open()
	return m
}

func (m *linearCall[T]) Plan(args []*executor.Value) error {
	r := linearSig.Read(args)
	x := r.Tensor(0)
	w, y := r.Like(1, x), r.Like(3, x)
	if m.bias = r.Optional(2); m.bias != nil {
		r.Like(2, x)
	}
	if r.Err != nil {
		return r.Err
	}
	if x.Rank() < 1 || w.Rank() != 2 || x.Sizes[x.Rank()-1] != w.Sizes[1] {
		return linearSig.Bad(1, "two dimensions [out in] for input "+site.Sizes(x), site.Sizes(w))
	}
	n := w.Sizes[0]
	if b := m.bias; b != nil && (b.Rank() != 1 || b.Sizes[0] != n && b.Sizes[0] != 1) {
		return linearSig.Bad(2, fmt.Sprintf("sizes [%d]", n), site.Sizes(b))
	}
	var shape [arg.MaxRank]int
	if x.Rank() > len(shape) {
		return linearSig.Bad(0, fmt.Sprintf("at most %d dimensions", arg.MaxRank), site.Sizes(x))
	}
	copy(shape[:], x.Sizes)
	shape[x.Rank()-1] = n
	if r.Resize(3, y, shape[:x.Rank()]...); r.Err != nil {
		return r.Err
	}
	m.a.flatten(x)
	m.c.flatten(y)
	m.rows.see(w)
	m.transpose(w.Constant())
	if err := m.wanted(linearSig, 0, m.bias == nil); err != nil {
		return err
	}
	m.shape(n)
	return nil
}

func (m *linearCall[T]) Run(s *executor.Scope) error {
	tmp, err := temp[T](s, m.total)
	if err != nil {
		return err
	}
	c, n := target(&m.c, tmp), m.c.cols
	if m.c.rows*n == 0 {
		return nil
	}
	if m.few && m.bias == nil {
		m.multiply(s, tmp, c, false)
		store(&m.c, c)
		return nil
	}
	line := tmp[:n]
	if m.bias != nil {
		step := 1
		if m.bias.Sizes[0] == 1 {
			step = 0
		}
		view[T](m.bias).Load(line, 0, step, n)
	} else {
		clear(line)
	}
	if m.few {
		m.multiply(s, tmp, c, false)
		for r := range m.c.rows {
			row := c[r*m.c.lead:][:n]
			for i, x := range line {
				row[i] += x
			}
		}
	} else {
		repeat(c, m.c.rows, m.c.lead, line)
		m.multiply(s, tmp, c, true)
	}
	store(&m.c, c)
	return nil
}
