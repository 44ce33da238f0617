package nn

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

var linearSig = arg.Sign("aten::linear.out", "input weight bias out")

func linear() executor.Op {
	return operator(linearSig, func(args []*executor.Value) (call, error) {
		x, err := linearSig.Tensor(args, 0)
		if err != nil {
			return nil, err
		}
		c := byType(x.DType, newLinear[float32], newLinear[float64], newLinear[uint8], newLinear[int8], newLinear[int16], newLinear[int32], newLinear[int64])
		if c == nil {
			return nil, linearSig.DType(0, x, numbers)
		}
		return c, nil
	})
}

// fewRows is up to how many rows of input the weight is read where it lies; more rows pay for turning it into panels.
const fewRows = 4

// linearCall computes input·weightᵀ + bias. The weight [out][in] is used in place for few rows, packed once if it is
// constant, and packed in every run otherwise.
type linearCall[T dense.Real] struct {
	product[T]
	weight matrix
	bias   *executor.Tensor
	opened bool
	few    bool
	panels []T // kept from Prepare
	room   int // temp elements in front: bias row, weight, panels
	dots   dense.DotRows[T]
}

func newLinear[T dense.Real]() call {
	m := &linearCall[T]{}
	m.open()
	return m
}

func (m *linearCall[T]) plan(args []*executor.Value) error {
	x, err := linearSig.Tensor(args, 0)
	if err != nil {
		return err
	}
	w, err := linearSig.Tensor(args, 1)
	if err != nil {
		return err
	}
	if m.bias, err = linearSig.Optional(args, 2); err != nil {
		return err
	}
	y, err := linearSig.Tensor(args, 3)
	if err != nil {
		return err
	}
	for i, t := range [...]*executor.Tensor{1: w, 2: m.bias, 3: y} {
		if t != nil && t.DType != x.DType {
			return linearSig.Bad(i, x.DType.String(), t.DType.String())
		}
	}
	if x.Rank() < 1 || w.Rank() != 2 || x.Sizes[x.Rank()-1] != w.Sizes[1] {
		return linearSig.Bad(1, "two dimensions [out in] for input "+sizes(x), sizes(w))
	}
	n := w.Sizes[0]
	if b := m.bias; b != nil && (b.Rank() != 1 || b.Sizes[0] != n && b.Sizes[0] != 1) {
		return linearSig.Bad(2, fmt.Sprintf("sizes [%d]", n), sizes(b))
	}
	var shape [arg.MaxRank]int
	if x.Rank() > len(shape) {
		return linearSig.Bad(0, fmt.Sprintf("at most %d dimensions", arg.MaxRank), sizes(x))
	}
	copy(shape[:], x.Sizes)
	shape[x.Rank()-1] = n
	if err := linearSig.Resize(3, y, shape[:x.Rank()]...); err != nil {
		return err
	}
	m.a.flatten(x)
	m.c.flatten(y)
	m.weight.see(w)
	m.b = matrix{cols: n, direct: true}
	if !m.opened {
		m.opened = true
		m.few = m.a.rows <= fewRows && m.weight.direct
		if !m.few && w.Constant() {
			m.panels = make([]T, dense.PanelCount(n, m.a.cols))
			m.pack(m.panels, make([]T, m.weight.place(0)))
		}
	}
	m.room = n
	if !m.few && m.panels == nil {
		m.room = m.weight.place(n) + dense.PanelCount(n, m.a.cols)
	}
	m.shape(m.room)
	return nil
}

func (m *linearCall[T]) pack(dst, tmp []T) {
	w := load(&m.weight, tmp)
	dense.PackPanels(dst, w, m.weight.rows, m.weight.cols, m.weight.lead, 1)
}

func (m *linearCall[T]) needs() []memory.Need {
	return append(need(nil, "packed weights", memory.Resident, len(m.panels)*sizeOf[T]()), m.product.needs()...)
}

func (m *linearCall[T]) run(s *executor.Scope, _ []*executor.Value) error {
	tmp, err := temp[T](s, m.total)
	if err != nil {
		return err
	}
	a, c := load(&m.a, tmp), target(&m.c, tmp)
	n, k := m.c.cols, m.a.cols
	if m.c.rows*n == 0 {
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
		m.dots = dense.DotRows[T]{M: m.a.rows, N: n, K: k, A: a, LDA: m.a.lead, B: view[T](m.weight.t).Same, LDB: m.weight.lead, C: c, LDC: m.c.lead, Tier: m.p.Tier}
		dense.Run(s, m.dots.Parts(), m.dots.Work(), &m.dots)
		for r := range m.c.rows {
			row := c[r*m.c.lead:][:n]
			for i, x := range line {
				row[i] += x
			}
		}
		store(&m.c, c)
		return nil
	}
	panels := m.panels
	if panels == nil {
		panels = tmp[m.room-dense.PanelCount(n, k) : m.room]
		m.pack(panels, tmp)
	}
	for r := range m.c.rows {
		copy(c[r*m.c.lead:][:n], line)
	}
	m.p.Panels = true
	m.multiply(s, a, panels, c, true)
	store(&m.c, c)
	return nil
}
