package fmath

// The functions below write the sum of each of len(sums) rows of n numbers, next apart: in eight lanes, one for every eighth
// number, which are then added in the tree of ((0+4)+(2+6))+((1+5)+(3+7)).

// SumRows does so for float32 numbers.
func SumRows(sums []float64, x []float32, n, next int) {
	if sumRowsFast(sums, x, n, next) {
		return
	}
	for j := range sums {
		var f [8]float64
		Sum(&f, x[j*next:][:n])
		sums[j] = tree(&f)
	}
}

// SumHalfRows does so for IEEE halves.
func SumHalfRows(sums []float64, x []uint16, n, next int) {
	if sumHalfRowsFast(sums, x, n, next) {
		return
	}
	for j := range sums {
		var f [8]float64
		SumHalf(&f, x[j*next:][:n])
		sums[j] = tree(&f)
	}
}

// SumBrainRows does so for bfloat16 numbers.
func SumBrainRows(sums []float64, x []uint16, n, next int) {
	if sumBrainRowsFast(sums, x, n, next) {
		return
	}
	for j := range sums {
		var f [8]float64
		SumBrain(&f, x[j*next:][:n])
		sums[j] = tree(&f)
	}
}

// SumDoubleRows does so for float64 numbers.
func SumDoubleRows(sums []float64, x []float64, n, next int) {
	if sumDoubleRowsFast(sums, x, n, next) {
		return
	}
	for j := range sums {
		var f [8]float64
		sumDouble(&f, x[j*next:][:n])
		sums[j] = tree(&f)
	}
}

func sumDouble(lanes *[8]float64, src []float64) {
	for i, v := range src {
		lanes[i&7] += v
	}
}

func tree(f *[8]float64) float64 {
	return ((f[0] + f[4]) + (f[2] + f[6])) + ((f[1] + f[5]) + (f[3] + f[7]))
}

// JoinLanes adds eight lines of sums in the same tree, into the first of them.
func JoinLanes(sums []float64, width int) {
	for j := joinLanesFast(sums, width); j < width; j++ {
		var f [8]float64
		for k := range f {
			f[k] = sums[k*width+j]
		}
		sums[j] = tree(&f)
	}
}
