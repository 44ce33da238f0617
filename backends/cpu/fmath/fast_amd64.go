package fmath

import "golang.org/x/sys/cpu"

var haveAVX2 = cpu.X86.HasAVX2

// The assembly does the first n elements, a multiple of 4 or 8, with the same operations in the same order as the
// portable loops; what follows is left to those. Short slices are not worth the call.

const worthwhile = 16

func fast(n, step int) int {
	if n < worthwhile || !haveAVX2 {
		return 0
	}
	return n &^ (step - 1)
}

func expFast(dst, src []float32) int {
	n := fast(len(src), 4)
	if n > 0 {
		avxExp(n, &dst[0], &src[0])
	}
	return n
}

func sigmoidFast(dst, src []float32) int {
	n := fast(len(src), 4)
	if n > 0 {
		avxSigmoid(n, &dst[0], &src[0])
	}
	return n
}

func tanhFast(dst, src []float32) int {
	n := fast(len(src), 4)
	if n > 0 {
		avxTanh(n, &dst[0], &src[0])
	}
	return n
}

func geluFast(dst, src []float32) int {
	n := fast(len(src), 4)
	if n > 0 {
		avxGelu(n, &dst[0], &src[0])
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

func affineFast(dst, x, scale, shift []float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxAffine(n, &dst[0], &x[0], &scale[0], &shift[0])
	}
	return n
}

func clampFast(dst, src []float32, lo, hi float32) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxClamp(n, &dst[0], &src[0], lo, hi)
	}
	return n
}

func sqrtFast(dst, src []float32) int {
	n := fast(len(src), 8)
	if n > 0 {
		avxSqrt(n, &dst[0], &src[0])
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


//go:noescape
func avxExp(n int, dst, src *float32)

//go:noescape
func avxSigmoid(n int, dst, src *float32)

//go:noescape
func avxTanh(n int, dst, src *float32)

//go:noescape
func avxGelu(n int, dst, src *float32)

//go:noescape
func avxAdd(n int, dst, a, b *float32)

//go:noescape
func avxSub(n int, dst, a, b *float32)

//go:noescape
func avxMul(n int, dst, a, b *float32)

//go:noescape
func avxDiv(n int, dst, a, b *float32)

//go:noescape
func avxAffine(n int, dst, x, scale, shift *float32)

//go:noescape
func avxClamp(n int, dst, src *float32, lo, hi float32)

//go:noescape
func avxSqrt(n int, dst, src *float32)

//go:noescape
func avxSum(n int, lanes *[8]float64, src *float32)

//go:noescape
func avxSpread(n int, lanes *[8]float64, src *float32, mean float64)
