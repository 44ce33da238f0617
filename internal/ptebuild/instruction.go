package ptebuild

import (
	"slices"

	"github.com/ptero-rt/ptero/pte"
)

// Label is a place among a method's instructions.
type Label struct{ at int32 }

// Jump is a jump whose target is not yet known.
type Jump struct {
	method *Method
	at     int
}

func (m *Method) emit(in pte.Instruction) int {
	list := &m.plan.Chains[0].Instructions
	*list = append(*list, in)
	return len(*list) - 1
}

// Kernel calls an operator, named as "aten::add.out"; out tensors are arguments like any other, at the end and once more
// for each value returned.
func (m *Method) Kernel(name string, args ...Value) {
	op := operator(name)
	at := slices.Index(m.plan.Operators, op)
	if at < 0 {
		at = len(m.plan.Operators)
		m.plan.Operators = append(m.plan.Operators, op)
	}
	m.emit(pte.Instruction{Op: pte.CallKernel, Target: int32(at), Args: indices(args)})
}

// Backend adds a delegate with its payload in a segment, and gives its index for Delegate.
func (m *Method) Backend(id string, blob []byte, specs ...pte.CompileSpec) int32 {
	m.plan.Delegates = append(m.plan.Delegates, pte.Delegate{ID: id, Blob: blob, Specs: specs})
	return int32(len(m.plan.Delegates) - 1)
}

// InlineBackend is Backend with the payload in the flatbuffer.
func (m *Method) InlineBackend(id string, blob []byte, specs ...pte.CompileSpec) int32 {
	at := m.Backend(id, blob, specs...)
	m.plan.Delegates[at].Inline = true
	return at
}

// Delegate calls a delegate with its flat list: inputs, outputs, then scratch if any.
func (m *Method) Delegate(index int32, args ...Value) {
	m.emit(pte.Instruction{Op: pte.CallDelegate, Target: index, Args: indices(args)})
}

// Move makes one value another.
func (m *Method) Move(from, to Value) {
	m.emit(pte.Instruction{Op: pte.Move, From: from.Index, To: to.Index})
}

// Free gives up a tensor's bytes.
func (m *Method) Free(v Value) { m.emit(pte.Instruction{Op: pte.Free, From: v.Index}) }

// Here is the place of the next instruction.
func (m *Method) Here() Label { return Label{int32(len(m.plan.Chains[0].Instructions))} }

// JumpFalse jumps forward where the condition is false; Land says where to.
func (m *Method) JumpFalse(cond Value) Jump {
	return Jump{m, m.emit(pte.Instruction{Op: pte.JumpFalse, From: cond.Index})}
}

// JumpFalseTo jumps to a place already known.
func (m *Method) JumpFalseTo(cond Value, to Label) {
	m.emit(pte.Instruction{Op: pte.JumpFalse, From: cond.Index, Target: to.at})
}

// Land makes the next instruction the jump's target.
func (j Jump) Land() {
	j.method.plan.Chains[0].Instructions[j.at].Target = j.method.Here().at
}
