package fmath

// SumHalf is Sum for IEEE halves.
func SumHalf(lanes *[8]float64, src []uint16) {
	for i, v := range src[sumHalfFast(lanes, src):] {
		lanes[i&7] += float64(Widen(v))
	}
}

// SumBrain is Sum for bfloat16 numbers.
func SumBrain(lanes *[8]float64, src []uint16) {
	for i, v := range src[sumBrainFast(lanes, src):] {
		lanes[i&7] += float64(WidenBrain(v))
	}
}

// The functions below sum the columns of n lines of width numbers, step apart, as Sum does: number j of line i goes to
// sums[i%8*width+j]. Of these eight lines of sums, used have a value; the others begin at 0.

// AccumulateLines adds lines of float32 numbers.
func AccumulateLines(sums []float64, width int, x []float32, n, step, used int) {
	done := accumulateLinesFast(sums, width, x, n, step, used)
	accumulateFloats(sums, width, x, n, step, used, done)
}

// AccumulateHalfLines adds lines of IEEE halves.
func AccumulateHalfLines(sums []float64, width int, x []uint16, n, step, used int) {
	done := accumulateHalfLinesFast(sums, width, x, n, step, used)
	accumulate(sums, width, x, n, step, used, done, wideHalf)
}

// AccumulateBrainLines adds lines of bfloat16 numbers.
func AccumulateBrainLines(sums []float64, width int, x []uint16, n, step, used int) {
	done := accumulateBrainLinesFast(sums, width, x, n, step, used)
	accumulate(sums, width, x, n, step, used, done, wideBrain)
}

// AccumulateDoubleLines adds lines of float64 numbers.
func AccumulateDoubleLines(sums []float64, width int, x []float64, n, step, used int) {
	done := accumulateDoubleLinesFast(sums, width, x, n, step, used)
	accumulateFloats(sums, width, x, n, step, used, done)
}

func wideSingle(v float32) float64 { return float64(v) }
func wideHalf(v uint16) float64    { return float64(Widen(v)) }
func wideBrain(v uint16) float64   { return float64(WidenBrain(v)) }
func wideDouble(v float64) float64 { return v }

// accumulateFloats does the columns from done on.
func accumulateFloats[T float32 | float64](sums []float64, width int, x []T, n, step, used, done int) {
	if done == width {
		return
	}
	for i := range n {
		sum, line := sums[i&7*width:][done:width], x[i*step:][done:width]
		if i >= used && i < 8 {
			clear(sum)
		}
		for j, v := range line {
			sum[j] += float64(v)
		}
	}
}

// accumulate does the columns from done on.
func accumulate[T any](sums []float64, width int, x []T, n, step, used, done int, wide func(T) float64) {
	if done == width {
		return
	}
	for i := range n {
		sum, line := sums[i&7*width:][done:width], x[i*step:][done:width]
		if i >= used && i < 8 {
			clear(sum)
		}
		for j, v := range line {
			sum[j] += wide(v)
		}
	}
}

// The functions below write the sums of the columns of n lines, step apart: in eight lanes as above, which are then added
// in the tree of ((0+4)+(2+6))+((1+5)+(3+7)).

// SumLines does so for float32 numbers.
func SumLines(sums []float64, x []float32, n, step int) {
	sumColumns(sums, x, n, step, sumLinesFast(sums, x, n, step), wideSingle)
}

// SumHalfLines does so for IEEE halves.
func SumHalfLines(sums []float64, x []uint16, n, step int) {
	sumColumns(sums, x, n, step, sumHalfLinesFast(sums, x, n, step), wideHalf)
}

// SumBrainLines does so for bfloat16 numbers.
func SumBrainLines(sums []float64, x []uint16, n, step int) {
	sumColumns(sums, x, n, step, sumBrainLinesFast(sums, x, n, step), wideBrain)
}

// SumDoubleLines does so for float64 numbers.
func SumDoubleLines(sums, x []float64, n, step int) {
	sumColumns(sums, x, n, step, sumDoubleLinesFast(sums, x, n, step), wideDouble)
}

// sumColumns does the columns from done on.
func sumColumns[T any](sums []float64, x []T, n, step, done int, wide func(T) float64) {
	for j := done; j < len(sums); j++ {
		var f [8]float64
		for i := range n {
			f[i&7] += wide(x[i*step+j])
		}
		sums[j] = tree(&f)
	}
}

// Divide divides by a number.
func Divide(dst, src []float64, by float64) {
	dst = dst[:len(src)]
	for i := divideFast(dst, src, by); i < len(src); i++ {
		dst[i] = src[i] / by
	}
}

// DivideNarrow divides by a number and rounds to float32.
func DivideNarrow(dst []float32, src []float64, by float64) {
	dst = dst[:len(src)]
	for i := divideNarrowFast(dst, src, by); i < len(src); i++ {
		dst[i] = float32(src[i] / by)
	}
}
