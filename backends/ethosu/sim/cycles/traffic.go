package cycles

import (
	"math"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// Ports are the NPU's AXI interfaces: the first to SRAM, the second to the other memory.
const (
	PortSRAM      = 0
	PortSecondary = 1
	ports         = 2
)

// Traffic is what an operator moves over a port, in bytes; bursts that are not full count as full.
type Traffic struct{ Read, Written uint64 }

func (t Traffic) plus(u Traffic) Traffic { return Traffic{t.Read + u.Read, t.Written + u.Written} }

// move adds a transfer of a feature map.
func (e *estimator) move(list *[ports]Traffic, o operand, block shape, elements int, read bool) {
	n := uint64(e.transfer(o, block, elements*o.bits/8, read))
	if read {
		list[o.memory.port].Read += n
	} else {
		list[o.memory.port].Written += n
	}
}

func (o operand) rounded(s shape) shape {
	if o.layout == stream.NHCWB16 {
		s.c = roundUp(s.c, 16)
	}
	return s
}

// traffic returns what an operator moves over each port.
func (e *estimator) traffic(s *stream.Stream, o *operator) [ports]Traffic {
	var list [ports]Traffic
	k := o.op.Kernel
	last := s.Ops[o.ops[len(o.ops)-1]].Kernel
	switch {
	case o.swap:
		e.move(&list, o.ifm, o.ifmB, o.elements, true)
		e.move(&list, o.ofm, o.ofmB, o.elements, false)
		return list
	case o.op.Kind == stream.Elementwise || o.op.Kind == stream.Resize:
		e.move(&list, o.ifm, o.ifmB, o.ifm.rounded(o.ifm.shape).elements(), true)
		if o.binary && o.ifm2.elements() > 1 {
			e.move(&list, o.ifm2, o.ifmB, o.ifm2.rounded(o.ifm2.shape).elements(), true)
		}
	default:
		in, out := minShape(o.ifm.shape, o.ifmB), minShape(o.ofm.shape, o.ofmB)
		blocks := blocksIn(o.ofm.shape, out)
		if o.op.Kind == stream.Depthwise || o.op.Kind == stream.Pool && k.Pool != stream.PoolReduceSum {
			blocks.c = 1
		}
		subKernels := divUp(k.Window.TapsX(), 8) * divUp(k.Window.TapsY(), 8)
		e.move(&list, o.ifm, o.ifmB, in.h*in.w*o.ifm.rounded(o.ifm.shape).c*subKernels*blocks.elements(), true)
		if k.WeightsIFM2 {
			e.move(&list, o.ifm2, o.ifmB, o.ifm2.elements()*blocks.h*blocks.w, true)
		}
		for _, i := range o.ops {
			e.constants(&list, s.Ops[i].Kernel, uint64(blocks.h*blocks.w))
			if o.striped || o.tail == 0 {
				break // stripes share the weights; chained operations have none
			}
		}
	}
	if last.OFM.InMemory() && !last.NoOutput {
		ofm := o.ofm
		ofm.layout, ofm.memory, ofm.bits = last.OFM.Layout, e.memory[last.OFM.Region&7], last.OFM.Bits
		e.move(&list, ofm, o.ofmB, ofm.rounded(ofm.shape).elements(), false)
	}
	return list
}

// constants adds weights and scales, which each output block across the plane reads again.
func (e *estimator) constants(list *[ports]Traffic, k *stream.Kernel, times uint64) {
	for _, spans := range [][]stream.Span{k.Weights, k.Scales} {
		for _, w := range spans {
			list[e.memory[w.Region&7].port].Read += w.Bytes * times
		}
	}
}

// transfers returns what a DMA operation moves.
func (e *estimator) transfers(t *stream.Transfer) [ports]Traffic {
	var list [ports]Traffic
	n := t.Src.Bytes * uint64(t.Rows) * uint64(t.Planes)
	if !t.SrcInternal {
		list[e.memory[t.Src.Region&7].port].Read += n
	}
	if !t.DstInternal {
		list[e.memory[t.Dst.Region&7].port].Written += n
	}
	return list
}

// access returns the cycles that the slower port takes for some traffic.
func (e *estimator) access(list [ports]Traffic) float64 {
	most := 0.0
	for p, t := range list {
		if n := t.Read + t.Written; n > 0 {
			most = math.Max(most, float64(n)/e.bandwidth[p])
		}
	}
	return most
}
