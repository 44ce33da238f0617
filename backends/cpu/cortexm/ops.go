// Package cortexm holds the cortex_m operators: int8 kernels with the arithmetic of CMSIS-NN, bit by bit, on any machine.
//
//	int8 ──(x + offset)·w──▶ int32 ──requantise(multiplier, shift)──▶ + zero point ──clamp──▶ int8
//
// The offset of the input is taken out of the inner loop: Σ(x+o)·w = Σx·w + o·Σw, and Σw is a constant of the weights.
// Padding is a value that means zero, so that a window is one run of bytes and a product one dot with a row of weights.
// Scratch tensors that files plan for CMSIS-NN are accepted and left alone; what is needed here is declared as temp.
//
// Facts: pytorch/executorch backends/cortex_m/ops at cff6f4dd, and operators.yaml of release 1.5.1 for images [N, H, W, C];
// ARM-software/CMSIS-NN at 99f736a6 (requantisation in Include/arm_nnsupportfunctions.h, the fixed-point exponential of
// softmax, rounding of averages).
package cortexm

import (
	"github.com/ptero-rt/ptero/backends/cpu/quant"
	"github.com/ptero-rt/ptero/executor"
)

// Ops gives all operators of the package.
func Ops() []executor.Op {
	ops := []executor.Op{
		quant.QuantizePerTensor("cortex_m::quantize_per_tensor.out"),
		quant.DequantizePerTensor("cortex_m::dequantize_per_tensor.out"),
		add(), mul(), div(),
		extreme("cortex_m::minimum.out", func(a, b int8) int8 { return min(a, b) }),
		extreme("cortex_m::maximum.out", func(a, b int8) int8 { return max(a, b) }),
		activation(),
		linear(), batchMatmul(),
		softmax(), transpose(), pad(),
	}
	for _, l := range []layout{nchw, nhwc} {
		ops = append(ops, conv2d(l), depthwiseConv2d(l), transposeConv2d(l), avgPool2d(l), maxPool2d(l))
	}
	return ops
}
