package executor

import "github.com/ptero-rt/ptero/pte"

// Step describes one instruction of a linked method for reports. Bytes are those of the tensors that a call names, at their present
// shapes: what it reads, and what it writes.
type Step struct {
	Chain, Index int    // as in the file
	Kind         string // "kernel", "delegate", "move", "jump_false", "free"
	Name         string
	BytesRead    uint64
	BytesWritten uint64
	Delegate     Delegate // of a delegate call
}

// Step describes the instruction at an index of the flattened program. It allocates; shapes are those of the last run.
func (l *Linked) Step(index int) Step {
	chain, k := l.Place(index)
	in := &l.plan.Chains[chain].Instructions[k]
	s := Step{Chain: chain, Index: k, Name: label(l.plan, in)}
	switch in.Op {
	case pte.CallKernel:
		s.Kind = "kernel"
	case pte.CallDelegate:
		s.Kind, s.Delegate = "delegate", l.delegates[in.Target]
	case pte.Move:
		s.Kind = "move"
		return s
	case pte.JumpFalse:
		s.Kind = "jump_false"
	case pte.Free:
		s.Kind = "free"
		return s
	}
	written := map[int32]bool{}
	l.eachWritten(in, l.op(in), func(v int32) { written[v] = true })
	mutated := map[int32]bool{}
	l.eachMutated(in, l.op(in), func(v int32) { mutated[v] = true })
	seen := map[int32]bool{}
	l.eachTouched(in, func(v int32) {
		t := l.values[v].Tensor()
		if t == nil || seen[v] {
			return
		}
		seen[v] = true
		if written[v] {
			s.BytesWritten += uint64(t.NBytes())
		}
		if !written[v] || mutated[v] {
			s.BytesRead += uint64(t.NBytes())
		}
	})
	return s
}
