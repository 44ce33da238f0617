package lanes

import "math"

// number is what folds are made for.
type number interface {
	uint8 | int8 | int16 | int32 | int64 | float64
}

// The folds take a whole row to one number; the order does not matter to their results. Of no elements, the largest is the
// smallest number there is and the smallest the largest.

// MaxOfU8 is the largest.
func MaxOfU8(x []uint8) uint8 { m, n := maxU8Fast(x); return most(m, x[n:]) }

// MinOfU8 is the smallest.
func MinOfU8(x []uint8) uint8 { m, n := minU8Fast(x); return least(m, x[n:]) }

// MaxOfI8 is the largest.
func MaxOfI8(x []int8) int8 { m, n := maxI8Fast(x); return most(m, x[n:]) }

// MinOfI8 is the smallest.
func MinOfI8(x []int8) int8 { m, n := minI8Fast(x); return least(m, x[n:]) }

// MaxOfI16 is the largest.
func MaxOfI16(x []int16) int16 { m, n := maxI16Fast(x); return most(m, x[n:]) }

// MinOfI16 is the smallest.
func MinOfI16(x []int16) int16 { m, n := minI16Fast(x); return least(m, x[n:]) }

// MaxOfI32 is the largest.
func MaxOfI32(x []int32) int32 { m, n := maxI32Fast(x); return most(m, x[n:]) }

// MinOfI32 is the smallest.
func MinOfI32(x []int32) int32 { m, n := minI32Fast(x); return least(m, x[n:]) }

// MaxOfI64 is the largest.
func MaxOfI64(x []int64) int64 {
	lanes := [4]int64{math.MinInt64, math.MinInt64, math.MinInt64, math.MinInt64}
	n := maxI64Fast(&lanes, x)
	return most(most(math.MinInt64, lanes[:]), x[n:])
}

// MinOfI64 is the smallest.
func MinOfI64(x []int64) int64 {
	lanes := [4]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64}
	n := minI64Fast(&lanes, x)
	return least(least(math.MaxInt64, lanes[:]), x[n:])
}

// MaxOfF64 is the largest, NaN if any is. Which zero it is depends on the order of zeros.
func MaxOfF64(x []float64) float64 {
	inf := math.Inf(-1)
	lanes := [4]float64{inf, inf, inf, inf}
	n := maxF64Fast(&lanes, x)
	return most(most(inf, lanes[:]), x[n:])
}

// MinOfF64 is the smallest, NaN if any is. Which zero it is depends on the order of zeros.
func MinOfF64(x []float64) float64 {
	inf := math.Inf(1)
	lanes := [4]float64{inf, inf, inf, inf}
	n := minF64Fast(&lanes, x)
	return least(least(inf, lanes[:]), x[n:])
}

func most[T number](m T, x []T) T {
	for _, v := range x {
		m = max(m, v)
	}
	return m
}

func least[T number](m T, x []T) T {
	for _, v := range x {
		m = min(m, v)
	}
	return m
}

// SumI64 adds with wrap-around.
func SumI64(x []int64) int64 { s, n := sumI64Fast(x); return total(s, x[n:]) }

// SumI32 adds.
func SumI32(x []int32) int64 { s, n := sumI32Fast(x); return total(s, x[n:]) }

// SumI16 adds.
func SumI16(x []int16) int64 { return total(0, x) }

// SumI8 adds.
func SumI8(x []int8) int64 { return total(0, x) }

// SumU8 adds.
func SumU8(x []uint8) int64 { s, n := sumU8Fast(x); return total(s, x[n:]) }

// CountBool is the number of those that are not 0.
func CountBool(x []uint8) int64 {
	s, n := countFast(x)
	for _, v := range x[n:] {
		s += int64(min(v, 1))
	}
	return s
}

func total[T uint8 | int8 | int16 | int32 | int64](s int64, x []T) int64 {
	var a, b, c int64
	for len(x) >= 4 {
		s += int64(x[0])
		a += int64(x[1])
		b += int64(x[2])
		c += int64(x[3])
		x = x[4:]
	}
	for _, v := range x {
		s += int64(v)
	}
	return s + a + b + c
}

// SumF64 adds to eight sums, one for every eighth element.
func SumF64(sums *[8]float64, x []float64) {
	for i, v := range x[sumF64Fast(sums, x):] {
		sums[i&7] += v
	}
}

// The functions below add each of x to the sum at its place.

// AddU8 adds bytes.
func AddU8(sums []int64, x []uint8) { addFrom(sums, x, addU8Fast(sums, x)) }

// AddI8 adds signed bytes.
func AddI8(sums []int64, x []int8) { addFrom(sums, x, addI8Fast(sums, x)) }

// AddI16 adds numbers of 16 bits.
func AddI16(sums []int64, x []int16) { addFrom(sums, x, addI16Fast(sums, x)) }

// AddI32 adds numbers of 32 bits.
func AddI32(sums []int64, x []int32) { addFrom(sums, x, addI32Fast(sums, x)) }

// AddBool adds 1 for each that is not 0.
func AddBool(sums []int64, x []uint8) {
	for i := addBoolFast(sums, x); i < len(x); i++ {
		sums[i] += int64(min(x[i], 1))
	}
}

func addFrom[T uint8 | int8 | int16 | int32](sums []int64, x []T, i int) {
	for ; i < len(x); i++ {
		sums[i] += int64(x[i])
	}
}
