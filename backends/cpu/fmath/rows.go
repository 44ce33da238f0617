package fmath

import "math"

// tails mask the numbers of a last, incomplete vector, by how many those are.
var tails = [8][8]int32{{}, {-1}, {-1, -1}, {-1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1, -1}}

// StandardiseRows shifts and scales rows behind one another, as many as mean has elements: each by its Moments, which it
// writes too, and then, unless weight is nil, by a weight and a bias for each of its elements.
func StandardiseRows(dst, src, weight, bias, mean, rstd []float32, eps float64) {
	standardiseRows(dst, src, weight, bias, false, mean, rstd, eps, avxStandardiseRows)
}

// StandardiseChannels is StandardiseRows with a single weight and a single bias for each row.
func StandardiseChannels(dst, src, weight, bias, mean, rstd []float32, eps float64) {
	standardiseRows(dst, src, weight, bias, true, mean, rstd, eps, avxStandardiseRows)
}

// StandardiseDoubleRows is StandardiseRows for float64 numbers.
func StandardiseDoubleRows(dst, src, weight, bias, mean, rstd []float64, eps float64) {
	standardiseRows(dst, src, weight, bias, false, mean, rstd, eps, avxStandardiseDoubleRows)
}

// StandardiseDoubleChannels is StandardiseChannels for float64 numbers.
func StandardiseDoubleChannels(dst, src, weight, bias, mean, rstd []float64, eps float64) {
	standardiseRows(dst, src, weight, bias, true, mean, rstd, eps, avxStandardiseDoubleRows)
}

func standardiseRows[T float32 | float64](dst, src, weight, bias []T, single bool, mean, rstd []T, eps float64,
	vectors func(rows, n int, dst, src, weight, bias *T, single bool, mean, rstd *T, eps float64, tail *[8]int32)) {
	rows := len(mean)
	if rows == 0 || len(dst) == 0 {
		return
	}
	n := len(dst) / rows
	src, rstd = src[:len(dst)], rstd[:rows]
	if weight != nil {
		each := n
		if single {
			each = rows
		}
		weight, bias = weight[:each], bias[:each]
	}
	if haveAVX2 && n > 0 {
		var w, b *T
		if weight != nil {
			w, b = &weight[0], &bias[0]
		}
		vectors(rows, n, &dst[0], &src[0], w, b, single, &mean[0], &rstd[0], eps, &tails[n&7])
		return
	}
	for i := range mean {
		y, x := dst[i*n:][:n], src[i*n:][:n]
		m, r := moments(x, eps)
		mean[i], rstd[i] = T(m), T(r)
		switch {
		case weight == nil:
			standardise(y, x, m, r, 0)
		case single:
			standardise(y, x, m, r*float64(weight[i]), float64(bias[i]))
		default:
			for k, v := range x {
				y[k] = T(float64(float64((float64(v)-m)*r)*float64(weight[k])) + float64(bias[k]))
			}
		}
	}
}

// moments are Moments of either type.
func moments[T float32 | float64](x []T, eps float64) (mean, rstd float64) {
	n := float64(len(x))
	var sums, squares [8]float64
	for i, v := range x {
		sums[i&7] += float64(v)
	}
	mean = total(&sums) / n
	for i, v := range x {
		d := float64(v) - mean
		squares[i&7] += float64(d * d)
	}
	return mean, 1 / math.Sqrt(total(&squares)/n+eps)
}

// standardise is Standardise of either type.
func standardise[T float32 | float64](dst, src []T, mean, scale, shift float64) {
	for i, v := range src {
		dst[i] = T(float64((float64(v)-mean)*scale) + shift)
	}
}
