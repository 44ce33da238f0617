package fmath

import "math"

// The functions below are loops of plain arithmetic, rounded after every operation. All slices are as long as dst, which
// may be one of them.

// Add is a + b.
func Add(dst, a, b []float32) {
	for i := binary(dst, a, b, 8, avxAdd); i < len(dst); i++ {
		dst[i] = a[i] + b[i]
	}
}

// Sub is a − b.
func Sub(dst, a, b []float32) {
	for i := binary(dst, a, b, 8, avxSub); i < len(dst); i++ {
		dst[i] = a[i] - b[i]
	}
}

// Mul is a·b.
func Mul(dst, a, b []float32) {
	for i := binary(dst, a, b, 8, avxMul); i < len(dst); i++ {
		dst[i] = a[i] * b[i]
	}
}

// Div is a/b.
func Div(dst, a, b []float32) {
	for i := binary(dst, a, b, 8, avxDiv); i < len(dst); i++ {
		dst[i] = a[i] / b[i]
	}
}

// Affine is x·scale + shift.
func Affine(dst, x, scale, shift []float32) {
	n := fast(len(dst), 8)
	if n > 0 {
		avxAffine(n, &dst[0], &x[0], &scale[0], &shift[0])
	}
	for i := n; i < len(dst); i++ {
		dst[i] = float32(x[i]*scale[i]) + shift[i]
	}
}

// Clamp limits numbers to [lo, hi], neither of which is NaN. NaN stays; so does the sign of a zero at a bound of zero.
func Clamp(dst, src []float32, lo, hi float32) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxClamp(n, &dst[0], &src[0], lo, hi)
	}
	for i := n; i < len(src); i++ {
		v := src[i]
		if v < lo {
			v = lo
		}
		if v > hi {
			v = hi
		}
		dst[i] = v
	}
}

// Sqrt is the square root.
func Sqrt(dst, src []float32) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxSqrt); i < len(src); i++ {
		dst[i] = float32(math.Sqrt(float64(src[i])))
	}
}

// Sum adds src to eight sums, one for every eighth element.
func Sum(lanes *[8]float64, src []float32) {
	n := fast(len(src), 8)
	if n > 0 {
		avxSum(n, lanes, &src[0])
	}
	for i, v := range src[n:] {
		lanes[i&7] += float64(v)
	}
}

// Spread adds the squared distances from mean to eight sums, one for every eighth element.
func Spread(lanes *[8]float64, src []float32, mean float64) {
	n := fast(len(src), 8)
	if n > 0 {
		avxSpread(n, lanes, &src[0], mean)
	}
	for i, v := range src[n:] {
		d := float64(v) - mean
		lanes[i&7] += float64(d * d)
	}
}

// AddScaled is a + alpha·b.
func AddScaled(dst, a, b []float32, alpha float32) {
	n := fast(len(dst), 8)
	if n > 0 {
		avxAddScaled(n, &dst[0], &a[0], &b[0], alpha)
	}
	for i := n; i < len(dst); i++ {
		dst[i] = a[i] + float32(alpha*b[i])
	}
}

// Max is the larger number, NaN if either is.
func Max(dst, a, b []float32) {
	for i := binary(dst, a, b, 8, avxMax); i < len(dst); i++ {
		x, y := a[i], b[i]
		if x > y || x != x {
			y = x
		}
		dst[i] = y
	}
}

// Min is the smaller number, NaN if either is.
func Min(dst, a, b []float32) {
	for i := binary(dst, a, b, 8, avxMin); i < len(dst); i++ {
		x, y := a[i], b[i]
		if x < y || x != x {
			y = x
		}
		dst[i] = y
	}
}

// Abs clears the sign.
func Abs(dst, src []float32) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxAbs); i < len(src); i++ {
		dst[i] = math.Float32frombits(math.Float32bits(src[i]) &^ (1 << 31))
	}
}

// Neg turns the sign.
func Neg(dst, src []float32) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxNeg); i < len(src); i++ {
		dst[i] = -src[i]
	}
}

// Sign is 1, 0 or -1; 0 for NaN.
func Sign(dst, src []float32) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxSign); i < len(src); i++ {
		var s float32
		if src[i] > 0 {
			s = 1
		}
		if src[i] < 0 {
			s = -1
		}
		dst[i] = s
	}
}

// Reciprocal is 1/x.
func Reciprocal(dst, src []float32) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxReciprocal); i < len(src); i++ {
		dst[i] = 1 / src[i]
	}
}

// Rsqrt is 1/√x, rounded twice.
func Rsqrt(dst, src []float32) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxRsqrt); i < len(src); i++ {
		dst[i] = 1 / float32(math.Sqrt(float64(src[i])))
	}
}

// Floor rounds down.
func Floor(dst, src []float32) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxFloor); i < len(src); i++ {
		dst[i] = float32(math.Floor(float64(src[i])))
	}
}

