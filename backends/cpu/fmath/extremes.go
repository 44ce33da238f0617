package fmath

import "math"

// MaxOf is the largest of the numbers, NaN if any is, -inf of none. Which zero it is depends on the order of zeros.
func MaxOf(src []float32) float32 {
	m, n := float32(math.Inf(-1)), fast(len(src), 1)
	if n > 0 {
		m = avxMaxOf(n, &src[0])
	}
	for _, v := range src[n:] {
		m = max(m, v)
	}
	return m
}

// MinOf is the smallest of the numbers, NaN if any is, +inf of none. Which zero it is depends on the order of zeros.
func MinOf(src []float32) float32 {
	m, n := float32(math.Inf(1)), fast(len(src), 1)
	if n > 0 {
		m = avxMinOf(n, &src[0])
	}
	for _, v := range src[n:] {
		m = min(m, v)
	}
	return m
}
