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

// byType is an operator whose work is done in the type that values of the first argument are computed in.
func byType(sig *arg.Signature, f32, f64, u8, i8, i16, i32, i64 func() site.Work) executor.Op {
	return site.Typed(sig, numbers, func(d executor.DType) site.Work { return workOf(d, f32, f64, u8, i8, i16, i32, i64) })
}

// byNumber is byType for products: of complex numbers too, and of bools where there is nothing to multiply.
func byNumber(sig *arg.Signature, c64, c128, f32, f64, u8, i8, i16, i32, i64 func() site.Work) executor.Op {
	return site.Typed(sig, factors|arg.Of(arg.Bool), func(d executor.DType) site.Work {
		switch d {
		case arg.Bool:
			return u8()
		case arg.C64:
			return c64()
		case arg.C128:
			return c128()
		}
		return workOf(d, f32, f64, u8, i8, i16, i32, i64)
	})
}

func workOf(d executor.DType, f32, f64, u8, i8, i16, i32, i64 func() site.Work) site.Work {
	switch arg.Compute(d) {
	case arg.F64:
		return f64()
	case arg.U8:
		return u8()
	case arg.I8:
		return i8()
	case arg.I16:
		return i16()
	case arg.I32:
		return i32()
	case arg.I64:
		return i64()
	}
	return f32()
}

// byFloat is byType for floats alone.
func byFloat(sig *arg.Signature, f32, f64 func() site.Work) executor.Op {
	return site.Typed(sig, arg.Floats, func(d executor.DType) site.Work {
		if d == arg.F64 {
			return f64()
		}
		return f32()
	})
}
