package fmath

import "math"

const (
	log2e = 1.44269504088896340735992468100189214
	ln2   = 0.693147180559945309417232121458176568
	// shift, added to a number below 2⁵¹, leaves its nearest whole number in the low bits.
	shift = 1.5 * (1 << 52)
)

// split takes x apart: e^x = s·(1 + p), with s a power of two and |p| below √2/2. |x| must be below 700.
func split(x float64) (s, p float64) {
	t := float64(x*log2e) + shift
	r := x - float64((t-shift)*ln2)
	q := float64(r*0.000198996096309075572) + 0.00139414107227665454
	q = float64(q*r) + 0.00833329807943064649
	q = float64(q*r) + 0.0416663492556988533
	q = float64(q*r) + 0.166666667199106263
	q = float64(q*r) + 0.500000004794003021
	q = float64(q*r) + 1
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
	z := float64(s * s)
	p := float64(z*0.118084940094125205) + 0.142675093305752355
	p = float64(p*z) + 0.200001925912251201
	p = float64(p*z) + 0.333333326224943255
	p = float64(p*z) + 1.00000000000418893
	return float64(2*s) * p
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
	const (
		hi = 1.57079632673412561417 // 33 bits: times a whole number of 20 bits is exact
		lo = 6.07710050650619224932e-11
	)
	t := float64(x*(2/math.Pi)) + shift
	k := t - shift
	return (x - float64(k*hi)) - float64(k*lo), math.Float64bits(t)
}

func sinPoly(r float64) float64 {
	z := float64(r * r)
	p := float64(z*2.71730754440140341e-6) - 0.000198391980924538644
	p = float64(p*z) + 0.00833332876883547051
	p = float64(p*z) - 0.166666666314509974
	p = float64(p*z) + 0.999999999995651442
	return r * p
}

func cosPoly(r float64) float64 {
	z := float64(r * r)
	p := float64(z*-2.71730483901980865e-7) + 0.0000247989234579707064
	p = float64(p*z) - 0.00138888803683454748
	p = float64(p*z) + 0.0416666665434206514
	p = float64(p*z) - 0.499999999993478705
	return float64(p*z) + 0.999999999999944076
}

// atan for any number.
func atan(x float64) float64 {
	const tanEighth = 0.41421356237309504880 // tan(π/8)
	a := math.Abs(x)
	var base float64
	switch {
	case a > 1/tanEighth:
		base, a = math.Pi/2, -1/a
	case a > tanEighth:
		base, a = math.Pi/4, (a-1)/(a+1)
	}
	z := float64(a * a)
	p := float64(z*0.0470516383604470338) - 0.0845515848660018527
	p = float64(p*z) + 0.110403069331656017
	p = float64(p*z) - 0.142815741009174646
	p = float64(p*z) + 0.199998833287530064
	p = float64(p*z) - 0.333333320907620984
	p = float64(p*z) + 0.999999999978257394
	return math.Copysign(base+float64(a*p), x)
}

// asin and acos take for |x| above ½ the root of half the distance from 1, whose arc sine is half the arc cosine of |x|.
func asin(x float64) float64 {
	a := math.Abs(x)
	if a > 0.5 {
		a = math.Pi/2 - 2*arc(float64(0.5*(1-a)), math.Sqrt(float64(0.5*(1-a))))
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
	return math.Pi/2 - math.Copysign(arc(float64(a*a), a), x)
}

// arc is the arc sine of s, the root of z, for z up to ¼.
func arc(z, s float64) float64 {
	p := float64(z*0.033690847202838894) + 0.017149238357671254
	p = float64(p*z) + 0.031100662735496058
	p = float64(p*z) + 0.04459940152851202
	p = float64(p*z) + 0.07500094543497424
	p = float64(p*z) + 0.16666666337430908
	return s + float64(float64(s*z)*p)
}

// erfc is the complementary error function of x between 0 and 10.2.
func erfc(x float64) float64 {
	d := 1 / float64((x+2)*(1+float64(2*x)))
	t := float64(float64((x-2)*(1+float64(2*x))) * d)
	p := erfcPoly(t)
	return float64(exp(-float64(x*x))*float64((x+2)*d)) * p
}

// erf is the error function of any number.
func erf(x float64) float64 {
	a := math.Abs(x)
	if a >= 1 {
		return math.Copysign(1-erfc(min(a, 10)), x)
	}
	z := float64(x * x)
	p := float64(z*-9.66704457148699642e-6) + 0.00011265959025606609
	p = float64(p*z) - 0.000848408040553510629
	p = float64(p*z) + 0.0052210318078580228
	p = float64(p*z) - 0.0268654307276702429
	p = float64(p*z) + 0.112837824952368445
	p = float64(p*z) - 0.376126384680287104
	p = float64(p*z) + 1.12837916706154342
	return x * p
}

func erfcPoly(t float64) float64 {
	p := float64(t*0.0000831847184669166445) + 0.00017648319724405168
	p = float64(p*t) - 0.000401831043671407768
	p = float64(p*t) - 0.00142878094912465959
	p = float64(p*t) + 0.00125105660130948296
	p = float64(p*t) + 0.00871228862936051415
	p = float64(p*t) - 0.00802997729946496459
	p = float64(p*t) - 0.054218362076159781
	p = float64(p*t) + 0.164050906198671111
	p = float64(p*t) - 0.166030489129621772
	p = float64(p*t) - 0.0927638157478581717
	return float64(p*t) + 1.27697838234730864
}
