package cpu

import (
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// scans are running sums and the largest elements along a dimension.
func scans() []executor.Op {
	cumsum := arg.Sign("aten::cumsum.out", "self dim dtype out")
	topk := arg.Sign("aten::topk.values", "self k dim largest sorted values indices")
	return []executor.Op{
		planned(cumsum, func() work { return &cumsumCall{sig: cumsum} }),
		planned(topk, func() work { return &topkCall{sig: topk} }),
	}
}

type cumsumCall struct {
	sig  *arg.Signature
	rows walk.Rows
	as   executor.DType
}

func (c *cumsumCall) needs(args []*executor.Value, planned bool) []memory.Need {
	return rowNeeds(&c.rows, c.sig, args, 1, 1, planned)
}

func (c *cumsumCall) plan(args []*executor.Value) error {
	sig := c.sig
	in, out, dim, err := dimOf(sig, args, 1, arg.RealBool)
	if err != nil {
		return err
	}
	c.as = arg.I64
	if arg.Floats.Has(out.DType) {
		c.as = arg.Compute(out.DType)
	}
	if c.rows.Kernel, c.rows.Columns = c, nil; c.as == arg.F32 {
		c.rows.Columns = runningSums
	}
	if err := c.rows.Plan(in, 1<<uint(dim), c.as, walk.Out{Tensor: out, As: c.as}); err != nil {
		return fault.Under(sig.Op, err)
	}
	return nil
}

func (c *cumsumCall) run(s *executor.Scope) error { return c.rows.Run(s) }

// Row is walk.RowKernel. Sums of f32 run in f64, like PyTorch's.
func (c *cumsumCall) Row(_, _ int, outs *[3][]byte, in []byte) {
	switch c.as {
	case arg.F32:
		runningSum[float32](outs[0], in)
	case arg.F64:
		runningSum[float64](outs[0], in)
	default:
		y, x := one[int64, int64](outs[0], in)
		var s int64
		for i, v := range x {
			s += v
			y[i] = s
		}
	}
}

func runningSum[T float](dst, src []byte) {
	y, x := one[T, T](dst, src)
	var s float64
	for i, v := range x {
		s += float64(v)
		y[i] = T(s)
	}
}

func runningSums(dst, src []byte, n, width, dy, dx int) {
	y, x := executor.SliceBytes[float32](dst), executor.SliceBytes[float32](src)
	var sums [walk.ColumnWidth]float64
	for i := range n {
		for j, v := range x[i*dx:][:width] {
			s := sums[j&(walk.ColumnWidth-1)] + float64(v)
			sums[j&(walk.ColumnWidth-1)] = s
			y[i*dy+j] = float32(s)
		}
	}
}

type topkCall struct {
	sig     *arg.Signature
	rows    walk.Rows
	as      executor.DType
	k       int
	largest bool
	order   [][]int32 // scratch of each part: positions in a row
}

func (c *topkCall) needs(args []*executor.Value, planned bool) []memory.Need {
	return rowNeeds(&c.rows, c.sig, args, 2, 2, planned)
}

func (c *topkCall) plan(args []*executor.Value) error {
	sig := c.sig
	in, err := sig.Tensor(args, 0)
	if err != nil {
		return err
	}
	values, err := sig.Tensor(args, 5)
	if err != nil {
		return err
	}
	indices, err := sig.Tensor(args, 6)
	if err != nil {
		return err
	}
	dim, err := sig.Dim(args, 2, in.Rank())
	if err != nil {
		return err
	}
	n := 1
	if in.Rank() > 0 {
		n = in.Sizes[dim]
	}
	if c.k, err = sig.IntIn(args, 1, 0, int64(n)); err != nil {
		return err
	}
	if c.largest, err = sig.Bool(args, 3); err != nil {
		return err
	}
	switch {
	case !arg.Real.Has(in.DType):
		return sig.Bad(0, arg.Real.String(), in.DType.String())
	case values.DType != in.DType:
		return sig.Bad(5, in.DType.String(), values.DType.String())
	case indices.DType != arg.I64:
		return sig.Bad(6, arg.I64.String(), indices.DType.String())
	}
	var shape [arg.MaxRank]int
	copy(shape[:], in.Sizes)
	if in.Rank() > 0 {
		shape[dim] = c.k
	}
	for i, t := range [2]*executor.Tensor{values, indices} {
		if err := sig.Resize(5+i, t, shape[:in.Rank()]...); err != nil {
			return err
		}
	}
	c.as = arg.I64
	if arg.Floats.Has(in.DType) {
		c.as = arg.Compute(in.DType)
	}
	c.rows.Kernel = c
	if err := c.rows.Plan(in, 1<<uint(dim), c.as, walk.Out{Tensor: values, As: c.as}, walk.Out{Tensor: indices, As: arg.I64}); err != nil {
		return fault.Under(sig.Op, err)
	}
	for len(c.order) < c.rows.Parts() {
		c.order = append(c.order, nil)
	}
	for i := range c.order {
		if len(c.order[i]) < n {
			c.order[i] = make([]int32, n)
		}
	}
	if n > 1<<31-1 {
		return sig.Bad(0, "fewer than 2³¹ elements along dim", fmt.Sprint(n))
	}
	return nil
}

func (c *topkCall) run(s *executor.Scope) error { return c.rows.Run(s) }

// Row is walk.RowKernel: the first k of the row in order, NaN above everything, equals in the order they come.
func (c *topkCall) Row(part, _ int, outs *[3][]byte, in []byte) {
	at := executor.SliceBytes[int64](outs[1])
	switch c.as {
	case arg.F32:
		topRow(executor.SliceBytes[float32](outs[0]), at, executor.SliceBytes[float32](in), c.order[part], c.largest, c.k)
	case arg.F64:
		topRow(executor.SliceBytes[float64](outs[0]), at, executor.SliceBytes[float64](in), c.order[part], c.largest, c.k)
	default:
		topRow(executor.SliceBytes[int64](outs[0]), at, executor.SliceBytes[int64](in), c.order[part], c.largest, c.k)
	}
}

// topRow keeps the best seen so far in order; that is quick while k is small. For a large k it sorts.
func topRow[T arith](y []T, at []int64, x []T, order []int32, largest bool, k int) {
	better := func(a, b T) bool { return a > b || a != a && b == b }
	if !largest {
		better = func(a, b T) bool { return a < b || b != b && a == a }
	}
	if k > 32 {
		order = order[:len(x)]
		for i := range order {
			order[i] = int32(i)
		}
		slices.SortStableFunc(order, func(i, j int32) int {
			switch {
			case better(x[i], x[j]):
				return -1
			case better(x[j], x[i]):
				return 1
			}
			return 0
		})
		for i, p := range order[:k] {
			y[i], at[i] = x[p], int64(p)
		}
		return
	}
	if k == 0 {
		return
	}
	n := 0
	for i, v := range x {
		if n == k {
			if last := y[k-1]; largest && v <= last || !largest && v >= last || !better(v, last) {
				continue
			}
		}
		j := min(n, k-1)
		for j > 0 && better(v, y[j-1]) {
			y[j], at[j] = y[j-1], at[j-1]
			j--
		}
		y[j], at[j] = v, int64(i)
		n = min(n+1, k)
	}
}
