package fmath

import "math"

// The functions below shift and scale runs of numbers, as normalisation does. All slices are as long as dst, which may be
// one of them.

// Line is x·scale + shift.
func Line(dst, src []float32, scale, shift float32) {
	src = src[:len(dst)]
	for i := lineFast(dst, src, scale, shift); i < len(dst); i++ {
		dst[i] = float32(src[i]*scale) + shift
	}
}

// Standardise is (x − mean)·scale + shift in f64, rounded once.
func Standardise(dst, src []float32, mean, scale, shift float64) {
	src = src[:len(dst)]
	for i := standardiseFast(dst, src, mean, scale, shift); i < len(dst); i++ {
		dst[i] = float32(float64((float64(src[i])-mean)*scale) + shift)
	}
}

// StandardiseEach is ((x − mean)·scale)·weight + bias in f64, rounded once.
func StandardiseEach(dst, src, weight, bias []float32, mean, scale float64) {
	src, weight, bias = src[:len(dst)], weight[:len(dst)], bias[:len(dst)]
	for i := standardiseEachFast(dst, src, weight, bias, mean, scale); i < len(dst); i++ {
		dst[i] = float32(float64(float64((float64(src[i])-mean)*scale)*float64(weight[i])) + float64(bias[i]))
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

// StandardiseRows shifts and scales rows behind one another, as many as mean has elements: each by its Moments, which it
// writes too, and then, unless weight is nil, by a weight and a bias for each of its elements.
func StandardiseRows(dst, src, weight, bias, mean, rstd []float32, eps float64) {
	rows := len(mean)
	if rows == 0 || len(dst) == 0 {
		return
	}
	if standardiseRowsFast(dst, src, weight, bias, mean, rstd, eps) {
		return
	}
	n := len(dst) / rows
	for i := range mean {
		y, x := dst[i*n:][:n], src[i*n:][:n]
		m, r := Moments(x, eps)
		mean[i], rstd[i] = float32(m), float32(r)
		if weight == nil {
			Standardise(y, x, m, r, 0)
		} else {
			StandardiseEach(y, x, weight, bias, m, r)
		}
	}
}

// Blend weighs four numbers: the upper two by 1−wx and wx, the lower two likewise, and the sums by 1−wy and wy.
func Blend(dst, u0, u1, l0, l1 []float32, wx, wy float32) {
	vx, vy := 1-wx, 1-wy
	n := len(dst)
	u0, u1, l0, l1 = u0[:n], u1[:n], l0[:n], l1[:n]
	for i := blendFast(dst, u0, u1, l0, l1, vx, wx, vy, wy); i < n; i++ {
		u := float32(vx*u0[i]) + float32(wx*u1[i])
		l := float32(vx*l0[i]) + float32(wx*l1[i])
		dst[i] = float32(vy*u) + float32(wy*l)
	}
}

// LineF64 is Line for doubles.
func LineF64(dst, src []float64, scale, shift float64) {
	src = src[:len(dst)]
	for i := lineF64Fast(dst, src, scale, shift); i < len(dst); i++ {
		dst[i] = float64(src[i]*scale) + shift
	}
}

// Lines is Line for runs of n elements, one after the other: run k has scale[k] and shift[k].
func Lines(dst, src, scale, shift []float32, n int) {
	if len(scale) == 0 || n == 0 {
		return
	}
	dst, src, shift = dst[:n*len(scale)], src[:n*len(scale)], shift[:len(scale)]
	if linesFast(dst, src, scale, shift, n) {
		return
	}
	for k, s := range scale {
		Line(dst[k*n:][:n], src[k*n:][:n], s, shift[k])
	}
}
