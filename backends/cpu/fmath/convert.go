package fmath

import "math"

// The functions below convert elements as Go does; dst is as long as src.

func I8ToI16(dst []int16, src []int8)       { extend(dst, src, 32, avxI8ToI16) }
func U8ToI16(dst []int16, src []uint8)      { extend(dst, src, 32, avxU8ToI16) }
func I8ToI32(dst []int32, src []int8)       { extend(dst, src, 16, avxI8ToI32) }
func U8ToI32(dst []int32, src []uint8)      { extend(dst, src, 16, avxU8ToI32) }
func I16ToI32(dst []int32, src []int16)     { extend(dst, src, 16, avxI16ToI32) }
func I8ToI64(dst []int64, src []int8)       { extend(dst, src, 8, avxI8ToI64) }
func U8ToI64(dst []int64, src []uint8)      { extend(dst, src, 8, avxU8ToI64) }
func I16ToI64(dst []int64, src []int16)     { extend(dst, src, 8, avxI16ToI64) }
func I32ToI64(dst []int64, src []int32)     { extend(dst, src, 8, avxI32ToI64) }
func I8ToF64(dst []float64, src []int8)     { extend(dst, src, 8, avxI8ToF64) }
func U8ToF64(dst []float64, src []uint8)    { extend(dst, src, 8, avxU8ToF64) }
func I16ToF64(dst []float64, src []int16)   { extend(dst, src, 8, avxI16ToF64) }
func I32ToF64(dst []float64, src []int32)   { extend(dst, src, 8, avxI32ToF64) }
func I32ToI16(dst []int16, src []int32)     { extend(dst, src, 16, avxI32ToI16) }
func F64ToF32(dst []float32, src []float64) { extend(dst, src, 8, avxF64ToF32) }

type number interface {
	int8 | uint8 | int16 | int32 | int64 | float32 | float64
}

func extend[D, S number](dst []D, src []S, step int, vectors func(n int, dst *D, src *S)) {
	dst = dst[:len(src)]
	for i := unary(dst, src, step, vectors); i < len(src); i++ {
		dst[i] = D(src[i])
	}
}

// F32ToF64 widens. Like Truncate, it is for arrays that stay on the stack.
func F32ToF64(dst []float64, src []float32) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxF32ToF64); i < len(src); i++ {
		dst[i] = float64(src[i])
	}
}

// These give 1 for what is not 0.

func BoolToF32(dst []float32, src []uint8) { flags(dst, src, 8, avxBoolToF32) }
func BoolToI32(dst []int32, src []uint8)   { flags(dst, src, 8, avxBoolToI32) }
func BoolToI64(dst []int64, src []uint8)   { flags(dst, src, 4, avxBoolToI64) }

func flags[D number](dst []D, src []uint8, step int, vectors func(n int, dst *D, src *uint8)) {
	dst = dst[:len(src)]
	for i := unary(dst, src, step, vectors); i < len(src); i++ {
		dst[i] = D(min(src[i], 1))
	}
}

// Truncate converts to integers towards zero; NaN and what does not fit give the smallest.
func Truncate(dst []int32, src []float32) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxTruncate); i < len(src); i++ {
		dst[i] = Truncated(float64(src[i]))
	}
}

// These give the low bits of what Truncate gives.

func F64ToI32(dst []int32, src []float64) { cut(dst, src, 8, avxF64ToI32) }
func F32ToI16(dst []int16, src []float32) { cut(dst, src, 16, avxF32ToI16) }
func F32ToI8(dst []int8, src []float32)   { cut(dst, src, 32, avxF32ToI8) }
func F32ToU8(dst []uint8, src []float32)  { cut(dst, src, 32, avxF32ToU8) }

func cut[D, S number](dst []D, src []S, step int, vectors func(n int, dst *D, src *S)) {
	dst = dst[:len(src)]
	for i := unary(dst, src, step, vectors); i < len(src); i++ {
		dst[i] = D(Truncated(float64(src[i])))
	}
}

// Truncated is Truncate for one number.
func Truncated(v float64) int32 {
	if v > -2147483649 && v < 2147483648 {
		return int32(v)
	}
	return math.MinInt32
}

// These do the first elements, up to one of 2⁵¹ or more in size, and say how many.

func I64ToF32(dst []float32, src []int64) int { return first(dst, src, avxI64ToF32) }
func I64ToF64(dst []float64, src []int64) int { return first(dst, src, avxI64ToF64) }

// F32ToI64 and F64ToI64 convert towards zero.

func F32ToI64(dst []int64, src []float32) int { return first(dst, src, avxF32ToI64) }
func F64ToI64(dst []int64, src []float64) int { return first(dst, src, avxF64ToI64) }

func first[D, S number](dst []D, src []S, vectors func(n int, dst *D, src *S) int) int {
	if n := fast(len(src), 8); n > 0 {
		return vectors(n, &dst[:n][0], &src[0])
	}
	return 0
}
