package fmath

import "math"

// Pow is a to the power of b.
func Pow(dst, a, b []float32) {
	for i := range dst {
		x, y := float64(a[i]), float64(b[i])
		if x > 0 && x <= math.MaxFloat32 && math.Abs(y) <= math.MaxFloat32 {
			e, m, _ := logParts(x)
			dst[i] = float32(exp(within(y*(float64(e*ln2)+m), -110, 90)))
			continue
		}
		dst[i] = float32(PowOf(x, y))
	}
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
	for i := range dst {
		y, x := float64(a[i]), float64(b[i])
		if x == 0 || y == 0 || !(math.Abs(x) <= math.MaxFloat32) || !(math.Abs(y) <= math.MaxFloat32) {
			dst[i] = float32(math.Atan2(y, x))
			continue
		}
		t := atan(y / x)
		if x < 0 {
			t += math.Copysign(math.Pi, y)
		}
		dst[i] = float32(t)
	}
}
