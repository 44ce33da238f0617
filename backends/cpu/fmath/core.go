package fmath

import "math"

// horner is c[0] + c[1]·x + …
func horner(c []float64, x float64) float64 {
	p := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		p = float64(p*x) + c[i]
	}
	return p
}

// split takes x apart: e^x = s·(1 + p), with s a power of two and |p| below √2/2. |x| must be below 700.
func split(x float64) (s, p float64) {
	t := float64(x*log2e) + shift
	r := x - float64((t-shift)*ln2)
	q := horner(shortExp[:], r)
	return math.Float64frombits(math.Float64bits(t)<<52 + 1023<<52), float64(q * r)
}

// exp is e^x for |x| below 700.
func exp(x float64) float64 {
	s, p := split(x)
	return s + float64(s*p)
}

// expm1 is e^x − 1 for |x| below 700, exact to the last places near 0.
func expm1(x float64) float64 {
	s, p := split(x)
	return (s - 1) + float64(s*p)
}

// within limits x to [lo, hi]; NaN passes.
func within(x, lo, hi float64) float64 {
	if x < lo {
		x = lo
	}
	if x > hi {
		x = hi
	}
	return x
}

// mantissa takes a positive normal x apart: x = 2^e·m, with m between √½ and √2.
func mantissa(x float64) (e, m float64) {
	const half = 0x3fe6a09e667f3bcd // √½
	b := math.Float64bits(x)
	k := int64(b-half) >> 52
	return float64(k), math.Float64frombits(b - uint64(k)<<52)
}

// logOf is log((1+s)/(1−s)) for |s| below 0.1716.
func logOf(s float64) float64 {
	return float64(2*s) * horner(shortLog[:], float64(s*s))
}

// log is the natural logarithm of a float32 number.
func log(x float64) float64 {
	e, m, ok := logParts(x)
	if !ok {
		return e
	}
	return float64(e*ln2) + m
}

// logParts gives exponent and logarithm of the mantissa, or, where there are none, the result alone.
func logParts(x float64) (e, m float64, ok bool) {
	switch {
	case x != x || x > math.MaxFloat64:
		return x, 0, false
	case x == 0:
		return math.Inf(-1), 0, false
	case x < 0:
		return math.NaN(), 0, false
	}
	e, m = mantissa(x)
	return e, logOf((m - 1) / (m + 1)), true
}

// log1p is log(1+x), exact to the last places near 0.
func log1p(x float64) float64 {
	if x > -0.29 && x < 0.41 {
		return logOf(x / (2 + x))
	}
	return log(1 + x)
}

// quadrant takes a multiple of π/2 off x and says which one, mod 4. |x| must be below 2²⁰.
func quadrant(x float64) (r float64, n uint64) {
	t := float64(x*twoOverPi) + shift
	k := t - shift
	return (x - float64(k*turnHi)) - float64(k*turnLo), math.Float64bits(t)
}

func sinPoly(r float64) float64 { return r * horner(shortSin[:], float64(r*r)) }

func cosPoly(r float64) float64 { return horner(shortCos[:], float64(r*r)) }

// atan for any number.
func atan(x float64) float64 {
	a := math.Abs(x)
	var base float64
	switch {
	case a > cotEighth:
		base, a = halfPi, -1/a
	case a > tanEighth:
		base, a = math.Pi/4, (a-1)/(a+1)
	}
	p := horner(shortAtan[:], float64(a*a))
	return math.Copysign(base+float64(a*p), x)
}

// asin and acos take for |x| above ½ the root of half the distance from 1, whose arc sine is half the arc cosine of |x|.
func asin(x float64) float64 {
	a := math.Abs(x)
	if a > 0.5 {
		a = halfPi - 2*arc(float64(0.5*(1-a)), math.Sqrt(float64(0.5*(1-a))))
	} else {
		a = arc(float64(a*a), a)
	}
	return math.Copysign(a, x)
}

func acos(x float64) float64 {
	a := math.Abs(x)
	if a > 0.5 {
		a = 2 * arc(float64(0.5*(1-a)), math.Sqrt(float64(0.5*(1-a))))
		if x < 0 {
			a = math.Pi - a
		}
		return a
	}
	return halfPi - math.Copysign(arc(float64(a*a), a), x)
}

// arc is the arc sine of s, the root of z, for z up to ¼.
func arc(z, s float64) float64 {
	return s + float64(float64(s*z)*horner(shortAsin[:], z))
}

// erfc is the complementary error function of x between 0 and 10.2.
func erfc(x float64) float64 {
	d := 1 / float64((x+2)*(1+float64(2*x)))
	t := float64(float64((x-2)*(1+float64(2*x))) * d)
	p := horner(shortErfc[:], t)
	return float64(exp(-float64(x*x))*float64((x+2)*d)) * p
}

// erf is the error function of any number.
func erf(x float64) float64 {
	a := math.Abs(x)
	if a >= 1 {
		return math.Copysign(1-erfc(min(a, 10)), x)
	}
	return x * horner(shortErf[:], float64(x*x))
}
