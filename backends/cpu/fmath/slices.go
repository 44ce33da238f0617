package fmath

import "math"

// The functions below write f(src[i]) to dst[i]; dst is as long as src, or is src itself.

// Exp is e^x.
func Exp(dst, src []float32) {
	finish(dst, src, begin(dst, src, avxExp), func(x float64) float64 { return exp(within(x, -110, 90)) })
}

// Sigmoid is 1/(1+e^-x).
func Sigmoid(dst, src []float32) {
	finish(dst, src, begin(dst, src, avxSigmoid), func(x float64) float64 { return 1 / (1 + exp(within(-x, -110, 110))) })
}

// Tanh is the hyperbolic tangent.
func Tanh(dst, src []float32) { finish(dst, src, begin(dst, src, avxTanh), tanh) }

func tanh(x float64) float64 {
	e := expm1(within(2*x, -40, 40))
	return e / (e + 2)
}

// Gelu is x·Φ(x), with Φ the normal distribution.
func Gelu(dst, src []float32) { finish(dst, src, begin(dst, src, avxGelu), gelu) }

func gelu(x float64) float64 {
	c := erfc(within(math.Abs(x)*rootOfHalf, 0, 10.2))
	if x > 0 {
		c = 2 - c
	}
	if x < -14.4 {
		return 0 * x // what is left is below the smallest float32; -inf gives NaN below
	}
	return float64(0.5*x) * c
}

// GeluTanh is the approximation of Gelu by the hyperbolic tangent.
func GeluTanh(dst, src []float32) {
	finish(dst, src, begin(dst, src, avxGeluTanh), func(x float64) float64 {
		u := float64(geluK * (x + float64(float64(geluC*x)*float64(x*x))))
		return float64(0.5*x) * (1 + tanh(within(u, -20, 20)))
	})
}

// Expm1 is e^x − 1.
func Expm1(dst, src []float32) {
	finish(dst, src, begin(dst, src, avxExpm1), func(x float64) float64 { return expm1(within(x, -110, 90)) })
}

// Sinh is the hyperbolic sine.
func Sinh(dst, src []float32) {
	finish(dst, src, begin(dst, src, avxSinh), func(x float64) float64 {
		e := expm1(min(math.Abs(x), 110))
		return math.Copysign(0.5*(e+e/(e+1)), x)
	})
}

// Cosh is the hyperbolic cosine.
func Cosh(dst, src []float32) {
	finish(dst, src, begin(dst, src, avxCosh), func(x float64) float64 {
		e := exp(within(x, -110, 110))
		return 0.5 * (e + 1/e)
	})
}

// Log is the natural logarithm.
func Log(dst, src []float32) { finish(dst, src, begin(dst, src, avxLog), log) }

// Log2 is the logarithm to base 2, exact for powers of it.
func Log2(dst, src []float32) {
	finish(dst, src, begin(dst, src, avxLog2), func(x float64) float64 {
		e, m, ok := logParts(x)
		if ok {
			e += float64(m * log2e)
		}
		return e
	})
}

// Log10 is the logarithm to base 10.
func Log10(dst, src []float32) {
	finish(dst, src, begin(dst, src, avxLog10), func(x float64) float64 {
		e, m, ok := logParts(x)
		if ok {
			e = float64(e*log10Of2) + float64(m*log10e)
		}
		return e
	})
}

// Log1p is log(1+x).
func Log1p(dst, src []float32) { finish(dst, src, begin(dst, src, avxLog1p), log1p) }

// Logit is log(x/(1−x)), the quotient rounded to float32 as PyTorch does.
func Logit(dst, src []float32) {
	dst = dst[:len(src)]
	var ones, rest [256]float32
	for i := range ones[:min(len(src), len(ones))] {
		ones[i] = 1
	}
	for len(src) > 0 {
		n := min(len(src), len(ones))
		y := dst[:n]
		Sub(rest[:n], ones[:n], src[:n])
		Div(y, src[:n], rest[:n])
		Log(y, y)
		dst, src = dst[n:], src[n:]
	}
}

// far is where the argument of sine and cosine needs more than float64 to lose its turns.
const far = 1 << 20

// Sin is the sine.
func Sin(dst, src []float32) {
	stepwise(dst, src, avxSin, func(x float64) float64 {
		if !(math.Abs(x) < far) {
			return math.Sin(x)
		}
		r, n := quadrant(x)
		return turn(r, n)
	})
}

// Cos is the cosine.
func Cos(dst, src []float32) {
	stepwise(dst, src, avxCos, func(x float64) float64 {
		if !(math.Abs(x) < far) {
			return math.Cos(x)
		}
		r, n := quadrant(x)
		return turn(r, n+1)
	})
}

// turn is sin(r + n·π/2).
func turn(r float64, n uint64) float64 {
	y := r
	if n&1 != 0 {
		y = cosPoly(r)
	} else {
		y = sinPoly(r)
	}
	if n&2 != 0 {
		y = -y
	}
	return y
}

// Tan is the tangent.
func Tan(dst, src []float32) {
	stepwise(dst, src, avxTan, func(x float64) float64 {
		if !(math.Abs(x) < far) {
			return math.Tan(x)
		}
		r, n := quadrant(x)
		s, c := sinPoly(r), cosPoly(r)
		if n&1 != 0 {
			s, c = -c, s
		}
		return s / c
	})
}

// Atan is the arc tangent.
func Atan(dst, src []float32) { finish(dst, src, begin(dst, src, avxAtan), atan) }

// Asin is the arc sine.
func Asin(dst, src []float32) { finish(dst, src, begin(dst, src, avxAsin), asin) }

// Acos is the arc cosine.
func Acos(dst, src []float32) { finish(dst, src, begin(dst, src, avxAcos), acos) }

// Asinh is the inverse hyperbolic sine.
func Asinh(dst, src []float32) {
	stepwise(dst, src, avxAsinh, func(v float64) float64 {
		x := math.Abs(v)
		if !(x < 1e30) {
			return math.Copysign(log(x)+ln2, v)
		}
		s := float64(x * x)
		return math.Copysign(log1p(x+s/(1+math.Sqrt(1+s))), v)
	})
}

// Acosh is the inverse hyperbolic cosine.
func Acosh(dst, src []float32) {
	finish(dst, src, begin(dst, src, avxAcosh), func(x float64) float64 {
		if x < 1 {
			return math.NaN()
		}
		return log(x + math.Sqrt(float64((x-1)*(x+1))))
	})
}

// Atanh is the inverse hyperbolic tangent.
func Atanh(dst, src []float32) {
	finish(dst, src, begin(dst, src, avxAtanh), func(x float64) float64 { return 0.5 * log1p(2*x/(1-x)) })
}

// Erf is the error function.
func Erf(dst, src []float32) { finish(dst, src, begin(dst, src, avxErf), erf) }
