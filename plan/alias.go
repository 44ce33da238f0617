package plan

import (
	"cmp"
	"slices"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/memory/pack"
)

// alias lays an input or output of a delegate call inside the call's scratch.
type alias struct {
	call, arg int
	item      int // the tensor
	scratch   int // the scratch's item
	offset    uint64
}

// alias takes up aliases one by one, the largest first, and keeps those that cost no bytes and no traffic. An input must die
// at the call, since the NPU may overwrite it; an output must be born there.
func (m *method) alias(pools *pools, o Options) {
	for _, a := range m.candidates() {
		m.aliases = append(m.aliases, a)
		if m.consistent() {
			plan, err := assign(m.buffers(), pools.beside(m), o)
			if err == nil && !worse(plan, m.plan) {
				m.plan = plan
				continue
			}
		}
		m.aliases = m.aliases[:len(m.aliases)-1]
	}
}

// worse compares the bytes of all pools, then the cost.
func worse(a, b *pack.Plan) bool {
	ha, hb := total(a), total(b)
	return ha > hb || ha == hb && a.Cost > b.Cost
}

func total(p *pack.Plan) (sum uint64) {
	for i := range p.Pools {
		sum += p.Pools[i].Height
	}
	return sum
}

// candidates lists all aliases that each alone would be legal, the largest first.
func (m *method) candidates() []alias {
	var list []alias
	of := map[int]int{} // item of a tensor
	for i := range m.items {
		if m.items[i].call < 0 {
			of[m.items[i].value] = i
		}
	}
	for c := range m.calls {
		call := &m.calls[c]
		a, ok := call.Delegate.(executor.Aliaser)
		if !ok {
			continue
		}
		for arg := range own(call) {
			k, offset, ok := a.ScratchOffset(arg)
			scratch := m.scratchOf(c, own(call)+k)
			it, moves := of[int(call.Args[arg])]
			if !ok || scratch < 0 || !moves || !m.mayAlias(call, arg, it) {
				continue
			}
			s := &m.items[scratch]
			if offset+m.items[it].Bytes > s.Bytes || offset%m.items[it].align != 0 {
				continue
			}
			list = append(list, alias{c, arg, it, scratch, offset})
		}
	}
	slices.SortStableFunc(list, func(a, b alias) int { return cmp.Compare(m.items[b.item].Bytes, m.items[a.item].Bytes) })
	return list
}

// mayAlias says whether the tensor is the call's alone at the moment of the call: it is not state, and dies or is born there.
func (m *method) mayAlias(call *executor.DelegateCall, arg, it int) bool {
	b := &m.items[it]
	if b.Kind == memory.Persistent || count(call.Args, call.Args[arg]) > 1 {
		return false
	}
	if arg < call.Arity.In {
		return b.Last == call.Instruction+1
	}
	return b.First == call.Instruction
}

func count(list []int32, v int32) (n int) {
	for _, x := range list {
		if x == v {
			n++
		}
	}
	return n
}

func (m *method) scratchOf(call, arg int) int {
	return slices.IndexFunc(m.items, func(it item) bool { return it.call == call && it.arg == arg })
}

// consistent says whether the aliases can all hold: no tensor at two places, and within each rigid body no two members that
// are alive together on the same bytes but those that the file has so and those that an alias puts together.
func (m *method) consistent() bool {
	bodies := newBodies(m.items)
	for _, a := range m.aliases {
		if !bodies.join(a.item, a.scratch, a.offset) {
			return false
		}
	}
	for i := range m.items {
		ri, oi := bodies.find(i)
		for k := range i {
			rk, ok := bodies.find(k)
			if ri != rk || oi >= ok+int64(m.items[k].Bytes) || ok >= oi+int64(m.items[i].Bytes) {
				continue
			}
			if !m.together(i, k) {
				continue
			}
			if !m.declared(i, k) {
				return false
			}
		}
	}
	return true
}

// together says whether two items are alive at the same time.
func (m *method) together(i, k int) bool {
	a, b := &m.items[i], &m.items[k]
	return a.First < b.Last && b.First < a.Last
}

// declared says whether two items may have the same bytes while both are alive: the file has them so, one is the other's
// scratch, or both lie in one call's scratch, an input that dies and an output that is born.
func (m *method) declared(i, k int) bool {
	a, b := &m.items[i], &m.items[k]
	if a.Group >= 0 && a.Group == b.Group && a.Offset < b.Offset+b.Bytes && b.Offset < a.Offset+a.Bytes {
		return true
	}
	into := func(it int) map[int]int { // call → scratch that it is laid in
		calls := map[int]int{}
		for _, al := range m.aliases {
			if al.item == it {
				calls[al.call] = al.scratch
			}
		}
		return calls
	}
	for call, s := range into(i) {
		if s == k {
			return true
		}
		if t, ok := into(k)[call]; ok && s == t && min(a.Last, b.Last)-max(a.First, b.First) == 1 {
			return true
		}
	}
	for _, s := range into(k) {
		if s == i {
			return true
		}
	}
	return false
}
