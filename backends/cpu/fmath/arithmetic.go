package fmath

import "math"

// The functions below are loops of plain arithmetic, rounded after every operation. All slices are as long as dst, which
// may be one of them.

// Add is a + b.
func Add(dst, a, b []float32) {
	for i := addFast(dst, a, b); i < len(dst); i++ {
		dst[i] = a[i] + b[i]
	}
}

// Sub is a − b.
func Sub(dst, a, b []float32) {
	for i := subFast(dst, a, b); i < len(dst); i++ {
		dst[i] = a[i] - b[i]
	}
}

// Mul is a·b.
func Mul(dst, a, b []float32) {
	for i := mulFast(dst, a, b); i < len(dst); i++ {
		dst[i] = a[i] * b[i]
	}
}

// Div is a/b.
func Div(dst, a, b []float32) {
	for i := divFast(dst, a, b); i < len(dst); i++ {
		dst[i] = a[i] / b[i]
	}
}

// Affine is x·scale + shift.
func Affine(dst, x, scale, shift []float32) {
	for i := affineFast(dst, x, scale, shift); i < len(dst); i++ {
		dst[i] = float32(x[i]*scale[i]) + shift[i]
	}
}

// Clamp limits numbers to [lo, hi], neither of which is NaN. NaN stays; so does the sign of a zero at a bound of zero.
func Clamp(dst, src []float32, lo, hi float32) {
	dst = dst[:len(src)]
	for i := clampFast(dst, src, lo, hi); i < len(src); i++ {
		v := src[i]
		if v < lo {
			v = lo
		}
		if v > hi {
			v = hi
		}
		dst[i] = v
	}
}

// Sqrt is the square root.
func Sqrt(dst, src []float32) {
	dst = dst[:len(src)]
	for i := sqrtFast(dst, src); i < len(src); i++ {
		dst[i] = float32(math.Sqrt(float64(src[i])))
	}
}

// Sum adds src to eight sums, one for every eighth element.
func Sum(lanes *[8]float64, src []float32) {
	src = src[sumFast(lanes, src):]
	for i, v := range src {
		lanes[i&7] += float64(v)
	}
}

// Spread adds the squared distances from mean to eight sums, one for every eighth element.
func Spread(lanes *[8]float64, src []float32, mean float64) {
	src = src[spreadFast(lanes, src, mean):]
	for i, v := range src {
		d := float64(v) - mean
		lanes[i&7] += float64(d * d)
	}
}
