package fmath

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEncodeAgreesWithTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for n := range 200 {
		x := make([]float32, n)
		for i := range x {
			switch x[i] = float32(r.NormFloat64() * 100); r.IntN(8) {
			case 0:
				x[i] = float32(r.IntN(600)-300) / 2 // halves go to even
			case 1:
				x[i] = []float32{nan, -nan, inf, -inf, 1e30, -1e30}[r.IntN(6)]
			}
		}
		zero := int32(r.IntN(100) - 20)
		inverse := float32(1)
		if n%2 == 1 {
			inverse = r.Float32() * 4
		}
		want := func(v, lo, hi float32) int32 {
			switch v = float32(v * inverse); {
			case v != v:
				return 0
			default:
				return int32(math.RoundToEven(float64(max(lo, min(hi, v))))) + zero
			}
		}
		i8, u8, i16 := make([]int8, n), make([]uint8, n), make([]int16, n)
		EncodeI8(i8, x, inverse, -128-float32(zero), 127-float32(zero), zero)
		EncodeU8(u8, x, inverse, -float32(zero), 255-float32(zero), zero)
		EncodeI16(i16, x, inverse, -32768-float32(zero), 32767-float32(zero), zero)
		for i, v := range x {
			require.EqualValues(t, want(v, -128-float32(zero), 127-float32(zero)), i8[i], "%v", v)
			require.EqualValues(t, want(v, -float32(zero), 255-float32(zero)), u8[i], "%v", v)
			require.EqualValues(t, want(v, -32768-float32(zero), 32767-float32(zero)), i16[i], "%v", v)
		}
	}
}
