package cpu

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// power is pow with a number as exponent: small whole exponents are multiplied out.
func power(name string) *pointwise {
	op := binary(name, number, arg.RealBool|arg.WideComplex, nil)
	op.sig, op.extra = arg.Sign(name, "self exponent out"), []int{1}
	op.choose = func(c *pointCall, args []*executor.Value) (*walk.Table, error) {
		e, err := op.sig.Scalar(args, 1)
		if err != nil {
			return nil, err
		}
		if arg.Integers.Has(c.common) && e.Int() < 0 {
			return nil, op.sig.Bad(1, "an exponent ≥ 0 for integers", e.String())
		}
		if (arg.Integers | arg.Of(arg.F16, arg.BF16)).Has(c.common) && !e.Fits(c.common) {
			return nil, op.sig.Bad(1, "an exponent that fits "+c.common.String(), e.String())
		}
		if arg.Integers.Has(c.common) {
			return powTable, nil
		}
		if c.common == arg.Bool {
			return powTable, nil
		}
		if out := args[op.sig.Out()].Tensor(); e.Float() == 1 && arg.IntBool.Has(args[0].Tensor().DType) && walk.PartOf(out.DType) == arg.F64 {
			c.common = arg.F64 // PyTorch copies to the output, and so does not round whole numbers to f32
		}
		if arg.Complex.Has(c.common) {
			if t := complexPowers[e.Float()]; t != nil {
				return t, nil
			}
			return powTable, nil
		}
		if c.common == arg.F16 && math.Abs(e.Float()) == 0.5 {
			return powTable, nil // PyTorch takes roots of the other types only; that of -inf differs
		}
		switch e.Float() {
		case 2:
			return squareTable, nil
		case 3:
			return cubeTable, nil
		case 0.5:
			return rootTable, nil
		case -0.5:
			return rsqrtTable, nil
		case -1:
			return reciprocalTable, nil
		case -2:
			return inverseSquareTable, nil
		}
		return powTable, nil
	}
	return op
}

var (
	powTable = &walk.Table{
		arg.Bool: powBool, arg.U8: powInt[uint8], arg.I8: powInt[int8], arg.I16: powInt[int16], arg.I32: powInt[int32], arg.I64: powInt[int64],
		arg.F32: paired(fmath.Pow), arg.F64: each2(fmath.PowOf),
		arg.C64: each2(func(x, y complex64) complex64 { return complex64(powComplex(complex128(x), complex128(y))) }), arg.C128: each2(powComplex),
	}
	squareTable        = &walk.Table{arg.F32: squareF32, arg.F64: square[float64]}
	cubeTable          = &walk.Table{arg.F32: cube[float32], arg.F64: cube[float64]}
	rootTable          = &walk.Table{arg.F32: sliced(fmath.Sqrt), arg.F64: vector(lanes.SqrtF64, each(math.Sqrt))}
	rsqrtTable         = &walk.Table{arg.F32: sliced(fmath.Rsqrt), arg.F64: vector(lanes.RsqrtF64, each(func(x float64) float64 { return 1 / math.Sqrt(x) }))}
	reciprocalTable    = &walk.Table{arg.F32: sliced(fmath.Reciprocal), arg.F64: vector(lanes.ReciprocalF64, each(func(x float64) float64 { return 1 / x }))}
	inverseSquareTable = &walk.Table{arg.F32: each(func(x float32) float32 { return 1 / (x * x) }), arg.F64: each(func(x float64) float64 { return 1 / (x * x) })}
)

func squareF32(_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[float32, float32](dst, a)
	fmath.Mul(y, x, x)
}

func square[T float](_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[T, T](dst, a)
	for i, v := range x {
		y[i] = v * v
	}
}

func cube[T float](_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[T, T](dst, a)
	for i, v := range x {
		y[i] = v * v * v
	}
}

// powBool is 1 for every power of zero.
func powBool(_ *walk.Params, dst, a, b, _ []byte) {
	for i := range dst {
		dst[i] = a[i] | (1 - b[i])
	}
}

// powInt wraps around; a negative exponent gives the whole part of the true value.
func powInt[T integer](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i, e := range z {
		v := x[i]
		if e < 0 {
			switch {
			case v == 1:
			case v+1 == 0:
				if e&1 == 0 {
					v = 1
				}
			default:
				v = 0
			}
			y[i] = v
			continue
		}
		r := T(1)
		for ; e > 0; e >>= 1 {
			if e&1 != 0 {
				r *= v
			}
			v *= v
		}
		y[i] = r
	}
}
