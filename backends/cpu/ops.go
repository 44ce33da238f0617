// Package cpu holds the operators that run on the CPU: ATen's out variants as ExecuTorch names them, the prim operators
// of shapes and control flow, quantised and custom ones. An operator is a line in its family's table or a short function;
// how arguments are read is in package arg, how elements are walked in package walk. Loops that are worth vectors are in
// fmath (floating-point arithmetic), lanes (everything else that looks at values) and plane (moves), each beside a portable twin.
//
//	Ops() ─┬─ unary.go, arithmetic.go, compare.go …   element by element: pointwise.go
//	       ├─ reduce.go, softmax.go, norm.go …        along dimensions
//	       ├─ shape.go, copy.go, pad.go …             moving elements
//	       ├─ index.go, scatter.go …                  where index tensors say
//	       ├─ create.go, random.go                    out of nothing
//	       ├─ prim.go                                 numbers and shapes, between kernels
//	       └─ dense, nn, cortexm, quant, llm, fft     packages of their own
//
// Results are eager PyTorch's, for every dim order, rank and type, wherever ExecuTorch's own kernels differ. Go's
// compiler may fuse a product and a sum; where two roundings are part of the result, the product is converted first.
package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/cortexm"
	"github.com/ptero-rt/ptero/backends/cpu/llm"
	"github.com/ptero-rt/ptero/backends/cpu/nn"
	"github.com/ptero-rt/ptero/backends/cpu/quant"
	"github.com/ptero-rt/ptero/executor"
)

// Ops is the set of all operators. The caller may add its own or replace some.
func Ops() executor.Ops {
	ops := executor.Ops{}
	for _, family := range []func() []executor.Op{
		unaryMath, unarySame, activations, arithmetic, comparisons, bitwise, selections, masked, gates,
		prims, reductions, softmaxes, norms, distances, scans, views, copies, joins, splits, rolls,
		creations, randoms, pads, indexing, scatters, listings, customs, ffts,
		nn.Ops, cortexm.Ops, quant.Ops, llm.Ops,
	} {
		ops.Add(family()...)
	}
	return ops
}
