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
		shift := []float32{0, 3, 0.25}[r.IntN(3)]
		want := func(v, lo, hi float32) int32 {
			switch v = float32(v*inverse) + shift; {
			case v != v:
				return 0
			default:
				return int32(math.RoundToEven(float64(max(lo, min(hi, v))))) + zero
			}
		}
		i8, u8, i16 := make([]int8, n), make([]uint8, n), make([]int16, n)
		EncodeI8(i8, x, inverse, shift, -128-float32(zero), 127-float32(zero), zero)
		EncodeU8(u8, x, inverse, shift, -float32(zero), 255-float32(zero), zero)
		EncodeI16(i16, x, inverse, shift, -32768-float32(zero), 32767-float32(zero), zero)
		for i, v := range x {
			require.EqualValues(t, want(v, -128-float32(zero), 127-float32(zero)), i8[i], "%v", v)
			require.EqualValues(t, want(v, -float32(zero), 255-float32(zero)), u8[i], "%v", v)
			require.EqualValues(t, want(v, -32768-float32(zero), 32767-float32(zero)), i16[i], "%v", v)
		}
	}
}

func TestDecodeAgreesWithTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for n := range 100 {
		i16, i32 := make([]int16, n), make([]int32, n)
		i8, u8 := make([]int8, n), make([]uint8, n)
		f32, f64 := make([]float32, n), make([]float64, n)
		for i := range n {
			i8[i], u8[i] = int8(r.Uint32()), uint8(r.Uint32())
			i16[i], i32[i] = int16(r.Uint32()), int32(r.Uint32())>>(n%2*11)
			f32[i] = float32(r.IntN(1000)-500) / 2
			if f64[i] = r.NormFloat64() * 100; r.IntN(10) == 0 {
				f32[i] = []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e30}[r.IntN(4)]
				f64[i] = float64(f32[i])
			}
		}
		zero, scale := float64(r.IntN(2000)-1000), r.Float64()
		a, b, c, d, e := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
		DecodeI16(a, i16, int32(zero), float32(scale))
		DecodeI32(b, i32, int32(zero), float32(scale))
		ShiftScale(c, f32, zero, scale)
		fromI8, fromU8 := make([]float32, n), make([]float32, n)
		ShiftScaleI8(fromI8, i8, zero, scale)
		ShiftScaleU8(fromU8, u8, zero, scale)
		ScaleRound(d, f32, scale, zero)
		ScaleRoundF64(e, f64, scale, zero)
		same := func(want, got float32) {
			require.Equal(t, math.Float32bits(want)&^0x400000, math.Float32bits(got)&^0x400000, "%v, %v", want, got)
		}
		for i := range n {
			same(float32(int32(i16[i])-int32(zero))*float32(scale), a[i])
			same(float32(float64(i32[i])-zero)*float32(scale), b[i])
			same(float32((float64(f32[i])-zero)*scale), c[i])
			same(float32((float64(i8[i])-zero)*scale), fromI8[i])
			same(float32((float64(u8[i])-zero)*scale), fromU8[i])
			same(float32(math.RoundToEven(float64(float64(f32[i])*scale)+zero)), d[i])
			same(float32(math.RoundToEven(float64(f64[i]*scale)+zero)), e[i])
		}
	}
}
