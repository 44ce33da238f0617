package fmath

import "math"

func maxOfFast(src []float32) (float32, int) {
	n := fast(len(src), 1)
	if n == 0 {
		return float32(math.Inf(-1)), 0
	}
	return avxMaxOf(n, &src[0]), n
}

func minOfFast(src []float32) (float32, int) {
	n := fast(len(src), 1)
	if n == 0 {
		return float32(math.Inf(1)), 0
	}
	return avxMinOf(n, &src[0]), n
}

//go:noescape
func avxMaxOf(n int, src *float32) float32

//go:noescape
func avxMinOf(n int, src *float32) float32
