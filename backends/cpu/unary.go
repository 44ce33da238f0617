package cpu

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// unaryMath are the functions of one element that give floats: integers and bools are computed in f32, f64 in f64.
func unaryMath() []executor.Op {
	var ops []executor.Op
	for _, f := range []struct {
		name string
		f64  walk.Kernel
		f32  walk.Kernel
	}{
		{"acos", sliced(fmath.Acos64), sliced(fmath.Acos)},
		{"acosh", sliced(fmath.Acosh64), sliced(fmath.Acosh)},
		{"asin", sliced(fmath.Asin64), sliced(fmath.Asin)},
		{"asinh", sliced(fmath.Asinh64), sliced(fmath.Asinh)},
		{"atan", each(math.Atan), sliced(fmath.Atan)},
		{"atanh", each(math.Atanh), sliced(fmath.Atanh)},
		{"cos", each(math.Cos), sliced(fmath.Cos)},
		{"cosh", sliced(fmath.Cosh64), sliced(fmath.Cosh)},
		{"erf", sliced(fmath.Erf64), sliced(fmath.Erf)},
		{"exp", sliced(fmath.Exp64), sliced(fmath.Exp)},
		{"expm1", sliced(fmath.Expm164), sliced(fmath.Expm1)},
		{"log", sliced(fmath.Log64), sliced(fmath.Log)},
		{"log10", sliced(fmath.Log1064), sliced(fmath.Log10)},
		{"log1p", sliced(fmath.Log1p64), sliced(fmath.Log1p)},
		{"log2", sliced(fmath.Log264), sliced(fmath.Log2)},
		{"reciprocal", reciprocalTable.Of(arg.F64), sliced(fmath.Reciprocal)},
		{"rsqrt", rsqrtTable.Of(arg.F64), sliced(fmath.Rsqrt)},
		{"sin", each(math.Sin), sliced(fmath.Sin)},
		{"sinh", sliced(fmath.Sinh64), sliced(fmath.Sinh)},
		{"sqrt", rootTable.Of(arg.F64), sliced(fmath.Sqrt)},
		{"tan", each(math.Tan), sliced(fmath.Tan)},
		{"tanh", sliced(fmath.Tanh64), sliced(fmath.Tanh)},
		{"sigmoid", sliced(fmath.Sigmoid64), sliced(fmath.Sigmoid)},
	} {
		t, types := &walk.Table{arg.F64: f.f64, arg.F32: f.f32}, arg.RealBool
		if c64, c128 := complexKernels(f.name); c64 != nil {
			t[arg.C64], t[arg.C128] = c64, c128
			types |= arg.WideComplex
		}
		ops = append(ops, (&pointwise{
			sig: arg.Sign("aten::"+f.name+".out", "self out"), ins: []operand{{0, tensor}},
			types: types, float: true, table: t,
		}).make())
	}
	return append(ops, (&pointwise{
		sig: arg.Sign("aten::logit.out", "self eps out"), ins: []operand{{0, tensor}},
		types: arg.RealBool, float: true, choose: chooseLogit, extra: []int{1},
	}).make())
}

func chooseLogit(c *pointCall, args []*executor.Value) (*walk.Table, error) {
	h, eps := halvesOf(c.common), math.Inf(-1)
	if args[1].IsNone() {
		if h == nil {
			return logitTable, nil
		}
	} else {
		var err error
		if eps, err = c.op.sig.Double(args, 1); err != nil {
			return nil, err
		}
	}
	p := c.Map.Params()
	p.F[0] = eps
	if h == nil {
		return logitClamped, nil
	}
	if eps != eps { // no bounds
		eps = math.Inf(-1)
	}
	lo := h.round(float32(eps))
	p.F[0], p.F[1] = float64(lo), float64(h.round(1-lo))
	return h.logit, nil
}

var (
	logitTable   = &walk.Table{arg.F32: sliced(fmath.Logit), arg.F64: logit}
	logitClamped = &walk.Table{arg.F32: logitEpsF32, arg.F64: logitEpsF64}
)

func logit(_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[float64, float64](dst, a)
	for i, v := range x {
		y[i] = v / (1 - v)
	}
	fmath.Log64(y, y)
}

// logitEpsF32 keeps probabilities eps away from 0 and 1.
func logitEpsF32(p *walk.Params, dst, a, _, _ []byte) {
	y, x := one[float32, float32](dst, a)
	if eps := float32(p.F[0]); eps == eps {
		keepBetween(y, x, eps, 1-eps)
		x = y
	}
	fmath.Logit(y, x)
}

// keepBetween gives lo for what is less and hi for what is more, even where lo is the greater one.
func keepBetween(y, x []float32, lo, hi float32) {
	if lo <= hi {
		fmath.Clamp(y, x, lo, hi)
		return
	}
	for i, v := range x {
		y[i] = confined(v, lo, hi)
	}
}

