package executor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptero-rt/ptero/internal/fault"
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
	for _, item := range l.plan.Values[v].Items {
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
	last := make([]int32, len(l.values)) // 1 + the last instruction that named the value
	mark := func(v int32, t touch) {
		l.touches[v] |= t
	}
	name := func(v, at int32, reads bool) {
		was := l.touches[v]
		switch {
		case was&touched == 0:
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
		for _, item := range l.plan.Values[i].Items {
			if item >= 0 && !l.values[item].fixed {
				l.values[i].fixed = false
			}
		}
	}
}

// readCall is readTouches for one call.
func (l *linker) readCall(in *pte.Instruction, at int32, name func(v, at int32, reads bool), mark func(v int32, t touch)) {
	op := l.op(in)
	outs := l.firstOut(in)
	for i, v := range in.Args {
		reads := i < outs && (op == nil || !slices.Contains(op.Fills, i))
		name(v, at, reads)
		for _, item := range l.plan.Values[v].Items {
			if item >= 0 {
				name(item, at, reads)
			}
		}
	}
	l.eachWritten(in, op, func(v int32) { mark(v, written) })
	if op != nil {
		l.eachMutated(in, op, func(v int32) { mark(v, partly) })
		l.eachOf(in, op.Fills, func(v int32) { mark(v, partly) })
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
	items := l.plan.Values[last].Items
	switch {
	case len(items) > 0 && len(items) < n && slices.Equal(items, in.Args[n-1-len(items):n-1]):
		return n - 1 - len(items)
	case n > 1 && in.Args[n-2] == last:
		return n - 2
	}
	return n - 1
}

// checkMoves holds every move to the type that the file declares for its target, so that what a call saw when it was
// prepared stays true: dtype and rank may not change, and a shape that may is no longer called static. It also
// keeps constants, which may lie in read-only memory, away from whatever is written.
func (l *linker) checkMoves() {
	type edge struct{ from, to int32 }
	var moves []edge
	constant := map[int32]bool{}
	l.eachInstruction(func(index int, in *pte.Instruction) {
		if in.Op != pte.Move {
			return
		}
		from, to := &l.values[in.From], &l.values[in.To]
		if from.kind != KindTensor || to.kind != KindTensor {
			return // Parse checked the kinds
		}
		a, b := from.tensor, to.tensor
		if a.DType != b.DType || len(a.Sizes) != len(b.Sizes) {
			l.addf(fault.InvalidType, l.instructionPath(index), "", fmt.Sprintf("%v of rank %d", b.DType, b.Rank()), fmt.Sprintf("%v of rank %d", a.DType, a.Rank()))
			return
		}
		moves = append(moves, edge{in.From, in.To})
		if a.constant {
			constant[in.From] = true
		}
	})
	for again := true; again; {
		again = false
		for _, m := range moves {
			a, b := l.values[m.from].tensor, l.values[m.to].tensor
			if b.Dynamism == pte.Static && (a.Dynamism != pte.Static || !a.SameLayout(b)) {
				b.Dynamism, again = pte.DynamicBound, true
			}
			if constant[m.from] && !constant[m.to] {
				constant[m.to], again = true, true
			}
		}
	}
	l.eachInstruction(func(index int, in *pte.Instruction) {
		if in.Op != pte.CallKernel && in.Op != pte.CallDelegate {
			return
		}
		l.eachWritten(in, l.op(in), func(v int32) {
			if t := l.values[v].Tensor(); t != nil && (t.constant || constant[v]) && t.limit > 0 {
				l.addf(fault.InvalidProgram, l.instructionPath(index), "", "a tensor that may be written", fmt.Sprintf("constant value %d", v))
			}
		})
	})
}

// checkStorage decides about tensors for which the file has no storage. Some get bytes at run time, from a view or a move:
// calls that use them are guarded. Others an instruction writes, such as a mutable buffer that the exporter was told not
// to plan: the method has bytes for them. What is left is an error.
func (l *linker) checkStorage(ops []*Op) {
	late := map[int32]bool{}
	for _, v := range l.homeless {
		late[v] = l.values[v].tensor.limit > 0
	}
	for _, v := range l.plan.Inputs {
		delete(late, v)
	}
	for _, v := range l.plan.Outputs {
		delete(late, v)
	}
	if len(late) == 0 {
		return
	}
	given := map[int32]bool{}
	for again := true; again; {
		again = false
		l.eachInstruction(func(index int, in *pte.Instruction) {
			switch {
			case in.Op == pte.Move:
				given[in.To] = true
				if late[in.From] && !late[in.To] {
					late[in.To], again = true, true
				}
			case in.Op == pte.CallKernel && len(in.Args) > 0 && ops[in.Target] != nil && ops[in.Target].Views:
				given[in.Args[len(in.Args)-1]] = true
			}
		})
	}
	for _, v := range l.homeless {
		if late[v] && given[v] {
			l.viewing = append(l.viewing, v)
		}
		if late[v] && !given[v] && l.touches[v].has(written) {
			l.adopted = append(l.adopted, v)
			delete(late, v)
		}
	}
	l.eachInstruction(func(index int, in *pte.Instruction) {
		used := *in
		if in.Op == pte.CallDelegate { // rules of their own hold for trailing scratch
			a := l.arities[in.Target]
			used.Args = in.Args[:min(a.In+a.Out, len(in.Args))]
		}
		l.eachTouched(&used, func(v int32) {
			switch {
			case !late[v]:
			case !given[v]:
				l.addf(fault.InvalidProgram, l.instructionPath(index), "", "a tensor with storage", fmt.Sprintf("value %d, for which nobody provides any", v))
				delete(late, v)
			case in.Op == pte.CallKernel && !(ops[in.Target] != nil && ops[in.Target].Views && v == in.Args[len(in.Args)-1]):
				l.code[index].code, l.code[index].target = opGuarded, int32(len(in.Args))
				if ops[in.Target] != nil && ops[in.Target].Views {
					l.code[index].target-- // the view gets its bytes from this call
				}
			}
		})
	})
}

// checkIO checks that inputs and outputs are of kinds that callers can give and take.
func (l *linker) checkIO() {
	for i, v := range l.plan.Inputs {
		in := &l.values[v]
		if in.kind > KindBool {
			l.addf(fault.NotSupported, fmt.Sprintf("%s.inputs[%d]", l.path(), i), "", "a tensor, a number, a bool, a string or none", in.kind.String())
		}
		if in.kind == KindTensor && in.tensor.constant {
			l.addf(fault.InvalidProgram, fmt.Sprintf("%s.inputs[%d]", l.path(), i), "", "a tensor that may be written", "a constant")
		}
	}
	for index := range l.code {
		in := &l.code[index]
		if in.code != opJumpFalse {
			continue
		}
		if t := in.args[0].Tensor(); t != nil && t.DType != pte.Bool {
			l.addf(fault.InvalidProgram, l.instructionPath(index), "", "a bool as condition", t.DType.String())
		}
	}
}

// readInitial finds the initial content of mutable buffers.
func (l *linker) readInitial() {
	for _, v := range l.stateful {
		d := l.plan.Values[v].Tensor
		b, err := l.source(d, l.values[v].tensor, l.program.State)
		if err != nil {
			l.add(fault.Under(l.valuePath(int(v)), err))
		}
		l.initial = append(l.initial, b)
	}
}
