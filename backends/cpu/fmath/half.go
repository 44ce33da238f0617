package fmath

import "math"

// Widen widens an IEEE half.
func Widen(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	abs := uint32(h & 0x7fff)
	switch {
	case abs >= 0x7c00: // infinity, NaN
		return math.Float32frombits(sign | 0x7f800000 | (abs&0x3ff)<<13)
	case abs >= 0x400:
		return math.Float32frombits(sign | (abs<<13 + 112<<23))
	}
	// Subnormal: abs is an exact multiple of 2⁻²⁴.
	return math.Float32frombits(sign | math.Float32bits(float32(abs)*(1.0/(1<<24))))
}

// Narrow narrows to an IEEE half, ties to even.
func Narrow(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & 0x8000)
	abs := b & 0x7fffffff
	switch {
	case abs > 0x7f800000:
		return sign | 0x7e00
	case abs >= 0x477ff000: // rounds to 2¹⁶ or more
		return sign | 0x7c00
	case abs >= 0x38800000: // normal
		abs += 0xfff + abs>>13&1
		return sign | uint16((abs-112<<23)>>13)
	}
	// Adding ½·2 moves the half's last place to the float's last place, and rounds there.
	m := math.Float32frombits(abs) + 0.5
	return sign | uint16(math.Float32bits(m)-math.Float32bits(0.5))
}

// FromHalf widens IEEE halves. NaN stays NaN, with any payload.
func FromHalf(dst []float32, src []uint16) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxFromHalf); i < len(src); i++ {
		dst[i] = Widen(src[i])
	}
}

// ToHalf narrows to IEEE halves, ties to even. NaN stays NaN, with any payload.
func ToHalf(dst []uint16, src []float32) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxToHalf); i < len(src); i++ {
		dst[i] = Narrow(src[i])
	}
}

// WidenBrain widens a bfloat16.
func WidenBrain(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// NarrowBrain narrows to a bfloat16, ties to even.
func NarrowBrain(f float32) uint16 {
	b := math.Float32bits(f)
	if b&0x7fffffff > 0x7f800000 {
		return uint16(b>>16) | 0x40
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// FromBrain widens bfloat16 numbers.
func FromBrain(dst []float32, src []uint16) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxFromBrain); i < len(src); i++ {
		dst[i] = WidenBrain(src[i])
	}
}

// ToBrain narrows to bfloat16, ties to even.
func ToBrain(dst []uint16, src []float32) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxToBrain); i < len(src); i++ {
		dst[i] = NarrowBrain(src[i])
	}
}
