package fmath

import "math"

// Functions of float64 numbers, within about two units in the last place. What their loops do not know, numbers outside
// the plain range, they leave to package math. dst is as long as src, or is src itself.

// Exp64 is e^x.
func Exp64(dst, src []float64) { finish(dst, src, begin(dst, src, avxExp64), exp64) }

// Expm164 is e^x − 1.
func Expm164(dst, src []float64) { finish(dst, src, begin(dst, src, avxExpm164), expm164) }

// Sigmoid64 is 1/(1+e^-x).
func Sigmoid64(dst, src []float64) { finish(dst, src, begin(dst, src, avxSigmoid64), sigmoid64) }

// Tanh64 is the hyperbolic tangent.
func Tanh64(dst, src []float64) { finish(dst, src, begin(dst, src, avxTanh64), tanh64) }

// Sinh64 is the hyperbolic sine.
func Sinh64(dst, src []float64) { stepwise(dst, src, avxSinh64, sinh64) }

// Cosh64 is the hyperbolic cosine.
func Cosh64(dst, src []float64) { stepwise(dst, src, avxCosh64, cosh64) }

// Log64 is the natural logarithm. It is stepwise without a function for a parameter: what it is given may lie on the stack.
func Log64(dst, src []float64) {
	dst = dst[:len(src)]
	for i := 0; i < len(src); {
		if n := fast(len(src)-i, 4); n > 0 {
			i += avxLog64(n, &dst[i], &src[i])
		}
		for end := min(i+worthwhile, len(src)); i < end; i++ {
			dst[i] = log64(src[i])
		}
	}
}

// LogOf is Log64 of one number.
func LogOf(x float64) float64 { return log64(x) }

// Log264 is the logarithm to base 2.
func Log264(dst, src []float64) { stepwise(dst, src, avxLog264, log264) }

// Log1064 is the logarithm to base 10.
func Log1064(dst, src []float64) { stepwise(dst, src, avxLog1064, log1064) }

// Log1p64 is log(1+x).
func Log1p64(dst, src []float64) { stepwise(dst, src, avxLog1p64, log1p64) }

// Asinh64 is the inverse hyperbolic sine.
func Asinh64(dst, src []float64) { stepwise(dst, src, avxAsinh64, asinh64) }

// Acosh64 is the inverse hyperbolic cosine.
func Acosh64(dst, src []float64) { stepwise(dst, src, avxAcosh64, acosh64) }

// Asin64 is the arc sine.
func Asin64(dst, src []float64) { stepwise(dst, src, avxAsin64, asin64) }

// Acos64 is the arc cosine.
func Acos64(dst, src []float64) { stepwise(dst, src, avxAcos64, acos64) }

// Erf64 is the error function.
func Erf64(dst, src []float64) { finish(dst, src, begin(dst, src, avxErf64), erf64) }

// Gelu64 is x·Φ(x), with Φ the normal distribution.
func Gelu64(dst, src []float64) { finish(dst, src, begin(dst, src, avxGelu64), gelu64) }

// GeluTanh64 is the approximation of Gelu64 by the hyperbolic tangent.
func GeluTanh64(dst, src []float64) { finish(dst, src, begin(dst, src, avxGeluTanh64), geluTanh64) }

// polynomial is c[0] + c[1]·x + …, the even powers and the odd ones by themselves, which do not wait for each other.
func polynomial(c []float64, x float64) float64 {
	x2 := float64(x * x)
	var even, odd float64
	i := len(c) - 1
	if i%2 == 0 {
		even = c[i]
		i--
	}
	for ; i > 0; i -= 2 {
		odd = float64(odd*x2) + c[i]
		even = float64(even*x2) + c[i-1]
	}
	return even + float64(odd*x)
}

// interleaved is polynomial in four parts, each of every fourth power.
func interleaved(c []float64, x float64) float64 {
	x2 := float64(x * x)
	x4 := float64(x2 * x2)
	var part [4]float64
	for i := len(c) - 1; i >= 0; i-- {
		part[i%4] = float64(part[i%4]*x4) + c[i]
	}
	return (part[0] + float64(part[1]*x)) + float64((part[2]+float64(part[3]*x))*x2)
}

// split64 takes e^(x+rest) apart: 2^n·(1+p), with |p| below √2/2. |x| must be below 2²⁰, rest below 2⁻¹⁰.
func split64(x, rest float64) (n int32, p float64) {
	t := float64(x*log2e) + shift
	k := t - shift
	r := ((x - float64(k*ln2Hi)) - float64(k*ln2Lo)) + rest
	q := polynomial(expQ[:], r)
	return int32(math.Float64bits(t)), r + float64(q*float64(r*r))
}

// powers gives two powers of two whose product is 2^n, which by itself may be none that float64 has.
func powers(n int32) (s1, s2 float64) {
	half := n >> 1
	return power2(half), power2(n - half)
}

func power2(n int32) float64 { return math.Float64frombits(uint64(n+1023) << 52) }

func exp64(x float64) float64 {
	n, p := split64(within(x, -750, 710), 0)
	s1, s2 := powers(n)
	return (1 + p) * s1 * s2
}

func expm164(v float64) float64 {
	x := within(v, -60, 710)
	n, p := split64(x, 0)
	s1, s2 := powers(n)
	if x > 40 {
		return (1 + p) * s1 * s2
	}
	s := s1 * s2
	return math.Copysign((s-1)+float64(s*p), v)
}

func sigmoid64(x float64) float64 { return 1 / (1 + exp64(-x)) }

func tanh64(x float64) float64 {
	e := expm164(within(2*x, -40, 40))
	return e / (e + 2)
}

