package nxp

import (
	"fmt"
)

// Alignment is what every part of a payload and every buffer handed to the NPU
// is aligned to, in bytes.
const Alignment = 16

// Payload is the content of a NeutronBackend delegate blob. Its slices alias
// the bytes it was parsed from.
type Payload struct {
	Version byte   // 0 or 1; picks the layout of the microcode header
	Args    int    // input arguments of the delegate call; some may be unused
	Inputs  []Port // in the NPU's order
	Outputs []Port // in the NPU's order

	Microcode Microcode
	Weights   []byte
	Kernels   []byte // empty when the file leaves out the one placeholder byte
}

// Port is one input or output of the NPU.
type Port struct {
	ChannelsLast bool // the NPU wants, or gives, the tensor with channels innermost
	Arg          int  // index among the call's input arguments, or among its outputs
}

// ParsePayload reads a delegate blob of payload version 0 or 1. It bounds
// every byte. The result aliases b.
func ParsePayload(b []byte) (*Payload, error) {
	const part = "payload header"
	if len(b) < 4 {
		return nil, damaged(part, 0, "at least 4 bytes", fmt.Sprint(len(b)))
	}
	in, out, args := int(b[0]), int(b[1]), int(b[2])
	size := 4 + 2*in + 2*out
	start := roundUp(size, Alignment)
	if start > len(b) {
		return nil, damaged(part, 0, fmt.Sprintf("%d bytes for %d inputs and %d outputs", start, in, out), fmt.Sprint(len(b)))
	}
	if in == 0 || out == 0 {
		return nil, damaged(part, 0, "at least one input and one output", fmt.Sprintf("%d and %d", in, out))
	}
	p := &Payload{Version: b[size-1], Args: args, Inputs: make([]Port, in), Outputs: make([]Port, out)}
	if p.Version > 1 {
		return nil, unsupported(part, size-1, "payload version 0 or 1", fmt.Sprint(p.Version))
	}
	formats, maps := 3, 3+in+out
	if err := readPorts(p.Inputs, b, formats, maps, args, "input"); err != nil {
		return nil, err
	}
	if err := readPorts(p.Outputs, b, formats+in, maps+in, out, "output"); err != nil {
		return nil, err
	}
	writers := make([]bool, out)
	for i, port := range p.Outputs {
		if writers[port.Arg] {
			return nil, damaged(part, maps+in+i, "each output once in the output map", fmt.Sprintf("output %d again", port.Arg))
		}
		writers[port.Arg] = true
	}
	return p, p.readParts(b, start)
}

func readPorts(ports []Port, b []byte, formats, maps, args int, what string) error {
	const part = "payload header"
	for i := range ports {
		if b[formats+i] > 1 {
			return unsupported(part, formats+i, "format of "+what+fmt.Sprintf(" %d 0 (contiguous) or 1 (channels last)", i), fmt.Sprint(b[formats+i]))
		}
		ports[i] = Port{ChannelsLast: b[formats+i] == 1, Arg: int(b[maps+i])}
		if ports[i].Arg >= args {
			return damaged(part, maps+i, fmt.Sprintf("%s map entry %d below %d", what, i, args), fmt.Sprint(ports[i].Arg))
		}
	}
	return nil
}

func (p *Payload) readParts(b []byte, start int) error {
	m, err := parseHeader(b, start, p.Version)
	if err != nil {
		return err
	}
	if m.Inputs != uint32(len(p.Inputs)) || m.Outputs != uint32(len(p.Outputs)) {
		return damaged("microcode header", start, fmt.Sprintf("%d inputs and %d outputs as in the payload header", len(p.Inputs), len(p.Outputs)),
			fmt.Sprintf("%d and %d", m.Inputs, m.Outputs))
	}
	at, err := take(&m.Bytes, b, uint64(start), uint64(m.MicrocodeBytes), "microcode")
	if err != nil {
		return err
	}
	if at, err = take(&p.Weights, b, at, uint64(m.WeightBytes), "weights"); err != nil {
		return err
	}
	// Converters that write a one-byte placeholder leave it out of the payload now and then.
	if m.KernelBytes > 1 || at < uint64(len(b)) {
		if _, err = take(&p.Kernels, b, at, uint64(m.KernelBytes), "kernels"); err != nil {
			return err
		}
	}
	p.Microcode = *m
	return nil
}

// take sets part to the size bytes at offset at and returns where the next part begins.
func take(part *[]byte, b []byte, at, size uint64, name string) (uint64, error) {
	if end := at + size; end > uint64(len(b)) {
		return 0, damaged(name, int(min(at, uint64(len(b)))), fmt.Sprintf("%d bytes", size), fmt.Sprintf("%d left in the payload", uint64(len(b))-min(at, uint64(len(b)))))
	}
	*part = b[at : at+size : at+size]
	return uint64(roundUp(int(at+size), Alignment)), nil
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }
