// Package quant holds the quantized_decomposed operators: quantisation and its inverse by tensor, by channel and by token,
// the choice of scales and zero points, embeddings of 8-, 4- and 2-bit rows, and products with int8 weights.
//
// Results are those of PyTorch's reference implementation, torch/ao/quantization/fx/_decomposed.py (torch 2.13), and for
// embeddings and mixed products of pytorch/executorch kernels/quantized/cpu at cff6f4dd.
package quant

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Ops gives all operators of the package.
func Ops() []executor.Op {
	const ns = "quantized_decomposed::"
	return []executor.Op{
		QuantizePerTensor(ns + "quantize_per_tensor.out"),
		quantize(ns+"quantize_per_tensor.Tensor_out", "input scale zero_point quant_min quant_max dtype out", byTensor),
		quantize(ns+"quantize_per_channel.out", "input scales zero_points axis quant_min quant_max dtype out", byChannel),
		quantize(ns+"quantize_per_token.out", "input scales zero_points quant_min quant_max dtype out", byToken),
		DequantizePerTensor(ns + "dequantize_per_tensor.out"),
		dequantize(ns+"dequantize_per_tensor.Tensor_out", "input scale zero_point quant_min quant_max dtype out_dtype", byTensor),
		dequantize(ns+"dequantize_per_channel.out", "input scales zero_points axis quant_min quant_max dtype out_dtype", byChannel),
		dequantize(ns+"dequantize_per_token.out", "input scales zero_points quant_min quant_max dtype output_dtype", byToken),
		add(),
		chooseParams(),
		chooseParamsPerToken(),
		embedding(ns+"embedding_byte.out", "", 8),
		embedding(ns+"embedding_byte.dtype_out", "dtype", 8),
		embedding(ns+"embedding_4bit.out", "", 4),
		embedding(ns+"embedding_4bit.dtype_out", "dtype", 4),
		embedding(ns+"embedding_2bit.out", "", 2),
		embedding(ns+"embedding_2bit.dtype_out", "dtype", 2),
		mixed(ns+"mixed_mm.out", "input weight weight_scales weight_zero_points out", false),
		mixed(ns+"mixed_linear.out", "input weight weight_scales weight_zero_points dtype out", true),
	}
}

// position finds an argument by name; a schema without it gives -1.
func position(sig *arg.Signature, names ...string) int {
	for i, n := range sig.Names {
		for _, name := range names {
			if n == name {
				return i
			}
		}
	}
	return -1
}
