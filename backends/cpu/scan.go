package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
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
		site.Planned(cumsum, func() site.Work { return &cumsumCall{sig: cumsum} }),
		site.Planned(topk, func() site.Work { return &topkCall{sig: topk} }),
	}
}

type cumsumCall struct {
	sig  *arg.Signature
	rows walk.Rows
	as   executor.DType
	half *halves // elements of another type are rounded to it first; nil: none
}

func (c *cumsumCall) Needs() []memory.Need { return c.rows.Needs() }

func (c *cumsumCall) BoundNeeds(args []*executor.Value) []memory.Need {
	needs := rowNeeds(c.sig, args, 1, 1)
	if t := args[3].Tensor(); t != nil && t.DType == arg.C128 {
		for i := range needs {
			needs[i].Bytes *= 2 // for elements of twice the width
		}
	}
	return needs
}

func (c *cumsumCall) Plan(args []*executor.Value) error {
	sig := c.sig
	in, out, dim, err := dimOf(sig, args, 1, arg.RealBool|arg.Complex)
	if err != nil {
		return err
	}
	c.as, c.half = arg.I64, nil
	switch {
	case out.DType == arg.Bool:
		c.as = arg.Bool
	case (arg.Floats | arg.Complex).Has(out.DType):
		c.as = arg.Compute(out.DType)
	case arg.Of(arg.I8, arg.I16, arg.I32).Has(out.DType):
		c.as = arg.I32 // floats that it does not hold become another number than by way of int64
	}
	if in.DType != out.DType {
		c.half = halvesOf(out.DType)
	}
	c.rows.Narrow = true
	if c.rows.Kernel, c.rows.Columns = c, runningColumns.Of(c.as); c.as != arg.F32 && in.Rank() > 0 && in.Strides[dim] == 1 && in.Sizes[dim] > 1 {
		c.rows.Columns = nil // rows that lie together are not worth turning for single additions
	}
	if c.half != nil {
		c.rows.Columns = nil
	}
	return fault.Under(sig.Op, c.rows.Plan(in, 1<<uint(dim), c.as, walk.Out{Tensor: out, As: c.as}))
}

func (c *cumsumCall) Run(s *executor.Scope) error { return c.rows.Run(s) }

// Row is walk.RowKernel. Sums of f32 run in f64, like PyTorch's.
func (c *cumsumCall) Row(_, _ int, outs *[3][]byte, in []byte) {
	switch {
	case c.half != nil:
		y, x := one[float32, float32](outs[0], in)
		var s float64
		for i, v := range x {
			s += float64(c.half.round(v))
			y[i] = float32(s)
		}
	case c.as == arg.F32:
		runningSum[float32](outs[0], in)
	case c.as == arg.F64:
		runningSum[float64](outs[0], in)
	case c.as == arg.Bool:
		var any uint8
		for i, v := range in {
			any |= v
			outs[0][i] = any
		}
	case c.as == arg.C64:
		runningComplex[complex64](outs[0], in)
	case c.as == arg.C128:
		runningComplex[complex128](outs[0], in)
	case c.as == arg.I32:
		runningWhole[int32](outs[0], in)
	default:
		runningWhole[int64](outs[0], in)
	}
}

func runningWhole[T int32 | int64](dst, src []byte) {
	y, x := one[T, T](dst, src)
	var s T
	for i, v := range x {
		s += v
		y[i] = s
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

// columnTable is an operator's Columns by the type they compute in.
type columnTable [16]walk.Columns

func (t *columnTable) Of(d executor.DType) walk.Columns { return t[d] }

var runningColumns = &columnTable{arg.F32: runningSums, arg.F64: runningTotals[float64], arg.I32: runningTotals[int32], arg.I64: runningTotals[int64], arg.C64: runningPairs, arg.C128: runningDoublePairs}

// runningTotals sums in the elements' own type, from 0 on: a first element of -0 becomes 0.
func runningTotals[T int32 | int64 | float64](dst, src []byte, n, width, dy, dx int) {
	y, x := executor.SliceBytes[T](dst), executor.SliceBytes[T](src)
	for j, v := range x[:width] {
		y[j] = 0 + v
	}
	for i := 1; i < n; i++ {
		last, line := y[(i-1)*dy:][:width], x[i*dx:][:width]
		for j, v := range line {
			y[i*dy+j] = last[j] + v
		}
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
