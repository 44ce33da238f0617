package cpu

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// reduction is an operator that folds dimensions of its first argument.
type reduction struct {
	sig      *arg.Signature
	dims     int // position of the dimensions; 0: all
	keep     int // position of keepdim; 0: dropped
	dtype    int // position of dtype; 0: none
	types    arg.Set
	indices  bool // which element it was: elements in logical order
	identity bool // an empty list of dimensions reduces nothing
	full     bool // an empty reduction has no value
	empty    bool // complex numbers may come where there is no result, and make an empty one
	// as gives the type in which inputs of a common type are folded, and the folds.
	folds func(c *reduceCall, args []*executor.Value, common executor.DType) (as executor.DType, err error)
	outs  int // outputs, at the end; 0 counts as 1
}

// reduceCall is the state of a call site.
type reduceCall struct {
	walk.Reduce // runs, and says what it needs
	op          *reduction
	out         [2]*executor.Tensor
	count       float64
	finish      func(c *reduceCall, outs *walk.Outputs, j int, a *walk.Acc)
}

func (op *reduction) make() executor.Op {
	return site.Planned(op.sig, func() site.Work { return &reduceCall{op: op} })
}

func (c *reduceCall) BoundNeeds(args []*executor.Value) []memory.Need {
	if t := args[0].Tensor(); t != nil {
		as := t.DType
		if c.op.dtype != 0 && !args[c.op.dtype].IsNone() {
			as = arg.C128 // the widest
		}
		return walk.ReduceNeeds(t.Bound(), elementsAt(args[c.op.sig.Out()]), as)
	}
	return nil
}

// Put is walk.Sink.
func (c *reduceCall) Put(outs *walk.Outputs, j int, a *walk.Acc) { c.finish(c, outs, j, a) }

func (c *reduceCall) Plan(args []*executor.Value) error {
	op, r := c.op, c.op.sig.Read(args)
	in := r.Tensor(0)
	outs := max(op.outs, 1)
	first := len(op.sig.Names) - outs
	for k := range outs {
		c.out[k] = r.Tensor(first + k)
	}
	if r.Err != nil {
		return r.Err
	}
	c.Round = in.DType
	if op.dtype != 0 {
		c.Round = numericOr(&r, op.dtype, in.DType)
	}
	dims, folds := arg.Dims(1<<uint(in.Rank())-1), op.folds
	if op.dims != 0 {
		dims = r.DimSet(op.dims, in)
	}
	switch {
	case r.Err != nil || op.types.Has(c.Round):
	case op.empty && arg.Complex.Has(c.Round) && emptyOutside(in, dims):
		folds = foldSum // of none
	default:
		r.Bad(0, op.types.String(), c.Round.String())
	}
	if r.Err != nil {
		return r.Err
	}
	as, err := folds(c, args, c.Round)
	if err != nil {
		return err
	}
	if op.identity && args[op.dims].Kind() == executor.KindIntList && args[op.dims].Len() == 0 {
		dims = 0
	}
	keep := op.keep != 0 && r.Bool(op.keep)
	var buf [arg.MaxRank]int
	shape := buf[:0]
	for d, n := range in.Sizes {
		switch {
		case !dims.Has(d):
			shape = append(shape, n)
		case op.full && n == 0 && !emptyOutside(in, dims):
			r.Bad(0, "elements to choose from", fmt.Sprintf("size 0 in dimension %d", d))
		case keep:
			shape = append(shape, 1)
		}
	}
	for k, out := range c.out[:outs] {
		if r.Resize(first+k, out, shape...); !out.SameLayout(c.out[0]) {
			r.Bad(first+k, "the layout of the other output", "another dim order")
		}
	}
	for k, out := range c.out[:outs] {
		if arg.Complex.Has(c.Results[k]) && !arg.Complex.Has(out.DType) {
			r.Bad(first+k, arg.Complex.String(), out.DType.String())
		}
	}
	if r.Err != nil {
		return r.Err
	}
	c.Sink, c.Outs = c, c.out
	if err := c.Reduce.Plan(c.out[0], in, dims, keep, op.indices, as); err != nil {
		return fault.Under(op.sig.Op, err)
	}
	c.count = float64(c.Count())
	return nil
}

// numericOr reads a type of numbers that may be absent.
func numericOr(r *arg.Reader, i int, absent executor.DType) executor.DType {
	t := r.IntOr(i, int64(absent))
	if t < 0 || !(arg.RealBool | arg.Complex).Has(executor.DType(min(t, 127))) {
		r.Bad(i, (arg.RealBool | arg.Complex).String(), fmt.Sprint(t))
	}
	return executor.DType(t)
}

