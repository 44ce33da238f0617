package sim

import "golang.org/x/sys/cpu"

// gemmAVX2, gemmVNNI, depthwiseAVX2, requantizeAVX2 and widenAVX2 are the assembly twins of the functions in simd.go.
//
//go:noescape
func gemmAVX2(acc *int32, x *int16, pixels *int, runs *int, nRuns, pairs int, w *int16)

//go:noescape
func gemmVNNI(acc *int32, x *int16, pixels *int, runs *int, nRuns, pairs int, w *int16)

//go:noescape
func depthwiseAVX2(acc *int32, x *int16, taps *int, tapPairs, blocks int, w *int16)

//go:noescape
func requantizeAVX2(dst *byte, acc *int32, q *quant, blocks, step int, zero, lo, hi int32)

//go:noescape
func widenAVX2(dst *int16, src *byte, blocks, dstStep, srcStep int, zero int32, signed int)

// newVector chooses the fastest kernels of this machine.
func newVector() vector {
	if !cpu.X86.HasAVX2 {
		return genericVector()
	}
	v := vector{
		gemm: func(acc []int32, x []int16, pixels *[tilePixels]int, runs []int, pairs int, w []int16) {
			gemmAVX2(&acc[0], &x[0], &pixels[0], &runs[0], len(runs), pairs, &w[0])
		},
		depthwise: func(acc []int32, x []int16, taps []int, blocks int, w []int16) {
			depthwiseAVX2(&acc[0], &x[0], &taps[0], len(taps)/2, blocks, &w[0])
		},
		requantize: func(dst []byte, acc []int32, q []quant, blocks int, zero, lo, hi int32) {
			requantizeAVX2(&dst[0], &acc[0], &q[0], blocks, quantStep(q, blocks), zero, lo, hi)
		},
		widen: func(dst []int16, src []byte, blocks, dstStep, srcStep int, zero int32, signed bool) {
			s := 0
			if signed {
				s = 1
			}
			widenAVX2(&dst[0], &src[0], blocks, dstStep, srcStep, zero, s)
		},
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VNNI {
		v.gemm = func(acc []int32, x []int16, pixels *[tilePixels]int, runs []int, pairs int, w []int16) {
			gemmVNNI(&acc[0], &x[0], &pixels[0], &runs[0], len(runs), pairs, &w[0])
		}
	}
	return v
}
