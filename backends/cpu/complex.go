package cpu

import (
	"math"
	"math/cmplx"

	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// complexMath are the functions of unaryMath that PyTorch has for complex numbers. Single precision is computed in double.
var complexMath = map[string]func(complex128) complex128{
	"acos": acosComplex, "acosh": acoshComplex, "asin": asinComplex, "asinh": asinhComplex, "atan": atanComplex, "atanh": atanhComplex,
	"cos": cmplx.Cos, "cosh": cmplx.Cosh, "exp": cmplx.Exp, "expm1": expm1Complex,
	"log": cmplx.Log, "log10": func(x complex128) complex128 { return scaleComplex(cmplx.Log(x), math.Log10E) }, "log1p": log1pComplex,
	"log2":       func(x complex128) complex128 { return scaleComplex(cmplx.Log(x), math.Log2E) },
	"reciprocal": inverse, "rsqrt": func(x complex128) complex128 { return inverse(cmplx.Sqrt(x)) },
	"sin": cmplx.Sin, "sinh": cmplx.Sinh, "sqrt": cmplx.Sqrt, "tan": tanComplex, "tanh": tanhComplex,
	"sigmoid": func(x complex128) complex128 { return inverse(1 + cmplx.Exp(-x)) },
}

// complexKernels are those of a function for single and for double precision.
func complexKernels(f func(complex128) complex128) (c64, c128 walk.Kernel) {
	return each(func(x complex64) complex64 { return complex64(f(complex128(x))) }), each(f)
}

func scaleComplex(x complex128, by float64) complex128 { return complex(real(x)*by, imag(x)*by) }

// inverse is 1/x as PyTorch has it: NaN where both parts are infinite.
func inverse(x complex128) complex128 {
	if math.IsInf(real(x), 0) && math.IsInf(imag(x), 0) {
		return cmplx.NaN()
	}
	return 1 / x
}

// asinhComplex is computed where the sum under the logarithm does not cancel.
func asinhComplex(x complex128) complex128 {
	if real(x) < 0 {
		return -cmplx.Asinh(-x)
	}
	return cmplx.Asinh(x)
}

func asinComplex(x complex128) complex128 {
	y := asinhComplex(complex(-imag(x), real(x)))
	return complex(imag(y), -real(y))
}

func acosComplex(x complex128) complex128 {
	y := asinComplex(x)
	return complex(math.Pi/2-real(y), -imag(y))
}

func acoshComplex(x complex128) complex128 {
	if cmplx.IsInf(x) || cmplx.IsNaN(x) {
		return cmplx.Acosh(x)
	}
	up, down := cmplx.Sqrt(complex(real(x)+1, imag(x))), cmplx.Sqrt(complex(real(x)-1, imag(x)))
	return cmplx.Log(x + up*down)
}

// atanComplex takes the side of the cuts, which lie on the imaginary axis, from the sign of a real part of zero.
func atanComplex(x complex128) complex128 {
	y := cmplx.Atan(x)
	if real(x) == 0 && math.Abs(imag(x)) > 1 {
		return complex(math.Copysign(math.Pi/2, real(x)), imag(y))
	}
	return y
}

func atanhComplex(x complex128) complex128 {
	y := atanComplex(complex(-imag(x), real(x)))
	return complex(imag(y), -real(y))
}

// tanhComplex is ±1 where the exponentials of its quotient would overflow.
func tanhComplex(x complex128) complex128 {
	a, b := real(x), imag(x)
	if math.IsInf(a, 0) {
		return complex(math.Copysign(1, a), 0)
	}
	if math.Abs(a) > 20 {
		return complex(math.Copysign(1, a), 2*math.Sin(2*b)*math.Exp(-2*math.Abs(a)))
	}
	return cmplx.Tanh(x)
}

func tanComplex(x complex128) complex128 {
	y := tanhComplex(complex(-imag(x), real(x)))
	return complex(imag(y), -real(y))
}

// expm1Complex keeps the digits of the real part near zero: e^a·cos b − 1 = (e^a − 1)·cos b − 2·sin²(b/2).
func expm1Complex(x complex128) complex128 {
	a, b := math.Expm1(real(x)), math.Sin(imag(x)/2)
	return complex(a*math.Cos(imag(x))-2*b*b, (a+1)*math.Sin(imag(x)))
}

// log1pComplex keeps the digits of the real part near zero: |1 + x|² = 1 + a·(2 + a) + b².
func log1pComplex(x complex128) complex128 {
	a, b := real(x), imag(x)
	if math.Abs(a) > 0.5 || math.Abs(b) > 0.5 {
		return cmplx.Log(complex(1+a, b))
	}
	return complex(math.Log1p(a*(2+a)+b*b)/2, math.Atan2(b, 1+a))
}

// powComplex takes the usual exponents as PyTorch does, without logarithms.
func powComplex(x, y complex128) complex128 {
	switch y {
	case 2:
		return x * x
	case 3:
		return x * x * x
	case 0.5:
		return cmplx.Sqrt(x)
	case -0.5:
		return inverse(cmplx.Sqrt(x))
	case -1:
		return inverse(x)
	case -2:
		return inverse(x * x)
	}
	return cmplx.Pow(x, y)
}

// part asks a question about complex numbers of two T: true where it is of either part.
func part[T float](f func(T) bool) walk.Kernel {
	return func(_ *walk.Params, dst, a, _, _ []byte) {
		x := executor.SliceBytes[T](a)
		for i := range dst {
			dst[i] = truth(f(x[2*i]) || f(x[2*i+1]))
		}
	}
}

func isNaN[T float](x T) bool { return x != x }

func isInfinite[T float](x T) bool { return math.IsInf(float64(x), 0) }
