package executor

import (
	"slices"

	"github.com/ptero-rt/ptero/pte"
)

// lifetimes says, for every value of the plan, when its own storage matters. Instructions are those of the flattened
// program; all intervals are half open.
//
//	index      0    1    2    3    4    5
//	value a    w────r                          [0,2)
//	value b         w─────────────r            [1,5)   b written in place over a: both live at 1, so rigid
//	value c              w────m                [2,4)   moved to d: c's bytes are used under d's name,
//	value d                   m─────────r      [3,6)   so c also lives [3,6)
type lifetimes struct {
	first, last []int32 // [first, last) of the value's own uses, loops included; first −1: never used
	through     map[int32][]interval
	holds       map[int32]map[int32]bool // slot → values whose storage a move or a view lets it show
	rough       bool                     // through says more than it knows
	scratch     map[int32][]trailing     // uses as trailing scratch
	reads       []uint64
	writes      []uint64
}

type interval struct{ first, last int32 }

// trailing is scratch argument k of the call at index.
type trailing struct{ index, k int32 }

// hull is the smallest interval around all uses of a value's storage.
func (t *lifetimes) hull(v int32) interval {
	h := interval{t.first[v], t.last[v]}
	for _, x := range t.through[v] {
		if h.first < 0 {
			h = x
		}
		h = interval{min(h.first, x.first), max(h.last, x.last)}
	}
	return h
}

// alive says whether the storage of v matters while instruction index runs.
func (t *lifetimes) alive(v, index int32) bool {
	if t.first[v] >= 0 && t.first[v] <= index && index < t.last[v] {
		return true
	}
	for _, x := range t.through[v] {
		if x.first <= index && index < x.last {
			return true
		}
	}
	return false
}

// lifetimes finds them when first asked, in one pass over the instructions where nothing jumps or moves.
func (l *Linked) lifetimes() *lifetimes {
	l.once.Do(func() { l.times = l.findLifetimes() })
	return l.times
}

func (l *Linked) findLifetimes() *lifetimes {
	n := len(l.values)
	t := &lifetimes{first: make([]int32, n), last: make([]int32, n), reads: make([]uint64, n), writes: make([]uint64, n)}
	for v := range t.first {
		t.first[v] = -1
	}
	for _, v := range l.plan.Inputs {
		t.first[v], t.last[v] = 0, 1
	}
	var jumps []jump
	moves := false
	l.eachInstruction(func(index int, in *pte.Instruction) {
		at := int32(index)
		own := l.own(index, in)
		for k, v := range in.Args[own:] {
			if t.scratch == nil {
				t.scratch = map[int32][]trailing{}
			}
			t.scratch[v] = append(t.scratch[v], trailing{at, int32(k)})
		}
		used := *in
		used.Args = in.Args[:own]
		l.eachTouched(&used, func(v int32) {
			if t.first[v] < 0 {
				t.first[v] = at
			}
			t.last[v] = max(t.last[v], at+1)
		})
		op := l.op(in)
		if in.Op < pte.Move {
			l.count(t, &used, op)
		}
		if in.Op == pte.JumpFalse {
			jumps = append(jumps, jump{at, l.code[index].target})
		}
		moves = moves || in.Op == pte.Move || op != nil && op.Views
	})
	end := int32(max(len(l.code), 1))
	for _, v := range l.plan.Outputs {
		t.first[v], t.last[v] = max(t.first[v], 0), end
	}
	for i := range l.planned {
		if v := l.planned[i].value; t.first[v] >= 0 {
			if from, ok := l.views(v); ok {
				t.first[v] = min(t.first[v], max(from-1, 0))
			}
		}
	}
	l.extendOverLoops(t, jumps)
	if moves {
		l.throughMoves(t)
	}
	return t
}

// count adds the bytes that a call reads and writes, at the bounds of shapes.
func (l *Linked) count(t *lifetimes, in *pte.Instruction, op *Op) {
	add := func(v int32, sum []uint64) {
		if x := l.values[v].tensor; x != nil {
			sum[v] += uint64(x.limit * x.DType.Size())
		}
	}
	l.eachRead(in, op, func(v int32) { add(v, t.reads) })
	l.eachWrite(in, op, func(v int32) { add(v, t.writes) })
}

// eachRead calls f with the values that a call reads, each as often as the call names it.
func (l *Linked) eachRead(in *pte.Instruction, op *Op, f func(v int32)) {
	for i, v := range in.Args[:l.firstOut(in)] {
		if op == nil || !slices.Contains(op.Fills, i) {
			l.eachItem(v, f)
		}
	}
}

// eachWrite calls f with the values that a call writes, each once.
func (l *Linked) eachWrite(in *pte.Instruction, op *Op, f func(v int32)) {
	l.eachMutated(in, op, f)
	if op != nil {
		l.eachOf(in, op.Fills, f)
	}
	outs := in.Args[l.firstOut(in):]
	for i, v := range outs {
		// A kernel call names its out arguments again: one at the end, or a list of them.
		if in.Op == pte.CallKernel && len(outs) > 1 && i == len(outs)-1 {
			break
		}
		l.eachItem(v, f)
	}
}

// jump is a conditional jump of the flattened program.
type jump struct{ from, to int32 }

// extendOverLoops makes what is used inside a loop live over all of it: the next round may need what this one left. Only
// what every round writes afresh before it reads it does not.
func (l *Linked) extendOverLoops(t *lifetimes, jumps []jump) {
	for again := true; again; {
		again = false
		for _, j := range jumps {
			if j.to > j.from {
				continue
			}
			loop := interval{j.to, j.from + 1}
			for v := range t.first {
				s := interval{t.first[v], t.last[v]}
				if s.first < 0 || s.first >= loop.last || s.last <= loop.first || s.first <= loop.first && s.last >= loop.last {
					continue
				}
				if s.first >= loop.first && s.last <= loop.last && l.fresh(int32(v), s, loop, jumps) {
					continue
				}
				t.first[v], t.last[v], again = min(s.first, loop.first), max(s.last, loop.last), true
			}
		}
	}
}

// fresh says whether a value is used inside a loop only and every round writes all of it first: its first use writes it,
// and no jump of the loop skips that one and lands before the last.
func (l *Linked) fresh(v int32, s, loop interval, jumps []jump) bool {
	if l.touches[v]&(readFirst|partly|moved) != 0 || !l.touches[v].has(written) || l.isIO(v) {
		return false
	}
	for _, j := range jumps {
		if j.from >= loop.first && j.from < s.first && j.to > s.first && j.to < s.last {
			return false
		}
	}
	return true
}

// own is how many arguments of a call are not trailing scratch.
func (l *Linked) own(index int, in *pte.Instruction) int {
	if _, ok := l.forms[index]; ok && in.Op == pte.CallDelegate {
		a := l.arities[in.Target]
		return a.In + a.Out
	}
	return len(in.Args)
}

// op is the operator of a kernel call, nil for other instructions.
func (l *Linked) op(in *pte.Instruction) *Op {
	if in.Op != pte.CallKernel {
		return nil
	}
	return l.ops[in.Target]
}
