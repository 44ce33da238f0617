package plan

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/memory/pack"
	"github.com/ptero-rt/ptero/pte"
)

// unplanned is the offset of a buffer that the file does not have.
const unplanned = math.MaxUint64

// item is a buffer that the planner moves: a span of the demand, or scratch that the file hides.
type item struct {
	memory.Buffer
	value   int // the tensor in the file; of new scratch: the value that write makes
	call    int // index into method.calls, of scratch; -1 elsewhere
	arg     int // trailing argument of that call
	pools   pack.PoolSet
	align   uint64
	traffic []pack.Access
}

// collect lists what moves. State that methods share by name stays where the file has it.
func (m *method) collect(file *pte.Plan, pools *pools, o Options) error {
	shared := map[uint32]bool{}
	for _, a := range m.demand.Arenas {
		shared[a.MemID] = a.Share != ""
	}
	touched := m.deviceArguments()
	for _, s := range m.demand.Spans {
		trailing := s.Kind == memory.Scratch && len(s.Devices) > 0
		if shared[s.MemID] || trailing && o.Strip {
			continue
		}
		it := item{Buffer: s, value: s.Values[0], call: -1}
		if d := touched[it.value]; d != "" && !slices.Contains(it.Devices, d) {
			it.Devices = append(slices.Clone(it.Devices), d)
		}
		if trailing {
			it.call, it.arg = m.callAt(s.First), -1
			if it.call >= 0 {
				it.arg = slices.Index(m.calls[it.call].Args, int32(it.value))
			}
		}
		m.items = append(m.items, it)
	}
	if !o.Strip {
		m.expose(len(file.Values))
	}
	var errs []error
	for i := range m.items {
		it := &m.items[i]
		it.pools, it.align = pools.allowed(&it.Buffer, o.Pins), pools.align(&it.Buffer)
		if it.pools == 0 {
			errs = append(errs, &fault.Error{Path: it.Label, Rule: "pool_visible", Code: fault.MemoryAllocationFailed, Err: pack.ErrNoRoom,
				Want: fmt.Sprintf("a pool of class %v or nearer that %v sees, as pinned", it.Class, it.Devices), Found: "none on board " + pools.board.Name()})
		}
		actor := actorCPU
		if len(it.Devices) > 0 {
			actor = actorNPU
		}
		reads, writes := it.Reads, it.Writes
		if it.Kind == memory.Scratch && reads == 0 && writes == 0 {
			reads, writes = it.Bytes, it.Bytes // nobody says: once each
		}
		it.traffic = []pack.Access{{Actor: actor, Read: reads, Write: writes}}
	}
	return errors.Join(errs...)
}

// deviceArguments finds tensors that a device reads or writes where they lie: arguments of delegates that do not copy
// them through scratch.
func (m *method) deviceArguments() map[int]string {
	found := map[int]string{}
	for _, c := range m.calls {
		if _, copies := c.Delegate.(executor.Aliaser); copies {
			continue
		}
		device := ""
		for _, f := range c.Arity.Forms {
			for _, s := range f {
				device = s.Device
			}
		}
		for _, v := range c.Args[:min(c.Arity.In+c.Arity.Out, len(c.Args))] {
			if device != "" {
				found[int(v)] = device
			}
		}
	}
	return found
}

func (m *method) callAt(instruction int) int {
	return slices.IndexFunc(m.calls, func(c executor.DelegateCall) bool { return c.Instruction == instruction })
}

// expose adds the scratch that calls take from the temp arena as new trailing arguments: the longest form that has no
// empty role. next is the first free value index.
func (m *method) expose(next int) {
	for i := range m.calls {
		c := &m.calls[i]
		if c.Form != 0 {
			continue
		}
		var form []executor.Scratch
		for _, f := range c.Arity.Forms {
			if len(f) > len(form) && !slices.ContainsFunc(f, func(s executor.Scratch) bool { return s.Size == 0 }) {
				form = f
			}
		}
		for k, s := range form {
			b := memory.Buffer{Label: fmt.Sprintf("%s %s", m.linked.Label(c.Instruction), s.Role), Kind: memory.Scratch, Offset: unplanned,
				Bytes: s.Size, First: c.Instruction, Last: c.Instruction + 1, Group: -1, Values: []int{next}, Class: s.Class}
			if s.Device != "" {
				b.Devices = []string{s.Device}
			}
			m.items = append(m.items, item{Buffer: b, value: next, call: i, arg: c.Arity.In + c.Arity.Out + k})
			next++
		}
	}
}

// buffers states the problem for the solver: groups of the file are rigid bodies, and so is an alias with its scratch.
func (m *method) buffers() []pack.Buffer {
	bodies := newBodies(m.items)
	for _, a := range m.aliases {
		bodies.join(a.item, a.scratch, a.offset)
	}
	list := make([]pack.Buffer, len(m.items))
	for i := range m.items {
		it := &m.items[i]
		size := it.Bytes
		if len(it.Devices) > 0 {
			size = (size + it.align - 1) &^ (it.align - 1)
		}
		list[i] = pack.Buffer{ID: it.Label, Live: []pack.Interval{{Lower: int64(it.First), Upper: int64(it.Last)}}, Size: size, Align: it.align,
			Pools: it.pools, Accesses: it.traffic}
		list[i].Group, list[i].Rel = bodies.place(i)
	}
	return list
}

// bodies are the rigid bodies: sets of items with the offset of each in its body.
type bodies struct {
	parent []int
	rel    []int64 // to the parent
	size   []int
}

func newBodies(items []item) *bodies {
	b := &bodies{parent: make([]int, len(items)), rel: make([]int64, len(items)), size: make([]int, len(items))}
	for i := range items {
		b.parent[i], b.size[i] = i, 1
	}
	first := map[int]int{}
	for i := range items {
		if g := items[i].Group; g >= 0 {
			if k, ok := first[g]; ok {
				b.join(i, k, items[i].Offset-items[k].Offset)
			} else {
				first[g] = i
			}
		}
	}
	return b
}

// find gives the root of an item and its offset to it.
func (b *bodies) find(i int) (root int, rel int64) {
	for b.parent[i] != i {
		rel += b.rel[i]
		i = b.parent[i]
	}
	return i, rel
}

// join fixes offset(i) − offset(k). It reports whether that agrees with what is fixed already.
func (b *bodies) join(i, k int, difference uint64) bool {
	ri, oi := b.find(i)
	rk, ok := b.find(k)
	if ri == rk {
		return oi-ok == int64(difference)
	}
	b.parent[ri], b.rel[ri] = rk, ok+int64(difference)-oi
	b.size[rk] += b.size[ri]
	return true
}

// place gives the group of an item, 0 for one that is alone, and its offset in the group.
func (b *bodies) place(i int) (group int, rel uint64) {
	root, off := b.find(i)
	if b.size[root] < 2 {
		return 0, 0
	}
	least := int64(0)
	for k := range b.parent {
		if r, o := b.find(k); r == root {
			least = min(least, o)
		}
	}
	return root + 1, uint64(off - least)
}
