package plan

import (
	"slices"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/pte"
)

// write puts the method's plan into the program.
func (m *method) write(p *pte.Program, pools *pools) error {
	plan := &p.Plans[m.index]
	m.setArguments(plan)
	placed := map[int]bool{}
	for i := range m.items {
		it := &m.items[i]
		plan.Values[it.value].Tensor.Alloc = &pte.Alloc{MemID: pools.memIDs[m.plan.Pool[i]], Offset: m.plan.Offsets[i]}
		placed[it.value] = true
	}
	sizes := map[uint32]uint64{pools.memIDs[0]: 0}
	for i := range m.plan.Pools {
		if n := m.plan.Pools[i].Height; n > 0 {
			sizes[pools.memIDs[i]] = up(n)
		}
	}
	for _, a := range m.demand.Arenas {
		if a.Share != "" {
			sizes[a.MemID] = a.Bytes
		}
	}
	empty := false
	for v := range plan.Values {
		t := plan.Values[v].Tensor
		if t == nil || t.Alloc == nil || placed[v] || m.shared(t.Alloc.MemID) {
			continue
		}
		t.Alloc = nil // nothing names it, or it is empty
		if n, _ := t.NBytes(); n == 0 {
			t.Alloc, empty = &pte.Alloc{MemID: pools.memIDs[0]}, true
		}
	}
	last := uint32(0)
	for id, n := range sizes {
		if n > 0 || empty {
			last = max(last, id)
		}
	}
	plan.BufferBytes = make([]uint64, last+1) // mem_id 0 is the constants', which are not planned
	for id, n := range sizes {
		if id <= last {
			plan.BufferBytes[id] = n
		}
	}
	return m.label(p)
}

// setArguments gives every delegate call the trailing arguments of the plan and makes their values.
func (m *method) setArguments(plan *pte.Plan) {
	m.dropScratch(plan)
	for i := range m.items {
		it := &m.items[i]
		if it.call < 0 {
			continue
		}
		c := &m.calls[it.call]
		in := &plan.Chains[c.Chain].Instructions[c.Index]
		in.Args = append(in.Args, int32(it.value))
		plan.Values = append(plan.Values, scratchValue(it.Bytes))
	}
}

// dropScratch takes the trailing arguments of all calls away. Their values go at the end of the table and become null
// elsewhere.
func (m *method) dropScratch(plan *pte.Plan) {
	plan.Values = plan.Values[:m.kept]
	for v := range m.trailing {
		if v < m.kept {
			plan.Values[v] = pte.Value{Kind: pte.KindNull}
		}
	}
	for i := range m.calls {
		c := &m.calls[i]
		in := &plan.Chains[c.Chain].Instructions[c.Index]
		in.Args = slices.Clone(in.Args[:own(c)])
	}
}

func scratchValue(bytes uint64) pte.Value {
	return pte.Value{Kind: pte.KindTensor, Tensor: &pte.Tensor{DType: pte.Byte, Sizes: []int32{int32(bytes)}, DimOrder: []uint8{0}}}
}

// label names the planned scratch and the aliases in the file's named data, so that readers can tell whose bytes they are.
func (m *method) label(p *pte.Program) error {
	plan := &p.Plans[m.index]
	key := executor.LabelPrefix + plan.Name
	p.NamedData = slices.DeleteFunc(p.NamedData, func(n pte.NamedData) bool { return n.Key == key })
	l := executor.Label{Hash: executor.PlanHash(plan), Scratch: []executor.LabelScratch{}, Aliases: []executor.LabelAlias{}}
	for i := range m.items {
		if it := &m.items[i]; it.call >= 0 {
			l.Scratch = append(l.Scratch, executor.LabelScratch{Instruction: m.calls[it.call].Instruction, Argument: it.arg, Role: it.role})
		}
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
