package cpu

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// arithmetic are the operators of two numbers with type promotion.
func arithmetic() []executor.Op {
	noBool := arg.Real
	list := []*pointwise{
		scaled("aten::add.out", "self other alpha out", tensor, arg.RealBool|arg.Complex, addTable, addScaled, false),
		scaled("aten::add.Scalar_out", "self other alpha out", number, arg.RealBool|arg.Complex, addTable, addScaled, false),
		scaled("aten::sub.out", "self other alpha out", tensor, noBool|arg.Complex, subTable, addScaled, true),
		scaled("aten::sub.Scalar_out", "self other alpha out", number, noBool|arg.Complex, subTable, addScaled, true),
		scaled("aten::rsub.Scalar_out", "self other alpha out", number, noBool|arg.Complex, rsubTable, swapped(addScaled), true),
		exact(binary("aten::mul.out", tensor, arg.RealBool|arg.Complex, mulTable)),
		exact(binary("aten::mul.Scalar_out", number, arg.RealBool|arg.Complex, mulTable)),
		exact(toFloat(binary("aten::div.out", tensor, arg.RealBool|arg.Complex, divTable))),
		exact(toFloat(binary("aten::div.Scalar_out", number, arg.RealBool|arg.Complex, divTable))),
		rounded("aten::div.out_mode", tensor),
		rounded("aten::div.Scalar_mode_out", number),
		floorDivide(),
		binary("aten::fmod.Tensor_out", tensor, noBool, fmodTable),
		binary("aten::fmod.Scalar_out", number, noBool, fmodTable),
		binary("aten::remainder.Tensor_out", tensor, noBool, remainderTable),
		binary("aten::remainder.Scalar_out", number, noBool, remainderTable),
		binary("aten::pow.Tensor_Tensor_out", tensor, noBool|arg.WideComplex, powTable),
		power("aten::pow.Tensor_Scalar_out"),
		{sig: arg.Sign("aten::pow.Scalar_out", "self exponent out"), ins: []operand{{0, number}, {1, tensor}}, types: noBool | arg.WideComplex, table: powTable},
		toFloat(binary("aten::atan2.out", tensor, arg.RealBool, &walk.Table{
			arg.F32: paired(fmath.Atan2),
			arg.F64: each2(fmath.Atan2Of),
		})),
		binary("aten::maximum.out", tensor, arg.RealBool, maximumTable),
		binary("aten::minimum.out", tensor, arg.RealBool, minimumTable),
	}
	var ops []executor.Op
	for _, op := range list {
		ops = append(ops, op.make())
	}
	return ops
}

func binary(name string, other operandKind, types arg.Set, t *walk.Table) *pointwise {
	return &pointwise{sig: arg.Sign(name, "self other out"), ins: []operand{{0, tensor}, {1, other}}, types: types, table: t}
}

// exact marks the operators for which PyTorch takes the second operand, where it is a number, as it is instead of rounding
// it to a 16-bit tensor's type.
func exact(op *pointwise) *pointwise { op.exact = true; return op }

func toFloat(op *pointwise) *pointwise { op.float = true; return op }

// scaled is an operator with alpha: the plain table while alpha is 1, but for complex numbers. Otherwise it adds the second
// operand alpha times, or minus alpha times: the negative is an integer where alpha is one, and so may wrap around.
//
// Source: pytorch aten/src/ATen/native/BinaryOps.cpp, sub_out, and BinaryOpsUtils.h, alpha_check.
func scaled(name, names string, other operandKind, types arg.Set, plain, withAlpha *walk.Table, minus bool) *pointwise {
	op := binary(name, other, types, plain)
	op.sig, op.extra = arg.Sign(name, names), []int{2}
	op.choose = func(c *pointCall, args []*executor.Value) (*walk.Table, error) {
		a, err := op.sig.Scalar(args, 2)
		if err != nil {
			return nil, err
		}
		if a.Kind == executor.KindDouble && arg.IntBool.Has(c.common) {
			return nil, op.sig.Bad(2, "an integer for "+c.common.String(), a.String())
		}
		if a.Kind == executor.KindBool && c.common != arg.Bool {
			return nil, op.sig.Bad(2, "a number for "+c.common.String(), a.String())
		}
		if minus {
			for i, v := range args[:2] {
				if v.Kind() == executor.KindBool || v.Tensor() != nil && v.Tensor().DType == arg.Bool {
					return nil, op.sig.Bad(i, "numbers", "bool")
				}
			}
		}
		if a.Float() == 1 && !arg.Complex.Has(c.common) {
			return plain, nil
		}
		if minus {
			a.F, a.I = -a.F, -a.I
		}
		if !a.Fits(c.common) {
			return nil, op.sig.Bad(2, "a number that fits "+c.common.String()+" when it is added", a.String())
		}
		p := c.Map.Params()
		p.F[0], p.I[0] = a.Float(), a.Int()
		if h := halvesOf(c.common); h != nil {
			p.F[0] = float64(h.round(float32(a.Float())))
		}
		return withAlpha, nil
	}
	return op
}

