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
	Ops   []int   // indices into the stream's operations: stripes, slices, copies or a chain
	NPU   float64 // cycles when memory keeps up
	Total float64 // cycles with memory: the greatest of NPU and either port
	Ports [ports]Traffic
}

// Report is the estimate for a stream.
type Report struct {
	Operators  []Operator
	NPU, Total uint64 // cycles; what runs at the same time as something else is counted as if it did not
	Ports      [ports]Traffic
	ClockHz    float64
}

// Seconds returns the estimated time of the stream.
func (r *Report) Seconds() float64 { return float64(r.Total) / r.ClockHz }

// Estimate computes the cost of a stream for a system and a memory mode.
func Estimate(s *stream.Stream, system System, mode MemoryMode) *Report {
	e := newEstimator(s.Accelerator, &system, mode)
	r := &Report{ClockHz: system.ClockHz}
	slack := 0.0 // cycles of the operator before, which hide transfers
	for _, o := range e.operators(s) {
		n := e.cost(o)
		far := e.slack(o, mode)
		if o.prefetch > 0 {
			n = math.Max(e.prefetch(o, o.full)-slack+far, n+math.Max(0, e.prefetch(o, o.prefetch)-slack))
		}
		n += math.Max(0, o.table-slack)
		slack = far
		result := Operator{Ops: o.ops, NPU: n, Ports: e.traffic(s, o)}
		for _, part := range o.parts {
			result.Ops = append(result.Ops, part.ops...)
			for p, x := range e.traffic(s, part) {
				result.Ports[p] = result.Ports[p].plus(x)
			}
		}
		r.add(e, result)
	}
	for i := range s.Ops {
		if t := s.Ops[i].Transfer; t != nil { // hidden behind operators as far as they have time, which NPU counts
			for p, x := range e.transfers(t) {
				r.Ports[p] = r.Ports[p].plus(x)
			}
		}
	}
	return r
}

func (r *Report) add(e *estimator, o Operator) {
	o.Total = math.Max(o.NPU, math.Floor(e.access(o.Ports)))
	r.Operators = append(r.Operators, o)
	r.NPU += uint64(o.NPU)
	r.Total += uint64(o.Total)
	for p, x := range o.Ports {
		r.Ports[p] = r.Ports[p].plus(x)
	}
}

// cost returns the cycles of an operator without the transfers before it.
func (e *estimator) cost(o *operator) float64 {
	if o.swap {
		return e.swapCycles(o)
	}
	n := e.npu(&o.task)
	for _, part := range o.parts {
		n += e.npu(&part.task)
	}
	return n
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
