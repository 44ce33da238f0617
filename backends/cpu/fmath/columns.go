package fmath

import "math"

// The functions below are StandardiseRows, or StandardiseChannels if single is set, for rows that lie side by side: number i
// of row j is src[i*dx+j], and its result dst[i*dy+j]. Rows have n numbers each, and there are as many as mean has elements.

// StandardiseColumns does so for float32 numbers.
func StandardiseColumns(dst, src []float32, n, dy, dx int, weight, bias []float32, single bool, mean, rstd []float32, eps float64) {
	standardiseColumns(dst, src, n, dy, dx, weight, bias, single, mean, rstd, eps, avxStandardiseColumns)
}

// StandardiseDoubleColumns does so for float64 numbers.
func StandardiseDoubleColumns(dst, src []float64, n, dy, dx int, weight, bias []float64, single bool, mean, rstd []float64, eps float64) {
	standardiseColumns(dst, src, n, dy, dx, weight, bias, single, mean, rstd, eps, avxStandardiseDoubleColumns)
}

func standardiseColumns[T float32 | float64](dst, src []T, n, dy, dx int, weight, bias []T, single bool, mean, rstd []T, eps float64, vectors func(n, width int, dst, src *T, dy, dx int, weight, bias *T, single bool, mean, rstd *T, eps float64)) {
	width, done := len(mean), 0
	if n == 0 || width == 0 {
		return
	}
	rstd = rstd[:width]
	_, _ = dst[(n-1)*dy+width-1], src[(n-1)*dx+width-1]
	if weight != nil {
		each := n
		if single {
			each = width
		}
		weight, bias = weight[:each], bias[:each]
	}
	if haveAVX2 && width >= 4 {
		done = width &^ 3
		var w, b *T
		if weight != nil {
			w, b = &weight[0], &bias[0]
		}
		vectors(n, done, &dst[0], &src[0], dy, dx, w, b, single, &mean[0], &rstd[0], eps)
	}
	for j := done; j < width; j++ {
		m, r := columnMoments(src[j:], n, dx, eps)
		mean[j], rstd[j] = T(m), T(r)
		shift := 0.0
		if single && weight != nil {
			r *= float64(weight[j])
			shift = float64(bias[j])
		}
		for i := range n {
			d := float64((float64(src[i*dx+j]) - m) * r)
			if weight != nil && !single {
				d, shift = float64(d*float64(weight[i])), float64(bias[i])
			}
			dst[i*dy+j] = T(d + shift)
		}
	}
}

// columnMoments are Moments of n numbers that lie dx apart.
func columnMoments[T float32 | float64](src []T, n, dx int, eps float64) (mean, rstd float64) {
	var sums, squares [8]float64
	for i := range n {
		sums[i&7] += float64(src[i*dx])
	}
	mean = total(&sums) / float64(n)
	for i := range n {
		d := float64(src[i*dx]) - mean
		squares[i&7] += float64(d * d)
	}
	return mean, 1 / math.Sqrt(total(&squares)/float64(n)+eps)
}
