package cpu

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/plane"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// creations are the operators that make a tensor of a shape and fill it with one number, or leave it as it is.
func creations() []executor.Op {
	zero, unit := arg.Scalar{Kind: executor.KindInt}, arg.Scalar{Kind: executor.KindInt, I: 1}
	var ops []executor.Op
	for _, op := range []filling{
		{sig: arg.Sign("aten::full.out", "size fill_value out"), value: 1},
		{sig: arg.Sign("aten::full_like.out", "self fill_value memory_format out"), like: true, value: 1},
		{sig: arg.Sign("aten::fill.Scalar_out", "self value out"), like: true, value: 1},
		{sig: arg.Sign("aten::fill.Tensor_out", "self value out"), like: true, value: 1, tensor: true},
		{sig: arg.Sign("aten::scalar_tensor.out", "s out"), point: true},
		{sig: arg.Sign("aten::zeros.out", "size out"), value: -1, fixed: zero},
		{sig: arg.Sign("aten::ones.out", "size out"), value: -1, fixed: unit},
		{sig: arg.Sign("aten::empty.out", "size memory_format out"), leave: true},
		{sig: arg.Sign("dim_order_ops::_empty_dim_order.out", "size dim_order out"), leave: true},
	} {
		ops = append(ops, site.Planned(op.sig, func() site.Work { return &fillCall{op: &op} }))
	}
	arange := arg.Sign("aten::arange.out", "end out")
	from := arg.Sign("aten::arange.start_out", "start end step out")
	return append(ops,
		site.Planned(arange, func() site.Work { return &arangeCall{sig: arange} }),
		site.Planned(from, func() site.Work { return &arangeCall{sig: from, from: true} }),
	)
}

// filling is an operator that makes a tensor of one number.
type filling struct {
	sig    *arg.Signature
	like   bool       // the shape is the first argument's; else the first argument is the shape
	point  bool       // the shape has no dimensions
	value  int        // position of the number; -1: fixed
	tensor bool       // the number is a tensor of one element
	fixed  arg.Scalar // the number, if the operator decides it
	leave  bool       // nothing is written
}

type fillCall struct {
	op     *filling
	out    *executor.Tensor
	number [16]byte         // one element
	from   *executor.Tensor // holds the number, if a tensor does
	cast   walk.Cast
}

func (c *fillCall) Plan(args []*executor.Value) error {
	op, r := c.op, c.op.sig.Read(args)
	c.out = r.Tensor(r.Out())
	var buf [arg.MaxRank]int
	shape := buf[:0]
	switch {
	case op.point:
	case !op.like:
		shape = r.Ints(0, shape)
	default:
		if self := r.Tensor(0); self != nil {
			shape = self.Sizes
		}
	}
	r.Resize(r.Out(), c.out, shape...)
	if r.Err != nil || op.leave {
		return r.Err
	}
	if op.tensor {
		return c.take(&r)
	}
	number := op.fixed
	if op.value >= 0 {
		if c.out.NumElements() == 1 && arg.IsHalf(c.out.DType) { // PyTorch lets these become infinite
			number = r.Scalar(op.value)
		} else {
			number = fitting(&r, op.value, c.out.DType)
		}
	}
	walk.Put(c.number[:], c.out.DType, number)
	return r.Err
}

// take reads the number from a tensor, in Run.
func (c *fillCall) take(r *arg.Reader) error {
	sig, i := c.op.sig, c.op.value
	from := r.Tensor(i)
	if r.Err != nil {
		return r.Err
	}
	if from.NumElements() != 1 {
		return sig.Bad(i, "one element", fmt.Sprint(from.NumElements()))
	}
	c.from = from
	if c.cast.Set(from.DType, c.out.DType) != nil {
		return sig.Bad(i, "a type that converts to "+c.out.DType.String(), from.DType.String())
	}
	return nil
}

func (c *fillCall) Run(*executor.Scope) error {
	if c.op.leave || len(c.out.Data) == 0 {
		return nil
	}
	if c.op.tensor {
		c.cast.Load(c.number[:], c.from.Data, 0, 1, 1)
	}
	plane.Fill(c.out.Data, c.number[:c.out.DType.Size()])
	return nil
}

// arangeCall counts in steps. Integers count in i64, f32 and f64 in f64, half types in f32, as PyTorch does.
//
// Source: pytorch aten/src/ATen/native/RangeFactories.cpp and cpu/RangeFactoriesKernel.cpp.
type arangeCall struct {
	sig              *arg.Signature
	from             bool // start and step are given
	out              *executor.Tensor
	start, end, step arg.Scalar
}

