package nxp

import (
	"encoding/binary"
	"fmt"

	"github.com/ptero-rt/ptero/executor"
)

// costCycles is how many cycles one unit of the microcode's own cost estimate
// is taken for. The unit is not published; a thousand fits the sizes of the
// published networks.
const costCycles = 1000

// EstimatedCycles is the converter's estimate of one run in NPU cycles, from
// the microcode's cost word. It is an estimate by an estimate: see costCycles.
func (m *Microcode) EstimatedCycles() uint64 { return uint64(m.Cost) * costCycles }

// describeSteps makes a detail of each record, with the estimate shared out by work.
func describeSteps(p *Payload) []executor.Detail {
	kernels, err := p.Microcode.Decode(p.Weights)
	if err != nil {
		return nil
	}
	work := func(k *Kernel) uint64 { return k.MACs() + 16*(k.Dst.Bytes+k.Src.Bytes) }
	var total uint64
	for i := range kernels {
		total += work(&kernels[i])
	}
	details := make([]executor.Detail, len(kernels))
	for i := range kernels {
		k := &kernels[i]
		details[i] = executor.Detail{Name: fmt.Sprintf("%d %s", k.Index, k.Title()), BytesRead: k.Src.Bytes + k.Weights.Bytes + k.Bias.Bytes + k.ScaleTab.Bytes, BytesWritten: k.Dst.Bytes}
		if total > 0 {
			details[i].Cycles = uint64(float64(p.Microcode.EstimatedCycles()) * float64(work(k)) / float64(total))
		}
	}
	return details
}

// Details gives the records of the microcode with the converter's cost estimate,
// or, where the microcode profiles itself, what the NPU measured in the last run.
func (d *delegate) Details() []executor.Detail {
	profile := d.memory.Scratch[roleProfile].Bytes
	if len(profile) == 0 {
		return d.details
	}
	return profiled(profile)
}

// opCallArgs is the opcode of profile events that belong to a kernel call.
const opCallArgs = 6

// profiled reads profile memory: pairs of a start and a stop event, each four
// code bytes (event, opcode, function, timestamp) and a time.
//
// Source: pytorch/executorch backends/nxp/runtime/NeutronBackend.cpp.
func profiled(b []byte) (details []executor.Detail) {
	var start uint32
	for ; len(b) >= 16; b = b[16:] {
		from, to := binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[12:])
		if start == 0 {
			start = from
		}
		if b[9] != opCallArgs {
			continue
		}
		details = append(details, executor.Detail{Name: fmt.Sprintf("%d function %#02x", len(details), b[2]), Cycles: uint64(to - start)})
		start = 0
	}
	return details
}