// rounded is division with a rounding mode.
func rounded(name string, other operandKind) *pointwise {
	op := exact(binary(name, other, arg.RealBool|arg.Complex, nil))
	op.sig, op.extra = arg.Sign(name, "self other rounding_mode out"), []int{2}
	op.choose = func(c *pointCall, args []*executor.Value) (*walk.Table, error) {
		mode, err := op.sig.Text(args, 2, "")
		if err != nil {
			return nil, err
		}
		switch mode {
		case "":
			if arg.IntBool.Has(c.common) {
				c.common = arg.F32
			}
			return divTable, nil
		case "floor":
			return chooseFloorDiv(c, args)
		case "trunc":
			if h := stepped(c, args); h != nil {
				return h.truncDiv, nil
			}
			return truncDivTable, nil
		}
		return nil, op.sig.Bad(2, `"trunc", "floor" or none`, mode)
	}
	return op
}

func floorDivide() *pointwise {
	op := exact(binary("aten::floor_divide.out", tensor, arg.Real, nil))
	op.choose = chooseFloorDiv
	return op
}

func chooseFloorDiv(c *pointCall, args []*executor.Value) (*walk.Table, error) {
	if h := stepped(c, args); h != nil {
		return h.floorDiv, nil
	}
	return floorDivTable, nil
}

// stepped gives the kernels that round each step: PyTorch's for 16-bit tensors, but not where the second is one number.
func stepped(c *pointCall, args []*executor.Value) *halves {
	if t := args[c.op.ins[1].at].Tensor(); t == nil || t.NumElements() == 1 {
		return nil
	}
	return halvesOf(c.common)
}

var (
	addTable = &walk.Table{
		arg.Bool: boolOr, arg.U8: vector(lanes.Add8, add[uint8]), arg.I8: vector(lanes.Add8, add[int8]),
		arg.I16: vector(lanes.Add16, add[int16]), arg.I32: vector(lanes.Add32, add[int32]), arg.I64: vector(lanes.Add64, add[int64]),
		arg.F32: paired(fmath.Add), arg.F64: vector(lanes.AddF64, add[float64]),
	}
	addScaled = &walk.Table{
		arg.Bool: addScaledBool, arg.U8: multiple(lanes.Scaled8, addScaledInt[uint8]),
		arg.I8: multiple(lanes.Scaled8, addScaledInt[int8]), arg.I16: multiple(lanes.Scaled16, addScaledInt[int16]),
		arg.I32: multiple(lanes.Scaled32, addScaledInt[int32]), arg.I64: multiple(lanes.Scaled64, addScaledInt[int64]),
		arg.F32: addScaledF32, arg.F64: addScaledF64,
		arg.C64: addScaledComplex(lanes.ScaledC64, bits32), arg.C128: addScaledComplex(lanes.ScaledC128, math.Float64bits),
	}
	subTable = &walk.Table{
		arg.U8: vector(lanes.Sub8, sub[uint8]), arg.I8: vector(lanes.Sub8, sub[int8]), arg.I16: vector(lanes.Sub16, sub[int16]),
		arg.I32: vector(lanes.Sub32, sub[int32]), arg.I64: vector(lanes.Sub64, sub[int64]),
		arg.F32: paired(fmath.Sub), arg.F64: vector(lanes.SubF64, sub[float64]),
	}
	rsubTable = swapped(subTable)
	mulTable  = &walk.Table{
		arg.Bool: boolAnd, arg.U8: vector(lanes.Mul8, mul[uint8]), arg.I8: vector(lanes.Mul8, mul[int8]),
		arg.I16: vector(lanes.Mul16, mul[int16]), arg.I32: vector(lanes.Mul32, mul[int32]), arg.I64: vector(lanes.Mul64, mul[int64]),
		arg.F32: paired(fmath.Mul), arg.F64: vector(lanes.MulF64, mul[float64]),
		arg.C64: vector(lanes.MulC64, multiplyComplex[float32]), arg.C128: vector(lanes.MulC128, multiplyComplex[float64]),
	}
	divTable = &walk.Table{
		arg.F32: paired(fmath.Div), arg.F64: vector(lanes.DivF64, div[float64]),
		arg.C64: vector(lanes.DivC64, divideComplex(fma32)), arg.C128: vector(lanes.DivC128, divideComplex(fma64)),
	}
	floorDivTable = &walk.Table{
		arg.U8: stepwise(lanes.DivU8, floorDivInts[uint8]), arg.I8: stepwise(lanes.FloorDivI8, floorDivInts[int8]),
		arg.I16: stepwise(lanes.FloorDivI16, floorDivInts[int16]), arg.I32: stepwise(lanes.FloorDivI32, floorDivInts[int32]),
		arg.I64: stepwise(lanes.FloorDivI64, floorDivInts[int64]),
		arg.F32: stepwise(lanes.FloorDivF32, each2(floorDiv32)), arg.F64: stepwise(lanes.FloorDivF64, each2(floorDiv)),
	}
	truncDivTable = &walk.Table{
		arg.U8: stepwise(lanes.DivU8, truncDivInts[uint8]), arg.I8: stepwise(lanes.DivI8, truncDivInts[int8]),
		arg.I16: stepwise(lanes.DivI16, truncDivInts[int16]), arg.I32: stepwise(lanes.DivI32, truncDivInts[int32]),
		arg.I64: stepwise(lanes.DivI64, truncDivInts[int64]),
		arg.F32: truncDiv32, arg.F64: truncDiv64,
	}
	fmodTable = &walk.Table{
		arg.U8: stepwise(lanes.ModU8, fmodInts[uint8]), arg.I8: stepwise(lanes.ModI8, fmodInts[int8]),
		arg.I16: stepwise(lanes.ModI16, fmodInts[int16]), arg.I32: stepwise(lanes.ModI32, fmodInts[int32]),
		arg.I64: stepwise(lanes.ModI64, fmodInts[int64]),
		arg.F32: stepwise(lanes.ModF32, each2(fmod32)), arg.F64: stepwise(lanes.ModF64, each2(math.Mod)),
	}
	remainderTable = &walk.Table{
		arg.U8: stepwise(lanes.ModU8, remainderInts[uint8]), arg.I8: stepwise(lanes.FloorModI8, remainderInts[int8]),
		arg.I16: stepwise(lanes.FloorModI16, remainderInts[int16]), arg.I32: stepwise(lanes.FloorModI32, remainderInts[int32]),
		arg.I64: stepwise(lanes.FloorModI64, remainderInts[int64]),
		arg.F32: stepwise(lanes.FloorModF32, each2(remainder32)), arg.F64: stepwise(lanes.FloorModF64, each2(remainder)),
	}
)