func confined[T float](v, lo, hi T) T {
	switch {
	case v < lo:
		return lo
	case v > hi:
		return hi
	}
	return v
}

func logitEpsF64(p *walk.Params, dst, a, _, _ []byte) {
	y, x := one[float64, float64](dst, a)
	lo, hi := p.F[0], 1-p.F[0]
	for i, v := range x {
		v = confined(v, lo, hi)
		y[i] = v / (1 - v)
	}
	fmath.Log64(y, y)
}

// unarySame are the functions of one element that keep the type, and the questions about one element.
func unarySame() []executor.Op {
	same := func(name string, types arg.Set, t *walk.Table) *pointwise {
		return &pointwise{sig: arg.Sign("aten::"+name+".out", "self out"), ins: []operand{{0, tensor}}, types: types, table: t}
	}
	round := func(name string, f32 func(dst, src []float32), v lanes.Loop, f func(float64) float64) *pointwise {
		t := &walk.Table{
			arg.U8: identity, arg.I8: identity, arg.I16: identity, arg.I32: identity, arg.I64: identity,
			arg.F32: sliced(f32), arg.F64: vector(v, each(f)),
		}
		return same(name, arg.Real, t)
	}
	question := func(name string, f32, f64, c64, c128 walk.Kernel) *pointwise {
		t := &walk.Table{
			arg.Bool: never, arg.U8: never, arg.I8: never, arg.I16: never, arg.I32: never, arg.I64: never,
			arg.F32: f32, arg.F64: f64, arg.C64: c64, arg.C128: c128,
		}
		op := same(name, arg.RealBool|arg.Complex, t)
		op.toBool = true
		return op
	}
	halfAbs, halfNeg := vector(lanes.AbsHalf, clearSign), vector(lanes.NegHalf, turnSign)
	negF64 := vector(lanes.NegF64, neg[float64])
	not8 := vector(lanes.BoolNot, notBool)
	abs := same("abs", arg.Real|arg.Complex, &walk.Table{
		arg.U8: identity, arg.I8: vector(lanes.Abs8, absInt[int8]), arg.I16: vector(lanes.Abs16, absInt[int16]),
		arg.I32: vector(lanes.Abs32, absInt[int32]), arg.I64: vector(lanes.Abs64, absInt[int64]),
		arg.F16: halfAbs, arg.BF16: halfAbs, arg.F32: sliced(fmath.Abs), arg.F64: vector(lanes.AbsF64, each(math.Abs)),
		arg.C64:  absC64,
		arg.C128: each(func(x complex128) float64 { return math.Hypot(real(x), imag(x)) }),
	})
	abs.magnitude = true
	not := same("logical_not", arg.RealBool|arg.Complex, &walk.Table{
		arg.Bool: not8, arg.U8: not8, arg.I8: not8, arg.I16: zero(lanes.Equal16, 2, not[int16]), arg.I32: zero(lanes.Equal32, 4, not[int32]),
		arg.I64: zero(lanes.Equal64, 8, not[int64]),
		arg.F16: notHalf, arg.BF16: notHalf, arg.F32: not32, arg.F64: zero(lanes.EqualF64, 8, not[float64]),
		arg.C64: not[complex64], arg.C128: not[complex128],
	})
	not.toBool, not.anyOut = true, true
	list := []*pointwise{
		abs, not,
		same("neg", arg.Real|arg.Complex, &walk.Table{
			arg.U8: vector(lanes.Neg8, neg[uint8]), arg.I8: vector(lanes.Neg8, neg[int8]), arg.I16: vector(lanes.Neg16, neg[int16]),
			arg.I32: vector(lanes.Neg32, neg[int32]), arg.I64: vector(lanes.Neg64, neg[int64]),
			arg.F16: halfNeg, arg.BF16: halfNeg, arg.F32: sliced(fmath.Neg), arg.F64: negF64,
			arg.C64: sliced(fmath.Neg), arg.C128: negF64,
		}),
		same("sign", arg.RealBool, &walk.Table{
			arg.Bool: identity, arg.U8: vector(lanes.SignU8, sign[uint8]), arg.I8: vector(lanes.Sign8, sign[int8]),
			arg.I16: vector(lanes.Sign16, sign[int16]), arg.I32: vector(lanes.Sign32, sign[int32]), arg.I64: vector(lanes.Sign64, sign[int64]),
			arg.F32: sliced(fmath.Sign), arg.F64: vector(lanes.SignF64, sign[float64]),
		}),
		same("bitwise_not", arg.IntBool, &walk.Table{
			arg.Bool: not8, arg.U8: vector(lanes.Not, bitNot[uint8]), arg.I8: vector(lanes.Not, bitNot[int8]),
			arg.I16: vector(lanes.Not, bitNot[int16]), arg.I32: vector(lanes.Not, bitNot[int32]), arg.I64: vector(lanes.Not, bitNot[int64]),
		}),
		same("_conj_physical", arg.RealBool|arg.Complex, &walk.Table{
			arg.Bool: identity, arg.U8: identity, arg.I8: identity, arg.I16: identity, arg.I32: identity, arg.I64: identity,
			arg.F16: identity, arg.BF16: identity, arg.F32: identity, arg.F64: identity,
			// The imaginary part of one of 64 bits has the sign that a double would have.
			arg.C64: vector(lanes.NegF64, conjugate[float32]), arg.C128: vector(lanes.ConjC128, conjugate[float64]),
		}),
		round("ceil", fmath.Ceil, lanes.CeilF64, math.Ceil),
		round("floor", fmath.Floor, lanes.FloorF64, math.Floor),
		round("trunc", fmath.Trunc, lanes.TruncF64, math.Trunc),
		round("round", fmath.Round, lanes.RoundF64, math.RoundToEven),
		question("isinf", infinite32, infinite64, part(isInfinite[float32]), part(isInfinite[float64])),
		question("isnan", nan32, nan64, part(isNaN[float32]), part(isNaN[float64])),
	}
	var ops []executor.Op
	for _, op := range list {
		ops = append(ops, op.make())
	}
	return ops
}