// Ceil rounds up.
func Ceil(dst, src []float32) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxCeil); i < len(src); i++ {
		dst[i] = float32(math.Ceil(float64(src[i])))
	}
}

// Trunc rounds towards zero.
func Trunc(dst, src []float32) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxTrunc); i < len(src); i++ {
		dst[i] = float32(math.Trunc(float64(src[i])))
	}
}

// Round rounds to the nearest whole number, halves to even.
func Round(dst, src []float32) {
	dst = dst[:len(src)]
	for i := unary(dst, src, 8, avxRound); i < len(src); i++ {
		dst[i] = float32(math.RoundToEven(float64(src[i])))
	}
}

// Leaky multiplies what is not positive by slope.
func Leaky(dst, src []float32, slope float32) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxLeaky(n, &dst[0], &src[0], slope)
	}
	for i := n; i < len(src); i++ {
		v := src[i]
		if !(v > 0) {
			v *= slope
		}
		dst[i] = v
	}
}

// Equal, Unequal, Less and LessEqual write 1 where the relation holds and 0 elsewhere.

// Equal is a = b.
func Equal(dst []uint8, a, b []float32) {
	for i := binary(dst, a, b, 32, avxEqual); i < len(dst); i++ {
		dst[i] = truth(a[i] == b[i])
	}
}

// Unequal is a ≠ b.
func Unequal(dst []uint8, a, b []float32) {
	for i := binary(dst, a, b, 32, avxUnequal); i < len(dst); i++ {
		dst[i] = truth(a[i] != b[i])
	}
}

// Less is a < b.
func Less(dst []uint8, a, b []float32) {
	for i := binary(dst, a, b, 32, avxLess); i < len(dst); i++ {
		dst[i] = truth(a[i] < b[i])
	}
}

// LessEqual is a ≤ b.
func LessEqual(dst []uint8, a, b []float32) {
	for i := binary(dst, a, b, 32, avxLessEqual); i < len(dst); i++ {
		dst[i] = truth(a[i] <= b[i])
	}
}

func truth(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// Choose takes a where the mask is not 0 and b elsewhere.
func Choose(dst []float32, mask []uint8, a, b []float32) {
	n := fast(len(dst), 8)
	if n > 0 {
		avxChoose(n, &dst[0], &mask[0], &a[0], &b[0])
	}
	for i := n; i < len(dst); i++ {
		v := a[i]
		if mask[i] == 0 {
			v = b[i]
		}
		dst[i] = v
	}
}

// SubNumber is a − x.
func SubNumber(dst, src []float32, x float32) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxSubNumber(n, &dst[0], &src[0], x)
	}
	for i := n; i < len(src); i++ {
		dst[i] = src[i] - x
	}
}

// DivNumber is a/x.
func DivNumber(dst, src []float32, x float32) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxDivNumber(n, &dst[0], &src[0], x)
	}
	for i := n; i < len(src); i++ {
		dst[i] = src[i] / x
	}
}

// Accumulate adds each of src to the sum at its place.
func Accumulate(sums []float64, src []float32) {
	sums = sums[:len(src)]
	for i := unary(sums, src, 8, avxAccumulate); i < len(src); i++ {
		sums[i] += float64(src[i])
	}
}

// DecodeI8 is (x − zero)·scale.
func DecodeI8(dst []float32, src []int8, zero int32, scale float32) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxDecodeI8(n, &dst[0], &src[0], zero, scale)
	}
	for i := n; i < len(src); i++ {
		dst[i] = float32(int32(src[i])-zero) * scale
	}
}

// DecodeU8 is (x − zero)·scale.
func DecodeU8(dst []float32, src []uint8, zero int32, scale float32) {
	dst = dst[:len(src)]
	n := fast(len(src), 8)
	if n > 0 {
		avxDecodeU8(n, &dst[0], &src[0], zero, scale)
	}
	for i := n; i < len(src); i++ {
		dst[i] = float32(int32(src[i])-zero) * scale
	}
}

// AbsComplex is the distance from zero, infinite where either part is. The squares are taken in float64, where they are
// exact. The vectors stop before four numbers of which one gives NaN.
func AbsComplex(dst []float32, src []complex64) {
	dst = dst[:len(src)]
	for i := 0; i < len(src); {
		if n := fast(len(src)-i, 4); n > 0 {
			i += avxAbsComplex(n, &dst[i], &src[i])
		}
		for end := min(i+worthwhile, len(src)); i < end; i++ {
			x, y := float64(real(src[i])), float64(imag(src[i]))
			r := math.Sqrt(float64(x*x) + float64(y*y))
			if math.IsInf(x, 0) || math.IsInf(y, 0) {
				r = math.Inf(1)
			}
			dst[i] = float32(r)
		}
	}
}
