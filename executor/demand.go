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
	d := l.Outline()
	d.Spans = l.spans()
	return d
}

// Outline is Demand without lifetimes: of the planned buffers only those that decide where memory may lie and how long it
// is kept, persistent state and planned scratch. It is all that binding needs, and quick to make.
func (l *Linked) Outline() memory.Demand {
	d := memory.Demand{Method: l.plan.Name, Strategy: l.config.Strategy, Calls: l.calls, Fixed: l.fixed()}
	for _, a := range l.arenas {
		d.Arenas = append(d.Arenas, memory.Arena{MemID: a.memID, Bytes: a.bytes, Align: 16, Share: l.share(a.memID)})
	}
	for i := range l.planned {
		p := &l.planned[i]
		if l.persistent(p.value) {
			b := l.buffer(p)
			b.Kind, b.First, b.Last, b.Label = memory.Persistent, 0, max(len(l.code), 1), l.name(p.value)
			d.Spans = append(d.Spans, b)
		}
	}
	if len(l.forms) > 0 {
		l.eachInstruction(func(index int, in *pte.Instruction) {
			for k, v := range in.Args[l.own(index, in):] {
				if l.plannedAt[v] < 0 {
					continue
				}
				p := &l.planned[l.plannedAt[v]]
				b := l.scratchBuffer(p, index, k)
				d.Spans = append(d.Spans, b)
				a := &d.Arenas[p.arena]
				a.Align = max(a.Align, l.arities[in.Target].Forms[l.forms[index]][k].Align)
				for _, dev := range b.Devices {
					if !slices.Contains(a.Devices, dev) {
						a.Devices = append(a.Devices, dev)
					}
				}
			}
		})
	}
	slices.SortStableFunc(d.Spans, func(a, b memory.Buffer) int { return a.First - b.First })
	return d
}

func (l *Linked) buffer(p *planned) memory.Buffer {
	return memory.Buffer{Kind: memory.Activations, MemID: l.arenas[p.arena].memID, Offset: p.offset, Bytes: uint64(p.bytes), Group: -1,
		Values: []int{int(p.value)}, Class: hal.AnyClass}
}

