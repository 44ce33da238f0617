package fmath

func encodeI8Fast(dst []int8, src []float32, inverse, shift, lo, hi float32, zero int32) int {
	n := fast(len(src), 32)
	if n > 0 {
		avxEncodeI8(n, &dst[0], &src[0], inverse, shift, lo, hi, zero)
	}
	return n
}

func encodeU8Fast(dst []uint8, src []float32, inverse, shift, lo, hi float32, zero int32) int {
	n := fast(len(src), 32)
	if n > 0 {
		avxEncodeU8(n, &dst[0], &src[0], inverse, shift, lo, hi, zero)
	}
	return n
}

func encodeI16Fast(dst []int16, src []float32, inverse, shift, lo, hi float32, zero int32) int {
	n := fast(len(src), 16)
	if n > 0 {
		avxEncodeI16(n, &dst[0], &src[0], inverse, shift, lo, hi, zero)
	}
	return n
}

//go:noescape
func avxEncodeI8(n int, dst *int8, src *float32, inverse, shift, lo, hi float32, zero int32)

//go:noescape
func avxEncodeU8(n int, dst *uint8, src *float32, inverse, shift, lo, hi float32, zero int32)

//go:noescape
func avxEncodeI16(n int, dst *int16, src *float32, inverse, shift, lo, hi float32, zero int32)

func decodeI16Fast(dst []float32, src []int16, zero int32, scale float32) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxDecodeI16(n, &dst[0], &src[0], zero, scale)
	}
	return n
}

//go:noescape
func avxDecodeI16(n int, dst *float32, src *int16, zero int32, scale float32)

// decodeI32Fast takes differences in int32, and nothing if one does not fit.
func decodeI32Fast(dst []float32, src []int32, zero int32, scale float32) int {
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

//go:noescape
func avxDecodeI32(n int, dst *float32, src *int32, zero int32, scale float32, ends *[16]int32)

func shiftScaleFast(dst, src []float32, shift, scale float64) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxShiftScale(n, &dst[0], &src[0], shift, scale)
	}
	return n
}

//go:noescape
func avxShiftScale(n int, dst, src *float32, shift, scale float64)

func scaleRoundFast(dst, src []float32, scale, shift float64) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxScaleRound(n, &dst[0], &src[0], scale, shift)
	}
	return n
}

//go:noescape
func avxScaleRound(n int, dst, src *float32, scale, shift float64)

func scaleRoundF64Fast(dst []float32, src []float64, scale, shift float64) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxScaleRoundF64(n, &dst[0], &src[0], scale, shift)
	}
	return n
}

//go:noescape
func avxScaleRoundF64(n int, dst *float32, src *float64, scale, shift float64)
