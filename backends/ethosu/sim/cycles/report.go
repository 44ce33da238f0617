// Package cycles estimates what a command stream costs on an Ethos-U: cycles of the NPU and bytes at each memory.
//
// The figures are those of the performance model in Vela 5.1, evaluated on the stream instead of the compiler's graph. They
// are estimates: Arm states no accuracy, and silicon may differ by tens of percent.
package cycles

import (
	"math"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// Operator is the estimate for one operator of the compiler's graph.
type Operator struct {
	Ops []int   // indices into the stream's operations: stripes, slices, copies or a chain
	NPU float64 // cycles when memory keeps up
}

// Report is the estimate for a stream.
type Report struct {
	Operators []Operator
	NPU       uint64
}

// Estimate computes the cost of a stream for a system and a memory mode.
func Estimate(s *stream.Stream, system System, mode MemoryMode) *Report {
	e := &estimator{acc: s.Accelerator, stage: outputStageOf(s.Accelerator), memory: memoriesOf(s.Accelerator, &system, mode)}
	r := &Report{}
	slack := 0.0 // cycles of the operator before, which hide transfers
	for _, o := range e.operators(s) {
		n := 0.0
		if o.swap {
			n += e.swapCycles(o)
		} else {
			n += e.npu(&o.task)
		}
		own := n
		n += o.table
		if o.prefetch > 0 {
			n += math.Max(0, e.prefetch(o)-slack)
		}
		slack = own
		r.Operators = append(r.Operators, Operator{o.ops, n})
		r.NPU += uint64(n)
	}
	return r
}
