package fmath

import "math"

func sumHalfFast(lanes *[8]float64, src []uint16) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxSumHalf(n, lanes, &src[0])
	}
	return n
}

func sumBrainFast(lanes *[8]float64, src []uint16) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxSumBrain(n, lanes, &src[0])
	}
	return n
}

// across is how many of width columns the assembly does, step at a time; it looks whether all lines are there.
func across[T any](width, step int, sums []float64, x []T, n, apart int) int {
	width &^= step - 1
	if !haveAVX2 || width == 0 || n == 0 {
		return 0
	}
	_, _ = sums[width-1], x[(n-1)*apart+width-1]
	return width
}

func accumulateLinesFast(sums []float64, width int, x []float32, n, step, used int) int {
	done := across(width, 8, sums[min(n-1, 7)*width:], x, n, step)
	if done > 0 {
		avxAccumulateLines(n, done, &sums[0], 8*width, &x[0], 4*step, used)
	}
	return done
}

func accumulateHalfLinesFast(sums []float64, width int, x []uint16, n, step, used int) int {
	done := across(width, 8, sums[min(n-1, 7)*width:], x, n, step)
	if done > 0 {
		avxAccumulateHalfLines(n, done, &sums[0], 8*width, &x[0], 2*step, used)
	}
	return done
}

func accumulateBrainLinesFast(sums []float64, width int, x []uint16, n, step, used int) int {
	done := across(width, 8, sums[min(n-1, 7)*width:], x, n, step)
	if done > 0 {
		avxAccumulateBrainLines(n, done, &sums[0], 8*width, &x[0], 2*step, used)
	}
	return done
}

func sumLinesFast(sums []float64, x []float32, n, step int) int {
	done := across(len(sums), 4, sums, x, n, step)
	switch {
	case done == 0:
	case n <= 4 && done <= len(noLine):
		line := func(k int) *float32 {
			if k < n {
				return &x[k*step]
			}
			return &noLine[0]
		}
		avxSumFour(done, &sums[0], line(0), line(1), line(2), line(3))
	default:
		avxSumLines(n, done, &sums[0], &x[0], 4*step)
	}
	return done
}

// noLine stands for lines that are missing.
var noLine [128]float32

// divideNarrowFast multiplies where that is the same: by the inverse of a power of two.
func divideNarrowFast(dst []float32, src []float64, by float64) int {
	n := fast(len(src), 4)
	if n == 0 {
		return 0
	}
	if m, e := math.Frexp(by); m == 0.5 && e > -1000 && e < 1000 {
		avxScaleNarrow(n, &dst[0], &src[0], 1/by)
	} else {
		avxDivideNarrow(n, &dst[0], &src[0], by)
	}
	return n
}

//go:noescape
func avxSumHalf(n int, lanes *[8]float64, src *uint16)

//go:noescape
func avxSumBrain(n int, lanes *[8]float64, src *uint16)

//go:noescape
func avxAccumulateLines(n, width int, sums *float64, pitch int, x *float32, step, used int)

//go:noescape
func avxAccumulateHalfLines(n, width int, sums *float64, pitch int, x *uint16, step, used int)

//go:noescape
func avxAccumulateBrainLines(n, width int, sums *float64, pitch int, x *uint16, step, used int)

//go:noescape
func avxSumLines(n, width int, sums *float64, x *float32, step int)

//go:noescape
func avxSumFour(n int, sums *float64, a, b, c, d *float32)

//go:noescape
func avxScaleNarrow(n int, dst *float32, src *float64, by float64)

//go:noescape
func avxDivideNarrow(n int, dst *float32, src *float64, by float64)
