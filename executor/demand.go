package executor

import (
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// Demand says all that the method wants of memory: its arenas, the planned buffers in them with their lifetimes, what
// calls need beside them, and what stays outside of arenas.
func (l *Linked) Demand() memory.Demand {
	d := memory.Demand{Method: l.plan.Name, Strategy: l.config.Strategy, Calls: l.calls, Fixed: l.fixed()}
	d.Spans = l.spans()
	for _, a := range l.arenas {
		d.Arenas = append(d.Arenas, memory.Arena{MemID: a.memID, Bytes: a.bytes, Align: 16, Share: l.share(a.memID)})
	}
	for i := range d.Spans {
		b := &d.Spans[i]
		a := &d.Arenas[slices.IndexFunc(d.Arenas, func(a memory.Arena) bool { return a.MemID == b.MemID })]
		for _, dev := range b.Devices {
			if !slices.Contains(a.Devices, dev) {
				a.Devices = append(a.Devices, dev)
			}
		}
	}
	return d
}

// fixed counts what the method keeps outside of arenas.
func (l *Linked) fixed() []memory.Fixed {
	file := fmt.Sprintf("%p", l.program)
	var list []memory.Fixed
	seen := map[*byte]bool{}
	n := uint64(0)
	for _, c := range l.constants {
		if len(c) > 0 && !seen[&c[0]] {
			seen[&c[0]] = true
			n += uint64(len(c))
		}
	}
	if n > 0 {
		list = append(list, memory.Fixed{Kind: memory.Constants, Label: "constants of " + l.plan.Name, Bytes: n})
	}
	for i := range l.plan.Delegates {
		if b := l.plan.Delegates[i].Blob; len(b) > 0 && !seen[&b[0]] {
			seen[&b[0]] = true
			list = append(list, memory.Fixed{Kind: memory.Constants, Label: fmt.Sprintf("delegate %d %s", i, l.plan.Delegates[i].ID), Bytes: uint64(len(b)),
				Share: fmt.Sprintf("%s blob %p", file, &b[0])})
		}
	}
	for i, v := range l.plan.Outputs {
		if t := l.values[v].Tensor(); t != nil && slices.Contains(l.homeless, v) && !slices.Contains(l.plan.Inputs, v) && t.Dynamism == pte.Static {
			list = append(list, memory.Fixed{Kind: memory.IO, Label: fmt.Sprintf("output %d", i), Bytes: uint64(t.limit * t.DType.Size())})
		}
	}
	return list
}

// share names the state that methods of one program have in common: an arena of the same mem_id that holds mutable buffers
// of the same names at the same places (exir's share_mutable_buffers, which uses mem_id 2). Elsewhere it is empty.
func (l *Linked) share(memID uint32) string {
	own := sharedState(l.plan, memID)
	if len(own) == 0 {
		return ""
	}
	for i := range l.program.Plans {
		if i == l.index {
			continue
		}
		for name, at := range sharedState(&l.program.Plans[i], memID) {
			if o, ok := own[name]; ok && o == at {
				return fmt.Sprintf("state of %p mem_id %d", l.program, memID)
			}
		}
	}
	return ""
}

// sharedState gives the named tensors of an arena, by name; none if it holds anything else.
func sharedState(p *pte.Plan, memID uint32) map[string]uint64 {
	if memID != 2 {
		return nil
	}
	found := map[string]uint64{}
	for i := range p.Values {
		t := p.Values[i].Tensor
		if t == nil || t.Alloc == nil || t.Alloc.MemID != memID {
			continue
		}
		if t.FQN != "" {
			found[t.FQN] = t.Alloc.Offset
		}
	}
	return found
}

// spans makes the table of planned buffers: one a tensor, or one a call for scratch, grouped where they must stay rigid.
func (l *Linked) spans() []memory.Buffer {
	t := l.lifetimes()
	list := make([]memory.Buffer, 0, len(l.planned))
	values := make([]int, len(l.planned))
	for i := range l.planned {
		p := &l.planned[i]
		if p.bytes == 0 {
			continue
		}
		values[i] = int(p.value)
		b := memory.Buffer{Kind: memory.Activations, MemID: l.arenas[p.arena].memID, Offset: p.offset, Bytes: uint64(p.bytes), Group: -1,
			Values: values[i : i+1 : i+1], Class: hal.AnyClass, Reads: t.reads[p.value], Writes: t.writes[p.value]}
		h := t.hull(p.value)
		switch {
		case l.persistent(t, p.value):
			b.Kind, b.First, b.Last = memory.Persistent, 0, max(len(l.code), 1)
			b.Label = l.name(p.value)
			list = append(list, b)
			continue
		case h.first >= 0:
			b.First, b.Last = int(h.first), int(h.last)
			b.Label = l.name(p.value)
			if l.isScratch(t, p.value) {
				b.Kind = memory.Scratch
			} else if l.isIO(p.value) {
				b.Kind = memory.IO
			}
			list = append(list, b)
		}
		for _, index := range t.scratch[p.value] {
			s := b
			s.Kind, s.First, s.Last = memory.Scratch, int(index), int(index)+1
			role := l.scratchRole(int(index), &l.values[p.value])
			s.Label, s.Class = fmt.Sprintf("%s %s", l.Label(int(index)), role.Role), role.Class
			if role.Device != "" {
				s.Devices = []string{role.Device}
			}
			list = append(list, s)
		}
	}
	group(list)
	return list
}

// name is what reports call a tensor.
func (l *Linked) name(v int32) string {
	if t := l.values[v].tensor; t != nil && t.fqn != "" {
		return t.fqn
	}
	return fmt.Sprintf("value %d", v)
}

// persistent says whether a planned tensor keeps its content between runs: the file gives it content or a name, or the
// program reads it before anything wrote it.
func (l *Linked) persistent(t *lifetimes, v int32) bool {
	d := l.plan.Values[v].Tensor
	if slices.Contains(l.plan.Inputs, v) {
		return false
	}
	return d.DataIndex != 0 || d.Location == pte.External || d.FQN != "" && !l.isOutput(v) || t.readFirst[v] && !l.isScratch(t, v)
}

// isScratch says whether a tensor is working memory of one operator, which the exporter plans as an argument before the
// out argument (backends/cortex_m at cff6f4dd): bytes, one-dimensional, used by one instruction that does not return them.
func (l *Linked) isScratch(t *lifetimes, v int32) bool {
	x := l.values[v].tensor
	return t.uses[v] == 1 && !t.written[v] && x.DType.Size() == 1 && len(x.Sizes) <= 1 && !l.isIO(v)
}

func (l *Linked) isIO(v int32) bool { return slices.Contains(l.plan.Inputs, v) || l.isOutput(v) }

func (l *Linked) isOutput(v int32) bool { return slices.Contains(l.plan.Outputs, v) }

// group numbers sets of buffers whose bytes and lifetimes overlap in the file's plan: something writes in place, views,
// or shares them, so they keep their places relative to each other. Scratch of several calls in one value counts too.
func group(list []memory.Buffer) {
	order := make([]int, len(list))
	parent := make([]int, len(list))
	for i := range order {
		order[i], parent[i] = i, i
	}
	var find func(i int) int
	find = func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	slices.SortFunc(order, func(a, b int) int { return list[a].First - list[b].First })
	var live []int
	byValue := map[int]int{}
	for _, i := range order {
		b := &list[i]
		if k, ok := byValue[b.Values[0]]; ok {
			parent[find(i)] = find(k)
		}
		byValue[b.Values[0]] = i
		kept := live[:0]
		for _, k := range live {
			o := &list[k]
			if o.Last <= b.First {
				continue
			}
			kept = append(kept, k)
			if o.MemID == b.MemID && o.Offset < b.Offset+b.Bytes && b.Offset < o.Offset+o.Bytes {
				parent[find(i)] = find(k)
			}
		}
		live = append(kept, i)
	}
	size := make([]int, len(list))
	for i := range list {
		size[find(i)]++
	}
	number := map[int]int{}
	for i := range list {
		r := find(i)
		if size[r] < 2 {
			continue
		}
		g, ok := number[r]
		if !ok {
			g = len(number)
			number[r] = g
		}
		list[i].Group = g
	}
}
