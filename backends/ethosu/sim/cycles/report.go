// Package cycles estimates what a command stream costs on an Ethos-U: cycles of the NPU and bytes at each memory.
//
// The figures are those of the performance model in Vela 5.1, evaluated on the stream instead of the compiler's graph. They
// are estimates: Arm states no accuracy, and silicon may differ by tens of percent.
package cycles

import "github.com/ptero-rt/ptero/backends/ethosu/stream"

// Operation is the estimate for one operation of the stream.
type Operation struct {
	Op  int     // index into the stream's operations
	NPU float64 // cycles when memory keeps up
}

// Report is the estimate for a stream.
type Report struct {
	Operations []Operation
	NPU        uint64
}

// Estimate computes the cost of a stream for a system and a memory mode.
func Estimate(s *stream.Stream, system System, mode MemoryMode) *Report {
	e := &estimator{acc: s.Accelerator, stage: outputStageOf(s.Accelerator), memory: memoriesOf(s.Accelerator, &system, mode)}
	r := &Report{}
	table := 0.0 // cycles of look-up tables that the next operation waits for
	for i := 0; i < len(s.Ops); i++ {
		op := &s.Ops[i]
		if op.Kernel == nil {
			if op.Transfer != nil && op.Transfer.DstInternal {
				table += e.tableLoad(op.Transfer)
			}
			continue
		}
		t := e.task(op)
		first := i
		for op.Kernel.OFM.Storage == stream.Chained { // the whole chain passes with its first operation
			for i++; i < len(s.Ops) && s.Ops[i].Kernel == nil; i++ {
			}
			if i == len(s.Ops) {
				break
			}
			op = &s.Ops[i]
			t.perElement += e.outputCycles(op)
		}
		n := e.npu(&t) + table
		table = 0
		r.Operations = append(r.Operations, Operation{first, n})
		r.NPU += uint64(n)
	}
	return r
}
