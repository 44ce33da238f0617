package fmath

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Vectors convert as single numbers are converted, and stop before what they do not know.
func TestConversions(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	telling := []float64{0, math.Copysign(0, -1), -0.5, 2.5, -2147483648.5, -2147483649, 2147483647.5, 2147483648, 1 << 51, -1 << 51, 1<<51 - 1, 1e18, -1e19, math.Inf(1), math.Inf(-1), math.NaN()}
	for n := range 100 {
		long, double, single := make([]int64, n), make([]float64, n), make([]float32, n)
		for i := range n {
			long[i] = int64(r.Uint64()) >> r.IntN(64)
			if n < 40 {
				long[i] >>= 13
			}
			double[i] = r.NormFloat64() * 1e6
			if r.IntN(n) == 0 {
				double[i] = telling[r.IntN(len(telling))]
			}
			single[i] = float32(double[i])
		}
		short, narrow, small, tiny := make([]int32, n), make([]int16, n), make([]int8, n), make([]uint8, n)
		for i, x := range long {
			short[i], narrow[i], small[i], tiny[i] = int32(x), int16(x), int8(x), uint8(x)
		}
		agree(t, I8ToI16, small)
		agree(t, U8ToI16, tiny)
		agree(t, I8ToI32, small)
		agree(t, U8ToI32, tiny)
		agree(t, I16ToI32, narrow)
		agree(t, I8ToI64, small)
		agree(t, U8ToI64, tiny)
		agree(t, I16ToI64, narrow)
		agree(t, I32ToI64, short)
		agree(t, I8ToF64, small)
		agree(t, U8ToF64, tiny)
		agree(t, I32ToF64, short)
		agree(t, F32ToF64, single)
		agree(t, F64ToF32, double)
		agree(t, I16ToF64, narrow)
		agree(t, I32ToI16, short)
		exact(t, BoolToF32, tiny, func(x uint8) float32 { return float32(min(x, 1)) })
		exact(t, BoolToI32, tiny, func(x uint8) int32 { return int32(min(x, 1)) })
		exact(t, BoolToI64, tiny, func(x uint8) int64 { return int64(min(x, 1)) })
		exact(t, Truncate, single, func(x float32) int32 { return Truncated(float64(x)) })
		exact(t, F64ToI32, double, Truncated)
		exact(t, F32ToI16, single, func(x float32) int16 { return int16(Truncated(float64(x))) })
		exact(t, F32ToI8, single, func(x float32) int8 { return int8(Truncated(float64(x))) })
		exact(t, F32ToU8, single, func(x float32) uint8 { return uint8(Truncated(float64(x))) })
		partly(t, I64ToF32, long, func(x int64) bool { return x>>51 == 0 || x>>51 == -1 })
		partly(t, I64ToF64, long, func(x int64) bool { return x>>51 == 0 || x>>51 == -1 })
		partly(t, F32ToI64, single, func(x float32) bool { return math.Abs(float64(x)) < 1<<51 })
		partly(t, F64ToI64, double, func(x float64) bool { return math.Abs(x) < 1<<51 })
	}
}

func agree[D, S number](t *testing.T, convert func(dst []D, src []S), src []S) {
	dst := make([]D, len(src))
	convert(dst, src)
	for i, x := range src {
		if x == x {
			require.Equal(t, D(x), dst[i], "%T of %T %v", dst, src, x)
		} else {
			require.True(t, dst[i] != dst[i])
		}
	}
}

func exact[D, S number](t *testing.T, convert func(dst []D, src []S), src []S, want func(S) D) {
	dst := make([]D, len(src))
	convert(dst, src)
	for i, x := range src {
		require.Equal(t, want(x), dst[i], "%T of %T %v", dst, src, x)
	}
}

func partly[D, S number](t *testing.T, convert func(dst []D, src []S) int, src []S, known func(S) bool) {
	dst := make([]D, len(src))
	n := convert(dst, src)
	for i, x := range src[:n] {
		require.Equal(t, D(x), dst[i], "%T of %T %v", dst, src, x)
	}
	all := haveAVX2
	for _, x := range src[n:min(n+8, len(src))] {
		all = all && known(x)
	}
	require.False(t, all && len(src)-n >= 8, "%v", src[n:])
}
