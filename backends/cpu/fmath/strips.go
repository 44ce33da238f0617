package fmath

import "math"

// SumHalf is Sum for IEEE halves.
func SumHalf(lanes *[8]float64, src []uint16) {
	n := fast(len(src), 8)
	if n > 0 {
		avxSumHalf(n, lanes, &src[0])
	}
	for i, v := range src[n:] {
		lanes[i&7] += float64(Widen(v))
	}
}

// SumBrain is Sum for bfloat16 numbers.
func SumBrain(lanes *[8]float64, src []uint16) {
	n := fast(len(src), 8)
	if n > 0 {
		avxSumBrain(n, lanes, &src[0])
	}
	for i, v := range src[n:] {
		lanes[i&7] += float64(WidenBrain(v))
	}
}

// across is how many of width columns of n lines the assembly does, step at a time; it looks whether all lines are there.
func across[T any](width, step int, sums []float64, x []T, n, apart int) int {
	width &^= step - 1
	if !haveAVX2 || width == 0 || n == 0 {
		return 0
	}
	_, _ = sums[width-1], x[(n-1)*apart+width-1]
	return width
}

// The functions below sum the columns of n lines of width numbers, step apart, as Sum does: number j of line i goes to
// sums[i%8*width+j]. Of these eight lines of sums, used have a value; the others begin at 0.

// AccumulateLines adds lines of float32 numbers.
func AccumulateLines(sums []float64, width int, x []float32, n, step, used int) {
	accumulate(sums, width, x, n, step, used, avxAccumulateLines, addFloats[float32])
}

// AccumulateHalfLines adds lines of IEEE halves.
func AccumulateHalfLines(sums []float64, width int, x []uint16, n, step, used int) {
	accumulate(sums, width, x, n, step, used, avxAccumulateHalfLines, addHalves)
}

// AccumulateBrainLines adds lines of bfloat16 numbers.
func AccumulateBrainLines(sums []float64, width int, x []uint16, n, step, used int) {
	accumulate(sums, width, x, n, step, used, avxAccumulateBrainLines, addBrains)
}

// AccumulateDoubleLines adds lines of float64 numbers.
func AccumulateDoubleLines(sums []float64, width int, x []float64, n, step, used int) {
	accumulate(sums, width, x, n, step, used, avxAccumulateDoubleLines, addFloats[float64])
}

func accumulate[T any](sums []float64, width int, x []T, n, step, used int, vectors func(n, width int, sums *float64, pitch int, x *T, step, used int), add func(sum []float64, line []T)) {
	done := across(width, 8, sums[min(n-1, 7)*width:], x, n, step)
	if done > 0 {
		vectors(n, done, &sums[0], 8*width, &x[0], step, used)
	}
	if done == width {
		return
	}
	for i := range n {
		sum, line := sums[i&7*width:][done:width], x[i*step:][done:width]
		if i >= used && i < 8 {
			clear(sum)
		}
		add(sum, line)
	}
}

// SpreadLines adds the squared distances of float32 numbers from the means of their columns.
func SpreadLines(sums []float64, width int, x []float32, n, step, used int, means []float64) {
	spread(sums, width, x, n, step, used, means, avxSpreadLines)
}

// SpreadDoubleLines does so for float64 numbers.
func SpreadDoubleLines(sums []float64, width int, x []float64, n, step, used int, means []float64) {
	spread(sums, width, x, n, step, used, means, avxSpreadDoubleLines)
}

func spread[T float32 | float64](sums []float64, width int, x []T, n, step, used int, means []float64, vectors func(n, width int, sums *float64, pitch int, x *T, step, used int, means *float64)) {
	means = means[:width]
	done := across(width, 8, sums[min(n-1, 7)*width:], x, n, step)
	if done > 0 {
		vectors(n, done, &sums[0], 8*width, &x[0], step, used, &means[0])
	}
	if done == width {
		return
	}
	for i := range n {
		sum, line := sums[i&7*width:][done:width], x[i*step:][done:width]
		if i >= used && i < 8 {
			clear(sum)
		}
		for j, v := range line {
			d := float64(v) - means[done+j]
			sum[j] += float64(d * d)
		}
	}
}

// SpreadColumns writes the sums of the squared distances of n lines of float32 numbers, step apart, from the means of their
// columns, which are added as SumLines does.
func SpreadColumns(sums []float64, x []float32, n, step int, means []float64) {
	spreadColumns(sums, x, n, step, means, avxSpreadColumns)
}

// SpreadDoubleColumns does so for float64 numbers.
func SpreadDoubleColumns(sums, x []float64, n, step int, means []float64) {
	spreadColumns(sums, x, n, step, means, avxSpreadDoubleColumns)
}

