package fmath

import "math"

// The functions below write f(src[i]) to dst[i]; dst is as long as src, or is src itself.

// Exp is e^x.
func Exp(dst, src []float32) {
	dst = dst[:len(src)]
	n := expFast(dst, src)
	for i := n; i < len(src); i++ {
		dst[i] = float32(exp(within(float64(src[i]), -110, 90)))
	}
}

// Sigmoid is 1/(1+e^-x).
func Sigmoid(dst, src []float32) {
	dst = dst[:len(src)]
	n := sigmoidFast(dst, src)
	for i := n; i < len(src); i++ {
		dst[i] = float32(1 / (1 + exp(within(-float64(src[i]), -110, 110))))
	}
}

// Tanh is the hyperbolic tangent.
func Tanh(dst, src []float32) {
	dst = dst[:len(src)]
	n := tanhFast(dst, src)
	for i := n; i < len(src); i++ {
		dst[i] = float32(tanh(float64(src[i])))
	}
}

func tanh(x float64) float64 {
	e := expm1(within(2*x, -40, 40))
	return e / (e + 2)
}

// Gelu is x·Φ(x), with Φ the normal distribution.
func Gelu(dst, src []float32) {
	dst = dst[:len(src)]
	n := geluFast(dst, src)
	for i := n; i < len(src); i++ {
		dst[i] = float32(gelu(float64(src[i])))
	}
}

func gelu(x float64) float64 {
	c := erfc(within(math.Abs(x)*(1/math.Sqrt2), 0, 10.2))
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
	const k = 0.79788456080286535588 // √(2/π)
	dst = dst[:len(src)]
	for i, v := range src {
		x := float64(v)
		u := float64(k * (x + float64(float64(0.044715*x)*float64(x*x))))
		dst[i] = float32(float64(0.5*x) * (1 + tanh(within(u, -20, 20))))
	}
}

// Expm1 is e^x − 1.
func Expm1(dst, src []float32) {
	for i, v := range src {
		dst[i] = float32(expm1(within(float64(v), -110, 90)))
	}
}

// Expm1Of is e^x − 1 of one number.
func Expm1Of(x float32) float32 { return float32(expm1(within(float64(x), -110, 90))) }

// Sinh is the hyperbolic sine.
func Sinh(dst, src []float32) {
	for i, v := range src {
		e := expm1(min(math.Abs(float64(v)), 110))
		dst[i] = float32(math.Copysign(0.5*(e+e/(e+1)), float64(v)))
	}
}

// Cosh is the hyperbolic cosine.
func Cosh(dst, src []float32) {
	for i, v := range src {
		e := exp(within(float64(v), -110, 110))
		dst[i] = float32(0.5 * (e + 1/e))
	}
}

// Log is the natural logarithm.
func Log(dst, src []float32) {
	for i, v := range src {
		dst[i] = float32(log(float64(v)))
	}
}

// Log2 is the logarithm to base 2, exact for powers of it.
func Log2(dst, src []float32) {
	for i, v := range src {
		e, m, ok := logParts(float64(v))
		if ok {
			e += float64(m * log2e)
		}
		dst[i] = float32(e)
	}
}

// Log10 is the logarithm to base 10.
func Log10(dst, src []float32) {
	for i, v := range src {
		e, m, ok := logParts(float64(v))
		if ok {
			e = float64(e*(math.Ln2/math.Ln10)) + float64(m*(1/math.Ln10))
		}
		dst[i] = float32(e)
	}
}

// Log1p is log(1+x).
func Log1p(dst, src []float32) {
	for i, v := range src {
		dst[i] = float32(log1p(float64(v)))
	}
}

// Logit is log(x/(1−x)), the quotient rounded to float32 as PyTorch does.
func Logit(dst, src []float32) {
	for i, v := range src {
		dst[i] = float32(log(float64(v / (1 - v))))
	}
}

// far is where the argument of sine and cosine needs more than float64 to lose its turns.
const far = 1 << 20

// Sin is the sine.
func Sin(dst, src []float32) {
	for i, v := range src {
		x := float64(v)
		if !(math.Abs(x) < far) {
			dst[i] = float32(math.Sin(x))
			continue
		}
		r, n := quadrant(x)
		dst[i] = float32(turn(r, n))
	}
}

// Cos is the cosine.
func Cos(dst, src []float32) {
	for i, v := range src {
		x := float64(v)
		if !(math.Abs(x) < far) {
			dst[i] = float32(math.Cos(x))
			continue
		}
		r, n := quadrant(x)
		dst[i] = float32(turn(r, n+1))
	}
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
	for i, v := range src {
		x := float64(v)
		if !(math.Abs(x) < far) {
			dst[i] = float32(math.Tan(x))
			continue
		}
		r, n := quadrant(x)
		s, c := sinPoly(r), cosPoly(r)
		if n&1 != 0 {
			s, c = -c, s
		}
		dst[i] = float32(s / c)
	}
}

// Atan is the arc tangent.
func Atan(dst, src []float32) {
	for i, v := range src {
		dst[i] = float32(atan(float64(v)))
	}
}

// Asin is the arc sine.
func Asin(dst, src []float32) {
	for i, v := range src {
		x := float64(v)
		dst[i] = float32(atan(x / math.Sqrt(float64((1-x)*(1+x)))))
	}
}

// Acos is the arc cosine.
func Acos(dst, src []float32) {
	for i, v := range src {
		x := float64(v)
		y := 2 * atan(math.Sqrt((1-x)/(1+x)))
		if x == -1 {
			y = math.Pi
		}
		dst[i] = float32(y)
	}
}

// Asinh is the inverse hyperbolic sine.
func Asinh(dst, src []float32) {
	for i, v := range src {
		x := math.Abs(float64(v))
		s := float64(x * x)
		y := x
		if x < 1e30 {
			y = log1p(x + s/(1+math.Sqrt(1+s)))
		} else {
			y = log(x) + ln2
		}
		dst[i] = float32(math.Copysign(y, float64(v)))
	}
}

// Acosh is the inverse hyperbolic cosine.
func Acosh(dst, src []float32) {
	for i, v := range src {
		x := float64(v)
		t := x - 1
		if x < 1 {
			t = math.NaN()
		}
		dst[i] = float32(log1p(t + math.Sqrt(float64(t*(x+1)))))
	}
}

// Atanh is the inverse hyperbolic tangent.
func Atanh(dst, src []float32) {
	for i, v := range src {
		x := float64(v)
		dst[i] = float32(0.5 * log1p(2*x/(1-x)))
	}
}

// Erf is the error function.
func Erf(dst, src []float32) {
	for i, v := range src {
		dst[i] = float32(erf(float64(v)))
	}
}
