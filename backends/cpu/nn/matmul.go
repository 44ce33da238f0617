package nn

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

var (
	mmSig  = arg.Sign("aten::mm.out", "self mat2 out")
	bmmSig = arg.Sign("aten::bmm.out", "self mat2 out")
)

func bmm() executor.Op { return matmulOf(bmmSig, 3) }

func mm() executor.Op {
	op := matmulOf(mmSig, 2)
	op.ReadsOrigin = []int{1}
	return op
}

func matmulOf(sig *arg.Signature, rank int) executor.Op {
	return site.Typed(sig, factors|arg.Of(arg.Bool), func(d executor.DType) site.Work {
		switch arg.Compute(d) {
		case arg.F64:
			return newMatmul[float64](sig, rank)
		case arg.U8, arg.Bool:
			return newMatmul[uint8](sig, rank)
		case arg.I8:
			return newMatmul[int8](sig, rank)
		case arg.I16:
			return newMatmul[int16](sig, rank)
		case arg.I32:
			return newMatmul[int32](sig, rank)
		case arg.I64:
			return newMatmul[int64](sig, rank)
		case arg.C64:
			return newMatmul[complex64](sig, rank)
		case arg.C128:
			return newMatmul[complex128](sig, rank)
		}
		return newMatmul[float32](sig, rank)
	})
}

// matmul is the state of mm and bmm.
type matmul[T dense.Number] struct {
	sig  *arg.Signature
	rank int
	product[T]
}

func newMatmul[T dense.Number](sig *arg.Signature, rank int) site.Work {
	m := &matmul[T]{sig: sig, rank: rank}
	m.open()
	return m
}

// operands reads tensors of one type and rank: the two from position at on, and out.
func operands(r *arg.Reader, rank, at int) (a, b, out *executor.Tensor) {
	a = r.Tensor(at)
	b, out = r.Like(at+1, a), r.Like(r.Out(), a)
	r.Rank(at, a, rank)
	r.Rank(at+1, b, rank)
	r.Rank(r.Out(), out, rank)
	return a, b, out
}

func (m *matmul[T]) Plan(args []*executor.Value) error {
	r := m.sig.Read(args)
	a, b, out := operands(&r, m.rank, 0)
	if r.Err != nil {
		return r.Err
	}
	if m.factors(a, b); m.a.cols != m.b.rows || m.a.batch != m.b.batch {
		return m.sig.Bad(1, "sizes that fit "+site.Sizes(a), site.Sizes(b))
	}
	if err := m.wanted(m.sig, 0, true); err != nil {
		return err
	}
	sizes := [3]int{m.a.batch, m.a.rows, m.b.cols}
	if r.Resize(2, out, sizes[3-m.rank:]...); r.Err != nil {
		return r.Err
	}
	m.c.see(out)
	m.shape(0)
	return nil
}

func (m *matmul[T]) Run(s *executor.Scope) error {
	tmp, err := temp[T](s, m.total)
	if err != nil {
		return err
	}
	c := target(&m.c, tmp)
	m.multiply(s, tmp, c, false)
	store(&m.c, c)
	return nil
}

var addmmSig = arg.Sign("aten::addmm.out", "self mat1 mat2 beta alpha out")

func addmm() executor.Op {
	op := byNumber(addmmSig, newAddmm[complex64], newAddmm[complex128], newAddmm[float32], newAddmm[float64], newAddmm[uint8], newAddmm[int8], newAddmm[int16], newAddmm[int32], newAddmm[int64])
	op.ReadsOrigin = []int{2}
	return op
}

// addmmCall computes beta·self + alpha·(mat1·mat2). A beta of 0 leaves self out, NaN and all; so does an alpha of 0 the
// product, but not of halves. Of integer tensors the factors lose their fractions.
type addmmCall[T dense.Number] struct {
	self        matrix
	alpha, beta T
	product[T]
}

func newAddmm[T dense.Number]() site.Work {
	m := &addmmCall[T]{}
	m.open()
	return m
}

