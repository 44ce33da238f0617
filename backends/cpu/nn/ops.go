// Package nn holds the dense and spatial operators: convolution, matrix products, pooling, resampling, pixel shuffles and
// the gradients of the first two kinds.
//
// An operator here reads and checks its arguments, says where elements lie, and leaves the arithmetic of products and
// convolutions to package dense. Results are eager PyTorch's for every dim order; f16 and bf16 are computed in f32 and
// rounded once; NaN wins in max pooling. Facts about arguments: pytorch/pytorch aten/src/ATen/native/native_functions.yaml
// and pytorch/executorch kernels/portable/cpu at cff6f4dd.
package nn

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
)

// Ops gives all operators of the package.
func Ops() []executor.Op {
	return []executor.Op{
		convolution(),
		convolutionBackward(),
		mm(),
		bmm(),
		addmm(),
		linear(),
		maxPool2d(),
		maxPool2dBackward(),
		avgPool2d(),
		adaptiveAvgPool2d(),
		upsampleNearest2d(),
		upsampleBilinear2d(),
		upsampleBilinear2dAA(),
		gridSampler2d(),
		pixelShuffle(),
		pixelUnshuffle(),
	}
}

// byType makes the state of a call for the type in which values of argument 0 are computed.
func byType(sig *arg.Signature, args []*executor.Value, f32, f64, u8, i8, i16, i32, i64 func() site.Call) (site.Call, error) {
	x, err := sig.Tensor(args, 0)
	if err != nil {
		return nil, err
	}
	switch x.DType {
	case arg.F16, arg.BF16, arg.F32:
		return f32(), nil
	case arg.F64:
		return f64(), nil
	case arg.U8:
		return u8(), nil
	case arg.I8:
		return i8(), nil
	case arg.I16:
		return i16(), nil
	case arg.I32:
		return i32(), nil
	case arg.I64:
		return i64(), nil
	}
	return nil, sig.DType(0, x, numbers)
}

// byFloat makes the state of a call for the float type of argument 0.
func byFloat(sig *arg.Signature, args []*executor.Value, f32, f64 site.Call) (site.Call, error) {
	x, err := sig.Tensor(args, 0)
	if err != nil {
		return nil, err
	}
	switch x.DType {
	case arg.F16, arg.BF16, arg.F32:
		return f32, nil
	case arg.F64:
		return f64, nil
	}
	return nil, sig.DType(0, x, arg.Floats)
}
