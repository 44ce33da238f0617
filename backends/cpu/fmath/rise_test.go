package fmath

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRise(t *testing.T) {
	for _, c := range [][2]float64{{0, 1}, {-3, 0.1}, {1e9, -7}, {math.Copysign(0, -1), 1}, {1e300, 1e299}, {5, 0}} {
		for _, n := range []int{0, 1, 7, 8, 9, 100, 1001} {
			single, double := make([]float32, n), make([]float64, n)
			Rise(single, c[0], c[1])
			RiseF64(double, c[0], c[1])
			for i := range n {
				want := c[0] + float64(float64(i)*c[1])
				require.Equal(t, math.Float64bits(want), math.Float64bits(double[i]), "%v, %d", c, i)
				require.Equal(t, math.Float32bits(float32(want)), math.Float32bits(single[i]), "%v, %d", c, i)
			}
		}
	}
}
