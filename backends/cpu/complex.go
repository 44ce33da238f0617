package cpu

import (
	"math"
	"math/cmplx"

	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// complexMath are the functions of unaryMath that PyTorch has for complex numbers. Single precision is computed in double.
var complexMath = map[string]func(complex128) complex128{
	"acos": acosComplex, "acosh": acoshComplex, "asin": asinComplex, "asinh": asinhComplex, "atan": atanComplex, "atanh": atanhComplex,
	"cos": cmplx.Cos, "cosh": cmplx.Cosh, "exp": cmplx.Exp, "expm1": expm1Complex,
	"log": cmplx.Log, "log10": func(x complex128) complex128 { return scaleComplex(cmplx.Log(x), math.Log10E) }, "log1p": log1pComplex,
	"log2": func(x complex128) complex128 { return scaleComplex(cmplx.Log(x), math.Log2E) },
	"sin":  cmplx.Sin, "sinh": cmplx.Sinh, "sqrt": cmplx.Sqrt, "tan": tanComplex, "tanh": tanhComplex,
	"rsqrt":   func(x complex128) complex128 { return inverse(cmplx.Sqrt(x)) },
	"sigmoid": func(x complex128) complex128 { return inverse(1 + cmplx.Exp(-x)) },
}

// complexKernels are those of a function for single and for double precision, nil where it has none.
func complexKernels(name string) (c64, c128 walk.Kernel) {
	f := complexMath[name]
	switch {
	case name == "reciprocal":
		return reciprocalComplex(fma32), reciprocalComplex(fma64)
	case f == nil:
		return nil, nil
	}
	return each(func(x complex64) complex64 { return complex64(f(complex128(x))) }), each(f)
}

func scaleComplex(x complex128, by float64) complex128 { return complex(real(x)*by, imag(x)*by) }

func inverse(x complex128) complex128 {
	re, im := quotient(fma64, 1, 0, real(x), imag(x))
	return complex(re, im)
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

// Kernels of the arithmetic take the parts as they lie, two T for each number.

// conjugate turns the sign of the imaginary part.
func conjugate[T float](_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[T, T](dst, a)
	for i := 0; i+1 < len(y); i += 2 {
		y[i], y[i+1] = x[i], -x[i+1]
	}
}

// addScaledComplex makes a kernel that adds F, sign turned if sign says so, times the second operand. Like PyTorch it takes F
// for a complex number even if it is 1, so that infinite parts give NaN.
func addScaledComplex[T float](f lanes.Scaled, bits func(T) uint64, sign T) walk.Kernel {
	return func(p *walk.Params, dst, a, b, _ []byte) {
		s, n := sign*T(p.F[0]), 0
		if f != nil {
			n = f(dst, a, b, bits(s))
		}
		y, x, z := two[T, T](dst[n:], a[n:], b[n:])
		for i := 0; i+1 < len(y); i += 2 {
			re, im := product(s, 0, z[i], z[i+1])
			y[i], y[i+1] = x[i]+re, x[i+1]+im
		}
	}
}

func bits32(x float32) uint64 { return uint64(math.Float32bits(x)) }

func multiplyComplex[T float](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i := 0; i+1 < len(y); i += 2 {
		y[i], y[i+1] = product(x[i], x[i+1], z[i], z[i+1])
	}
}

// product is (a+bi)·(c+di), every product rounded.
func product[T float](a, b, c, d T) (re, im T) { return T(a*c) - T(b*d), T(a*d) + T(b*c) }

func divideComplex[T float](fma func(x, y, z T) T) walk.Kernel {
	return func(_ *walk.Params, dst, a, b, _ []byte) {
		y, x, z := two[T, T](dst, a, b)
		for i := 0; i+1 < len(y); i += 2 {
			y[i], y[i+1] = quotient(fma, x[i], x[i+1], z[i], z[i+1])
		}
	}
}

// reciprocalComplex has its own loop: the numerator is the same for all.
func reciprocalComplex[T float](fma func(x, y, z T) T) walk.Kernel {
	return func(_ *walk.Params, dst, a, _, _ []byte) {
		y, x := one[T, T](dst, a)
		for i := 0; i+1 < len(y); i += 2 {
			y[i], y[i+1] = quotient(fma, 1, 0, x[i], x[i+1])
		}
	}
}

// quotient is (a+bi)/(c+di) after Smith's method, as c10::complex has it, with the fused products that PyTorch's CPU build
// makes of it.
func quotient[T float](fma func(x, y, z T) T, a, b, c, d T) (re, im T) {
	absC, absD := c, d
	if c < 0 {
		absC = -c
	}
	if d < 0 {
		absD = -d
	}
	switch {
	case c == 0 && d == 0:
		var zero T // the sign of the divisor does not count
		return a / zero, b / zero
	case absC >= absD:
		q := d / c
		s := 1 / fma(d, q, c)
		return fma(b, q, a) * s, fma(-a, q, b) * s
	}
	q := c / d
	s := 1 / fma(c, q, d)
	return fma(a, q, b) * s, fma(b, q, -a) * s
}

func fma64(x, y, z float64) float64 { return math.FMA(x, y, z) }

// fma32 rounds once. The product is exact in f64; the sum is rounded to odd there, which leaves the last rounding as if it
// had seen all digits.
func fma32(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	t := s - p
	lost := (p - (s - t)) + (c - t)
	if b := math.Float64bits(s); b&1 == 0 && (lost > 0 || lost < 0) {
		if (lost > 0) == (s > 0) {
			s = math.Float64frombits(b + 1)
		} else {
			s = math.Float64frombits(b - 1)
		}
	}
	return float32(s)
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