// scratchBuffer is trailing argument k of one call.
func (l *Linked) scratchBuffer(p *planned, index, k int) memory.Buffer {
	b := l.buffer(p)
	role := l.arities[l.code[index].target].Forms[l.forms[index]][k]
	b.Kind, b.First, b.Last, b.Class = memory.Scratch, index, index+1, role.Class
	b.Label = fmt.Sprintf("%s %s", l.Label(index), role.Role)
	if role.Device != "" {
		b.Devices = []string{role.Device}
	}
	return b
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
	for _, v := range l.adopted {
		if t := l.values[v].tensor; t.Dynamism == pte.Static {
			list = append(list, memory.Fixed{Kind: memory.Persistent, Label: l.name(v), Bytes: uint64(t.limit * t.DType.Size())})
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
	for i := range l.planned {
		p := &l.planned[i]
		if p.bytes == 0 {
			continue
		}
		h := t.hull(p.value)
		if l.persistent(p.value) {
			h = interval{0, int32(max(len(l.code), 1))}
		}
		if h.first >= 0 {
			b := l.buffer(p)
			b.Label, b.First, b.Last, b.Reads, b.Writes = l.describe(p.value), int(h.first), int(h.last), t.reads[p.value], t.writes[p.value]
			switch {
			case l.persistent(p.value):
				b.Kind = memory.Persistent
			case l.isScratch(p.value):
				b.Kind = memory.Scratch
			case l.isIO(p.value):
				b.Kind = memory.IO
			}
			list = append(list, b)
		}
		for _, s := range t.scratch[p.value] {
			list = append(list, l.scratchBuffer(p, int(s.index), int(s.k)))
		}
	}
	group(list, l.laidInside())
	return list
}

// laidInside says which buffers share bytes only because the file's label lays arguments inside the scratch of their call:
// the scratch and such an argument, or an input and an output that both are. A planner may do that again or not.
func (l *Linked) laidInside() func(a, b *memory.Buffer) bool {
	if l.label == nil || len(l.label.Aliases) == 0 {
		return func(a, b *memory.Buffer) bool { return false }
	}
	inside := map[[2]int]bool{} // instruction, value
	l.eachInstruction(func(index int, in *pte.Instruction) {
		for arg, v := range in.Args {
			if l.label.Aliased(index, arg) || in.Op == pte.CallDelegate && arg >= l.own(index, in) {
				inside[[2]int{index, int(v)}] = true
			}
		}
	})
	return func(a, b *memory.Buffer) bool {
		at := max(a.First, b.First)
		return min(a.Last, b.Last) == at+1 && inside[[2]int{at, a.Values[0]}] && inside[[2]int{at, b.Values[0]}]
	}
}

// name is what reports call a tensor.
func (l *Linked) name(v int32) string {
	if t := l.values[v].tensor; t != nil && t.Name() != "" {
		return t.Name()
	}
	return fmt.Sprintf("value %d", v)
}

// describe is name with what the tensor is to the program, where the file gives it no name: an input, an output, or what
// comes from an instruction.
func (l *Linked) describe(v int32) string {
	name, at := l.name(v), l.firstAt[v]-1
	if x := l.values[v].tensor; x != nil && x.Name() != "" {
		return name
	}
	if i := slices.Index(l.plan.Inputs, v); i >= 0 {
		return fmt.Sprintf("input %d, %s", i, name)
	}
	if i := slices.Index(l.plan.Outputs, v); i >= 0 {
		return fmt.Sprintf("output %d, %s", i, name)
	}
	switch {
	case at < 0:
		return name
	case l.isScratch(v):
		return l.Label(int(at)) + " scratch, " + name
	case l.touches[v].has(readFirst):
		return name
	}
	return l.Label(int(at)) + ", " + name
}

// persistent says whether a planned tensor keeps its content between runs: the file gives it content or a name, or the
// program reads it before anything wrote it and nothing else has its bytes.
func (l *Linked) persistent(v int32) bool {
	if l.isState(v) {
		return true
	}
	if !l.touches[v].has(readFirst) || l.isIO(v) || l.isScratch(v) {
		return false
	}
	if _, ok := l.views(v); ok {
		return false
	}
	own := place(l.plan, v)
	for i := range l.planned {
		w := l.planned[i].value
		o := l.extent(&l.planned[i])
		switch {
		case w == v || !own.overlaps(o):
		case l.isState(w):
			return true // a view of it
		case l.touches[w].has(written) && (o.first < own.first || o.last > own.last):
			return false // working memory that an operator gets undefined: what is written over it goes beyond it
		}
	}
	return true
}

// isState says whether the file itself calls a planned tensor a mutable buffer.
func (l *Linked) isState(v int32) bool {
	d := l.plan.Values[v].Tensor
	if d.DataIndex != 0 || d.Location == pte.External {
		return !l.isInput(v)
	}
	return d.FQN != "" && !l.isIO(v)
}

// views says whether a tensor that no instruction writes shows what others wrote before it is read: exporters leave out
// views, and the plan puts the result where its source is. It gives the first instruction of those that wrote the bytes
// which are there at the first read, as readTouches counts.
func (l *Linked) views(v int32) (from int32, ok bool) {
	if l.touches[v]&(readFirst|written) != readFirst {
		return 0, false
	}
	own := place(l.plan, v)
	var writers []int32
	for i := range l.planned {
		w := l.planned[i].value
		if w != v && !l.touches[w].has(readFirst) && (l.touches[w].has(written) || l.isInput(w)) && l.firstAt[w] < l.firstAt[v] && own.overlaps(l.extent(&l.planned[i])) {
			writers = append(writers, w)
		}
	}
	slices.SortFunc(writers, func(a, b int32) int { return int(l.firstAt[b] - l.firstAt[a]) })
	left := []extent{own} // bytes whose writer is not found yet
	for _, w := range writers {
		o := place(l.plan, w)
		var rest []extent
		for _, e := range left {
			if !e.overlaps(o) {
				rest = append(rest, e)
				continue
			}
			from, ok = l.firstAt[w], true
			if e.first < o.first {
				rest = append(rest, extent{e.memID, e.first, o.first})
			}
			if o.last < e.last {
				rest = append(rest, extent{e.memID, o.last, e.last})
			}
		}
		left = rest
	}
	return from, ok
}

// isScratch says whether a tensor is working memory of one operator, which the exporter plans as an argument before the
// out argument (backends/cortex_m at cff6f4dd): bytes, one-dimensional, used by one instruction that does not return them.
// Delegate calls have theirs behind the outputs, and it counts as written.
func (l *Linked) isScratch(v int32) bool {
	x := l.values[v].tensor
	return l.touches[v]&(written|often) == 0 && x.DType.Size() == 1 && len(x.Sizes) <= 1 && x.Name() == "" && !l.isIO(v)
}

func (l *Linked) isIO(v int32) bool { return l.isInput(v) || slices.Contains(l.plan.Outputs, v) }

func (l *Linked) isInput(v int32) bool { return slices.Contains(l.plan.Inputs, v) }

// group numbers sets of buffers whose bytes and lifetimes overlap in the file's plan: something writes in place, views,
// or shares them, so they keep their places relative to each other. Scratch of several calls in one value counts too; pairs
// for which free holds do not.
func group(list []memory.Buffer, free func(a, b *memory.Buffer) bool) {
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
	type run struct { // live buffers with the same bytes
		extent
		last, one int
	}
	var live []run
	byValue := map[int]int{}
	for _, i := range order {
		b := &list[i]
		if k, ok := byValue[b.Values[0]]; ok {
			parent[find(i)] = find(k)
		}
		byValue[b.Values[0]] = i
		own, known := extent{b.MemID, b.Offset, b.Offset + b.Bytes}, false
		kept := live[:0]
		for _, o := range live {
			if o.last <= b.First {
				continue
			}
			if o.overlaps(own) && !free(&list[o.one], b) {
				parent[find(i)] = find(o.one)
				if o.extent == own {
					known = true
					if b.Last > o.last {
						o.last, o.one = b.Last, i
					}
				}
			}
			kept = append(kept, o)
		}
		if live = kept; !known {
			live = append(live, run{own, b.Last, i})
		}
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
