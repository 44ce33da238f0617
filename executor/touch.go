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
)

func (t touch) has(want touch) bool { return t&want == want }

// readTouches finds what happens to every value, and from it what is fixed: what no instruction writes and no input provides.
func (l *linker) readTouches() {
	l.touches = make([]touch, len(l.values))
	l.firstAt = make([]int32, len(l.values))
	last := make([]int32, len(l.values)) // 1 + the last instruction that named the value
	mark := func(v int32, t touch) {
		l.touches[v] |= t
	}
	name := func(v, at int32, reads bool) {
		was := l.touches[v]
		switch {
		case was&touched == 0:
			l.firstAt[v] = at
			if was |= touched; reads {
				was |= readFirst
			}
		case last[v] != at:
			was |= often
		}
		l.touches[v], last[v] = was, at
	}
	for _, v := range l.plan.Inputs {
		name(v, 0, false)
	}
	at := int32(0)
	for c := range l.plan.Chains {
		for k := range l.plan.Chains[c].Instructions {
			in := &l.plan.Chains[c].Instructions[k]
			at++
			switch in.Op {
			case pte.Move:
				name(in.From, at, true)
				name(in.To, at, false)
				mark(in.To, written|moved)
			case pte.JumpFalse, pte.Free:
				name(in.From, at, true)
			default:
				l.readCall(in, at, name, mark)
			}
		}
	}
	for i := range l.values {
		l.values[i].fixed = !l.touches[i].has(written)
	}
	for _, v := range l.plan.Inputs {
		l.values[v].fixed = false
	}
	for i := range l.plan.Values {
		for _, item := range l.plan.Values[i].Items() {
			if item >= 0 && !l.values[item].fixed {
				l.values[i].fixed = false
			}
		}
	}
}

// readCall is readTouches for one call. It goes the way of eachWritten and eachMutated in one loop: most instructions of most
// programs come through here.
func (l *linker) readCall(in *pte.Instruction, at int32, name func(v, at int32, reads bool), mark func(v int32, t touch)) {
	op := l.op(in)
	outs := l.firstOut(in)
	for i, v := range in.Args {
		out := i >= outs
		reads := !out && (op == nil || !slices.Contains(op.Fills, i))
		name(v, at, reads)
		if out {
			mark(v, written)
		}
		for _, item := range l.plan.Values[v].Items() {
			if item < 0 {
				continue
			}
			name(item, at, reads)
			if out {
				mark(item, written)
			}
		}
	}
	if op != nil {
		l.eachMutated(in, op, func(v int32) { mark(v, written|partly) })
		l.eachOf(in, op.Fills, func(v int32) { mark(v, written|partly) })
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
	items := l.plan.Values[last].Items()
	switch {
	case len(items) > 0 && len(items) < n && slices.Equal(items, in.Args[n-1-len(items):n-1]):
		return n - 1 - len(items)
	case n > 1 && in.Args[n-2] == last:
		return n - 2
	}
	return n - 1
}
