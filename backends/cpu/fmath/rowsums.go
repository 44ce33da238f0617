package fmath

// The functions below write the sum of each of len(sums) rows of n numbers, next apart: in eight lanes, one for every eighth
// number, which are then added in the tree of ((0+4)+(2+6))+((1+5)+(3+7)).

// SumRows does so for float32 numbers.
func SumRows(sums []float64, x []float32, n, next int) {
	sumRows(sums, x, n, next, 1, avxSumRows, func(row []float32) (f [8]float64) { Sum(&f, row); return f })
}

// SumHalfRows does so for IEEE halves.
func SumHalfRows(sums []float64, x []uint16, n, next int) {
	sumRows(sums, x, n, next, 8, avxSumHalfRows, func(row []uint16) (f [8]float64) { SumHalf(&f, row); return f })
}

// SumBrainRows does so for bfloat16 numbers.
func SumBrainRows(sums []float64, x []uint16, n, next int) {
	sumRows(sums, x, n, next, 8, avxSumBrainRows, func(row []uint16) (f [8]float64) { SumBrain(&f, row); return f })
}

// SumDoubleRows does so for float64 numbers.
func SumDoubleRows(sums []float64, x []float64, n, next int) {
	sumRows(sums, x, n, next, 1, avxSumDoubleRows, sumDouble)
}

// sumRows takes vectors for rows of at least few numbers.
func sumRows[T any](sums []float64, x []T, n, next, few int, vectors func(rows, n int, sums *float64, x *T, next int), lanes func(row []T) [8]float64) {
	if haveAVX2 && len(sums) > 0 && n >= few {
		_ = x[(len(sums)-1)*next+n-1]
		vectors(len(sums), n, &sums[0], &x[0], next)
		return
	}
	for j := range sums {
		f := lanes(x[j*next:][:n])
		sums[j] = total(&f)
	}
}

func sumDouble(row []float64) (f [8]float64) {
	for i, v := range row {
		f[i&7] += v
	}
	return f
}

// JoinLanes adds eight lines of sums in the same tree, into the first of them.
func JoinLanes(sums []float64, width int) {
	n := fast(width, 4)
	if n > 0 {
		_ = sums[7*width+n-1]
		avxJoinLanes(n, &sums[0], 8*width)
	}
	for j := n; j < width; j++ {
		var f [8]float64
		for k := range f {
			f[k] = sums[k*width+j]
		}
		sums[j] = total(&f)
	}
}
