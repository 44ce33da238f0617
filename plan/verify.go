package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// span is a buffer of a written plan, with what the file had.
type span struct {
	name        string
	value       int
	memID       uint32
	from, to    uint64 // bytes
	first, last int
	trailing    int // instruction whose trailing scratch it is, or -1
	group       int
	old         extent // in the file; nothing for scratch
}

// extent is a run of bytes of an arena.
type extent struct {
	memID    uint32
	from, to uint64
}

func (e extent) overlaps(o extent) bool { return e.memID == o.memID && e.from < o.to && o.from < e.to }

// verify holds a written plan against the demand of the program that it was made from, by code that shares nothing with the
// solver: everything in bounds and aligned, everything that the file kept rigid still so, no two buffers alive together on the
// same bytes but where the file had them so or a declared alias puts them, and state that methods share where it was.
func (m *method) verify(after *pte.Plan) error {
	list, errs := m.spans(after)
	inside := m.inside(after)
	groups := map[int]span{}
	for _, x := range list {
		if x.group < 0 {
			continue
		}
		y, ok := groups[x.group]
		if !ok {
			groups[x.group] = x
		} else if x.memID != y.memID || x.from-y.from != x.old.from-y.old.from {
			errs = append(errs, fmt.Errorf("%s and %s: want them as far apart as in the file (%d B), found %d B", x.name, y.name, int64(x.old.from-y.old.from), int64(x.from-y.from)))
		}
	}
	slices.SortFunc(list, func(a, b span) int { return a.first - b.first })
	var live []span
	for _, x := range list {
		live = slices.DeleteFunc(live, func(y span) bool { return y.last <= x.first })
		for _, y := range live {
			if x.memID != y.memID || x.from >= y.to || y.from >= x.to {
				continue
			}
			switch {
			case x.group >= 0 && x.group == y.group && x.old.overlaps(y.old):
			case inside(&x, &y):
			default:
				errs = append(errs, fmt.Errorf("%s and %s: want different bytes, found both at %d of arena %d during instruction %d", x.name, y.name, max(x.from, y.from), x.memID, x.first))
			}
		}
		live = append(live, x)
	}
	return errors.Join(errs...)
}

// spans lists the buffers of a written plan and what is wrong with each by itself.
func (m *method) spans(after *pte.Plan) (list []span, errs []error) {
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	add := func(s span, bytes uint64) {
		a := after.Values[s.value].Tensor.Alloc
		if a == nil || int(a.MemID) >= len(after.BufferBytes) {
			bad("%s: want a place in an arena, found none", s.name)
			return
		}
		if a.Offset > after.BufferBytes[a.MemID] || bytes > after.BufferBytes[a.MemID]-a.Offset {
			bad("%s: want bytes within arena %d of %d B, found %d to %d", s.name, a.MemID, after.BufferBytes[a.MemID], a.Offset, a.Offset+bytes)
		}
		if a.Offset%16 != 0 && (s.trailing >= 0 || s.old.from%16 == 0) {
			bad("%s: want an offset that is a multiple of 16, found %d", s.name, a.Offset)
		}
		if stays := m.shared(s.old.memID) || a.MemID == sharedArena; stays && (a.MemID != s.old.memID || a.Offset != s.old.from) {
			bad("%s: want it where state is that methods may share, at %d of arena %d, found %d of arena %d", s.name, s.old.from, s.old.memID, a.Offset, a.MemID)
		}
		s.memID, s.from, s.to = a.MemID, a.Offset, a.Offset+bytes
		list = append(list, s)
	}
	scratch := map[int]bool{}
	for i := range m.calls {
		c := &m.calls[i]
		for _, v := range after.Chains[c.Chain].Instructions[c.Index].Args[own(c):] {
			scratch[int(v)] = true
			if int(v) < m.kept {
				bad("scratch %d of instruction %d: want a new value, found one of the file's", v, c.Instruction)
				continue
			}
			n, _ := after.Values[v].Tensor.NBytes()
			add(span{name: fmt.Sprintf("scratch %d of instruction %d", v, c.Instruction), value: int(v), first: c.Instruction, last: c.Instruction + 1, trailing: c.Instruction, group: -1}, n)
		}
	}
	for _, b := range m.demand.Spans {
		if v := b.Values[0]; !m.trailing[v] {
			if v >= len(after.Values) || after.Values[v].Tensor == nil || scratch[v] {
				bad("%s: want its value %d as in the file, found another or none", b.Label, v)
				continue
			}
			add(span{name: b.Label, value: v, first: b.First, last: b.Last, trailing: -1, group: b.Group, old: extent{b.MemID, b.Offset, b.Offset + b.Bytes}}, b.Bytes)
		}
	}
	return list, errs
}

// inside says which overlaps the delegates themselves allow: an argument exactly where the scratch of its own call has it, and an
// input beside an output of one call, both inside its scratch.
func (m *method) inside(after *pte.Plan) func(x, y *span) bool {
	inside := map[[2]int]bool{} // instruction, value
	for i := range m.calls {
		c := &m.calls[i]
		if a, ok := c.Delegate.(executor.Aliaser); ok {
			args := after.Chains[c.Chain].Instructions[c.Index].Args
			for arg := range own(c) {
				if laidInside(after, a, c, args, arg) {
					inside[[2]int{c.Instruction, int(args[arg])}] = true
				}
			}
		}
	}
	return func(x, y *span) bool {
		switch {
		case x.trailing >= 0 && y.trailing >= 0:
			return false
		case x.trailing >= 0:
			return inside[[2]int{x.trailing, y.value}]
		case y.trailing >= 0:
			return inside[[2]int{y.trailing, x.value}]
		}
		from, to := max(x.first, y.first), min(x.last, y.last)
		return to-from == 1 && inside[[2]int{from, x.value}] && inside[[2]int{from, y.value}]
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
		errs = append(errs, fault.Under(fmt.Sprintf("plan[%d]", i), newMethod(before, i, l).verify(&after.Plans[i])))
	}
	return errors.Join(errs...)
}
