package plan

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/memory/pack"
)

// item is a buffer that the planner moves: a span of the demand that is no trailing scratch, or the scratch of one call.
type item struct {
	memory.Buffer     // Offset and MemID as in the file, 0 for scratch that the file hides
	value         int // in the new value table
	call          int // index into method.calls, of scratch; -1 elsewhere
	arg           int // trailing argument of that call
	role          string
	pools         pack.PoolSet
	align         uint64
	traffic       pack.Access
}

// Actors of pack.Access.
const (
	actorCPU = 0
	actorNPU = 1
)

// collect lists what moves. State that methods share by name stays where the file has it; trailing scratch is made anew,
// one value a call.
func (m *method) collect() {
	device := m.deviceArguments()
	for _, s := range m.demand.Spans {
		if m.trailing[s.Values[0]] || m.shared(s.MemID) {
			continue
		}
		it := item{Buffer: s, value: s.Values[0], call: -1}
		if d := device[it.value]; d != "" && !slices.Contains(it.Devices, d) {
			it.Devices = append(slices.Clone(it.Devices), d)
		}
		m.items = append(m.items, it)
	}
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
		for _, v := range c.Args[:min(own(&c), len(c.Args))] {
			if device != "" {
				found[int(v)] = device
			}
		}
	}
	return found
}

// maxScratch bounds the size of scratch so that a tensor can have it, rounded up to any cache line.
const maxScratch = math.MaxInt32 - 1<<12

// own is the number of a call's arguments that are not scratch.
func own(c *executor.DelegateCall) int { return c.Arity.In + c.Arity.Out }

// expose adds the scratch of every call as trailing arguments: what the file plans already, else the longest form that
// the board has pools for. Calls without such a form keep theirs in the temp arena.
func (m *method) expose(pools *pools) error {
	next := m.kept
	for i := range m.calls {
		c := &m.calls[i]
		list := m.planned(c)
		for _, f := range m.forms(c) {
			if list == nil && pools.suit(f) {
				list = f
			}
		}
		for k := range list {
			it := list[k]
			it.value, it.call, it.arg, it.Values = next, i, own(c)+k, []int{next}
			if it.Bytes > maxScratch {
				return fault.New(fault.NotSupported, it.Label, "scratch that a tensor's size can say", fault.Bytes(it.Bytes))
			}
			m.items = append(m.items, it)
			next++
		}
	}
	return nil
}

// planned is the scratch that the file plans for a call, in order, as large as the blob says.
func (m *method) planned(c *executor.DelegateCall) []item {
	var list []item
	for k, v := range c.Args[own(c):] {
		for _, s := range m.demand.Spans {
			if s.First == c.Instruction && s.Values[0] == int(v) {
				role := c.Arity.Forms[c.Form][k]
				s.Group, s.Bytes = -1, max(role.Size, 1) // each call gets a value of its own
				list = append(list, item{Buffer: s, role: role.Role})
			}
		}
	}
	return list
}

// forms are the trailing lists that a call accepts, the longest first, without those that have empty roles.
func (m *method) forms(c *executor.DelegateCall) [][]item {
	var all [][]item
	for _, f := range c.Arity.Forms {
		if len(f) == 0 || slices.ContainsFunc(f, func(s executor.Scratch) bool { return s.Size == 0 }) {
			continue
		}
		var list []item
		for _, s := range f {
			b := memory.Buffer{Label: fmt.Sprintf("%s %s", m.linked.Label(c.Instruction), s.Role), Kind: memory.Scratch, Bytes: s.Size,
				First: c.Instruction, Last: c.Instruction + 1, Group: -1, Class: s.Class}
			if s.Device != "" {
				b.Devices = []string{s.Device}
			}
			list = append(list, item{Buffer: b, role: s.Role})
		}
		all = append(all, list)
	}
	slices.SortStableFunc(all, func(a, b []item) int { return len(b) - len(a) })
	return all
}

// constrain gives every item the pools it may lie in, its alignment and what moving it costs.
func (m *method) constrain(pools *pools, pins []Pin) error {
	var errs []error
	for i := range m.items {
		it := &m.items[i]
		it.pools, it.align = pools.allowed(it, pins), pools.align(&it.Buffer)
		if it.pools == 0 {
			errs = append(errs, &fault.Error{Path: it.Label, Rule: "pool_visibility", Code: fault.MemoryAllocationFailed, Err: pack.ErrNoRoom,
				Want: fmt.Sprintf("a pool of class %v or nearer that %v sees, as pinned", it.Class, it.Devices), Found: "none on board " + pools.board.Name()})
		}
		if it.call >= 0 && it.align > 16 {
			it.Bytes = (it.Bytes + it.align - 1) &^ (it.align - 1) // whole cache lines
		}
		it.traffic = pack.Access{Actor: actorCPU, Read: it.Reads, Write: it.Writes}
		if len(it.Devices) > 0 {
			it.traffic.Actor = actorNPU
		}
		if it.call >= 0 && it.Reads == 0 && it.Writes == 0 {
			it.traffic.Read, it.traffic.Write = it.Bytes, it.Bytes // nobody says: once each
		}
	}
	m.relax()
	return errors.Join(errs...)
}

// relax lowers alignments inside the file's groups to what the file's distances allow: the member that wants most has
// what it wants, the others what follows from it.
func (m *method) relax() {
	anchor := map[int]*item{}
	for i := range m.items {
		it := &m.items[i]
		if it.Group < 0 {
			continue
		}
		a, ok := anchor[it.Group]
		if !ok || it.align > a.align || it.align == a.align && bits.TrailingZeros64(it.Offset) > bits.TrailingZeros64(a.Offset) {
			anchor[it.Group] = it
		}
	}
	for i := range m.items {
		it := &m.items[i]
		if it.Group >= 0 {
			if distance := it.Offset - anchor[it.Group].Offset; distance != 0 {
				it.align = min(it.align, distance&-distance)
			}
		}
	}
}

// buffers states the problem for the solver: groups of the file are rigid bodies, and so is an alias with its scratch.
func (m *method) buffers() []pack.Buffer {
	b := newBodies(m.items)
	for _, a := range m.aliases {
		b.join(a.item, a.scratch, a.offset)
	}
	b.settle()
	list := make([]pack.Buffer, len(m.items))
	for i := range m.items {
		it := &m.items[i]
		size := it.Bytes
		if len(it.Devices) > 0 { // nothing else may lie in the lines that a device writes
			size = (size + it.align - 1) &^ (it.align - 1)
		}
		list[i] = pack.Buffer{ID: it.Label, Live: []pack.Interval{{Lower: int64(it.First), Upper: int64(it.Last)}}, Size: size, Align: it.align,
			Pools: it.pools, Accesses: []pack.Access{it.traffic}}
		list[i].Group, list[i].Rel = b.place(i)
	}
	return list
}
