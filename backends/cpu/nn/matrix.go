package nn

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
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
	packed           bool // all elements lie together
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

// seeOrigin lays out the transpose of a matrix that copies a constant, where the constant lies.
func (m *matrix) seeOrigin(t *executor.Tensor) bool {
	c, st := t.Origin()
	if c == nil {
		return false
	}
	*m = matrix{t: c, batch: 1, rows: t.Sizes[1], cols: t.Sizes[0], sr: st[1], sc: st[0]}
	m.settle()
	return true
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
	m.packed = m.sc == 1 && !m.flat && (m.sr == m.cols || m.rows == 1) && (m.sb == m.rows*m.cols || m.batch == 1)
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
	if m.direct {
		m.batchLen = m.sb
		return executor.Slice[T](m.t)
	}
	v := view[T](m.t)
	dst := tmp[m.offset:][:m.rows*m.cols*m.batch]
	if m.packed {
		v.Load(dst, 0, 1, len(dst))
		return dst
	}
	at := 0
	for b := range m.batch {
		for r := range m.rows {
			v.Load(dst[at:], m.at(b, r), m.sc, m.cols)
			at += m.cols
		}
	}
	return dst
}

// repeat writes a line to each of a matrix's rows, lead apart.
func repeat[T dense.Number](c []T, rows, lead int, line []T) {
	if n := len(line); n == lead { // rows are contiguous: they double
		c = c[:rows*n]
		for done := copy(c, line); done < len(c); done *= 2 {
			copy(c[done:], c[:done])
		}
		return
	}
	for r := range rows {
		copy(c[r*lead:], line)
	}
}

// target gives where results are computed: the tensor, or tmp.
func target[T dense.Number](m *matrix, tmp []T) []T {
	if m.direct {
		m.batchLen = m.sb
		return executor.Slice[T](m.t)
	}
	return tmp[m.offset:][:m.rows*m.cols*m.batch]
}

// store writes results that were computed in tmp.
func store[T dense.Number](m *matrix, src []T) {
	if m.direct {
		return
	}
	v := view[T](m.t)
	if m.packed {
		v.Store(src, 0, 1)
		return
	}
	at := 0
	for b := range m.batch {
		for r := range m.rows {
			v.Store(src[at:at+m.cols], m.at(b, r), m.sc)
			at += m.cols
		}
	}
}

// product is the state of one matrix product, of any batch. B is given as it is, or by its transpose: the weight of a
// linear layer, [n][k]. That is read where it lies for few rows of A, turned into panels once if it is constant, and in
// every run otherwise.
type product[T dense.Number] struct {
	a, b, c matrix
	rows    matrix // of B's transpose, if byRows
	byRows  bool
	opened  bool
	few     bool
	panels  []T // kept from Prepare
	total   int // elements of temp memory
	at      int // of panels made in a run
	zeros   []T
	p       dense.Product[T]
	dots    dense.DotRows[T]
	task    batchTask[T]
}

// fewRows is up to how many rows of A the transpose is read where it lies; more rows pay for panels. someRows is that for
// panels that would be made in every run; it is less for short rows of B's transpose that are not whole vectors.
const (
	fewRows  = 4
	someRows = 12
)

func (m *product[T]) open() {
	m.p.Tier = dense.Best()
	m.p.Off = make([]int32, dense.OffsetCount)
	m.task.m = m
}

// factors lays out A and B; a matrix B that copies the transpose of a constant is read there.
func (m *product[T]) factors(a, b *executor.Tensor) {
	m.a.see(a)
	if b.Rank() == 2 && m.rows.seeOrigin(b) {
		m.transpose(true)
	} else {
		m.b.see(b)
	}
}

// wanted refuses bools, as PyTorch has no product of them, unless the result is empty or a sum of no products to which
// nothing is added. A is argument i.
func (m *product[T]) wanted(sig *arg.Signature, i int, alone bool) error {
	if m.a.t.DType != arg.Bool || m.a.batch*m.a.rows*m.b.cols == 0 || m.a.cols == 0 && alone {
		return nil
	}
	return sig.DType(i, m.a.t, factors)
}

