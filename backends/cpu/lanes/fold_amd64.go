package lanes

import (
	"math"

	"golang.org/x/sys/cpu"
)

// The larger and the smaller of two; and loops of a search, which give a where it is larger, or smaller, than b or NaN,
// else b.
var (
	MaxI64     = vectors(avxMaxI64)
	MinI64     = vectors(avxMinI64)
	TakeMaxF64 = vectors(avxTakeMaxF64)
	TakeMinF64 = vectors(avxTakeMinF64)
)

// whole is how many of n elements, step to a vector, the assembly does.
func whole(n, step int) int {
	if !cpu.X86.HasAVX2 {
		return 0
	}
	return n &^ (step - 1)
}

// atLeast is how many of n elements the assembly does that needs a vector of step.
func atLeast(n, step int) int {
	if n < step {
		return 0
	}
	return whole(n, 1)
}

func maxU8Fast(x []uint8) (uint8, int) {
	n := atLeast(len(x), 32)
	if n == 0 {
		return 0, 0
	}
	return uint8(avxMaxOfU8(n, &x[0])), n
}

func minU8Fast(x []uint8) (uint8, int) {
	n := atLeast(len(x), 32)
	if n == 0 {
		return math.MaxUint8, 0
	}
	return uint8(avxMinOfU8(n, &x[0])), n
}

func maxI8Fast(x []int8) (int8, int) {
	n := atLeast(len(x), 32)
	if n == 0 {
		return math.MinInt8, 0
	}
	return int8(avxMaxOfI8(n, &x[0])), n
}

func minI8Fast(x []int8) (int8, int) {
	n := atLeast(len(x), 32)
	if n == 0 {
		return math.MaxInt8, 0
	}
	return int8(avxMinOfI8(n, &x[0])), n
}

func maxI16Fast(x []int16) (int16, int) {
	n := atLeast(len(x), 16)
	if n == 0 {
		return math.MinInt16, 0
	}
	return int16(avxMaxOfI16(2*n, &x[0])), n
}

func minI16Fast(x []int16) (int16, int) {
	n := atLeast(len(x), 16)
	if n == 0 {
		return math.MaxInt16, 0
	}
	return int16(avxMinOfI16(2*n, &x[0])), n
}

func maxI32Fast(x []int32) (int32, int) {
	n := atLeast(len(x), 8)
	if n == 0 {
		return math.MinInt32, 0
	}
	return int32(avxMaxOfI32(4*n, &x[0])), n
}

func minI32Fast(x []int32) (int32, int) {
	n := atLeast(len(x), 8)
	if n == 0 {
		return math.MaxInt32, 0
	}
	return int32(avxMinOfI32(4*n, &x[0])), n
}

func maxI64Fast(lanes *[4]int64, x []int64) int {
	n := atLeast(len(x), 4)
	if n > 0 {
		avxMaxOfI64(8*n, &x[0], lanes)
	}
	return n
}

func minI64Fast(lanes *[4]int64, x []int64) int {
	n := atLeast(len(x), 4)
	if n > 0 {
		avxMinOfI64(8*n, &x[0], lanes)
	}
	return n
}

func maxF64Fast(lanes *[4]float64, x []float64) int {
	n := atLeast(len(x), 4)
	if n > 0 {
		avxMaxOfF64(8*n, &x[0], lanes)
	}
	return n
}

func minF64Fast(lanes *[4]float64, x []float64) int {
	n := atLeast(len(x), 4)
	if n > 0 {
		avxMinOfF64(8*n, &x[0], lanes)
	}
	return n
}

func sumI64Fast(x []int64) (int64, int) {
	n := whole(len(x), 4)
	if n == 0 {
		return 0, 0
	}
	return avxSumI64(8*n, &x[0]), n
}

func sumI32Fast(x []int32) (int64, int) {
	n := whole(len(x), 8)
	if n == 0 {
		return 0, 0
	}
	return avxSumI32(4*n, &x[0]), n
}

func sumU8Fast(x []uint8) (int64, int) {
	n := whole(len(x), 32)
	if n == 0 {
		return 0, 0
	}
	return avxSumU8(n, &x[0]), n
}

func countFast(x []uint8) (int64, int) {
	n := whole(len(x), 32)
	if n == 0 {
		return 0, 0
	}
	return avxCount(n, &x[0]), n
}

func sumF64Fast(sums *[8]float64, x []float64) int {
	n := whole(len(x), 8)
	if n > 0 {
		avxSumOfF64(8*n, &x[0], sums)
	}
	return n
}

func addU8Fast(sums []int64, x []uint8) int {
	n := whole(len(x), 8)
	if n > 0 {
		_ = sums[n-1]
		avxWidenU8(n, &sums[0], &x[0])
	}
	return n
}

func addI8Fast(sums []int64, x []int8) int {
	n := whole(len(x), 8)
	if n > 0 {
		_ = sums[n-1]
		avxWidenI8(n, &sums[0], &x[0])
	}
	return n
}

func addI16Fast(sums []int64, x []int16) int {
	n := whole(len(x), 8)
	if n > 0 {
		_ = sums[n-1]
		avxWidenI16(n, &sums[0], &x[0])
	}
	return n
}

func addI32Fast(sums []int64, x []int32) int {
	n := whole(len(x), 8)
	if n > 0 {
		_ = sums[n-1]
		avxWidenI32(n, &sums[0], &x[0])
	}
	return n
}

func addBoolFast(sums []int64, x []uint8) int {
	n := whole(len(x), 8)
	if n > 0 {
		_ = sums[n-1]
		avxWidenBool(n, &sums[0], &x[0])
	}
	return n
}

//go:noescape
func avxMaxI64(n int, dst, a, b *byte)

//go:noescape
func avxMinI64(n int, dst, a, b *byte)

//go:noescape
func avxTakeMaxF64(n int, dst, a, b *byte)

//go:noescape
func avxTakeMinF64(n int, dst, a, b *byte)

//go:noescape
func avxMaxOfU8(n int, src *uint8) int64

//go:noescape
func avxMinOfU8(n int, src *uint8) int64

//go:noescape
func avxMaxOfI8(n int, src *int8) int64

//go:noescape
func avxMinOfI8(n int, src *int8) int64

//go:noescape
func avxMaxOfI16(n int, src *int16) int64

//go:noescape
func avxMinOfI16(n int, src *int16) int64

//go:noescape
func avxMaxOfI32(n int, src *int32) int64

//go:noescape
func avxMinOfI32(n int, src *int32) int64

//go:noescape
func avxMaxOfI64(n int, src *int64, lanes *[4]int64)

//go:noescape
func avxMinOfI64(n int, src *int64, lanes *[4]int64)

//go:noescape
func avxMaxOfF64(n int, src *float64, lanes *[4]float64)

//go:noescape
func avxMinOfF64(n int, src *float64, lanes *[4]float64)

//go:noescape
func avxSumI64(n int, src *int64) int64

//go:noescape
func avxSumI32(n int, src *int32) int64

//go:noescape
func avxSumU8(n int, src *uint8) int64

//go:noescape
func avxCount(n int, src *uint8) int64

//go:noescape
func avxSumOfF64(n int, src *float64, sums *[8]float64)

//go:noescape
func avxWidenU8(n int, sums *int64, x *uint8)

//go:noescape
func avxWidenI8(n int, sums *int64, x *int8)

//go:noescape
func avxWidenI16(n int, sums *int64, x *int16)

//go:noescape
func avxWidenI32(n int, sums *int64, x *int32)

//go:noescape
func avxWidenBool(n int, sums *int64, x *uint8)
