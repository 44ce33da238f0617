package nn

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// matrix is one operand of a product: rows×cols elements of a tensor, batch after batch.
type matrix struct {
	t                *executor.Tensor
	batch, rows      int
	cols             int
	sb, sr, sc       int
	flat             bool // rows run over all dimensions but the last
	direct           bool // rows are contiguous and of the computed type: used where they lie
	lead             int  // elements between rows in use
	offset, batchLen int  // of the copy in temp memory, if not direct
}

// see lays out the last two dimensions of a tensor, and the first of three.
func (m *matrix) see(t *executor.Tensor) {
	r := t.Rank()
	m.t, m.batch, m.sb = t, 1, 0
	if r == 3 {
		m.batch, m.sb = t.Sizes[0], t.Strides[0]
	}
	m.rows, m.cols, m.sr, m.sc = t.Sizes[r-2], t.Sizes[r-1], t.Strides[r-2], t.Strides[r-1]
	m.settle()
}

// flatten lays out a tensor as rows along its last dimension, all other dimensions together.
func (m *matrix) flatten(t *executor.Tensor) {
	last := t.Rank() - 1
	m.t, m.batch, m.sb, m.flat = t, 1, 0, !t.IsContiguous()
	m.cols, m.sc = t.Sizes[last], t.Strides[last]
	m.rows, m.sr = 1, m.cols
	for _, n := range t.Sizes[:last] {
		m.rows *= n
	}
	m.settle()
}

// at is the first element of a row.
func (m *matrix) at(b, r int) int {
	if !m.flat {
		return b*m.sb + r*m.sr
	}
	at := 0
	for d := m.t.Rank() - 2; d >= 0; d-- {
		at += r % m.t.Sizes[d] * m.t.Strides[d]
		r /= m.t.Sizes[d]
	}
	return at
}

func (m *matrix) settle() {
	m.direct = (m.sc == 1 || m.cols == 1) && !m.flat && !arg.IsHalf(m.t.DType)
	m.lead = m.sr
	if !m.direct {
		m.lead = m.cols
	}
	m.batchLen = m.rows * m.lead
}

// place reserves temp memory behind n elements for the copy, if one is needed, and gives the new end.
func (m *matrix) place(n int) int {
	m.offset = n
	if m.direct {
		return n
	}
	return n + m.rows*m.cols*m.batch
}

// load gives the elements of all batches, copied to tmp where they cannot be used in place.
func load[T dense.Number](m *matrix, tmp []T) []T {
	v := view[T](m.t)
	if m.direct {
		m.batchLen = m.sb
		return v.Same
	}
	dst := tmp[m.offset:][:m.rows*m.cols*m.batch]
	at := 0
	for b := range m.batch {
		for r := range m.rows {
			v.Load(dst[at:], m.at(b, r), m.sc, m.cols)
			at += m.cols
		}
	}
	return dst
}

// target gives where results are computed: the tensor, or tmp.
func target[T dense.Number](m *matrix, tmp []T) []T {
	if m.direct {
		m.batchLen = m.sb
		return view[T](m.t).Same
	}
	return tmp[m.offset:][:m.rows*m.cols*m.batch]
}

// store writes results that were computed in tmp.
func store[T dense.Number](m *matrix, src []T) {
	if m.direct {
		return
	}
	v := view[T](m.t)
	at := 0
	for b := range m.batch {
		for r := range m.rows {
			v.Store(src[at:at+m.cols], m.at(b, r), m.sc)
			at += m.cols
		}
	}
}

// product is the state of one matrix product, of any batch; the operators fill a, b and c and hand over what C starts from.
type product[T dense.Number] struct {
	a, b, c matrix
	total   int // elements of temp memory
	zeros   []T
	p       dense.Product[T]
	task    batchTask[T]
}

func (m *product[T]) open() {
	m.p.Tier = dense.Best()
	m.p.Off = make([]int32, dense.OffsetCount)
	m.task.m = m
}

// shape settles sizes; extra is temp memory of the operator's own, in front.
func (m *product[T]) shape(extra int) {
	m.total = m.c.place(m.b.place(m.a.place(extra)))
	if len(m.zeros) < m.a.rows {
		m.zeros = make([]T, m.a.rows)
	}
}

func (m *product[T]) needs() []memory.Need {
	return need(nil, "operands", memory.Temp, m.total*sizeOf[T]())
}

// multiply computes C = A·B for all batches, or C += A·B.
func (m *product[T]) multiply(s *executor.Scope, a, b, c []T, accumulate bool) {
	p := &m.p
	p.M, p.N, p.K = m.a.rows, m.b.cols, m.a.cols
	p.A, p.LDA, p.B, p.LDB, p.C, p.LDC, p.Start = a, m.a.lead, b, m.b.lead, c, m.c.lead, m.zeros
	if accumulate {
		p.Start = nil
	}
	if p.M == 0 || p.N == 0 || m.a.batch == 0 {
		return
	}
	p.Setup()
	m.task.parts = p.Parts()
	dense.Run(s, m.a.batch*m.task.parts, m.a.batch*p.Work(), &m.task)
}

// batchTask runs the blocks of all batches.
type batchTask[T dense.Number] struct {
	m     *product[T]
	parts int
}

func (t *batchTask[T]) Do(i int) {
	m := t.m
	n := i / t.parts
	p := m.p
	p.A, p.B, p.C = p.A[n*m.a.batchLen:], p.B[n*m.b.batchLen:], p.C[n*m.c.batchLen:]
	p.Do(i % t.parts)
}
