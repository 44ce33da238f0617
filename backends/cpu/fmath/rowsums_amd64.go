package fmath

// allRows says whether the assembly can do rows of n numbers, at least few, and looks whether they are all there.
func allRows[T any](sums []float64, x []T, n, next, few int) bool {
	if !haveAVX2 || len(sums) == 0 || n < few {
		return false
	}
	_ = x[(len(sums)-1)*next+n-1]
	return true
}

func sumRowsFast(sums []float64, x []float32, n, next int) bool {
	if !allRows(sums, x, n, next, 1) {
		return false
	}
	avxSumRows(len(sums), n, &sums[0], &x[0], 4*next)
	return true
}

func sumHalfRowsFast(sums []float64, x []uint16, n, next int) bool {
	if !allRows(sums, x, n, next, 8) {
		return false
	}
	avxSumHalfRows(len(sums), n, &sums[0], &x[0], 2*next)
	return true
}

func sumBrainRowsFast(sums []float64, x []uint16, n, next int) bool {
	if !allRows(sums, x, n, next, 8) {
		return false
	}
	avxSumBrainRows(len(sums), n, &sums[0], &x[0], 2*next)
	return true
}

func sumDoubleRowsFast(sums []float64, x []float64, n, next int) bool {
	if !allRows(sums, x, n, next, 1) {
		return false
	}
	avxSumDoubleRows(len(sums), n, &sums[0], &x[0], 8*next)
	return true
}

//go:noescape
func avxSumRows(rows, n int, sums *float64, x *float32, next int)

//go:noescape
func avxSumHalfRows(rows, n int, sums *float64, x *uint16, next int)

//go:noescape
func avxSumBrainRows(rows, n int, sums *float64, x *uint16, next int)

//go:noescape
func avxSumDoubleRows(rows, n int, sums *float64, x *float64, next int)

func joinLanesFast(sums []float64, width int) int {
	n := fast(width, 4)
	if n > 0 {
		_ = sums[7*width+n-1]
		avxJoinLanes(n, &sums[0], 8*width)
	}
	return n
}

//go:noescape
func avxJoinLanes(n int, sums *float64, pitch int)
