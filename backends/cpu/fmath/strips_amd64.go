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

func accumulateDoubleLinesFast(sums []float64, width int, x []float64, n, step, used int) int {
	done := across(width, 8, sums[min(n-1, 7)*width:], x, n, step)
	if done > 0 {
		avxAccumulateDoubleLines(n, done, &sums[0], 8*width, &x[0], 8*step, used)
	}
	return done
}

func sumLinesFast(sums []float64, x []float32, n, step int) int {
	done := across(len(sums), 4, sums, x, n, step)
	switch {
	case done == 0:
	case n <= 4 && done <= len(noFloat32):
		a, b, c, d := four(x, noFloat32[:], n, step)
		avxSumFourSingle(done, &sums[0], a, b, c, d)
	default:
		avxSumLines(n, done, &sums[0], &x[0], 4*step)
	}
	return done
}

func sumHalfLinesFast(sums []float64, x []uint16, n, step int) int {
	done := across(len(sums), 4, sums, x, n, step)
	switch {
	case done == 0:
	case n <= 4 && done <= len(noUint16):
		a, b, c, d := four(x, noUint16[:], n, step)
		avxSumFourHalf(done, &sums[0], a, b, c, d)
	default:
		avxSumHalfLines(n, done, &sums[0], &x[0], 2*step)
	}
	return done
}

func sumBrainLinesFast(sums []float64, x []uint16, n, step int) int {
	done := across(len(sums), 4, sums, x, n, step)
	switch {
	case done == 0:
	case n <= 4 && done <= len(noUint16):
		a, b, c, d := four(x, noUint16[:], n, step)
		avxSumFourBrain(done, &sums[0], a, b, c, d)
	default:
		avxSumBrainLines(n, done, &sums[0], &x[0], 2*step)
	}
	return done
}

func sumDoubleLinesFast(sums []float64, x []float64, n, step int) int {
	done := across(len(sums), 4, sums, x, n, step)
	switch {
	case done == 0:
	case n <= 4 && done <= len(noFloat64):
		a, b, c, d := four(x, noFloat64[:], n, step)
		avxSumFourDouble(done, &sums[0], a, b, c, d)
	default:
		avxSumDoubleLines(n, done, &sums[0], &x[0], 8*step)
	}
	return done
}

// These stand for lines that are missing.
var (
	noFloat32 [128]float32
	noFloat64 [128]float64
	noUint16  [128]uint16
)

// four gives where four lines begin.
func four[T any](x, none []T, n, step int) (a, b, c, d *T) {
	lines := [4]*T{&none[0], &none[0], &none[0], &none[0]}
	for k := range n {
		lines[k] = &x[k*step]
	}
	return lines[0], lines[1], lines[2], lines[3]
}

// inverse says whether to multiply by 1/by is the same as to divide by it.
func inverse(by float64) bool {
	if by == 1 {
		return true
	}
	m, e := math.Frexp(by)
	return m == 0.5 && e > -1000 && e < 1000
}

func divideFast(dst, src []float64, by float64) int {
	n := fast(len(src), 4)
	switch {
	case n == 0:
	case inverse(by):
		avxScale(n, &dst[0], &src[0], 1/by)
	default:
		avxDivide(n, &dst[0], &src[0], by)
	}
	return n
}

func divideNarrowFast(dst []float32, src []float64, by float64) int {
	n := fast(len(src), 4)
	switch {
	case n == 0:
	case inverse(by):
		avxScaleNarrow(n, &dst[0], &src[0], 1/by)
	default:
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
func avxSumLines(n, width int, sums *float64, x *float32, step int)

//go:noescape
func avxSumFourSingle(n int, sums *float64, a, b, c, d *float32)

//go:noescape
func avxAccumulateHalfLines(n, width int, sums *float64, pitch int, x *uint16, step, used int)

//go:noescape
func avxSumHalfLines(n, width int, sums *float64, x *uint16, step int)

//go:noescape
func avxSumFourHalf(n int, sums *float64, a, b, c, d *uint16)

//go:noescape
func avxAccumulateBrainLines(n, width int, sums *float64, pitch int, x *uint16, step, used int)

//go:noescape
func avxSumBrainLines(n, width int, sums *float64, x *uint16, step int)

//go:noescape
func avxSumFourBrain(n int, sums *float64, a, b, c, d *uint16)

//go:noescape
func avxAccumulateDoubleLines(n, width int, sums *float64, pitch int, x *float64, step, used int)

//go:noescape
func avxSumDoubleLines(n, width int, sums *float64, x *float64, step int)

//go:noescape
func avxSumFourDouble(n int, sums *float64, a, b, c, d *float64)

//go:noescape
func avxScaleNarrow(n int, dst *float32, src *float64, by float64)

//go:noescape
func avxDivideNarrow(n int, dst *float32, src *float64, by float64)

//go:noescape
func avxScale(n int, dst, src *float64, by float64)

//go:noescape
func avxDivide(n int, dst, src *float64, by float64)
