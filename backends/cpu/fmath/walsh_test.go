package fmath

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWalsh(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	for n := 1; n <= 512; n *= 2 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(r.IntN(200) - 100)
		}
		want := make([]float32, n) // whole numbers: exact
		for k := range want {
			for i, v := range x {
				if bits.OnesCount(uint(i&k))%2 == 1 {
					v = -v
				}
				want[k] += v
			}
		}
		Walsh(x)
		require.Equal(t, want, x)
		// Rounded sums are those of the portable loop.
		for i := range x {
			x[i] = r.Float32()
		}
		y := append([]float32{}, x...)
		Walsh(x)
		for step := 1; step < n; step *= 2 {
			for i := range y {
				if i&step == 0 {
					y[i], y[i+step] = y[i]+y[i+step], y[i]-y[i+step]
				}
			}
		}
		require.Equal(t, y, x)
	}
}
