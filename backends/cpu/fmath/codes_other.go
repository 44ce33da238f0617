//go:build !amd64

package fmath

// Other machines have the portable loops alone.

func encodeI8Fast(dst []int8, src []float32, inverse, lo, hi float32, zero int32) int   { return 0 }
func encodeU8Fast(dst []uint8, src []float32, inverse, lo, hi float32, zero int32) int  { return 0 }
func encodeI16Fast(dst []int16, src []float32, inverse, lo, hi float32, zero int32) int { return 0 }
