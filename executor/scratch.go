package executor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// Planned scratch is a trailing argument of a delegate call: bytes that the file's plan sets aside for the call. They are
// undefined when the call begins and dead when it ends, so they may share memory with whatever is dead meanwhile. Old
// runtimes never look behind the outputs, and no runtime can tell scratch from a tensor by the file alone; what the
// blob accepts (Arity.Forms) decides.

// scratchAlign is the least alignment of scratch in its arena: what every NPU's base addresses need.
const scratchAlign = 16

// checkScratchArguments checks each trailing argument of a call by itself.
func (l *linker) checkScratchArguments(in *instruction, args []int32, form int) error {
	a := l.arities[in.target]
	own := a.In + a.Out
	var p problems
	for k, v := range in.args[own:] {
		want := a.Forms[form][k]
		path := fmt.Sprintf("args[%d]", own+k)
		bad := func(rule, want, found string) { p.addf(fault.InvalidProgram, path, rule, want, found) }
		t := v.Tensor()
		if t == nil {
			bad("scratch_type", "a tensor", v.kind.String())
			continue
		}
		if t.DType != pte.Byte {
			bad("scratch_dtype", pte.Byte.String(), t.DType.String())
		}
		if len(t.Sizes) != 1 {
			bad("scratch_rank", "rank 1", fmt.Sprintf("rank %d", len(t.Sizes)))
		}
		if t.Dynamism != pte.Static {
			bad("scratch_dynamic", "a static shape", "a dynamic one")
		}
		if n := uint64(t.limit * t.DType.Size()); n < max(want.Size, 1) {
			rule := "scratch_size"
			if strings.HasPrefix(want.Role, "fast") {
				rule = "fast_size"
			}
			bad(rule, fmt.Sprintf("%s of ≥ %d B", want.Role, max(want.Size, 1)), fault.Bytes(n))
		}
		place := l.plan.Values[args[own+k]].Tensor.Alloc
		if place == nil {
			bad("scratch_unplanned", "a place in an arena", "none")
			continue
		}
		if a := uint64(max(want.Align, scratchAlign)); place.Offset%a != 0 {
			bad("scratch_align", fmt.Sprintf("an offset that is a multiple of %d", a), fmt.Sprint(place.Offset))
		}
	}
	return p.err()
}

// checkScratch checks the places of trailing arguments against everything that the calls must not touch.
func (l *linker) checkScratch() {
	if len(l.forms) == 0 || len(l.list) > 0 {
		return
	}
	l.label = l.readLabel()
	t := l.lifetimes()
	role := map[int32]bool{} // values that are scratch of some call
	for v := range t.scratch {
		role[v] = true
	}
	l.eachInstruction(func(index int, in *pte.Instruction) {
		if _, ok := l.forms[index]; !ok {
			return
		}
		a := l.arities[in.Target]
		call := scratchCall{linker: l, times: t, role: role, index: int32(index), args: in.Args, in: a.In, own: a.In + a.Out, delegate: l.delegates[in.Target]}
		for k := range in.Args[call.own:] {
			l.add(l.at(index, call.check(k)))
		}
	})
}

// scratchCall is a delegate call while its scratch is checked.
type scratchCall struct {
	*linker
	times    *lifetimes
	role     map[int32]bool
	index    int32
	args     []int32
	in, own  int
	delegate Delegate
}

func (c *scratchCall) check(k int) error {
	var p problems
	v := c.args[c.own+k]
	path := fmt.Sprintf("args[%d]", c.own+k)
	bad := func(rule, want, found string) { p.addf(fault.InvalidProgram, path, rule, want, found) }
	switch {
	case slices.Contains(c.plan.Inputs, v):
		bad("scratch_foreign_use", "a value that is scratch only", "an input of the program")
	case slices.Contains(c.plan.Outputs, v):
		bad("scratch_foreign_use", "a value that is scratch only", "an output of the program")
	case c.plan.Values[v].Tensor.DataIndex != 0 || c.plan.Values[v].Tensor.FQN != "":
		bad("scratch_foreign_use", "a value that is scratch only", "a buffer with content")
	case c.times.first[v] >= 0:
		bad("scratch_foreign_use", "a value that is scratch only", "an argument of "+c.instructionPath(int(c.times.first[v])))
	}
	own := place(c.plan, v)
	for i := range c.planned {
		w := c.planned[i].value
		if w == v || !own.overlaps(place(c.plan, w)) {
			continue
		}
		at := slices.Index(c.args, w)
		found := fmt.Sprintf("bytes of value %d", w)
		switch {
		case at >= c.own && at < c.own+k: // said at that one
		case at >= c.own:
			bad("scratch_overlap_sibling", "bytes that no other scratch of the call has", found)
		case at >= 0 && c.alias(at, k):
		case at >= c.in:
			bad("scratch_overlap_output", "bytes that no output of the call has", found)
		case at >= 0:
			bad("scratch_overlap_input", "bytes that no input of the call has", found)
		case c.role[w] && !c.persistent(w):
			// another call's, dead now
		case c.persistent(w) || c.times.alive(w, c.index):
			bad("scratch_overlap_live", "bytes that nothing alive has", fmt.Sprintf("bytes of value %d, alive in %v", w, c.times.hull(w)))
		}
	}
	if n := slices.Index(c.args[c.own+k+1:], v); n >= 0 {
		bad("scratch_overlap_sibling", "bytes that no other scratch of the call has", "the same value twice")
	}
	return p.err()
}

// alias says whether argument at may share bytes with scratch k: it lies exactly where the delegate expects it in there,
// and the file's label declares it.
func (c *scratchCall) alias(at, k int) bool {
	a, ok := c.delegate.(Aliaser)
	if !ok || c.label == nil || !c.label.Aliased(int(c.index), at) {
		return false
	}
	scratch, offset, ok := a.ScratchOffset(at)
	arg, own := place(c.plan, c.args[at]), place(c.plan, c.args[c.own+k])
	return ok && scratch == k && arg.memID == own.memID && arg.first == own.first+offset && arg.last <= own.last
}

// extent is a run of bytes of an arena.
type extent struct {
	memID       uint32
	first, last uint64
}

func (e extent) overlaps(o extent) bool {
	return e.memID == o.memID && e.first < o.last && o.first < e.last
}

// place gives the bytes that the file plans for a value.
func place(p *pte.Plan, v int32) extent {
	t := p.Values[v].Tensor
	n, _ := t.NBytes()
	return extent{t.Alloc.MemID, t.Alloc.Offset, t.Alloc.Offset + n}
}

// extent is place for an entry of the planned table, without looking at the file again.
func (l *Linked) extent(p *planned) extent {
	if p.bytes == 0 { // and maybe no arena
		return extent{}
	}
	return extent{l.arenas[p.arena].memID, p.offset, p.offset + uint64(p.bytes)}
}