func (c *arangeCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	c.out = r.Of(r.Out(), arg.Real)
	if c.from {
		c.start, c.end, c.step = r.Scalar(0), r.Scalar(1), r.Scalar(2)
	} else {
		c.start, c.end, c.step = arg.Scalar{Kind: executor.KindInt}, r.Scalar(0), arg.Scalar{Kind: executor.KindInt, I: 1}
	}
	if r.Err != nil {
		return r.Err
	}
	count := c.count
	if arg.Integers.Has(c.out.DType) {
		count = c.countInts
	}
	n, ok := count()
	if !ok {
		return sig.Wrong("finite bounds and a step other than 0 that leads from start to end",
			fmt.Sprintf("start %v, end %v, step %v", c.start, c.end, c.step))
	}
	return sig.Resize(sig.Out(), c.out, n)
}

// count is the number of steps of a floating range; more than any tensor holds counts as that.
func (c *arangeCall) count() (int, bool) {
	start, end, step := c.start.Float(), c.end.Float(), c.step.Float()
	n := math.Ceil((end - start) / step)
	if math.IsInf(start, 0) || math.IsInf(end, 0) || !(n >= 0) || step == 0 || (end < start) != (step < 0) && end != start {
		return 0, false
	}
	return int(min(n, 1<<62)), true
}

// countInts is count for integers, in i64 unless a bound or the step is a float.
func (c *arangeCall) countInts() (int, bool) {
	if c.start.Kind == executor.KindDouble || c.end.Kind == executor.KindDouble || c.step.Kind == executor.KindDouble {
		return c.count()
	}
	start, end, step := c.start.I, c.end.I, c.step.I
	if step == 0 || step > 0 && end < start || step < 0 && end > start {
		return 0, false
	}
	way, by := uint64(end)-uint64(start), uint64(step)
	if step < 0 {
		way, by = -way, -by
	}
	n := way / by
	if way%by != 0 {
		n++
	}
	return int(min(n, 1<<62)), true
}

func (c *arangeCall) Run(*executor.Scope) error {
	d := c.out.Data
	switch c.out.DType {
	case arg.U8, arg.I8:
		countUp(executor.SliceBytes[uint8](d), uint8(c.start.Int()), uint8(c.step.Int()))
	case arg.I16, arg.U16:
		countUp(executor.SliceBytes[uint16](d), uint16(c.start.Int()), uint16(c.step.Int()))
	case arg.I32, arg.U32:
		countUp(executor.SliceBytes[uint32](d), uint32(c.start.Int()), uint32(c.step.Int()))
	case arg.I64, arg.U64:
		countUp(executor.SliceBytes[uint64](d), uint64(c.start.Int()), uint64(c.step.Int()))
	case arg.F32:
		fmath.Rise(executor.SliceBytes[float32](d), c.start.Float(), c.step.Float())
	case arg.F64:
		fmath.RiseF64(executor.SliceBytes[float64](d), c.start.Float(), c.step.Float())
	case arg.F16:
		riseHalf(executor.SliceBytes[uint16](d), walk.F32ToF16, float32(c.start.Float()), float32(c.step.Float()))
	case arg.BF16:
		riseHalf(executor.SliceBytes[uint16](d), walk.F32ToBF16, float32(c.start.Float()), float32(c.step.Float()))
	default:
		return fault.Under(c.sig.Op, arg.NoConversion(arg.I64, c.out.DType))
	}
	return nil
}

// countUp writes eight elements at a time, so that each need not wait for the last.
func countUp[T ~uint8 | ~uint16 | ~uint32 | ~uint64](y []T, x, by T) {
	by2, by3, by4 := 2*by, 3*by, 4*by
	for ; len(y) >= 8; y = y[8:] {
		z, w := y[:8], x+by4
		z[0], z[1], z[2], z[3] = x, x+by, x+by2, x+by3
		z[4], z[5], z[6], z[7] = w, w+by, w+by2, w+by3
		x = w + by4
	}
	for i := range y {
		y[i] = x
		x += by
	}
}

func riseHalf(y []uint16, narrow func(float32) uint16, start, step float32) {
	for i := range y {
		y[i] = narrow(start + float32(float32(i)*step))
	}
}
