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
		n := e.cost(o)
		far := e.slack(o, mode)
		if o.prefetch > 0 {
			n = math.Max(e.prefetch(o, o.full)-slack+far, n+math.Max(0, e.prefetch(o, o.prefetch)-slack))
		}
		n += o.table
		slack = far
		r.Operators = append(r.Operators, Operator{o.ops, n})
		r.NPU += uint64(n)
	}
	return r
}

// cost returns the cycles of an operator without the transfers before it.
func (e *estimator) cost(o *operator) float64 {
	if o.swap {
		return e.swapCycles(o)
	}
	return e.npu(&o.task)
}

// slack returns the cycles of an operator that transfers for the next may hide in: those of its last slice, and, as the
// compiler's scheduler reckons, before feature maps move to the fast scratch.
func (e *estimator) slack(o *operator, mode MemoryMode) float64 {
	if mode == DedicatedSRAM {
		o = o.inScratch(e.memory[1])
	}
	if o.tail > 0 {
		last := *o
		last.ofm.c = o.tail
		o = &last
	}
	return e.cost(o)
}

// inScratch returns the operator with all its feature maps in one memory.
func (o *operator) inScratch(m memory) *operator {
	far := *o
	far.ifm.memory, far.ifm2.memory, far.ofm.memory = m, m, m
	return &far
}
