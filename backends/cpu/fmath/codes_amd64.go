package fmath

func encodeI8Fast(dst []int8, src []float32, inverse, lo, hi float32, zero int32) int {
	n := fast(len(src), 32)
	if n > 0 {
		avxEncodeI8(n, &dst[0], &src[0], inverse, lo, hi, zero)
	}
	return n
}

func encodeU8Fast(dst []uint8, src []float32, inverse, lo, hi float32, zero int32) int {
	n := fast(len(src), 32)
	if n > 0 {
		avxEncodeU8(n, &dst[0], &src[0], inverse, lo, hi, zero)
	}
	return n
}

func encodeI16Fast(dst []int16, src []float32, inverse, lo, hi float32, zero int32) int {
	n := fast(len(src), 16)
	if n > 0 {
		avxEncodeI16(n, &dst[0], &src[0], inverse, lo, hi, zero)
	}
	return n
}

//go:noescape
func avxEncodeI8(n int, dst *int8, src *float32, inverse, lo, hi float32, zero int32)

//go:noescape
func avxEncodeU8(n int, dst *uint8, src *float32, inverse, lo, hi float32, zero int32)

//go:noescape
func avxEncodeI16(n int, dst *int16, src *float32, inverse, lo, hi float32, zero int32)