// transpose sets B by its transpose, which was laid out in rows.
func (m *product[T]) transpose(constant bool) {
	if m.rows.rows == 1 && m.rows.direct {
		// One column lies like one row.
		m.b = matrix{t: m.rows.t, batch: 1, rows: m.rows.cols, cols: 1, sr: 1, sc: 1}
		m.b.settle()
		return
	}
	m.byRows = true
	m.b = matrix{batch: 1, rows: m.rows.cols, cols: m.rows.rows, direct: true}
	if m.opened {
		return
	}
	m.opened = true
	few := fewRows
	if !constant && arg.Floats.Has(typeOf[T]()) {
		if few = someRows; m.rows.cols%8 != 0 {
			few = min(max(m.rows.cols/3, fewRows), someRows)
		}
	}
	m.few = m.a.rows <= few && m.rows.direct
	if !m.few && constant && m.rows.cols > 0 {
		m.panels = make([]T, dense.PanelCount(m.rows.rows, m.rows.cols))
		m.pack(m.panels, make([]T, m.rows.place(0)))
	}
}

func (m *product[T]) pack(dst, tmp []T) {
	w := load(&m.rows, tmp)
	dense.PackPanels(dst, w, m.rows.rows, m.rows.cols, m.rows.lead, 1)
}

// shape settles sizes; extra is temp memory of the operator's own, in front.
func (m *product[T]) shape(extra int) {
	n := m.a.place(extra)
	if !m.byRows {
		n = m.b.place(n)
	} else if !m.few && m.panels == nil {
		m.at = m.rows.place(n)
		n = m.at + dense.PanelCount(m.rows.rows, m.rows.cols)
	}
	m.total = m.c.place(n)
	if len(m.zeros) < m.a.rows {
		m.zeros = make([]T, m.a.rows)
	}
	p := &m.p
	p.M, p.N, p.K, p.Panels = m.a.rows, m.b.cols, m.a.cols, m.byRows
	p.LDA, p.LDB, p.LDC = m.a.lead, m.b.lead, m.c.lead
	m.dots = dense.DotRows[T]{M: p.M, N: p.N, K: p.K, LDA: p.LDA, LDB: m.rows.lead, LDC: p.LDC, Tier: p.Tier}
	m.task.parts = p.Parts()
}

func (m *product[T]) Needs() []memory.Need {
	l := site.Need(nil, "packed weights", memory.Resident, len(m.panels)*sizeOf[T]())
	return site.Need(l, "operands", memory.Temp, m.total*sizeOf[T]())
}

// multiply computes C = A·B for all batches, or C += A·B; the latter not for few rows.
func (m *product[T]) multiply(s *executor.Scope, tmp, c []T, accumulate bool) {
	p := &m.p
	if p.M == 0 || p.N == 0 || m.a.batch == 0 {
		return
	}
	if p.K == 0 { // a sum of nothing
		if !accumulate {
			for r := range m.a.batch * p.M {
				clear(c[r/p.M*m.c.batchLen+r%p.M*m.c.lead:][:p.N])
			}
		}
		return
	}
	a := load(&m.a, tmp)
	if m.few {
		m.dots.A, m.dots.B, m.dots.C = a, executor.Slice[T](m.rows.t), c
		dense.Run(s, m.dots.Parts(), m.dots.Work(), &m.dots)
		return
	}
	p.A, p.C, p.Start = a, c, m.zeros
	switch {
	case !m.byRows:
		p.B = load(&m.b, tmp)
	case m.panels != nil:
		p.B = m.panels
	default:
		p.B = tmp[m.at:][:dense.PanelCount(p.N, p.K)]
		m.pack(p.B, tmp)
	}
	if accumulate {
		p.Start = nil
	}
	p.Setup()
	if m.a.batch == 1 {
		dense.Run(s, m.task.parts, p.Work(), p)
		return
	}
	if m.a.batch*p.Work() < dense.WorthSharing {
		m.task.all()
		return
	}
	s.Parallel(m.a.batch*m.task.parts, &m.task)
}

// batchTask runs the blocks of all batches.
type batchTask[T dense.Number] struct {
	m     *product[T]
	parts int
}

// all runs them one after the other: small products are not copied.
func (t *batchTask[T]) all() {
	m := t.m
	a, b, c := m.p.A, m.p.B, m.p.C
	for n := range m.a.batch {
		m.p.A, m.p.B, m.p.C = a[n*m.a.batchLen:], b[n*m.b.batchLen:], c[n*m.c.batchLen:]
		for i := range t.parts {
			m.p.Do(i)
		}
	}
}

func (t *batchTask[T]) Do(i int) {
	m := t.m
	n := i / t.parts
	p := m.p
	p.A, p.B, p.C = p.A[n*m.a.batchLen:], p.B[n*m.b.batchLen:], p.C[n*m.c.batchLen:]
	p.Do(i % t.parts)
}