// emptyOutside says whether there is no output at all.
func emptyOutside(t *executor.Tensor, dims arg.Dims) bool {
	for d, n := range t.Sizes {
		if n == 0 && !dims.Has(d) {
			return true
		}
	}
	return false
}

// reductions are sums, means, products, extremes, any and variances.
func reductions() []executor.Op {
	every := arg.RealBool
	var ops []executor.Op
	for _, op := range []reduction{
		{sig: arg.Sign("aten::sum.IntList_out", "self dim keepdim dtype out"), dims: 1, keep: 2, dtype: 3, types: every | arg.Complex, folds: foldSum},
		{sig: arg.Sign("aten::mean.out", "self dim keepdim dtype out"), dims: 1, keep: 2, dtype: 3, types: arg.Floats | arg.Complex, folds: foldMean},
		{sig: arg.Sign("aten::mean.dtype_out", "self dtype out"), dtype: 1, types: arg.Floats | arg.Complex, folds: foldMean},
		{sig: arg.Sign("aten::prod.out", "self dtype out"), dtype: 1, types: every | arg.Complex, folds: foldProduct},
		{sig: arg.Sign("aten::prod.int_out", "self dim keepdim dtype out"), dims: 1, keep: 2, dtype: 3, types: every | arg.Complex, folds: foldProduct},
		{sig: arg.Sign("aten::amax.out", "self dim keepdim out"), dims: 1, keep: 2, types: every, full: true, empty: true, folds: foldExtreme(&maxima)},
		{sig: arg.Sign("aten::amin.out", "self dim keepdim out"), dims: 1, keep: 2, types: every, full: true, empty: true, folds: foldExtreme(&minima)},
		{sig: arg.Sign("aten::max.unary_out", "self out"), types: every, full: true, folds: foldExtreme(&maxima)},
		{sig: arg.Sign("aten::min.unary_out", "self out"), types: every, full: true, folds: foldExtreme(&minima)},
		{sig: arg.Sign("aten::max.dim_max", "self dim keepdim max max_values"), dims: 1, keep: 2, types: every, full: true, indices: true, outs: 2, folds: foldExtreme(&maxima)},
		{sig: arg.Sign("aten::min.dim_min", "self dim keepdim min min_indices"), dims: 1, keep: 2, types: every, full: true, indices: true, outs: 2, folds: foldExtreme(&minima)},
		{sig: arg.Sign("aten::argmax.out", "self dim keepdim out"), dims: 1, keep: 2, types: arg.Real, full: true, indices: true, folds: foldArgument(&maxima)},
		{sig: arg.Sign("aten::argmin.out", "self dim keepdim out"), dims: 1, keep: 2, types: arg.Real, full: true, indices: true, folds: foldArgument(&minima)},
		{sig: arg.Sign("aten::any.all_out", "self out"), types: every | arg.Complex, folds: foldAny},
		{sig: arg.Sign("aten::any.out", "self dim keepdim out"), dims: 1, keep: 2, types: every | arg.Complex, folds: foldAny},
		{sig: arg.Sign("aten::any.dims_out", "self dim keepdim out"), dims: 1, keep: 2, types: every | arg.Complex, identity: true, folds: foldAny},
		{sig: arg.Sign("aten::var.out", "self dim unbiased keepdim out"), dims: 1, keep: 3, types: arg.Floats | arg.Complex, folds: foldUnbiased},
		{sig: arg.Sign("aten::var.correction_out", "self dim correction keepdim out"), dims: 1, keep: 3, types: arg.Floats | arg.Complex, folds: foldCorrected},
		{sig: arg.Sign("aten::var_mean.correction_out", "self dim correction keepdim out0 out1"), dims: 1, keep: 3, types: arg.Floats | arg.Complex, outs: 2, folds: foldCorrected},
	} {
		ops = append(ops, op.make())
	}
	return ops
}

// put writes result k of output j.
func put[T executor.Element](outs *walk.Outputs, k, j int, x T) {
	executor.SliceBytes[T](outs[k])[j] = x
}

func (c *reduceCall) putReal(outs *walk.Outputs, k, j int, x float64) {
	if c.Results[k] == arg.F32 {
		put(outs, k, j, float32(x))
		return
	}
	put(outs, k, j, x)
}

// putSecond writes an index where there is an output for it.
func (c *reduceCall) putSecond(outs *walk.Outputs, j int, at int64) {
	if c.op.outs == 2 {
		put(outs, 1, j, at)
	}
}

func (c *reduceCall) set(start walk.Acc, f fold, finish func(*reduceCall, *walk.Outputs, int, *walk.Acc)) {
	c.Start, c.First, c.Strip, c.finish = start, f.row, f.strip, finish
}