func identity(_ *walk.Params, dst, a, _, _ []byte) { copy(dst, a) }

func never(_ *walk.Params, dst, _, _, _ []byte) { clear(dst) }

func neg[T arith](_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[T, T](dst, a)
	for i, v := range x {
		y[i] = -v
	}
}

// Floats of 16 bits keep or change their sign as they are.
const halfSign = 1 << 15

func clearSign(_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[uint16, uint16](dst, a)
	for i, v := range x {
		y[i] = v &^ halfSign
	}
}

func turnSign(_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[uint16, uint16](dst, a)
	for i, v := range x {
		y[i] = v ^ halfSign
	}
}

// absC64 takes the squares in f64, where they are exact and neither too large nor too small.
func absC64(_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[float32, complex64](dst, a)
	fmath.AbsComplex(y, x)
}

func absInt[T signed](_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[T, T](dst, a)
	for i, v := range x {
		y[i] = max(v, -v)
		if v == -v {
			y[i] = v
		}
	}
}

// sign gives 0 for NaN, as PyTorch does.
func sign[T arith](_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[T, T](dst, a)
	for i, v := range x {
		var s T
		if v > 0 {
			s++
		}
		if v < 0 {
			s--
		}
		y[i] = s
	}
}

func bitNot[T integer](_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[T, T](dst, a)
	for i, v := range x {
		y[i] = ^v
	}
}

func not[T arith | complexN](_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[uint8, T](dst, a)
	for i, v := range x {
		y[i] = truth(v == 0)
	}
}

func notHalf(_ *walk.Params, dst, a, _, _ []byte) {
	n := 0
	if lanes.NotHalf != nil {
		n = lanes.NotHalf(dst, a, a)
	}
	y, x := one[uint8, uint16](dst, a)
	for i, v := range x[n:] {
		y[n+i] = truth(v&^halfSign == 0)
	}
}

func not32(_ *walk.Params, dst, a, _, _ []byte) {
	var zeros [256]float32
	for x := executor.SliceBytes[float32](a)[:len(dst)]; len(x) > 0; {
		n := min(len(x), len(zeros))
		fmath.Equal(dst[:n], x[:n], zeros[:n])
		dst, x = dst[n:], x[n:]
	}
}

func notBool(_ *walk.Params, dst, a, _, _ []byte) {
	for i, v := range a[:len(dst)] {
		dst[i] = truth(v == 0)
	}
}

// infinite32 and infinite64 compare the bits but the sign, with constants: a variable takes three times as long.

func infinite32(_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[uint8, uint32](dst, a)
	for i, v := range x {
		y[i] = truth(v&^(1<<31) == 0x7f800000)
	}
}

func infinite64(_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[uint8, uint64](dst, a)
	for i, v := range x {
		y[i] = truth(v&^(1<<63) == 0x7ff0000000000000)
	}
}

func nan32(_ *walk.Params, dst, a, _, _ []byte) {
	x := executor.SliceBytes[float32](a)
	fmath.Unequal(dst, x, x)
}

var unequalF64 = related(lanes.UnequalF64, 8, unequal[float64])

func nan64(p *walk.Params, dst, a, _, _ []byte) { unequalF64(p, dst, a, a, nil) }
