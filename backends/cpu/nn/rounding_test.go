package nn

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// Numbers are rounded one at a time as they are when they are stored: every exponent, and fractions at and beside ties.
func TestRounding(t *testing.T) {
	for _, d := range []executor.DType{arg.F16, arg.BF16} {
		r := roundingTo(d)
		for high := range uint32(1 << 16) {
			for _, low := range []uint32{0, 1, 0x7fff, 0x8000, 0x8001, 0xffff} {
				x := math.Float32frombits(high<<16 | low)
				want := []float32{x}
				walk.RoundHalves(want, d)
				got := r.round(x)
				if got != got && want[0] != want[0] {
					continue
				}
				require.Equalf(t, math.Float32bits(want[0]), math.Float32bits(got), "%v to %v", x, d)
			}
			for _, low := range []uint32{0x0fff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x3001} {
				x := math.Float32frombits(high<<16 | low)
				want := []float32{x}
				walk.RoundHalves(want, d)
				if got := r.round(x); got == got {
					require.Equalf(t, math.Float32bits(want[0]), math.Float32bits(got), "%v to %v", x, d)
				}
			}
		}
	}
}
