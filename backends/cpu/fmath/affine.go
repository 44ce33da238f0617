package fmath

import "math"

// The functions below shift and scale runs of numbers, as normalisation does. All slices are as long as dst, which may be
// one of them.

// Line is x·scale + shift.
func Line(dst, src []float32, scale, shift float32) {
	Lines(dst, src, []float32{scale}, []float32{shift}, len(dst))
}

// Standardise is (x − mean)·scale + shift in f64, rounded once.
func Standardise(dst, src []float32, mean, scale, shift float64) {
	src = src[:len(dst)]
	n := fast(len(dst), 8)
	if n > 0 {
		avxStandardise(n, &dst[0], &src[0], mean, scale, shift)
	}
	for i := n; i < len(dst); i++ {
		dst[i] = float32(float64((float64(src[i])-mean)*scale) + shift)
	}
}

// StandardiseEach is ((x − mean)·scale)·weight + bias in f64, rounded once.
func StandardiseEach(dst, src, weight, bias []float32, mean, scale float64) {
	src, weight, bias = src[:len(dst)], weight[:len(dst)], bias[:len(dst)]
	n := fast(len(dst), 8)
	if n > 0 {
		avxStandardiseEach(n, &dst[0], &src[0], &weight[0], &bias[0], mean, scale)
	}
	for i := n; i < len(dst); i++ {
		dst[i] = float32(float64(float64((float64(src[i])-mean)*scale)*float64(weight[i])) + float64(bias[i]))
	}
}

// InverseRoots is 1/√(x + eps) in f64.
func InverseRoots(dst []float64, src []float32, eps float64) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxInverseRoots(n, &dst[0], &src[0], eps)
	}
	for i := n; i < len(src); i++ {
		dst[i] = 1 / math.Sqrt(float64(src[i])+eps)
	}
}

// InverseRootsF64 is InverseRoots for doubles.
func InverseRootsF64(dst, src []float64, eps float64) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxInverseRootsF64(n, &dst[0], &src[0], eps)
	}
	for i := n; i < len(src); i++ {
		dst[i] = 1 / math.Sqrt(src[i]+eps)
	}
}

// Moments are the mean of the numbers and 1/√(variance + eps), in f64 and two passes: a large mean loses nothing.
func Moments(src []float32, eps float64) (mean, rstd float64) {
	n := float64(len(src))
	var sums, squares [8]float64
	Sum(&sums, src)
	mean = total(&sums) / n
	Spread(&squares, src, mean)
	return mean, 1 / math.Sqrt(total(&squares)/n+eps)
}

// total adds eight sums in a fixed tree, as the vectors do.
func total(s *[8]float64) float64 {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

// Blend weighs four numbers: the upper two by 1−wx and wx, the lower two likewise, and the sums by 1−wy and wy.
func Blend(dst, u0, u1, l0, l1 []float32, wx, wy float32) {
	vx, vy := 1-wx, 1-wy
	u0, u1, l0, l1 = u0[:len(dst)], u1[:len(dst)], l0[:len(dst)], l1[:len(dst)]
	n := fast(len(dst), 8)
	if n > 0 {
		avxBlend(n, &dst[0], &u0[0], &u1[0], &l0[0], &l1[0], vx, wx, vy, wy)
	}
	for i := n; i < len(dst); i++ {
		u := float32(vx*u0[i]) + float32(wx*u1[i])
		l := float32(vx*l0[i]) + float32(wx*l1[i])
		dst[i] = float32(vy*u) + float32(wy*l)
	}
}

// LineF64 is Line for doubles.
func LineF64(dst, src []float64, scale, shift float64) {
	src = src[:len(dst)]
	n := fast(len(dst), 4)
	if n > 0 {
		avxLineF64(n, &dst[0], &src[0], scale, shift)
	}
	for i := n; i < len(dst); i++ {
		dst[i] = float64(src[i]*scale) + shift
	}
}

// Lines is Line for runs of n elements, one after the other: run k has scale[k] and shift[k].
func Lines(dst, src, scale, shift []float32, n int) {
	if len(scale) == 0 || n == 0 {
		return
	}
	dst, src, shift = dst[:n*len(scale)], src[:n*len(scale)], shift[:len(scale)]
	if haveAVX2 {
		avxLines(len(scale), n, &dst[0], &src[0], &scale[0], &shift[0], &tails[n&7])
		return
	}
	for k, s := range scale {
		y, x, shift := dst[k*n:][:n], src[k*n:][:n], shift[k]
		for i, v := range x {
			y[i] = float32(v*s) + shift
		}
	}
}
