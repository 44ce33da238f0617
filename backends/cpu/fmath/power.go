package fmath

import "math"

// Pow is a to the power of b.
func Pow(dst, a, b []float32) {
	for i := 0; i < len(dst); {
		if n := fast(len(dst)-i, 4); n > 0 {
			i += avxPow(n, &dst[i], &a[i], &b[i])
		}
		for end := min(i+worthwhile, len(dst)); i < end; i++ {
			dst[i] = float32(pow(float64(a[i]), float64(b[i])))
		}
	}
}

func pow(x, y float64) float64 {
	z := math.Abs(x)
	if !(z > 0 && z <= math.MaxFloat32 && math.Abs(y) <= math.MaxFloat32) {
		return PowOf(x, y)
	}
	e, m := mantissa(z)
	r := exp(within(y*(float64(e*ln2)+logOf((m-1)/(m+1))), -110, 90))
	if x < 0 {
		switch {
		case math.Trunc(y) != y:
			return math.NaN()
		case math.Trunc(y/2) != y/2:
			return -r
		}
	}
	return r
}

// PowOf is C's pow in float64, within three quarters of a unit in the last place, or two units where it is a few products.
// Go's loses more the larger the exponent is, and takes roots of -0 and -inf as Sqrt does.
func PowOf(a, b float64) float64 {
	z, few := math.Abs(a), math.Abs(b) <= 4 && math.Trunc(b) == b
	if few || !positive(z) || !(math.Abs(b) < 1<<63) {
		if (b == 0.5 || b == -0.5) && (a == 0 || math.IsInf(a, -1)) {
			a = math.Abs(a)
		}
		return math.Pow(a, b)
	}
	hi, lo := logPair(z)
	p, rest := product(b, hi)
	r := expPair(p, rest+float64(b*lo))
	if a < 0 {
		switch {
		case math.Trunc(b) != b:
			return math.NaN()
		case math.Trunc(b/2) != b/2:
			return -r
		}
	}
	return r
}

// logTail is log((1+s)/(1−s))/s − 2 − ⅔s², over s⁴, in s² up to 0.0295.
var logTail = [...]float64{2. / 5, 2. / 7, 2. / 9, 2. / 11, 2. / 13, 2. / 15, 2. / 17, 2. / 19, 2. / 21, 2. / 23, 2. / 25}

// logPair is the natural logarithm of a positive number: hi, and what that lacks.
func logPair(x float64) (hi, lo float64) {
	k, m := apart(x)
	f, g := m-1, m+1
	gLo := m - (g - 1)
	s := f / g
	p, pLo := product(s, g)
	sLo := (((f - p) - pLo) - float64(s*gLo)) / g
	z, zLo := product(s, s)
	zLo += float64(2 * s * sLo)

	// log(m) is 2s + sz·c, with c near ⅔.
	const third, thirdLo = 0.66666666666666663, 3.7007434154171886e-17
	q := float64(z * polynomial(logTail[:], z))
	c, cLo := sum(third, q)
	cLo += thirdLo
	w, wLo := product(s, z)
	wLo += float64(s*zLo) + float64(sLo*z)
	t, tLo := product(w, c)
	tLo += float64(w*cLo) + float64(wLo*c)

	hi, e := sum(float64(k*ln2Hi), 2*s)
	hi, d := sum(hi, t)
	return sum(hi, (e+d)+((tLo+2*sLo)+float64(k*ln2Lo)))
}

// expTail is (e^r − 1 − r − ½r²)/r³ for |r| up to ½·ln 2.
var expTail = [...]float64{1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800, 1. / 39916800, 1. / 479001600, 1. / 6227020800, 1. / 87178291200}

// expPair is e^(x+rest), for rest below 2⁻¹⁰.
func expPair(x, rest float64) float64 {
	x = within(x, -800, 800)
	t := float64(x*log2e) + shift
	k := t - shift
	r, rLo := sum(x-float64(k*ln2Hi), -float64(k*ln2Lo))
	r, rLo = sum(r, rLo+rest)
	y, yLo := sum(1, r)
	r2 := float64(r * r)
	y += yLo + (float64(0.5*r2) + (float64(float64(r2*r)*polynomial(expTail[:], r)) + (rLo + float64(rLo*r))))
	s1, s2 := powers(int32(math.Float64bits(t)))
	return y * s1 * s2
}

// sum and product give what they round off, too.
func sum(a, b float64) (s, lo float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

func product(a, b float64) (p, lo float64) {
	p = float64(a * b)
	return p, math.FMA(a, b, -p)
}

// Atan2 is the angle of the point (b, a).
func Atan2(dst, a, b []float32) {
	for i := 0; i < len(dst); {
		if n := fast(len(dst)-i, 4); n > 0 {
			i += avxAtan2(n, &dst[i], &a[i], &b[i])
		}
		for end := min(i+worthwhile, len(dst)); i < end; i++ {
			dst[i] = float32(atan2(float64(a[i]), float64(b[i])))
		}
	}
}

func atan2(y, x float64) float64 {
	v, u := math.Abs(y), math.Abs(x)
	if !(v > 0 && u > 0 && v <= math.MaxFloat32 && u <= math.MaxFloat32) {
		return Atan2Of(y, x)
	}
	r := atan(min(v, u) / max(v, u))
	if v > u {
		r = halfPi - r
	}
	if x < 0 {
		r = math.Pi - r
	}
	return math.Copysign(r, y)
}

// Atan2Of is C's atan2 in float64. Go's gives the angle of a quotient, which has lost its sign where it is rounded to zero.
func Atan2Of(y, x float64) float64 {
	if x < 0 && y/x == 0 {
		return math.Copysign(math.Pi, y)
	}
	return math.Atan2(y, x)
}
