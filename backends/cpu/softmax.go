package cpu

import (
	"fmt"
	"math"
	"slices"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// dimOf reads an operator's input, argument 0, its output, and the dimension at position i; the output gets the
// input's shape. Both types must be of the set.
func dimOf(sig *arg.Signature, args []*executor.Value, i int, types arg.Set) (in, out *executor.Tensor, dim int, err error) {
	if in, err = sig.Tensor(args, 0); err != nil {
		return
	}
	if out, err = sig.Tensor(args, sig.Out()); err != nil {
		return
	}
	if dim, err = sig.Dim(args, i, in.Rank()); err != nil {
		return
	}
	if err = sig.DType(0, in, types); err != nil {
		return
	}
	if err = sig.DType(sig.Out(), out, types); err != nil {
		return
	}
	err = sig.Resize(sig.Out(), out, in.Sizes...)
	return
}

// softmaxes normalise exponentials along a dimension.
func softmaxes() []executor.Op {
	return []executor.Op{
		softmax("aten::_softmax.out", softmaxF32, softmaxRow, softmaxColumns),
		softmax("aten::_log_softmax.out", logSoftmaxF32, logSoftmaxRow, logSoftmaxColumns),
	}
}

func softmax(name string, f32, f64 func(dst, src []byte), columns walk.Columns) executor.Op {
	sig := arg.Sign(name, "self dim half_to_float out")
	return planned(sig, func() work { return &softmaxCall{sig: sig, f32: f32, f64: f64, columns: columns} })
}

type softmaxCall struct {
	sig      *arg.Signature
	f32, f64 func(dst, src []byte)
	columns  walk.Columns // of f32
	row      func(dst, src []byte)
	rows     walk.Rows
}

func (c *softmaxCall) needs(args []*executor.Value, planned bool) []memory.Need {
	return rowNeeds(&c.rows, c.sig, args, 1, 1, planned)
}

// rowNeeds is the temp memory for rows along the dimension at position i of the first argument.
func rowNeeds(rows *walk.Rows, sig *arg.Signature, args []*executor.Value, i, outs int, planned bool) []memory.Need {
	if planned {
		return rows.Needs()
	}
	t := args[0].Tensor()
	if t == nil || t.Rank() == 0 {
		return walk.RowNeeds(1, outs)
	}
	if d, err := sig.Dim(args, i, t.Rank()); err == nil && args[i].Fixed() {
		return walk.RowNeeds(t.Sizes[d], outs)
	}
	return walk.RowNeeds(slices.Max(t.Sizes), outs)
}

func (c *softmaxCall) plan(args []*executor.Value) error {
	sig := c.sig
	in, out, dim, err := dimOf(sig, args, 1, arg.Floats)
	if err != nil {
		return err
	}
	as := arg.Compute(in.DType)
	if c.row, c.rows.Columns = c.f32, c.columns; as == arg.F64 {
		c.row, c.rows.Columns = c.f64, nil
	}
	c.rows.Kernel = c
	if err := c.rows.Plan(in, 1<<uint(dim), as, walk.Out{Tensor: out, As: as}); err != nil {
		return fault.Under(sig.Op, err)
	}
	return nil
}

func (c *softmaxCall) run(s *executor.Scope) error { return c.rows.Run(s) }

// Row is walk.RowKernel.
func (c *softmaxCall) Row(_, _ int, outs *[3][]byte, in []byte) { c.row(outs[0], in) }

func softmaxF32(dst, src []byte) {
	y, x := one[float32, float32](dst, src)
	fmath.SubNumber(y, x, fmath.MaxOf(x))
	fmath.Exp(y, y)
	var a walk.Acc
	fmath.Sum(&a.F, y)
	fmath.DivNumber(y, y, float32(a.Sum()))
}

func logSoftmaxF32(dst, src []byte) {
	y, x := one[float32, float32](dst, src)
	m := fmath.MaxOf(x)
	fmath.SubNumber(y, x, m)
	fmath.Exp(y, y)
	var a walk.Acc
	fmath.Sum(&a.F, y)
	fmath.SubNumber(y, x, m)
	fmath.SubNumber(y, y, float32(math.Log(a.Sum())))
}

func softmaxColumns(dst, src []byte, n, width, dy, dx int) {
	y, x := executor.SliceBytes[float32](dst), executor.SliceBytes[float32](src)
	var most, total [walk.ColumnWidth]float32
	exponentials(y, x, n, width, dy, dx, &most, func(j int, sum float64) { total[j] = float32(sum) })
	for i := range n {
		line := y[i*dy:][:width]
		fmath.Div(line, line, total[:width])
	}
}

func logSoftmaxColumns(dst, src []byte, n, width, dy, dx int) {
	y, x := executor.SliceBytes[float32](dst), executor.SliceBytes[float32](src)
	var most, total [walk.ColumnWidth]float32
	exponentials(y, x, n, width, dy, dx, &most, func(j int, sum float64) { total[j] = float32(math.Log(sum)) })
	for i := range n {
		line := y[i*dy:][:width]
		fmath.Sub(line, x[i*dx:], most[:width])
		fmath.Sub(line, line, total[:width])
	}
}

// exponentials leaves in y the exponentials of how far x is below the largest of its column, and hands out their sums.
func exponentials(y, x []float32, n, width, dy, dx int, most *[walk.ColumnWidth]float32, take func(j int, sum float64)) {
	m := most[:width]
	copy(m, x)
	for i := 1; i < n; i++ {
		fmath.Max(m, x[i*dx:][:width], m)
	}
	var sums [walk.ColumnWidth]float64
	for i := range n {
		line := y[i*dy:][:width]
		fmath.Sub(line, x[i*dx:], m)
		fmath.Exp(line, line)
		fmath.Accumulate(sums[:], line)
	}
	for j, s := range sums[:width] {
		take(j, s)
	}
}

func softmaxRow(dst, src []byte) {
	y, x := one[float64, float64](dst, src)
	m := largest(x)
	var sum float64
	for i, v := range x {
		e := math.Exp(v - m)
		y[i] = e
		sum += e
	}
	for i := range y {
		y[i] /= sum
	}
}

func logSoftmaxRow(dst, src []byte) {
	y, x := one[float64, float64](dst, src)
	m := largest(x)
	var sum float64
	for _, v := range x {
		sum += math.Exp(v - m)
	}
	log := math.Log(sum)
	for i, v := range x {
		y[i] = v - m - log
	}
}

// largest is NaN if any element is.
func largest(x []float64) float64 {
	m := math.Inf(-1)
	for _, v := range x {
		m = max(m, v)
	}
	return m
}

// distances are pairwise distances between rows.
func distances() []executor.Op {
	cdist := arg.Sign("aten::_cdist_forward.out", "x1 x2 p compute_mode out")
	pdist := arg.Sign("aten::_pdist_forward.out", "self p out")
	return []executor.Op{
		planned(cdist, func() work { return &distCall{sig: cdist} }),
		planned(pdist, func() work { return &distCall{sig: pdist, self: true} }),
	}
}

// distCall measures each row of a against each of b, or each pair of rows of a.
type distCall struct {
	sig       *arg.Signature
	self      bool
	a, b, out *executor.Tensor
	p         float64
	batches   [3]walk.View // of a, b and out: which matrix
	n         int          // batches
}

func (c *distCall) plan(args []*executor.Value) error {
	sig := c.sig
	var err error
	if c.a, err = sig.Tensor(args, 0); err != nil {
		return err
	}
	if c.b, err = c.a, nil; !c.self {
		if c.b, err = sig.Tensor(args, 1); err != nil {
			return err
		}
	}
	if c.out, err = sig.Tensor(args, sig.Out()); err != nil {
		return err
	}
	at := 1
	if !c.self {
		at = 2
	}
	if c.p, err = sig.Double(args, at); err != nil {
		return err
	}
	if !(c.p >= 0) {
		return sig.Bad(at, "p ≥ 0", fmt.Sprint(c.p))
	}
	for i, t := range [3]*executor.Tensor{c.a, c.b, c.out} {
		if t.DType != c.a.DType || !arg.Floats.Has(t.DType) {
			return sig.Bad(min(i, sig.Out()), "one floating type for all", t.DType.String())
		}
	}
	if c.a.Rank() < 2 || c.b.Rank() < 2 || c.self && c.a.Rank() != 2 {
		return sig.Bad(0, "matrices", fmt.Sprintf("rank %d and %d", c.a.Rank(), c.b.Rank()))
	}
	ra, rb := c.a.Rank(), c.b.Rank()
	if c.a.Sizes[ra-1] != c.b.Sizes[rb-1] {
		return sig.Bad(1, fmt.Sprintf("rows of %d", c.a.Sizes[ra-1]), fmt.Sprint(c.b.Sizes[rb-1]))
	}
	if c.self {
		n := c.a.Sizes[0]
		return sig.Resize(sig.Out(), c.out, n*(n-1)/2)
	}
	var buf [arg.MaxRank]int
	rank := max(ra, rb)
	shape := buf[:rank]
	shape[rank-2], shape[rank-1] = c.a.Sizes[ra-2], c.b.Sizes[rb-2]
	for d := range rank - 2 {
		shape[d] = 1
		for _, t := range [2]*executor.Tensor{c.a, c.b} {
			k := d - (rank - t.Rank())
			if k < 0 || t.Sizes[k] == 1 || t.Sizes[k] == shape[d] {
				continue
			}
			if shape[d] != 1 {
				return sig.Bad(1, "batches that broadcast", fmt.Sprintf("%d and %d", shape[d], t.Sizes[k]))
			}
			shape[d] = t.Sizes[k]
		}
	}
	if err := sig.Resize(sig.Out(), c.out, shape...); err != nil {
		return err
	}
	var order [arg.MaxRank]int
	for d := range rank {
		order[d] = rank - d
	}
	for i, t := range [3]*executor.Tensor{c.a, c.b, c.out} {
		v := &c.batches[i]
		*v = walk.View{N: 1, Rank: rank - 2}
		for d := range rank - 2 {
			k := d - (rank - t.Rank())
			v.Size[d] = shape[d]
			v.N *= shape[d]
			if k >= 0 && t.Sizes[k] != 1 {
				v.Stride[d] = t.Strides[k]
			}
		}
		v.Merge(order[:])
	}
	c.n = c.batches[0].N
	return nil
}

func (c *distCall) run(*executor.Scope) error {
	a, b, out := c.a, c.b, c.out
	ra, rb := a.Rank(), b.Rank()
	na, nb, m := a.Sizes[ra-2], b.Sizes[rb-2], a.Sizes[ra-1]
	if c.self {
		k := 0
		for i := range na {
			for j := i + 1; j < na; j++ {
				c.store(k*out.Strides[0], c.distance(i*a.Strides[0], j*a.Strides[0], m))
				k++
			}
		}
		return nil
	}
	var cur [3]walk.Cursor
	if out.NumElements() == 0 {
		return nil
	}
	for k := range cur {
		c.batches[k].Seek(&cur[k], 0)
	}
	ro := out.Rank()
	for range c.n {
		for i := range na {
			for j := range nb {
				c.store(cur[2].Off+i*out.Strides[ro-2]+j*out.Strides[ro-1],
					c.distance(cur[0].Off+i*a.Strides[ra-2], cur[1].Off+j*b.Strides[rb-2], m))
			}
		}
		for k := range cur {
			c.batches[k].Skip(&cur[k], 1)
		}
	}
	return nil
}

func (c *distCall) store(at int, x float64) {
	size := c.out.DType.Size()
	walk.Put(c.out.Data[at*size:(at+1)*size], c.out.DType, arg.Scalar{Kind: executor.KindDouble, F: x})
}

// distance is the p-norm of the difference of two rows of m elements; p 0 counts the elements that differ.
func (c *distCall) distance(i, j, m int) float64 {
	si, sj := c.a.Strides[c.a.Rank()-1], c.b.Strides[c.b.Rank()-1]
	if si == 1 && sj == 1 {
		switch c.a.DType {
		case arg.F32:
			return norm(executor.Slice[float32](c.a)[i:][:m], executor.Slice[float32](c.b)[j:][:m], c.p)
		case arg.F64:
			return norm(executor.Slice[float64](c.a)[i:][:m], executor.Slice[float64](c.b)[j:][:m], c.p)
		}
	}
	var s powers
	for k := range m {
		s.add(k, element(c.a, i+k*si)-element(c.b, j+k*sj), c.p)
	}
	return s.root(c.p)
}

func norm[T float](x, y []T, p float64) float64 {
	var s powers
	y = y[:len(x)]
	if p == 2 {
		n := len(x) &^ 3
		for k := 0; k < n; k += 4 {
			a, b := x[k:k+4:k+4], y[k:k+4:k+4]
			d0, d1, d2, d3 := float64(a[0])-float64(b[0]), float64(a[1])-float64(b[1]), float64(a[2])-float64(b[2]), float64(a[3])-float64(b[3])
			s[0] += float64(d0 * d0)
			s[1] += float64(d1 * d1)
			s[2] += float64(d2 * d2)
			s[3] += float64(d3 * d3)
		}
		x, y = x[n:], y[n:]
	}
	if p == 1 {
		n := len(x) &^ 3
		for k := 0; k < n; k += 4 {
			a, b := x[k:k+4:k+4], y[k:k+4:k+4]
			s[0] += math.Abs(float64(a[0]) - float64(b[0]))
			s[1] += math.Abs(float64(a[1]) - float64(b[1]))
			s[2] += math.Abs(float64(a[2]) - float64(b[2]))
			s[3] += math.Abs(float64(a[3]) - float64(b[3]))
		}
		x, y = x[n:], y[n:]
	}
	for k, v := range x {
		s.add(k, float64(v)-float64(y[k]), p)
	}
	return s.root(p)
}

// powers are four sums of powers, one for every fourth element.
type powers [4]float64

func (s *powers) add(k int, d, p float64) {
	d = math.Abs(d)
	switch {
	case p == 0:
		if d == 0 {
			return
		}
		d = 1
	case p == 1:
	case p == 2:
		d = float64(d * d)
	case math.IsInf(p, 1):
		s[k&3] = max(s[k&3], d)
		return
	default:
		d = math.Pow(d, p)
	}
	s[k&3] += d
}

func (s *powers) root(p float64) float64 {
	if math.IsInf(p, 1) {
		return max(s[0], s[1], s[2], s[3])
	}
	sum := (s[0] + s[2]) + (s[1] + s[3])
	switch p {
	case 2:
		return math.Sqrt(sum)
	case 0, 1:
		return sum
	}
	return math.Pow(sum, 1/p)
}

// element reads one number of a floating tensor.
func element(t *executor.Tensor, i int) float64 {
	switch t.DType {
	case arg.F32:
		return float64(executor.Slice[float32](t)[i])
	case arg.F64:
		return executor.Slice[float64](t)[i]
	}
	return walk.Get(t.Data, t.DType, i).F
}
