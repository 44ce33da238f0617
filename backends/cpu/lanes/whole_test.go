package lanes_test

import (
	"cmp"
	"math"
	"testing"

	"github.com/ptero-rt/ptero/backends/cpu/lanes"
)

func sign[T whole](a, _ T) T {
	switch {
	case a > 0:
		return 1
	case a < 0:
		return T(0) - 1
	}
	return 0
}

func positive[T cmp.Ordered](a, _ T) T {
	var zero T
	if a < zero {
		return zero
	}
	return a
}

func TestWhole(t *testing.T) {
	check(t, "mul u8", lanes.Mul8, func(a, b uint8) uint8 { return a * b })
	check(t, "mul i64", lanes.Mul64, func(a, b int64) int64 { return a * b })
	check(t, "sign u8", lanes.SignU8, sign[uint8])
	check(t, "sign i8", lanes.Sign8, sign[int8])
	check(t, "sign i16", lanes.Sign16, sign[int16])
	check(t, "sign i32", lanes.Sign32, sign[int32])
	check(t, "sign i64", lanes.Sign64, sign[int64])
	check(t, "abs i64", lanes.Abs64, func(a, _ int64) int64 { return max(a, -a) | a&-a&math.MinInt64 })
	check(t, "positive i8", lanes.Positive8, positive[int8])
	check(t, "positive i16", lanes.Positive16, positive[int16])
	check(t, "positive i32", lanes.Positive32, positive[int32])
	check(t, "positive i64", lanes.Positive64, positive[int64])
	check(t, "left u8", lanes.ShiftLeft8, func(a, n uint8) uint8 { return a << n })
	check(t, "right u8", lanes.ShiftRightU8, func(a, n uint8) uint8 { return a >> n })
	check(t, "right i8", lanes.ShiftRightI8, func(a, n int8) int8 { return a >> uint8(n) })
	check(t, "left i16", lanes.ShiftLeft16, func(a, n int16) int16 { return a << uint16(n) })
	check(t, "right i16", lanes.ShiftRight16, func(a, n int16) int16 { return a >> uint16(n) })
}

func TestDoubles(t *testing.T) {
	check(t, "positive", lanes.PositiveF64, positive[float64])
	check(t, "sign", lanes.SignF64, func(a, _ float64) float64 {
		switch {
		case a > 0:
			return 1
		case a < 0:
			return -1
		}
		return 0
	})
}
