package cpu

import (
	"math"
	"math/cmplx"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
)

// complexMath are the functions of unaryMath that PyTorch has for complex numbers. Single precision is computed in double.
// Infinities and NaN follow Annex G of C11, as the C library's functions do that PyTorch calls.
var complexMath = map[string]func(complex128) complex128{
	"acos": acosComplex, "acosh": acoshComplex, "asin": asinComplex, "asinh": asinhComplex, "atan": atanComplex, "atanh": atanhComplex,
	"cos": cosComplex, "cosh": coshComplex, "exp": expComplex, "expm1": expm1Complex,
	"log": logComplex, "log10": func(x complex128) complex128 { return scaleComplex(logComplex(x), math.Log10E) }, "log1p": log1pComplex,
	"log2": func(x complex128) complex128 { return scaleComplex(logComplex(x), math.Log2E) },
	"sin":  sinComplex, "sinh": sinhComplex, "sqrt": sqrtComplex, "tan": tanComplex, "tanh": tanhComplex,
	"rsqrt":   func(x complex128) complex128 { return inverse(sqrtComplex(x)) },
	"sigmoid": func(x complex128) complex128 { return inverse(1 + expComplex(-x)) },
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

// complexPowers are by the exponents that PyTorch takes without logarithms where they are one number.
var complexPowers = map[float64]*walk.Table{
	0: {
		arg.C64:  partwise(func(_, _ float32) (re, im float32) { return 1, 0 }),
		arg.C128: partwise(func(_, _ float64) (re, im float64) { return 1, 0 }),
	},
	1:    {arg.C64: identity, arg.C128: identity},
	2:    {arg.C64: partwise(squareComplex[float32]), arg.C128: partwise(squareComplex[float64])},
	3:    {arg.C64: partwise(cubeComplex[float32]), arg.C128: partwise(cubeComplex[float64])},
	-1:   complexTable("reciprocal"),
	-2:   {arg.C64: inverseSquare(fma32), arg.C128: inverseSquare(fma64)},
	0.5:  complexTable("sqrt"),
	-0.5: complexTable("rsqrt"),
}

func complexTable(name string) *walk.Table {
	c64, c128 := complexKernels(name)
	return &walk.Table{arg.C64: c64, arg.C128: c128}
}

func squareComplex[T float](a, b T) (re, im T) { return product(a, b, a, b) }

func cubeComplex[T float](a, b T) (re, im T) {
	re, im = product(a, b, a, b)
	return product(re, im, a, b)
}

func inverseSquare[T float](fma func(x, y, z T) T) walk.Kernel {
	return partwise(func(a, b T) (re, im T) {
		re, im = product(a, b, a, b)
		return quotient(fma, 1, 0, re, im)
	})
}

func scaleComplex(x complex128, by float64) complex128 { return complex(real(x)*by, imag(x)*by) }

func inverse(x complex128) complex128 {
	re, im := quotient(fma64, 1, 0, real(x), imag(x))
	return complex(re, im)
}

// large is from where on exponentials are taken in two steps, since their products with a sine or cosine may be finite yet.
const large = 700

// grown is e^a·(cos b, sin b) for a finite b.
func grown(a, b float64) (c, s float64) {
	s, c = math.Sincos(b)
	r, more := math.Exp(a), 1.0
	if a > large {
		r, more = math.Exp(a-large), math.Exp(large)
	}
	return r * c * more, r * s * more
}

func isFinite(x float64) bool { return x-x == 0 }

func expComplex(x complex128) complex128 {
	a, b := real(x), imag(x)
	switch {
	case b == 0:
		return complex(math.Exp(a), b)
	case isFinite(b):
		return complex(grown(a, b))
	}
	return cmplx.Exp(x)
}

func sinhComplex(x complex128) complex128 {
	a, b := real(x), imag(x)
	switch {
	case b == 0:
		return complex(math.Sinh(a), b)
	case isFinite(b) && math.Abs(a) > large:
		c, s := grown(math.Abs(a), b)
		return complex(math.Copysign(1, a)*c/2, s/2)
	case math.IsInf(a, 0) && !isFinite(b):
		return complex(math.Inf(1), math.NaN())
	}
	return cmplx.Sinh(x)
}

func coshComplex(x complex128) complex128 {
	a, b := real(x), imag(x)
	switch {
	case b == 0:
		return complex(math.Cosh(a), math.Copysign(b, a)*math.Copysign(1, b))
	case isFinite(b) && math.Abs(a) > large:
		c, s := grown(math.Abs(a), b)
		return complex(c/2, math.Copysign(1, a)*s/2)
	}
	return cmplx.Cosh(x)
}

func sinComplex(x complex128) complex128 {
	a, b := real(x), imag(x)
	if math.IsInf(b, 0) && !isFinite(a) {
		return complex(math.NaN(), math.Inf(1))
	}
	y := sinhComplex(complex(-b, a))
	return complex(imag(y), -real(y))
}

func cosComplex(x complex128) complex128 { return coshComplex(complex(-imag(x), real(x))) }

// tanhComplex is ±1 where the exponentials of its quotient would overflow.
func tanhComplex(x complex128) complex128 {
	a, b := real(x), imag(x)
	switch {
	case b == 0:
		return complex(math.Tanh(a), b)
	case math.IsInf(a, 0):
		if isFinite(b) {
			b = math.Sin(2 * b)
		}
		return complex(math.Copysign(1, a), math.Copysign(0, b))
	case !isFinite(b) && a == 0:
		return complex(a, math.NaN())
	case !isFinite(b):
		return cmplx.NaN()
	case math.Abs(a) > 20:
		return complex(math.Copysign(1, a), 2*math.Sin(2*b)*math.Exp(-2*math.Abs(a)))
	}
	s, c := math.Sincos(b)
	sinh, cosh := math.Sinh(a), math.Cosh(a)
	by := sinh*sinh + c*c
	return complex(sinh*cosh/by, s*c/by)
}

func tanComplex(x complex128) complex128 {
	y := tanhComplex(complex(-imag(x), real(x)))
	return complex(imag(y), -real(y))
}

func sqrtComplex(x complex128) complex128 {
	if a := real(x); a != a && imag(x) == 0 {
		return cmplx.NaN()
	}
	return cmplx.Sqrt(x)
}

// logComplex keeps the digits of the real part near the unit circle.
func logComplex(x complex128) complex128 {
	a, b := math.Abs(real(x)), math.Abs(imag(x))
	if a < b {
		a, b = b, a
	}
	if a > 0.5 && a < 2 {
		return complex(math.Log1p((a-1)*(a+1)+b*b)/2, cmplx.Phase(x))
	}
	return cmplx.Log(x)
}

// expm1Complex keeps the digits of the real part near zero: e^a·cos b − 1 = (e^a − 1)·cos b − 2·sin²(b/2).
func expm1Complex(x complex128) complex128 {
	a, b := math.Expm1(real(x)), math.Sin(imag(x)/2)
	return complex(a*math.Cos(imag(x))-2*b*b, (a+1)*math.Sin(imag(x)))
}

// log1pComplex keeps the digits of the real part near zero: |1 + x|² = 1 + a·(2 + a) + b². In PyTorch NaN leaves nothing.
func log1pComplex(x complex128) complex128 {
	a, b := real(x), imag(x)
	if a != a || b != b {
		return cmplx.NaN()
	}
	if math.Abs(a) > 0.5 || math.Abs(b) > 0.5 {
		return logComplex(complex(1+a, b))
	}
	return complex(math.Log1p(a*(2+a)+b*b)/2, math.Atan2(b, 1+a))
}

// powComplex is that of the C library, e^(y·log x).
func powComplex(x, y complex128) complex128 { return expComplex(timesComplex(y, logComplex(x))) }

// timesComplex is the product of C, which is infinite where a factor is: Annex G of C11, G.5.1.
func timesComplex(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	re, im := product(a, b, c, d)
	switch {
	case re == re || im == im:
		return complex(re, im)
	case cmplx.IsInf(x) || cmplx.IsInf(y):
		a, b = corner(x)
		c, d = corner(y)
	case math.IsInf(a*c, 0) || math.IsInf(b*d, 0) || math.IsInf(a*d, 0) || math.IsInf(b*c, 0):
		a, b, c, d = known(a), known(b), known(c), known(d)
	default:
		return cmplx.NaN()
	}
	re, im = product(a, b, c, d)
	return complex(re*math.Inf(1), im*math.Inf(1))
}

// corner gives the parts of a number without NaN, those of an infinite one as 1 where they are infinite and 0 elsewhere.
func corner(x complex128) (re, im float64) {
	if !cmplx.IsInf(x) {
		return known(real(x)), known(imag(x))
	}
	side := func(part float64) float64 {
		if math.IsInf(part, 0) {
			return math.Copysign(1, part)
		}
		return math.Copysign(0, part)
	}
	return side(real(x)), side(imag(x))
}

// known is 0 for NaN.
func known(x float64) float64 {
	if x != x {
		return math.Copysign(0, x)
	}
	return x
}