func (m *addmmCall[T]) Plan(args []*executor.Value) error {
	r := addmmSig.Read(args)
	self := r.Tensor(0)
	r.Like(1, self)
	a, b, out := operands(&r, 2, 1)
	beta := r.Scalar(3)
	if r.Scalar(4); r.Err != nil {
		return r.Err
	}
	if m.factors(a, b); m.a.cols != m.b.rows {
		return addmmSig.Bad(2, "sizes that fit "+site.Sizes(a), site.Sizes(b))
	}
	if err := m.wanted(addmmSig, 1, beta.Float() == 0); err != nil {
		return err
	}
	switch m.beta, m.alpha = 1, 1; {
	case m.a.rows == 0 || m.b.cols == 0: // PyTorch does not look at the factors
	case m.a.cols > 0:
		m.beta, m.alpha = factor[T](&r, 3), factor[T](&r, 4)
	default: // PyTorch multiplies self by beta as tensors are by numbers
		if m.beta = as[T](beta); beta.Kind == executor.KindDouble && beta.F != 0 && arg.Integers.Has(typeOf[T]()) {
			r.Bad(3, "an integer for integer tensors and no products", beta.String())
		}
	}
	if r.Resize(5, out, m.a.rows, m.b.cols); r.Err != nil {
		return r.Err
	}
	m.c.see(out)
	if !m.self.broadcast(self, m.a.rows, m.b.cols) {
		return addmmSig.Bad(0, fmt.Sprintf("sizes that broadcast to [%d %d]", m.a.rows, m.b.cols), site.Sizes(self))
	}
	m.shape(m.b.cols)
	return nil
}

// factor reads alpha or beta in the type of the product, which it must fit.
func factor[T dense.Number](r *arg.Reader, i int) T {
	x, d := r.Scalar(i), typeOf[T]()
	if !x.Fits(d) {
		r.Bad(i, "a number that fits "+d.String(), x.String())
	}
	return as[T](x)
}

func as[T dense.Number](x arg.Scalar) T {
	var f [1]T
	walk.Put(bytesOf(f[:]), typeOf[T](), x)
	return f[0]
}

// broadcast lays out a tensor of up to two dimensions over rows×cols.
func (m *matrix) broadcast(t *executor.Tensor, rows, cols int) bool {
	m.t, m.rows, m.cols, m.sr, m.sc = t, rows, cols, 0, 0
	r := t.Rank()
	if r > 2 {
		return false
	}
	if r > 0 && t.Sizes[r-1] != 1 {
		m.sc = t.Strides[r-1]
		if t.Sizes[r-1] != cols {
			return false
		}
	}
	if r == 2 && t.Sizes[0] != 1 {
		m.sr = t.Strides[0]
		if t.Sizes[0] != rows {
			return false
		}
	}
	return true
}

func (m *addmmCall[T]) Run(s *executor.Scope) error {
	tmp, err := temp[T](s, m.total)
	if err != nil {
		return err
	}
	c := target(&m.c, tmp)
	line := tmp[:m.b.cols]
	switch {
	case m.c.rows == 0 || m.c.cols == 0:
		return nil
	case m.alpha == 0 && !arg.IsHalf(m.a.t.DType):
		clear(c)
		if m.beta != 0 {
			m.addSelf(c, line, true)
		}
	case m.alpha == 1 && m.beta != 0 && !m.few:
		m.addSelf(c, line, true)
		m.multiply(s, tmp, c, true)
	default:
		m.multiply(s, tmp, c, false)
		if m.alpha != 1 || m.beta != 0 {
			m.addSelf(c, line, false)
		}
	}
	store(&m.c, c)
	return nil
}

// addSelf puts beta·self into C, or makes C alpha·C + beta·self.
func (m *addmmCall[T]) addSelf(c, line []T, set bool) {
	v := view[T](m.self.t)
	for r := range m.c.rows {
		row := c[r*m.c.lead:][:m.c.cols]
		if m.beta != 0 && (r == 0 || m.self.sr != 0) {
			v.Load(line, r*m.self.sr, m.self.sc, m.c.cols)
			if m.beta != 1 {
				for i := range line {
					line[i] *= m.beta
				}
			}
		}
		switch {
		case set:
			copy(row, line)
		case m.beta == 0:
			for i := range row {
				row[i] *= m.alpha
			}
		default:
			for i, x := range line {
				row[i] = m.alpha*row[i] + x
			}
		}
	}
}
