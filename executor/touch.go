package executor

import (
	"slices"
	"strings"

	"github.com/ptero-rt/ptero/pte"
)

// The file says which values an instruction names, not which of them it writes. Conventions of the exporter do
// (exir/emit/_emitter.py at cff6f4dd): the last argument of a kernel call is its return slot, a list of them where there
// are several results; in-place operators end in an underscore and write their first argument; a delegate call has inputs, outputs,
// scratch, as its blob counts them; a move writes its target.

// eachWritten calls f with the value indices that instruction in writes, items of lists included. op is nil for all but
// kernel calls.
func (l *Linked) eachWritten(in *pte.Instruction, op *Op, f func(v int32)) {
	switch in.Op {
	case pte.Move:
		f(in.To)
	case pte.CallKernel:
		if len(in.Args) == 0 {
			return
		}
		for _, v := range in.Args[l.firstOut(in):] {
			l.eachItem(v, f)
		}
		if op != nil {
			l.eachOf(in, op.Fills, f)
		}
		l.eachMutated(in, op, f)
	case pte.CallDelegate:
		for _, v := range in.Args[l.firstOut(in):] {
			l.eachItem(v, f)
		}
	}
}

// eachMutated calls f with the value indices that instruction in changes: it reads and writes them.
func (l *Linked) eachMutated(in *pte.Instruction, op *Op, f func(v int32)) {
	if op == nil {
		return
	}
	l.eachOf(in, op.Mutates, f)
	if inPlace(l.plan.Operators[in.Target].Name) && len(in.Args) > 0 {
		l.eachItem(in.Args[0], f)
	}
}

// eachOf calls f with the value indices of some arguments.
func (l *Linked) eachOf(in *pte.Instruction, arguments []int, f func(v int32)) {
	for _, k := range arguments {
		if k < len(in.Args) {
			l.eachItem(in.Args[k], f)
		}
	}
}

// eachTouched calls f with every value that instruction in reads or writes, items of lists included; values may come
// more than once.
func (l *Linked) eachTouched(in *pte.Instruction, f func(v int32)) {
	switch in.Op {
	case pte.Move:
		f(in.From)
		f(in.To)
	case pte.JumpFalse, pte.Free:
		f(in.From)
	default:
		for _, v := range in.Args {
			l.eachItem(v, f)
		}
	}
}

// eachItem calls f with v and, where it is a list of slots, with the slots.
func (l *Linked) eachItem(v int32, f func(v int32)) {
	f(v)
	for _, item := range l.plan.Values[v].Items() {
		if item >= 0 {
			f(item)
		}
	}
}

func inPlace(name string) bool { return strings.HasSuffix(name, "_") }

// eachInstruction calls f with every instruction of the file and its index in the flattened program.
func (l *Linked) eachInstruction(f func(index int, in *pte.Instruction)) {
	index := 0
	for c := range l.plan.Chains {
		for k := range l.plan.Chains[c].Instructions {
			f(index, &l.plan.Chains[c].Instructions[k])
			index++
		}
	}
}

// touch is what the instructions do with one value, over the whole method.
type touch uint8

const (
	touched   touch = 1 << iota
	written         // some instruction writes it
	readFirst       // the first instruction that names it reads it
	often           // more than one instruction names it
	moved           // a move writes it
	partly          // some instruction writes only a part of it, or reads and writes it
	listed          // it is a list of values
	replaced        // some instruction may put something else into the slot: a move, or an operator that computes numbers
)

func (t touch) has(want touch) bool { return t&want == want }

// toucher is what readTouches counts with.
type toucher struct {
	touches []touch
	firstAt []int32
	last    []int32 // 1 + the last instruction that named the value
}

// name notes that instruction at, counted from 1, names value v, and gives what is known of v.
func (r *toucher) name(v, at int32, does touch) touch {
	was := r.touches[v]
	switch {
	case was&touched == 0:
		r.firstAt[v] = at
		was |= touched | does&readFirst
	case r.last[v] != at:
		was |= often
	}
	was |= does &^ readFirst
	r.touches[v], r.last[v] = was, at
	return was
}

// readTouches finds what happens to every value, and from it what is fixed: what no instruction writes and no input
// provides.
func (l *linker) readTouches() {
	n := len(l.values)
	at := make([]int32, 2*n)
	r := toucher{touches: make([]touch, n), firstAt: at[:n:n], last: at[n:]}
	l.touches, l.firstAt = r.touches, r.firstAt
	for v := range l.plan.Values {
		if l.plan.Values[v].List != nil {
			r.touches[v] = listed
		}
	}
	for _, v := range l.plan.Inputs {
		r.name(v, 0, 0)
	}
	l.eachInstruction(func(index int, in *pte.Instruction) {
		at := int32(index + 1)
		switch in.Op {
		case pte.Move:
			r.name(in.From, at, readFirst)
			r.name(in.To, at, written|moved|replaced)
		case pte.JumpFalse, pte.Free:
			r.name(in.From, at, readFirst)
		default:
			l.readCall(in, at, &r)
		}
	})
	for i := range l.values {
		t := l.touches[i]
		l.values[i].fixed, l.values[i].stays = !t.has(written), !t.has(replaced)
	}
	for _, v := range l.plan.Inputs {
		l.values[v].fixed = false
	}
	for i, t := range l.touches {
		if t.has(listed) {
			for _, item := range l.plan.Values[i].Items() {
				if item >= 0 {
					l.values[i].fixed = l.values[i].fixed && l.values[item].fixed
					l.values[i].stays = l.values[i].stays && l.values[item].stays
				}
			}
		}
	}
}

// readCall is readTouches for one call. It goes the way of eachWritten and eachMutated in one loop: most instructions of most
// programs come through here.
func (l *linker) readCall(in *pte.Instruction, at int32, r *toucher) {
	op, outs, out := l.op(in), l.firstOut(in), written
	if op != nil && !op.Views && strings.HasPrefix(op.Name, "executorch_prim::") {
		out |= replaced
	}
	for i, v := range in.Args {
		does := readFirst
		switch {
		case i >= outs:
			does = out
		case op != nil && slices.Contains(op.Fills, i):
			does = 0
		}
		if r.name(v, at, does).has(listed) {
			for _, item := range l.plan.Values[v].Items() {
				if item >= 0 {
					r.name(item, at, does)
				}
			}
		}
	}
	if op != nil && (len(op.Mutates) > 0 || len(op.Fills) > 0 || inPlace(l.plan.Operators[in.Target].Name)) {
		mark := func(v int32) { r.touches[v] |= written | partly }
		l.eachMutated(in, op, mark)
		l.eachOf(in, op.Fills, mark)
	}
}

// firstOut is the index of the first argument of a call that it only writes. The return slot of a kernel call is the out
// argument once more, or a list of them.
func (l *Linked) firstOut(in *pte.Instruction) int {
	n := len(in.Args)
	if in.Op == pte.CallDelegate {
		return min(l.arities[in.Target].In, n)
	}
	if n == 0 {
		return 0
	}
	last := in.Args[n-1]
	var items []int32
	if l.touches[last].has(listed) {
		items = l.plan.Values[last].Items()
	}
	switch {
	case len(items) > 0 && len(items) < n && slices.Equal(items, in.Args[n-1-len(items):n-1]):
		return n - 1 - len(items)
	case n > 1 && in.Args[n-2] == last:
		return n - 2
	}
	return n - 1
}
