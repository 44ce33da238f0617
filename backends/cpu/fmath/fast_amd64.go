package fmath

import "golang.org/x/sys/cpu"

var haveAVX2 = cpu.X86.HasAVX2

// The assembly does the first elements, in vectors, with the same operations in the same order as the portable loops;
// what follows is left to those. Functions that stop say how far they came: at numbers outside the plain range.

func fast(n, step int) int {
	if n < worthwhile || !haveAVX2 {
		return 0
	}
	return n &^ (step - 1)
}

func expFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxExp(n, &dst[0], &src[0])
	}
	return n
}

func sigmoidFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxSigmoid(n, &dst[0], &src[0])
	}
	return n
}

func tanhFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxTanh(n, &dst[0], &src[0])
	}
	return n
}

func geluFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxGelu(n, &dst[0], &src[0])
	}
	return n
}

func geluTanhFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxGeluTanh(n, &dst[0], &src[0])
	}
	return n
}

func expm1Fast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxExpm1(n, &dst[0], &src[0])
	}
	return n
}

func sinhFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxSinh(n, &dst[0], &src[0])
	}
	return n
}

func coshFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxCosh(n, &dst[0], &src[0])
	}
	return n
}

func logFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxLog(n, &dst[0], &src[0])
	}
	return n
}

func log2Fast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxLog2(n, &dst[0], &src[0])
	}
	return n
}

func log10Fast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxLog10(n, &dst[0], &src[0])
	}
	return n
}

func log1pFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxLog1p(n, &dst[0], &src[0])
	}
	return n
}

func sinFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		n = avxSin(n, &dst[0], &src[0])
	}
	return n
}

func cosFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		n = avxCos(n, &dst[0], &src[0])
	}
	return n
}

func tanFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		n = avxTan(n, &dst[0], &src[0])
	}
	return n
}

func atanFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		n = avxAtan(n, &dst[0], &src[0])
	}
	return n
}

func asinFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxAsin(n, &dst[0], &src[0])
	}
	return n
}

func acosFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxAcos(n, &dst[0], &src[0])
	}
	return n
}

func erfFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		n = avxErf(n, &dst[0], &src[0])
	}
	return n
}

func sqrtFast(dst, src []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxSqrt(n, &dst[0], &src[0])
	}
	return n
}

func absFast(dst, src []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxAbs(n, &dst[0], &src[0])
	}
	return n
}

func negFast(dst, src []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxNeg(n, &dst[0], &src[0])
	}
	return n
}

func signFast(dst, src []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxSign(n, &dst[0], &src[0])
	}
	return n
}

func reciprocalFast(dst, src []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxReciprocal(n, &dst[0], &src[0])
	}
	return n
}

func rsqrtFast(dst, src []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxRsqrt(n, &dst[0], &src[0])
	}
	return n
}

func floorFast(dst, src []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxFloor(n, &dst[0], &src[0])
	}
	return n
}

func ceilFast(dst, src []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxCeil(n, &dst[0], &src[0])
	}
	return n
}

func truncFast(dst, src []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxTrunc(n, &dst[0], &src[0])
	}
	return n
}

func roundFast(dst, src []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxRound(n, &dst[0], &src[0])
	}
	return n
}

func addFast(dst, a, b []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxAdd(n, &dst[0], &a[0], &b[0])
	}
	return n
}

func subFast(dst, a, b []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxSub(n, &dst[0], &a[0], &b[0])
	}
	return n
}

func mulFast(dst, a, b []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxMul(n, &dst[0], &a[0], &b[0])
	}
	return n
}

func divFast(dst, a, b []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxDiv(n, &dst[0], &a[0], &b[0])
	}
	return n
}

func maxFast(dst, a, b []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxMax(n, &dst[0], &a[0], &b[0])
	}
	return n
}

func minFast(dst, a, b []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxMin(n, &dst[0], &a[0], &b[0])
	}
	return n
}

func equalFast(dst []uint8, a, b []float32) int {
	n := fast(len(dst), 32)
	if n > 0 {
		avxEqual(n, &dst[0], &a[0], &b[0])
	}
	return n
}