// hyperbolic is up to where e^x has a square that float64 holds.
const hyperbolic = 709

func sinh64(v float64) float64 {
	x := math.Abs(v)
	if !(x < hyperbolic) {
		return math.Copysign(math.Sinh(x), v)
	}
	e := expm164(x)
	return math.Copysign(0.5*(e+e/(e+1)), v)
}

func cosh64(x float64) float64 {
	x = math.Abs(x)
	if !(x < hyperbolic) {
		return math.Cosh(x)
	}
	e := exp64(x)
	return 0.5 * (e + 1/e)
}

// logTerms gives what log(1+f) is made of, for 1+f between √½ and √2: f − (h − t).
func logTerms(f float64) (h, t float64) {
	s := f / (2 + f)
	z := float64(s * s)
	h = float64(float64(0.5*f) * f)
	return h, s * (h + float64(z*polynomial(logR[:], z)))
}

// positive says whether x is above zero and finite. The logarithms of the others are package math's.
func positive(x float64) bool { return x > 0 && x <= math.MaxFloat64 }

// apart is mantissa for all positive numbers. Package math's logarithm on amd64 reads the exponent of those without all
// places as it is written.
func apart(x float64) (k, m float64) {
	if x < 0x1p-1022 {
		k, m = mantissa(x * 0x1p54)
		return k - 54, m
	}
	return mantissa(x)
}

func log64(x float64) float64 {
	if !positive(x) {
		return math.Log(x)
	}
	k, m := apart(x)
	f := m - 1
	h, t := logTerms(f)
	return float64(k*ln2Hi) - ((h - (t + float64(k*ln2Lo))) - f)
}

func log264(x float64) float64 {
	if !positive(x) {
		return math.Log2(x)
	}
	k, m := apart(x)
	f := m - 1
	h, t := logTerms(f)
	return k + float64((f-(h-t))*log2e)
}

func log1064(x float64) float64 {
	if !positive(x) {
		return math.Log10(x)
	}
	k, m := apart(x)
	f := m - 1
	h, t := logTerms(f)
	return float64(k*log10Of2Hi) + (float64(k*log10Of2Lo) + float64((f-(h-t))*log10e))
}

// log1p64 adds what 1+x lost in rounding.
func log1p64(x float64) float64 {
	if !(x > -1 && x <= math.MaxFloat64) {
		return math.Log1p(x)
	}
	u := 1 + x
	k, m := mantissa(u)
	f, lost := m-1, x-(u-1)
	if x > 1 {
		lost = 1 - (u - x)
	}
	lost /= u
	if x > -0.29 && x < 0.41 {
		k, f, lost = 0, x, 0
	}
	h, t := logTerms(f)
	return math.Copysign(float64(k*ln2Hi)-((h-(t+(float64(k*ln2Lo)+lost)))-f), x)
}

// square is up to where numbers have a square that float64 holds.
const square = 1e150

func asinh64(v float64) float64 {
	x := math.Abs(v)
	if !(x < square) {
		return math.Asinh(v)
	}
	s := float64(x * x)
	return math.Copysign(log1p64(x+s/(1+math.Sqrt(1+s))), v)
}

func acosh64(x float64) float64 {
	if !(x >= 1 && x < square) {
		return math.Acosh(x)
	}
	t := x - 1
	return log1p64(t + math.Sqrt(float64(t*(x+1))))
}

// Above ½ the arc sine is π/2 less twice that of the root of half the distance from 1.

func asin64(v float64) float64 {
	x := math.Abs(v)
	if !(x <= 1) {
		return math.NaN()
	}
	if x > 0.5 {
		z := float64(0.5 * (1 - x))
		r := asinNear(math.Sqrt(z), z)
		return math.Copysign(halfPi-(2*r-halfPiLo), v)
	}
	return math.Copysign(asinNear(x, float64(x*x)), v)
}

func acos64(v float64) float64 {
	x := math.Abs(v)
	if !(x <= 1) {
		return math.NaN()
	}
	if x > 0.5 {
		z := float64(0.5 * (1 - x))
		r := 2 * asinNear(math.Sqrt(z), z)
		if v < 0 {
			r = math.Pi - (r - 2*halfPiLo)
		}
		return r
	}
	return halfPi - (math.Copysign(asinNear(x, float64(x*x)), v) - halfPiLo)
}

// asinNear is the arc sine of x up to ½; z is the square of x.
func asinNear(x, z float64) float64 { return x + float64(float64(x*z)*polynomial(asinP[:], z)) }

// erfc64 is for x between 0 and 27.3. The square of x is taken in two parts, since its error would grow in the exponential.
func erfc64(x float64) float64 {
	w := 1 + float64(2*x)
	d := 1 / float64((x+2)*w)
	p := interleaved(erfcP[:], float64(float64((x-2)*w)*d))
	hi := math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1))
	n, e := split64(-float64(hi*hi), float64((hi-x)*(hi+x)))
	s1, s2 := powers(n)
	return float64(float64((1+e)*float64((x+2)*d))*p) * s1 * s2
}

func erf64(x float64) float64 {
	a := math.Abs(x)
	if a >= 1 {
		return math.Copysign(1-erfc64(min(a, 6)), x)
	}
	return x * polynomial(erfP[:], float64(x*x))
}

func gelu64(x float64) float64 {
	c := erfc64(within(math.Abs(x)*rootOfHalf, 0, 27.3))
	if x > 0 {
		c = 2 - c
	}
	return float64(0.5*x) * c
}

func geluTanh64(x float64) float64 {
	u := float64(geluK * (x + float64(float64(geluC*x)*float64(x*x))))
	return float64(0.5*x) * (1 + tanh64(u))
}
