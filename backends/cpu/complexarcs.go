package cpu

import (
	"math"
	"math/cmplx"
)

// The inverse functions, after T. E. Hull, T. F. Fairgrieve and P. T. P. Tang: Implementing the complex arcsine and
// arccosine functions using exception handling, ACM TOMS 23 (1997), which loses no digits near the cuts. Numbers that are
// not finite are left to package cmplx.

// arcs are, for finite x and y ≥ 0, the real parts of asin and acos of x+iy, and the size of the imaginary part of both.
func arcs(x, y float64) (sine, cosine, imaginary float64) {
	const far = 1e150 // squares of what is beyond might overflow
	if max(x, y) > far {
		return math.Atan2(x, y), math.Atan2(y, x), math.Ln2 + math.Log(math.Hypot(x/2, y/2)) + math.Ln2
	}
	r, s := math.Hypot(x+1, y), math.Hypot(x-1, y)
	a := (r + s) / 2
	up := y * y / (r + x + 1)
	var down, root, excess float64 // s+|x−1| where that cancels; √(a²−x²); a−1
	if x <= 1 {
		down = s + (1 - x)
		root = math.Sqrt((a + x) / 2 * (up + down))
		excess = (up + over(y, down)) / 2
	} else {
		down = s + (x - 1)
		root = y * math.Sqrt(((a+x)/(r+x+1)+(a+x)/down)/2)
		excess = (up + down) / 2
	}
	sine, cosine = math.Atan2(x, root), math.Atan2(root, x)
	switch {
	case y < 1e-100 && x < 1: // the square of y is nothing
		imaginary = y / math.Sqrt((1-x)*(1+x))
	case y < 1e-100 && x == 1:
		imaginary = math.Sqrt(y)
	case a < 1.5:
		imaginary = math.Log1p(excess + math.Sqrt(excess*(a+1)))
	default:
		imaginary = math.Log(a + math.Sqrt((a-1)*(a+1)))
	}
	return sine, cosine, imaginary
}

// over is y²/x, 0 where y is.
func over(y, x float64) float64 {
	if y == 0 {
		return 0
	}
	return y * y / x
}

func finite(x complex128) bool { return isFinite(real(x)) && isFinite(imag(x)) }

func asinComplex(x complex128) complex128 {
	if !finite(x) {
		return swapParts(asinhComplex(swapParts(x)))
	}
	sine, _, imaginary := arcs(math.Abs(real(x)), math.Abs(imag(x)))
	return complex(math.Copysign(sine, real(x)), math.Copysign(imaginary, imag(x)))
}

func asinhComplex(x complex128) complex128 {
	switch {
	case finite(x):
		return swapParts(asinComplex(swapParts(x)))
	case real(x) != real(x) && math.IsInf(imag(x), 0):
		return complex(math.Inf(1), math.NaN())
	case real(x) < 0:
		return -cmplx.Asinh(-x)
	}
	return cmplx.Asinh(x)
}

// swapParts is the reflection that the odd functions of a number and of i times it share.
func swapParts(x complex128) complex128 { return complex(imag(x), real(x)) }

func acosComplex(x complex128) complex128 {
	if !finite(x) {
		y := asinComplex(x)
		return complex(math.Pi/2-real(y), -imag(y))
	}
	_, cosine, imaginary := arcs(math.Abs(real(x)), math.Abs(imag(x)))
	if math.Signbit(real(x)) {
		cosine = math.Pi - cosine
	}
	return complex(cosine, -math.Copysign(imaginary, imag(x)))
}

func acoshComplex(x complex128) complex128 {
	switch {
	case finite(x):
		y := acosComplex(x)
		return complex(math.Abs(imag(y)), math.Copysign(real(y), imag(x)))
	case real(x) == 0 && imag(x) != imag(x):
		return complex(math.NaN(), math.Pi/2)
	}
	return cmplx.Acosh(x)
}

func atanhComplex(x complex128) complex128 {
	if !finite(x) {
		y := cmplx.Atan(complex(-imag(x), real(x)))
		return complex(imag(y), -real(y))
	}
	a, b := math.Abs(real(x)), math.Abs(imag(x))
	var re, im float64
	switch {
	case max(a, b) > 1e150:
		h := math.Hypot(a, b)
		re, im = a/h/h, math.Pi/2
	case a == 1 && b == 0:
		re, im = math.Inf(1), 0
	case a == 1 && b < 1e-100:
		re, im = (math.Ln2-math.Log(b))/2, math.Pi/4
	default:
		re = math.Log1p(4*a/((1-a)*(1-a)+b*b)) / 4
		im = math.Atan2(2*b, (1-a)*(1+a)-b*b) / 2
	}
	return complex(math.Copysign(re, real(x)), math.Copysign(im, imag(x)))
}

func atanComplex(x complex128) complex128 { return swapParts(atanhComplex(swapParts(x))) }