func unequalFast(dst []uint8, a, b []float32) int {
	n := fast(len(dst), 32)
	if n > 0 {
		avxUnequal(n, &dst[0], &a[0], &b[0])
	}
	return n
}

func lessFast(dst []uint8, a, b []float32) int {
	n := fast(len(dst), 32)
	if n > 0 {
		avxLess(n, &dst[0], &a[0], &b[0])
	}
	return n
}

func lessEqualFast(dst []uint8, a, b []float32) int {
	n := fast(len(dst), 32)
	if n > 0 {
		avxLessEqual(n, &dst[0], &a[0], &b[0])
	}
	return n
}

func addScaledFast(dst, a, b []float32, alpha float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxAddScaled(n, &dst[0], &a[0], &b[0], alpha)
	}
	return n
}

func affineFast(dst, x, scale, shift []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxAffine(n, &dst[0], &x[0], &scale[0], &shift[0])
	}
	return n
}

func clampFast(dst, src []float32, lo, hi float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxClamp(n, &dst[0], &src[0], lo, hi)
	}
	return n
}

func leakyFast(dst, src []float32, slope float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxLeaky(n, &dst[0], &src[0], slope)
	}
	return n
}

func chooseFast(dst []float32, mask []uint8, a, b []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxChoose(n, &dst[0], &mask[0], &a[0], &b[0])
	}
	return n
}

func sumFast(lanes *[8]float64, src []float32) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxSum(n, lanes, &src[0])
	}
	return n
}

func spreadFast(lanes *[8]float64, src []float32, mean float64) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxSpread(n, lanes, &src[0], mean)
	}
	return n
}

func asinhFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		n = avxAsinh(n, &dst[0], &src[0])
	}
	return n
}

func acoshFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxAcosh(n, &dst[0], &src[0])
	}
	return n
}

func atanhFast(dst, src []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxAtanh(n, &dst[0], &src[0])
	}
	return n
}

func atan2Fast(dst, a, b []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		n = avxAtan2(n, &dst[0], &a[0], &b[0])
	}
	return n
}

func powFast(dst, a, b []float32) int {
	n := fast(len(dst), 4)
	if n > 0 {
		n = avxPow(n, &dst[0], &a[0], &b[0])
	}
	return n
}

func accumulateFast(sums []float64, src []float32) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxAccumulate(n, &sums[0], &src[0])
	}
	return n
}

func subNumberFast(dst, src []float32, x float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxSubNumber(n, &dst[0], &src[0], x)
	}
	return n
}

func divNumberFast(dst, src []float32, x float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxDivNumber(n, &dst[0], &src[0], x)
	}
	return n
}

func truncateFast(dst []int32, src []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxTruncate(n, &dst[0], &src[0])
	}
	return n
}

// Every processor with AVX2 has the conversions of F16C.

func fromHalfFast(dst []float32, src []uint16) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxFromHalf(n, &dst[0], &src[0])
	}
	return n
}

func toHalfFast(dst []uint16, src []float32) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxToHalf(n, &dst[0], &src[0])
	}
	return n
}

//go:noescape
func avxExp(n int, dst, src *float32)

//go:noescape
func avxSigmoid(n int, dst, src *float32)

//go:noescape
func avxTanh(n int, dst, src *float32)

//go:noescape
func avxGelu(n int, dst, src *float32)

//go:noescape
func avxGeluTanh(n int, dst, src *float32)

//go:noescape
func avxExpm1(n int, dst, src *float32)

//go:noescape
func avxSinh(n int, dst, src *float32)

//go:noescape
func avxCosh(n int, dst, src *float32)

//go:noescape
func avxLog(n int, dst, src *float32)

//go:noescape
func avxLog2(n int, dst, src *float32)

//go:noescape
func avxLog10(n int, dst, src *float32)

//go:noescape
func avxLog1p(n int, dst, src *float32)

//go:noescape
func avxSin(n int, dst, src *float32) int

//go:noescape
func avxCos(n int, dst, src *float32) int

//go:noescape
func avxTan(n int, dst, src *float32) int

//go:noescape
func avxAtan(n int, dst, src *float32) int

//go:noescape
func avxAsin(n int, dst, src *float32)

//go:noescape
func avxAcos(n int, dst, src *float32)

//go:noescape
func avxErf(n int, dst, src *float32) int

