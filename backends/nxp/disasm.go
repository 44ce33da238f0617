package nxp

import (
	"fmt"
	"strings"
)

// Title names a kernel in a few words: "conv 5x5 32x32x8 to 16x16x32".
func (k *Kernel) Title() string {
	var b strings.Builder
	b.WriteString(k.Kind.String())
	switch k.Kind {
	case Conv, ConvTransposed, ConvRow, Depthwise, DepthwiseRow, MaxPool:
		fmt.Fprintf(&b, " %dx%d", k.KernelH, k.KernelW)
		if k.StrideH != 1 || k.StrideW != 1 {
			fmt.Fprintf(&b, "/%dx%d", k.StrideH, k.StrideW)
		}
	}
	fmt.Fprintf(&b, " %s to %s", shape(k.InH, k.InW, k.InC), shape(k.OutH/k.PoolH, k.OutW/k.PoolW, k.OutC))
	if k.PoolH > 1 || k.PoolW > 1 {
		fmt.Fprintf(&b, " with max pool %dx%d", k.PoolH, k.PoolW)
	}
	return b.String()
}

func shape(h, w, c int) string { return fmt.Sprintf("%dx%dx%d", h, w, c) }

// Description is what is known of a payload without running it.
type Description struct {
	Payload     *Payload // nil for a bare microcode
	Microcode   *Microcode
	Target      Target
	InputBytes  []uint32
	OutputBytes []uint32
	Kernels     []Kernel // nil where Problem says why
	Problem     error    // what of the microcode could not be read
}

// Describe opens a payload, or a bare microcode, for people to look at. Damage
// in the record stream does not fail it but is reported in Problem.
func Describe(b []byte) (*Description, error) {
	d := &Description{}
	p, err := ParsePayload(b)
	var weights []byte
	if err == nil {
		d.Payload, d.Microcode, weights = p, &p.Microcode, p.Weights
	} else if m, bare := ParseMicrocode(b); bare == nil {
		d.Microcode = m
	} else {
		return nil, err
	}
	if d.InputBytes, d.OutputBytes, d.Problem = d.Microcode.IOBytes(); d.Problem != nil {
		return d, nil
	}
	if d.Kernels, d.Problem = d.Microcode.Decode(weights); d.Problem == nil {
		d.Target = GuessTarget(d.Kernels)
	}
	return d, nil
}

// Disassemble writes the header and every record in words.
func (d *Description) Disassemble() string {
	var b strings.Builder
	m := d.Microcode
	fmt.Fprintf(&b, "microcode revision %08x, %s", m.Revision, m.Container())
	if m.Converter != "" {
		fmt.Fprintf(&b, ", converter %s", m.Converter)
	}
	b.WriteByte('\n')
	if d.Target.Name != "" {
		fmt.Fprintf(&b, "target %s, from %s\n", d.Target.Name, d.Target.Evidence)
	}
	fmt.Fprintf(&b, "microcode %d B, weights %d B, kernels %d B\n", m.MicrocodeBytes, m.WeightBytes, m.KernelBytes)
	fmt.Fprintf(&b, "scratch %d B, profile %d B, debug %d B, SRAM scratch %d B\n", m.ScratchBytes, m.ProfileBytes, m.DebugBytes, m.SRAMScratchBytes)
	fmt.Fprintf(&b, "%d calls, cost estimate of the converter %d (unit not published)\n", m.Calls, m.Cost)
	if d.Payload != nil {
		fmt.Fprintf(&b, "payload version %d, %d input arguments\n", d.Payload.Version, d.Payload.Args)
	}
	d.writePorts(&b)
	for i := range d.Kernels {
		d.Kernels[i].write(&b)
	}
	if d.Problem != nil {
		fmt.Fprintf(&b, "not read further: %v\n", d.Problem)
	}
	return b.String()
}

func (d *Description) writePorts(b *strings.Builder) {
	write := func(what string, sizes []uint32, ports []Port) {
		for i, n := range sizes {
			fmt.Fprintf(b, "%s %d: %d B", what, i, n)
			if ports != nil {
				order := "contiguous"
				if ports[i].ChannelsLast {
					order = "channels last"
				}
				fmt.Fprintf(b, ", argument %d, %s", ports[i].Arg, order)
			}
			b.WriteByte('\n')
		}
	}
	var in, out []Port
	if d.Payload != nil {
		in, out = d.Payload.Inputs, d.Payload.Outputs
	}
	write("input", d.InputBytes, in)
	write("output", d.OutputBytes, out)
}

// write adds a record: kind and shapes, then operands and numbers.
func (k *Kernel) write(b *strings.Builder) {
	fmt.Fprintf(b, "%4d  %#05x  op %02x  %s\n", k.Index, k.Offset, k.Opcode, k.Title())
	names := k.operandNames()
	for i, o := range k.operands() {
		if o.Space == SpaceNone {
			continue
		}
		fmt.Fprintf(b, "        %-9s %s\n", names[i], o)
	}
	var notes []string
	if k.Top|k.Left|k.Bottom|k.Right != 0 {
		notes = append(notes, fmt.Sprintf("padding %d,%d,%d,%d", k.Top, k.Left, k.Bottom, k.Right))
	}
	if k.BiasSets > 0 {
		notes = append(notes, fmt.Sprintf("input zero %d, output zero %d", k.InZero, k.Scale.Zero))
		if k.Scale.Table {
			notes = append(notes, "scale per channel")
		} else {
			notes = append(notes, fmt.Sprintf("scale %d/2^%d", k.Scale.Mantissa, k.Scale.Shift))
		}
	}
	if k.BiasSets > 1 {
		notes = append(notes, fmt.Sprintf("%d bias sets", k.BiasSets))
	}
	if k.Patches > 0 {
		notes = append(notes, fmt.Sprintf("%d patches of an earlier call", k.Patches))
	}
	if k.Note != "" {
		notes = append(notes, k.Note)
	}
	if len(notes) > 0 {
		fmt.Fprintf(b, "        %s\n", strings.Join(notes, "; "))
	}
}
