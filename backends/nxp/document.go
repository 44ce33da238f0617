package nxp

import (
	"encoding/json"
	"fmt"
)

// document is a Description as scripts read it.
type document struct {
	Revision       string           `json:"revision"`
	Container      string           `json:"container"`
	Converter      string           `json:"converter,omitempty"`
	Target         string           `json:"target,omitempty"`
	TargetEvidence string           `json:"target_evidence,omitempty"`
	PayloadVersion *byte            `json:"payload_version,omitempty"`
	Arguments      *int             `json:"arguments,omitempty"`
	Inputs         []portDocument   `json:"inputs"`
	Outputs        []portDocument   `json:"outputs"`
	MicrocodeBytes uint32           `json:"microcode_bytes"`
	WeightBytes    uint32           `json:"weight_bytes"`
	KernelBytes    uint32           `json:"kernel_bytes"`
	ScratchBytes   uint32           `json:"scratch_bytes"`
	ProfileBytes   uint32           `json:"profile_bytes"`
	DebugBytes     uint32           `json:"debug_bytes"`
	SRAMBytes      uint32           `json:"sram_scratch_bytes"`
	Calls          uint32           `json:"calls"`
	CostEstimate   uint32           `json:"cost_estimate"` // the converter's; unit not published
	Records        []recordDocument `json:"records"`
	Problem        string           `json:"problem,omitempty"` // what was not read, and why
}

type portDocument struct {
	Bytes        uint32 `json:"bytes"`
	Argument     *int   `json:"argument,omitempty"`
	ChannelsLast *bool  `json:"channels_last,omitempty"`
}

type recordDocument struct {
	Index    int               `json:"index"`
	Offset   int               `json:"offset"`
	Opcode   string            `json:"opcode"`
	Kind     string            `json:"kind"`
	Title    string            `json:"title"`
	MACs     uint64            `json:"macs"`
	Operands []operandDocument `json:"operands"`
	Note     string            `json:"note,omitempty"`
}

type operandDocument struct {
	Role   string `json:"role"`
	Space  string `json:"space"`
	Offset uint32 `json:"offset"`
	Bytes  uint64 `json:"bytes"`
}

// MarshalJSON writes what Disassemble says, for scripts; bytes of the payload are left out.
func (d *Description) MarshalJSON() ([]byte, error) {
	m := d.Microcode
	doc := document{
		Revision: fmt.Sprintf("%08x", m.Revision), Container: m.Container().String(), Converter: m.Converter, Target: d.Target.Name, TargetEvidence: d.Target.Evidence,
		MicrocodeBytes: m.MicrocodeBytes, WeightBytes: m.WeightBytes, KernelBytes: m.KernelBytes, ScratchBytes: m.ScratchBytes, ProfileBytes: m.ProfileBytes,
		DebugBytes: m.DebugBytes, SRAMBytes: m.SRAMScratchBytes, Calls: m.Calls, CostEstimate: m.Cost,
		Inputs: portDocuments(d.InputBytes, nil), Outputs: portDocuments(d.OutputBytes, nil), Records: []recordDocument{},
	}
	if p := d.Payload; p != nil {
		doc.PayloadVersion, doc.Arguments = &p.Version, &p.Args
		doc.Inputs, doc.Outputs = portDocuments(d.InputBytes, p.Inputs), portDocuments(d.OutputBytes, p.Outputs)
	}
	for i := range d.Kernels {
		k := &d.Kernels[i]
		r := recordDocument{Index: k.Index, Offset: k.Offset, Opcode: fmt.Sprintf("%#02x", k.Opcode), Kind: k.Kind.String(), Title: k.Title(), MACs: k.MACs(), Note: k.Note}
		names := k.operandNames()
		for j, o := range k.operands() {
			if o.Space != SpaceNone {
				r.Operands = append(r.Operands, operandDocument{names[j], o.Space.String(), o.Offset, o.Bytes})
			}
		}
		doc.Records = append(doc.Records, r)
	}
	if d.Problem != nil {
		doc.Problem = d.Problem.Error()
	}
	return json.Marshal(doc)
}

func portDocuments(sizes []uint32, ports []Port) []portDocument {
	docs := make([]portDocument, len(sizes))
	for i, n := range sizes {
		docs[i].Bytes = n
		if ports != nil {
			docs[i].Argument, docs[i].ChannelsLast = &ports[i].Arg, &ports[i].ChannelsLast
		}
	}
	return docs
}
