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

// PowOf is C's pow in float64: Go's takes roots of -0 and -inf as Sqrt does.
func PowOf(a, b float64) float64 {
	if (b == 0.5 || b == -0.5) && (a == 0 || math.IsInf(a, -1)) {
		a = math.Abs(a)
	}
	return math.Pow(a, b)
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
		return math.Atan2(y, x)
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
