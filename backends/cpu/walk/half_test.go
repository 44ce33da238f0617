package walk

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHalfRoundTrip(t *testing.T) {
	for h := range 1 << 16 {
		for _, c := range []struct {
			wide   func(uint16) float32
			narrow func(float32) uint16
		}{{F16ToF32, F32ToF16}, {BF16ToF32, F32ToBF16}} {
			f := c.wide(uint16(h))
			if f != f {
				require.True(t, c.wide(c.narrow(f)) != c.wide(c.narrow(f)))
				continue
			}
			require.Equal(t, uint16(h), c.narrow(f), "%#x is %g", h, f)
		}
	}
}

// Rounding to a half must pick the nearer neighbour, and the even one at the middle.
func TestHalfRounding(t *testing.T) {
	for h := range 0x7bff {
		lo, hi := float64(F16ToF32(uint16(h))), float64(F16ToF32(uint16(h+1)))
		mid := float32((lo + hi) / 2)
		even := uint16(h + h&1)
		require.Equal(t, even, F32ToF16(mid), "%g", mid)
		require.Equal(t, even|0x8000, F32ToF16(-mid), "%g", mid)
		require.Equal(t, uint16(h), F32ToF16(math.Nextafter32(mid, 0)), "below %g", mid)
		require.Equal(t, uint16(h+1), F32ToF16(math.Nextafter32(mid, 1e9)), "above %g", mid)
	}
	require.Equal(t, uint16(0x7bff), F32ToF16(65519))
	require.Equal(t, uint16(0x7c00), F32ToF16(65520))
	require.Equal(t, uint16(0xfc00), F32ToF16(float32(math.Inf(-1))))
}
