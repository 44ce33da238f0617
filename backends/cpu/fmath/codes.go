package fmath

import "math"

// whole is a number so large that the fraction of what is added to it falls off, rounded to even; bits are its own.
const (
	whole     = 3 << 22
	wholeBits = 0x4b400000
)

// EncodeI8 is round(clamp(x·inverse, lo, hi)) + zero, 0 for NaN; lo, hi, zero and their sums are whole, and fit int8.
func EncodeI8(dst []int8, src []float32, inverse, lo, hi float32, zero int32) {
	dst = dst[:len(src)]
	for i := encodeI8Fast(dst, src, inverse, lo, hi, zero); i < len(src); i++ {
		dst[i] = int8(Encode(src[i], inverse, lo, hi, zero))
	}
}

// EncodeU8 is EncodeI8 for uint8.
func EncodeU8(dst []uint8, src []float32, inverse, lo, hi float32, zero int32) {
	dst = dst[:len(src)]
	for i := encodeU8Fast(dst, src, inverse, lo, hi, zero); i < len(src); i++ {
		dst[i] = uint8(Encode(src[i], inverse, lo, hi, zero))
	}
}

// EncodeI16 is EncodeI8 for int16.
func EncodeI16(dst []int16, src []float32, inverse, lo, hi float32, zero int32) {
	dst = dst[:len(src)]
	for i := encodeI16Fast(dst, src, inverse, lo, hi, zero); i < len(src); i++ {
		dst[i] = int16(Encode(src[i], inverse, lo, hi, zero))
	}
}

// Encode is EncodeI8 for one number and codes of up to 16 bits.
func Encode(x, inverse, lo, hi float32, zero int32) int32 {
	v := float32(x * inverse)
	switch {
	case v > hi:
		v = hi
	case v < lo:
		v = lo
	case v != v:
		return 0
	}
	return int32(math.Float32bits(v+whole)) - wholeBits + zero
}
