//go:build !amd64

package fmath

// Other machines have the portable loops alone.

func encodeI8Fast(dst []int8, src []float32, inverse, shift, lo, hi float32, zero int32) int {
	return 0
}
func encodeU8Fast(dst []uint8, src []float32, inverse, shift, lo, hi float32, zero int32) int {
	return 0
}
func encodeI16Fast(dst []int16, src []float32, inverse, shift, lo, hi float32, zero int32) int {
	return 0
}
func decodeI16Fast(dst []float32, src []int16, zero int32, scale float32) int  { return 0 }
func decodeI32Fast(dst []float32, src []int32, zero int32, scale float32) int  { return 0 }
func shiftScaleFast(dst, src []float32, shift, scale float64) int              { return 0 }
func scaleRoundFast(dst, src []float32, scale, shift float64) int              { return 0 }
func scaleRoundF64Fast(dst []float32, src []float64, scale, shift float64) int { return 0 }
