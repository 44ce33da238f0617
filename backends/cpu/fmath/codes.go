package fmath

import "math"

// whole is a number so large that the fraction of what is added to it falls off, rounded to even; bits are its own.
const (
	whole     = 3 << 22
	wholeBits = 0x4b400000
)

// EncodeI8 is round(clamp(x·inverse + shift, lo, hi)) + zero, 0 for NaN; lo, hi and zero are whole, and lo + zero and
// hi + zero fit int8.
func EncodeI8(dst []int8, src []float32, inverse, shift, lo, hi float32, zero int32) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxEncodeI8(n, &dst[0], &src[0], inverse, shift, lo, hi, zero)
	}
	for i := n; i < len(src); i++ {
		dst[i] = int8(Encode(src[i], inverse, shift, lo, hi, zero))
	}
}

// EncodeU8 is EncodeI8 for uint8.
func EncodeU8(dst []uint8, src []float32, inverse, shift, lo, hi float32, zero int32) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxEncodeU8(n, &dst[0], &src[0], inverse, shift, lo, hi, zero)
	}
	for i := n; i < len(src); i++ {
		dst[i] = uint8(Encode(src[i], inverse, shift, lo, hi, zero))
	}
}

// EncodeI16 is EncodeI8 for int16.
func EncodeI16(dst []int16, src []float32, inverse, shift, lo, hi float32, zero int32) {
	dst = dst[:len(src)]
	n := fast(len(src), 16)
	if n > 0 {
		avxEncodeI16(n, &dst[0], &src[0], inverse, shift, lo, hi, zero)
	}
	for i := n; i < len(src); i++ {
		dst[i] = int16(Encode(src[i], inverse, shift, lo, hi, zero))
	}
}

// Encode is EncodeI8 for one number and limits of up to 2²¹; NaN gives the smallest int32, of which other codes are the low
// bits.
func Encode(x, inverse, shift, lo, hi float32, zero int32) int32 {
	v := float32(x*inverse) + shift
	switch {
	case v > hi:
		v = hi
	case v < lo:
		v = lo
	case v != v:
		return math.MinInt32
	}
	return int32(math.Float32bits(v+whole)) - wholeBits + zero
}

// DecodeI16 is (x − zero)·scale.
func DecodeI16(dst []float32, src []int16, zero int32, scale float32) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxDecodeI16(n, &dst[0], &src[0], zero, scale)
	}
	for i := n; i < len(src); i++ {
		dst[i] = float32(int32(src[i])-zero) * scale
	}
}

// DecodeI32 is (x − zero)·scale, the difference rounded to float32 first.
func DecodeI32(dst []float32, src []int32, zero int32, scale float32) {
	dst = dst[:len(src)]
	for i := differences(dst, src, zero, scale); i < len(src); i++ {
		dst[i] = float32(int64(src[i])-int64(zero)) * scale
	}
}

// differences is the part of DecodeI32 that the assembly does, which takes them in int32: nothing if one does not fit.
func differences(dst []float32, src []int32, zero int32, scale float32) int {
	n := fast(len(src), 8)
	if n == 0 {
		return 0
	}
	var ends [16]int32 // the smallest and the largest of every eighth number
	avxDecodeI32(n, &dst[0], &src[0], zero, scale, &ends)
	for _, x := range ends {
		if d := int64(x) - int64(zero); d != int64(int32(d)) {
			return 0
		}
	}
	return n
}

// ShiftScale is (x − shift)·scale, computed in float64.
func ShiftScale(dst, src []float32, shift, scale float64) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxShiftScale(n, &dst[0], &src[0], shift, scale)
	}
	for i := n; i < len(src); i++ {
		dst[i] = float32((float64(src[i]) - shift) * scale)
	}
}

// ShiftScaleI8 is ShiftScale of int8.
func ShiftScaleI8(dst []float32, src []int8, shift, scale float64) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxShiftScaleI8(n, &dst[0], &src[0], shift, scale)
	}
	for i := n; i < len(src); i++ {
		dst[i] = float32((float64(src[i]) - shift) * scale)
	}
}

// ShiftScaleU8 is ShiftScale of uint8.
func ShiftScaleU8(dst []float32, src []uint8, shift, scale float64) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxShiftScaleU8(n, &dst[0], &src[0], shift, scale)
	}
	for i := n; i < len(src); i++ {
		dst[i] = float32((float64(src[i]) - shift) * scale)
	}
}

// ScaleRound is x·scale + shift, computed in float64 and rounded to a whole number, ties to even.
func ScaleRound(dst, src []float32, scale, shift float64) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxScaleRound(n, &dst[0], &src[0], scale, shift)
	}
	for i := n; i < len(src); i++ {
		dst[i] = float32(math.RoundToEven(float64(float64(src[i])*scale) + shift))
	}
}

// ScaleRoundF64 is ScaleRound of float64.
func ScaleRoundF64(dst []float32, src []float64, scale, shift float64) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxScaleRoundF64(n, &dst[0], &src[0], scale, shift)
	}
	for i := n; i < len(src); i++ {
		dst[i] = float32(math.RoundToEven(float64(src[i]*scale) + shift))
	}
}
