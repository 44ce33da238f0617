package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// Overlay is a plan beside the program that it is for, instead of a new program. File is the SHA-256 of that program;
// an overlay never applies to another.
type Overlay struct {
	Version int             `json:"ptero_overlay"`
	File    string          `json:"file_sha256"`
	Methods []OverlayMethod `json:"methods"`
}

// OverlayMethod is the plan of one method.
type OverlayMethod struct {
	Name        string          `json:"name"`
	BufferBytes []uint64        `json:"buffer_bytes"` // by mem_id
	Places      []OverlayPlace  `json:"places"`
	Calls       []OverlayCall   `json:"calls"` // delegate calls, in order
	Label       json.RawMessage `json:"label,omitempty"`
}

// OverlayPlace is where a tensor lies. Bytes is the size of a value that the file does not have.
type OverlayPlace struct {
	Value  int    `json:"value"`
	MemID  uint32 `json:"mem_id"`
	Offset uint64 `json:"offset"`
	Bytes  uint64 `json:"bytes,omitempty"`
}

// OverlayCall is a delegate call's trailing arguments.
type OverlayCall struct {
	Instruction int     `json:"instruction"`
	Scratch     []int32 `json:"scratch"`
}

const overlayVersion = 1

// Overlay gives the plan as an overlay for the program's file, of which it takes the bytes.
func (r *Result) Overlay(file []byte) *Overlay {
	o := &Overlay{Version: overlayVersion, File: fileHash(file)}
	for _, m := range r.methods {
		plan := &r.Program.Plans[m.index]
		om := OverlayMethod{Name: plan.Name, BufferBytes: plan.BufferBytes, Places: []OverlayPlace{}, Calls: []OverlayCall{}}
		for v := range plan.Values {
			t := plan.Values[v].Tensor
			if t == nil || t.Alloc == nil {
				continue
			}
			p := OverlayPlace{Value: v, MemID: t.Alloc.MemID, Offset: t.Alloc.Offset}
			if v >= m.kept {
				p.Bytes = uint64(t.Sizes[0])
			}
			om.Places = append(om.Places, p)
		}
		for i := range m.calls {
			c := &m.calls[i]
			args := plan.Chains[c.Chain].Instructions[c.Index].Args
			om.Calls = append(om.Calls, OverlayCall{c.Instruction, append([]int32{}, args[own(c):]...)})
		}
		for _, n := range r.Program.NamedData {
			if n.Key == executor.LabelPrefix+plan.Name {
				om.Label = json.RawMessage(n.Bytes)
			}
		}
		o.Methods = append(o.Methods, om)
	}
	return o
}

func fileHash(file []byte) string {
	h := sha256.Sum256(file)
	return hex.EncodeToString(h[:])
}

// ParseOverlay reads an overlay. Unknown fields are errors.
func ParseOverlay(text []byte) (*Overlay, error) {
	var o Overlay
	if err := decodeStrict(text, &o); err != nil {
		return nil, &fault.Error{Path: "overlay", Code: fault.InvalidExternalData, Err: err}
	}
	if o.Version != overlayVersion {
		return nil, fault.New(fault.InvalidExternalData, "overlay.ptero_overlay", fmt.Sprint(overlayVersion), fmt.Sprint(o.Version))
	}
	return &o, nil
}

// Apply makes the program with the overlay's plan. file are the bytes of the program, linked its methods: the plan is
// checked against them as one that Make made, and refused otherwise.
func (o *Overlay) Apply(p *pte.Program, file []byte, linked []*executor.Linked) (*pte.Program, error) {
	bad := func(path, want, found string) error {
		return &fault.Error{Path: "overlay." + path, Rule: "overlay", Code: fault.InvalidExternalData, Want: want, Found: found}
	}
	if h := fileHash(file); h != o.File {
		return nil, &fault.Error{Path: "overlay.file_sha256", Rule: "overlay_stale", Code: fault.InvalidExternalData, Want: "an overlay for this file, " + h, Found: o.File}
	}
	if len(o.Methods) != len(p.Plans) || len(linked) != len(p.Plans) {
		return nil, bad("methods", fmt.Sprint(len(p.Plans)), fmt.Sprint(len(o.Methods)))
	}
	out := p.Clone()
	for i := range o.Methods {
		if err := o.Methods[i].apply(out, newMethod(p, i, linked[i]), bad); err != nil {
			return nil, err
		}
	}
	if err := pte.Check(out); err != nil {
		return nil, fault.Under("overlay", err)
	}
	if err := Check(p, out, linked); err != nil {
		return nil, &fault.Error{Path: "overlay", Rule: "overlay", Code: fault.InvalidExternalData, Err: err}
	}
	return out, nil
}

func (o *OverlayMethod) apply(p *pte.Program, m *method, bad func(path, want, found string) error) error {
	plan := &p.Plans[m.index]
	path := fmt.Sprintf("methods[%d]", m.index)
	if o.Name != plan.Name {
		return bad(path+".name", fmt.Sprintf("%q", plan.Name), fmt.Sprintf("%q", o.Name))
	}
	if len(m.calls) != len(o.Calls) {
		return bad(path+".calls", fmt.Sprint(len(m.calls)), fmt.Sprint(len(o.Calls)))
	}
	m.dropScratch(plan)
	for v := range plan.Values {
		if t := plan.Values[v].Tensor; t != nil {
			t.Alloc = nil
		}
	}
	for i, at := range o.Places {
		where := fmt.Sprintf("%s.places[%d]", path, i)
		switch {
		case at.Value == len(plan.Values) && at.Bytes > 0 && at.Bytes <= math.MaxInt32:
			plan.Values = append(plan.Values, scratchValue(at.Bytes))
		case at.Value < 0 || at.Value >= m.kept || at.Bytes != 0:
			return bad(where, fmt.Sprintf("a value of the file, below %d, or the next, %d, with a size", m.kept, len(plan.Values)), fmt.Sprintf("%d of %d B", at.Value, at.Bytes))
		case plan.Values[at.Value].Tensor == nil || m.file.Values[at.Value].Tensor.Alloc == nil:
			return bad(where, "a tensor that the file plans", plan.Values[at.Value].Kind.String())
		}
		plan.Values[at.Value].Tensor.Alloc = &pte.Alloc{MemID: at.MemID, Offset: at.Offset}
	}
	for i := range m.calls {
		c, oc := &m.calls[i], &o.Calls[i]
		where := fmt.Sprintf("%s.calls[%d]", path, i)
		if c.Instruction != oc.Instruction {
			return bad(where+".instruction", fmt.Sprint(c.Instruction), fmt.Sprint(oc.Instruction))
		}
		for _, v := range oc.Scratch {
			if int(v) < m.kept || int(v) >= len(plan.Values) {
				return bad(where+".scratch", fmt.Sprintf("values from %d, which have a place", m.kept), fmt.Sprint(v))
			}
		}
		in := &plan.Chains[c.Chain].Instructions[c.Index]
		in.Args = append(in.Args, oc.Scratch...)
	}
	plan.BufferBytes = o.BufferBytes
	key := executor.LabelPrefix + plan.Name
	p.NamedData = slices.DeleteFunc(p.NamedData, func(n pte.NamedData) bool { return n.Key == key })
	if o.Label != nil {
		p.NamedData = append(p.NamedData, pte.NamedData{Key: key, Bytes: o.Label})
	}
	return nil
}
