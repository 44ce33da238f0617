package plan

import (
	"errors"
	"fmt"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// verify holds a written plan against the demand of the program that it was made from, by code that shares nothing with the
// solver: everything in bounds and aligned, everything that the file kept rigid still so, no two buffers alive together on the
// same bytes but where the file had them so or a declared alias puts them.
func (m *method) verify(before, after *pte.Plan) error {
	d := m.linked.Demand()
	type span struct {
		name        string
		value       int
		memID       uint32
		from, to    uint64 // bytes
		first, last int
		old         uint64
		oldMem      uint32
		group       int
		trailing    int // instruction whose trailing scratch it is, or -1
	}
	var list []span
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	add := func(name string, value int, bytes uint64, first, last int) *span {
		a := after.Values[value].Tensor.Alloc
		if a == nil || int(a.MemID) >= len(after.BufferBytes) {
			bad("%s: want a place in an arena, found none", name)
			return nil
		}
		if a.Offset > after.BufferBytes[a.MemID] || bytes > after.BufferBytes[a.MemID]-a.Offset {
			bad("%s: want bytes within arena %d of %d B, found %d to %d", name, a.MemID, after.BufferBytes[a.MemID], a.Offset, a.Offset+bytes)
		}
		if a.Offset%16 != 0 && (value >= len(before.Values) || before.Values[value].Tensor.Alloc.Offset%16 == 0) {
			bad("%s: want an offset that is a multiple of 16, found %d", name, a.Offset)
		}
		list = append(list, span{name: name, value: value, memID: a.MemID, from: a.Offset, to: a.Offset + bytes, first: first, last: last, group: -1, trailing: -1})
		return &list[len(list)-1]
	}
	scratch := map[int]bool{} // values that are trailing scratch of the new plan
	calls := m.linked.DelegateCalls()
	for _, c := range calls {
		args := after.Chains[c.Chain].Instructions[c.Index].Args
		for _, v := range args[c.Arity.In+c.Arity.Out:] {
			scratch[int(v)] = true
			n, _ := after.Values[v].Tensor.NBytes()
			if s := add(fmt.Sprintf("scratch %d of instruction %d", v, c.Instruction), int(v), n, c.Instruction, c.Instruction+1); s != nil {
				s.trailing = c.Instruction
			}
		}
	}
	for _, b := range d.Spans {
		v := b.Values[0]
		if v < len(after.Values) && after.Values[v].Tensor != nil && !scratch[v] && !(b.Kind == "scratch" && len(b.Devices) > 0) {
			if s := add(b.Label, v, b.Bytes, b.First, b.Last); s != nil {
				s.old, s.oldMem, s.group = b.Offset, b.MemID, b.Group
			}
		}
	}
	declared := m.aliased(after, calls)
	for i := range list {
		for k := range list[:i] {
			x, y := &list[i], &list[k]
			if x.group >= 0 && x.group == y.group && (x.memID != y.memID || x.from-y.from != x.old-y.old) {
				bad("%s and %s: want them as far apart as in the file (%d B), found %d B", x.name, y.name, int64(x.old-y.old), int64(x.from-y.from))
			}
			if x.memID != y.memID || x.from >= y.to || y.from >= x.to || x.first >= y.last || y.first >= x.last {
				continue
			}
			switch {
			case x.value == y.value:
			case x.group >= 0 && x.group == y.group && x.oldMem == y.oldMem && x.old < y.old+(y.to-y.from) && y.old < x.old+(x.to-x.from):
			case declared(x.value, y.value, x.trailing, y.trailing, max(x.first, y.first), min(x.last, y.last)):
			default:
				bad("%s and %s: want different bytes, found both at %d of arena %d during instruction %d", x.name, y.name, max(x.from, y.from), x.memID, max(x.first, y.first))
			}
		}
	}
	return errors.Join(errs...)
}

// aliased says which overlaps the delegates themselves allow: an argument exactly where the scratch of its own call has it, and an
// input beside an output of one call, both inside its scratch.
func (m *method) aliased(after *pte.Plan, calls []executor.DelegateCall) func(x, y, xTrailing, yTrailing, from, to int) bool {
	inside := map[[2]int]bool{} // instruction, value
	for _, c := range calls {
		a, ok := c.Delegate.(executor.Aliaser)
		if !ok {
			continue
		}
		args := after.Chains[c.Chain].Instructions[c.Index].Args
		for arg := range c.Arity.In + c.Arity.Out {
			k, offset, ok := a.ScratchOffset(arg)
			at := c.Arity.In + c.Arity.Out + k
			if !ok || at >= len(args) {
				continue
			}
			t, s := after.Values[args[arg]].Tensor.Alloc, after.Values[args[at]].Tensor.Alloc
			if t != nil && s != nil && t.MemID == s.MemID && t.Offset == s.Offset+offset {
				inside[[2]int{c.Instruction, int(args[arg])}] = true
			}
		}
	}
	return func(x, y, xTrailing, yTrailing, from, to int) bool {
		switch {
		case xTrailing >= 0:
			return inside[[2]int{xTrailing, y}]
		case yTrailing >= 0:
			return inside[[2]int{yTrailing, x}]
		}
		return to-from == 1 && inside[[2]int{from, x}] && inside[[2]int{from, y}]
	}
}

// Check says whether after is a sound plan for the program that linked was made from: what Make guarantees, for plans that
// come from a file.
func Check(before, after *pte.Program, linked []*executor.Linked) error {
	if len(before.Plans) != len(after.Plans) || len(linked) != len(after.Plans) {
		return fault.New(fault.InvalidProgram, "plan", fmt.Sprintf("%d methods", len(before.Plans)), fmt.Sprint(len(after.Plans)))
	}
	var errs []error
	for i, l := range linked {
		m := &method{linked: l, index: i}
		errs = append(errs, fault.Under(fmt.Sprintf("plan[%d]", i), m.verify(&before.Plans[i], &after.Plans[i])))
	}
	return errors.Join(errs...)
}
