package plan

import (
	"slices"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// write puts the method's plan into the program.
func (m *method) write(p *pte.Program, pools *pools) error {
	plan := &p.Plans[m.index]
	m.setArguments(plan)
	placed := map[int]bool{}
	sizes := map[uint32]uint64{}
	for i := range m.items {
		it := &m.items[i]
		at := pte.Alloc{MemID: pools.memIDs[m.plan.Pool[i]], Offset: m.plan.Offsets[i]}
		plan.Values[it.value].Tensor.Alloc = &at
		placed[it.value] = true
		sizes[at.MemID] = max(sizes[at.MemID], at.Offset+it.Bytes)
	}
	for _, a := range m.demand.Arenas {
		if a.Share != "" {
			sizes[a.MemID] = a.Bytes
		}
	}
	for v := range plan.Values {
		t := plan.Values[v].Tensor
		if t == nil || t.Alloc == nil || placed[v] || m.shared(t.Alloc.MemID) {
			continue
		}
		if n, _ := t.NBytes(); n > 0 {
			t.Alloc = nil // nothing names it
			continue
		}
		t.Alloc = &pte.Alloc{MemID: pools.memIDs[0]}
	}
	last := uint32(0)
	for id := range sizes {
		last = max(last, id)
	}
	for v := range plan.Values {
		if t := plan.Values[v].Tensor; t != nil && t.Alloc != nil {
			last = max(last, t.Alloc.MemID)
		}
	}
	plan.BufferBytes = make([]uint64, last+1)
	for id, n := range sizes {
		plan.BufferBytes[id] = (n + 15) &^ 15
	}
	return m.label(p)
}

func (m *method) shared(memID uint32) bool {
	return slices.ContainsFunc(m.demand.Arenas, func(a memory.Arena) bool { return a.MemID == memID && a.Share != "" })
}

// setArguments gives every delegate call the trailing arguments of the plan and makes the values that are new. Values
// that no instruction names any more go, at the end of the table, or become null.
func (m *method) setArguments(plan *pte.Plan) {
	dropped := map[int32]bool{}
	for i := range m.calls {
		c := &m.calls[i]
		in := &plan.Chains[c.Chain].Instructions[c.Index]
		own := c.Arity.In + c.Arity.Out
		for _, v := range in.Args[own:] {
			dropped[v] = true
		}
		in.Args = slices.Clone(in.Args[:own])
	}
	for i := range m.items {
		it := &m.items[i]
		if it.call < 0 {
			continue
		}
		c := &m.calls[it.call]
		in := &plan.Chains[c.Chain].Instructions[c.Index]
		for it.value >= len(plan.Values) {
			plan.Values = append(plan.Values, pte.Value{Kind: pte.KindTensor, Tensor: &pte.Tensor{DType: pte.Byte, Sizes: []int32{0}, DimOrder: []uint8{0}}})
		}
		if it.Offset == unplanned {
			plan.Values[it.value].Tensor.Sizes[0] = int32(it.Bytes)
		}
		for len(in.Args) <= it.arg {
			in.Args = append(in.Args, int32(it.value))
		}
		in.Args[it.arg] = int32(it.value)
		delete(dropped, int32(it.value))
	}
	for v := len(plan.Values) - 1; v >= 0; v-- {
		if !dropped[int32(v)] {
			continue
		}
		if v == len(plan.Values)-1 {
			plan.Values = plan.Values[:v]
		} else {
			plan.Values[v] = pte.Value{Kind: pte.KindNull}
		}
	}
}

// label names the planned scratch and the aliases in the file's named data, so that readers can tell whose bytes they are.
func (m *method) label(p *pte.Program) error {
	plan := &p.Plans[m.index]
	key := executor.LabelPrefix + plan.Name
	p.NamedData = slices.DeleteFunc(p.NamedData, func(n pte.NamedData) bool { return n.Key == key })
	l := executor.Label{Hash: executor.PlanHash(plan), Scratch: []executor.LabelScratch{}, Aliases: []executor.LabelAlias{}}
	for i := range m.items {
		it := &m.items[i]
		if it.call < 0 {
			continue
		}
		c := &m.calls[it.call]
		form := roles(c, len(plan.Chains[c.Chain].Instructions[c.Index].Args))
		l.Scratch = append(l.Scratch, executor.LabelScratch{Instruction: c.Instruction, Argument: it.arg, Role: form[it.arg-c.Arity.In-c.Arity.Out].Role})
	}
	if len(l.Scratch) == 0 {
		return nil
	}
	for _, a := range m.aliases {
		l.Aliases = append(l.Aliases, executor.LabelAlias{Instruction: m.calls[a.call].Instruction, Argument: a.arg})
	}
	text, err := l.Encode()
	if err != nil {
		return err
	}
	p.NamedData = append(p.NamedData, pte.NamedData{Key: key, Bytes: text})
	return nil
}

// roles gives the form of a call's trailing arguments by their number.
func roles(c *executor.DelegateCall, args int) []executor.Scratch {
	for _, f := range c.Arity.Forms {
		if len(f) == args-c.Arity.In-c.Arity.Out {
			return f
		}
	}
	return nil
}