//go:noescape
func avxSqrt(n int, dst, src *float32)

//go:noescape
func avxAbs(n int, dst, src *float32)

//go:noescape
func avxNeg(n int, dst, src *float32)

//go:noescape
func avxSign(n int, dst, src *float32)

//go:noescape
func avxReciprocal(n int, dst, src *float32)

//go:noescape
func avxRsqrt(n int, dst, src *float32)

//go:noescape
func avxFloor(n int, dst, src *float32)

//go:noescape
func avxCeil(n int, dst, src *float32)

//go:noescape
func avxTrunc(n int, dst, src *float32)

//go:noescape
func avxRound(n int, dst, src *float32)

//go:noescape
func avxAdd(n int, dst, a, b *float32)

//go:noescape
func avxSub(n int, dst, a, b *float32)

//go:noescape
func avxMul(n int, dst, a, b *float32)

//go:noescape
func avxDiv(n int, dst, a, b *float32)

//go:noescape
func avxMax(n int, dst, a, b *float32)

//go:noescape
func avxMin(n int, dst, a, b *float32)

//go:noescape
func avxEqual(n int, dst *uint8, a, b *float32)

//go:noescape
func avxUnequal(n int, dst *uint8, a, b *float32)

//go:noescape
func avxLess(n int, dst *uint8, a, b *float32)

//go:noescape
func avxLessEqual(n int, dst *uint8, a, b *float32)

//go:noescape
func avxAddScaled(n int, dst, a, b *float32, alpha float32)

//go:noescape
func avxAffine(n int, dst, x, scale, shift *float32)

//go:noescape
func avxClamp(n int, dst, src *float32, lo, hi float32)

//go:noescape
func avxLeaky(n int, dst, src *float32, slope float32)

//go:noescape
func avxChoose(n int, dst *float32, mask *uint8, a, b *float32)

//go:noescape
func avxSum(n int, lanes *[8]float64, src *float32)

//go:noescape
func avxSpread(n int, lanes *[8]float64, src *float32, mean float64)

//go:noescape
func avxFromHalf(n int, dst *float32, src *uint16)

//go:noescape
func avxToHalf(n int, dst *uint16, src *float32)

//go:noescape
func avxAsinh(n int, dst, src *float32) int

//go:noescape
func avxAcosh(n int, dst, src *float32)

//go:noescape
func avxAtanh(n int, dst, src *float32)

//go:noescape
func avxAtan2(n int, dst, a, b *float32) int

//go:noescape
func avxAccumulate(n int, sums *float64, src *float32)

//go:noescape
func avxSubNumber(n int, dst, src *float32, x float32)

//go:noescape
func avxDivNumber(n int, dst, src *float32, x float32)

//go:noescape
func avxTruncate(n int, dst *int32, src *float32)

//go:noescape
func avxPow(n int, dst, a, b *float32) int

func decodeI8Fast(dst []float32, src []int8, zero int32, scale float32) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxDecodeI8(n, &dst[0], &src[0], zero, scale)
	}
	return n
}

//go:noescape
func avxDecodeI8(n int, dst *float32, src *int8, zero int32, scale float32)

func decodeU8Fast(dst []float32, src []uint8, zero int32, scale float32) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxDecodeU8(n, &dst[0], &src[0], zero, scale)
	}
	return n
}

//go:noescape
func avxDecodeU8(n int, dst *float32, src *uint8, zero int32, scale float32)

func toBrainFast(dst []uint16, src []float32) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxToBrain(n, &dst[0], &src[0])
	}
	return n
}

func fromBrainFast(dst []float32, src []uint16) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxFromBrain(n, &dst[0], &src[0])
	}
	return n
}

//go:noescape
func avxToBrain(n int, dst *uint16, src *float32)

//go:noescape
func avxFromBrain(n int, dst *float32, src *uint16)

// absComplexFast stops before four numbers of which one gives NaN.
func absComplexFast(dst []float32, src []complex64) int {
	n := fast(len(src), 4)
	if n > 0 {
		n = avxAbsComplex(n, &dst[0], &src[0])
	}
	return n
}

//go:noescape
func avxAbsComplex(n int, dst *float32, src *complex64) int
