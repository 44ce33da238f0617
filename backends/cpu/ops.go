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