func spreadColumns[T float32 | float64](sums []float64, x []T, n, step int, means []float64, vectors func(n, width int, sums *float64, x *T, step int, means *float64)) {
	width := len(sums)
	means = means[:width]
	for at, count := 0, across(width, 4, sums, x, n, step); count > 0; at, count = width-4, 4 {
		vectors(n, count, &sums[at], &x[at], step, &means[at])
		if at+count == width {
			return
		}
	}
	for j := range sums {
		var f [8]float64
		for i := range n {
			d := float64(x[i*step+j]) - means[j]
			f[i&7] += float64(d * d)
		}
		sums[j] = total(&f)
	}
}

func addFloats[T float32 | float64](sum []float64, line []T) {
	for j, v := range line {
		sum[j] += float64(v)
	}
}

func addHalves(sum []float64, line []uint16) {
	for j, v := range line {
		sum[j] += float64(Widen(v))
	}
}

func addBrains(sum []float64, line []uint16) {
	for j, v := range line {
		sum[j] += float64(WidenBrain(v))
	}
}

// The functions below write the sums of the columns of n lines, step apart: in eight lanes as above, which are then added
// in the tree of ((0+4)+(2+6))+((1+5)+(3+7)).

// SumLines does so for float32 numbers.
func SumLines(sums []float64, x []float32, n, step int) {
	sumColumns(sums, x, n, step, &noFloat32, avxSumFourSingle, avxSumLines, wideSingle)
}

// SumHalfLines does so for IEEE halves.
func SumHalfLines(sums []float64, x []uint16, n, step int) {
	sumColumns(sums, x, n, step, &noUint16, avxSumFourHalf, avxSumHalfLines, wideHalf)
}

// SumBrainLines does so for bfloat16 numbers.
func SumBrainLines(sums []float64, x []uint16, n, step int) {
	sumColumns(sums, x, n, step, &noUint16, avxSumFourBrain, avxSumBrainLines, wideBrain)
}

// SumDoubleLines does so for float64 numbers.
func SumDoubleLines(sums, x []float64, n, step int) {
	sumColumns(sums, x, n, step, &noFloat64, avxSumFourDouble, avxSumDoubleLines, wideDouble)
}

// These stand for lines that are missing from four.
var (
	noFloat32 [512]float32
	noFloat64 [512]float64
	noUint16  [512]uint16
)

// sumColumns takes four for at most four lines that are not longer than none, and many for others. Two lines stand alone. The
// last four columns are summed together even if that sums some of them again.
func sumColumns[T any](sums []float64, x []T, n, step int, none *[512]T, four func(n int, sums *float64, a, b, c, d *T), many func(n, width int, sums *float64, x *T, step int), wide func(T) float64) {
	width := len(sums)
	for at, count := 0, across(width, 4, sums, x, n, step); count > 0; {
		if n <= 4 && count <= len(none) {
			lines := [4]*T{&none[0], &none[0]}
			if n > 2 {
				lines[2], lines[3] = &none[0], &none[0]
			}
			for k := range n {
				lines[k] = &x[k*step+at]
			}
			four(count, &sums[at], lines[0], lines[1], lines[2], lines[3])
		} else {
			many(n, count, &sums[at], &x[at], step)
		}
		if at+count == width {
			return
		}
		at, count = width-4, 4
	}
	for j := range sums {
		var f [8]float64
		for i := range n {
			f[i&7] += wide(x[i*step+j])
		}
		sums[j] = total(&f)
	}
}

func wideSingle(v float32) float64 { return float64(v) }
func wideHalf(v uint16) float64    { return float64(Widen(v)) }
func wideBrain(v uint16) float64   { return float64(WidenBrain(v)) }
func wideDouble(v float64) float64 { return v }

// inverse says whether to multiply by 1/by is the same as to divide by it.
func inverse(by float64) bool {
	if by == 1 || by == 0 { // by 0, both give NaN of 0 and infinity of others
		return true
	}
	m, e := math.Frexp(by)
	return m == 0.5 && e > -1000 && e < 1000
}

// Divide divides by a number.
func Divide(dst, src []float64, by float64) {
	dst = dst[:len(src)]
	n := fast(len(src), 4)
	switch {
	case n == 0:
	case inverse(by):
		avxScale(n, &dst[0], &src[0], 1/by)
	default:
		avxDivide(n, &dst[0], &src[0], by)
	}
	for i := n; i < len(src); i++ {
		dst[i] = src[i] / by
	}
}

// DivideNarrow divides by a number and rounds to float32.
func DivideNarrow(dst []float32, src []float64, by float64) {
	dst = dst[:len(src)]
	n := fast(len(src), 4)
	switch {
	case n == 0:
	case inverse(by):
		avxScaleNarrow(n, &dst[0], &src[0], 1/by)
	default:
		avxDivideNarrow(n, &dst[0], &src[0], by)
	}
	for i := n; i < len(src); i++ {
		dst[i] = float32(src[i] / by)
	}
}