func swapped(t *walk.Table) *walk.Table {
	r := new(walk.Table)
	for d, k := range t {
		if k != nil {
			r[d] = func(p *walk.Params, dst, a, b, c []byte) { k(p, dst, b, a, c) }
		}
	}
	return r
}

func add[T arith](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i := range y {
		y[i] = x[i] + z[i]
	}
}

func sub[T arith](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i := range y {
		y[i] = x[i] - z[i]
	}
}

func mul[T arith](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i := range y {
		y[i] = x[i] * z[i]
	}
}

func div[T float](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i := range y {
		y[i] = x[i] / z[i]
	}
}

func addScaledInt[T integer](p *walk.Params, dst, a, b, _ []byte) {
	s := T(p.I[0])
	y, x, z := two[T, T](dst, a, b)
	for i := range y {
		y[i] = x[i] + s*z[i]
	}
}

// addScaledF64 rounds the product by itself (the conversion forbids fusing), so that every machine gives the same bits.
func addScaledF64(p *walk.Params, dst, a, b, _ []byte) {
	s, n := p.F[0], 0
	if lanes.ScaledF64 != nil {
		n = lanes.ScaledF64(dst, a, b, math.Float64bits(s)) / 8
	}
	y, x, z := two[float64, float64](dst, a, b)
	for i := n; i < len(y); i++ {
		y[i] = x[i] + float64(s*z[i])
	}
}

func addScaledF32(p *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[float32, float32](dst, a, b)
	fmath.AddScaled(y, x, z, float32(p.F[0]))
}

var (
	boolOr  = vector(lanes.BoolOr, orBool)
	boolAnd = vector(lanes.BoolAnd, andBool)
)

func addScaledBool(p *walk.Params, dst, a, b, _ []byte) {
	if p.I[0] == 0 {
		b = a
	}
	boolOr(p, dst, a, b, nil)
}

func orBool(_ *walk.Params, dst, a, b, _ []byte) {
	for i := range dst {
		dst[i] = truth(a[i]|b[i] != 0)
	}
}

func andBool(_ *walk.Params, dst, a, b, _ []byte) {
	for i := range dst {
		dst[i] = truth(a[i] != 0 && b[i] != 0)
	}
}
