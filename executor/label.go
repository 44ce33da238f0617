package executor

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// LabelPrefix begins the key of the named data that holds a method's scratch label: the prefix, then the method's name.
const LabelPrefix = "ptero.scratch/"

// Label is what a planner leaves in a file about the scratch that it planned: named data under LabelPrefix, as JSON. It
// counts only while Hash still fits the method.
type Label struct {
	Hash    string         `json:"hash"`    // PlanHash of the method
	Scratch []LabelScratch `json:"scratch"` // every planned scratch argument
	Aliases []LabelAlias   `json:"aliases"` // arguments that lie inside scratch of their own call, on purpose
}

// LabelScratch names one trailing argument.
type LabelScratch struct {
	Instruction int    `json:"instruction"`
	Argument    int    `json:"argument"`
	Role        string `json:"role"`
}

// LabelAlias declares that an input or output lies inside scratch of the same call.
type LabelAlias struct {
	Instruction int `json:"instruction"`
	Argument    int `json:"argument"`
}

// Aliased says whether the label declares an argument to lie inside scratch.
func (l *Label) Aliased(instruction, argument int) bool {
	for _, a := range l.Aliases {
		if a == (LabelAlias{instruction, argument}) {
			return true
		}
	}
	return false
}

// Encode writes the label as named data holds it.
func (l *Label) Encode() ([]byte, error) { return json.Marshal(l) }

// ReadLabel finds the label of plan index of a program: nil where there is none, an error where it does not fit.
func ReadLabel(p *pte.Program, index int) (*Label, error) {
	plan := &p.Plans[index]
	for i := range p.NamedData {
		if p.NamedData[i].Key != LabelPrefix+plan.Name {
			continue
		}
		path := fmt.Sprintf("named_data[%d]", i)
		l := new(Label)
		if err := json.Unmarshal(p.NamedData[i].Bytes, l); err != nil {
			return nil, &fault.Error{Path: path, Rule: "scratch_label", Code: fault.InvalidProgram, Want: "a scratch label", Err: err}
		}
		if h := PlanHash(plan); l.Hash != h {
			return nil, &fault.Error{Path: path, Rule: "scratch_label", Code: fault.InvalidProgram, Want: "the label of this plan, " + h, Found: l.Hash}
		}
		return l, nil
	}
	return nil, nil
}

// PlanHash identifies what a scratch label speaks of: the instructions with their arguments, the places of all tensors
// and the delegates' blobs.
func PlanHash(p *pte.Plan) string {
	h := sha256.New()
	number := func(list ...uint64) {
		for _, n := range list {
			h.Write(binary.LittleEndian.AppendUint64(nil, n))
		}
	}
	number(uint64(len(p.Values)), uint64(len(p.Chains)), uint64(len(p.Delegates)))
	for i := range p.Values {
		if t := p.Values[i].Tensor; t != nil && t.Alloc != nil {
			n, _ := t.NBytes()
			number(uint64(i), uint64(t.DType), uint64(t.Alloc.MemID), t.Alloc.Offset, n)
		}
	}
	for c := range p.Chains {
		number(uint64(len(p.Chains[c].Instructions)))
		for k := range p.Chains[c].Instructions {
			in := &p.Chains[c].Instructions[k]
			number(uint64(in.Op), uint64(in.Target), uint64(in.From), uint64(in.To), uint64(len(in.Args)))
			for _, a := range in.Args {
				number(uint64(a))
			}
		}
	}
	for i := range p.Delegates {
		b := sha256.Sum256(p.Delegates[i].Blob)
		h.Write(b[:])
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func (l *linker) readLabel() *Label {
	label, err := ReadLabel(l.program, l.index)
	l.add(err)
	return label
}
