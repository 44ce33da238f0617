package executor

import (
	"slices"

	"github.com/ptero-rt/ptero/pte"
)

// An exporter lowers a linear layer to a copy of its constant weight in another order, followed by a matrix product that
// reads the copy; as written, the copy is made anew in every run. Operators that only move elements say in Prepare where
// they take them from (SetOrigin), operators that can read them there say so in Op.ReadsOrigin. Where nobody else reads
// the copy it is never made.
//
//	weight ──permute_copy──▶ copy ──addmm──▶        weight ───────────────addmm──▶
//	         └ SetOrigin ┘                                    (the copy is skipped)

type origin struct {
	constant *Tensor
	strides  []int
}

// SetOrigin notes that the tensor is a copy of a constant: along dimension d its elements lie strides[d] apart in the
// constant's data, from the first on. For Prepare of calls that write all of t and whose arguments are all fixed.
func (t *Tensor) SetOrigin(constant *Tensor, strides []int) {
	t.origin = &origin{constant, slices.Clone(strides)}
}

// Origin gives the constant that t copies, and the strides of t's dimensions in its data. It is nil except for arguments
// that the operator lists in Op.ReadsOrigin, whose own data is not written then.
func (t *Tensor) Origin() (constant *Tensor, strides []int) {
	if t.origin == nil {
		return nil, nil
	}
	return t.origin.constant, t.origin.strides
}

// skipCopy drops the call at index, which was just prepared, if it copies a constant that all readers take from where it
// is. Else the copy keeps no origin.
func (l *linker) skipCopy(index int, in *pte.Instruction, ops []*Op) {
	if len(in.Args) == 0 {
		return
	}
	v := in.Args[len(in.Args)-1] // operators that move elements have one output
	t := l.values[v].Tensor()
	if t == nil || t.origin == nil {
		return
	}
	if l.isIO(v) || l.touches[v]&(partly|moved) != 0 || t.Dynamism != pte.Static || !l.readAtOrigin(v, index, ops) {
		t.origin = nil
		return
	}
	l.code[index].run = skip
}

func skip(*Scope, any, []*Value) error { return nil }

// readAtOrigin says whether every instruction but writer that names v is a later call that reads it at its origin.
func (l *linker) readAtOrigin(v int32, writer int, ops []*Op) bool {
	if l.uses == nil {
		l.uses = make(map[int32][]int32)
		l.eachInstruction(func(index int, in *pte.Instruction) {
			l.eachTouched(in, func(v int32) {
				if use := l.uses[v]; len(use) == 0 || use[len(use)-1] != int32(index) {
					l.uses[v] = append(use, int32(index))
				}
			})
		})
		l.eachInstruction(func(_ int, in *pte.Instruction) { l.file = append(l.file, in) })
	}
	for _, i := range l.uses[v] {
		if int(i) == writer {
			continue
		}
		in := l.file[i]
		if int(i) < writer || in.Op != pte.CallKernel || ops[in.Target] == nil {
			return false
		}
		count := 0
		l.eachTouched(in, func(x int32) {
			if x == v {
				count++
			}
		})
		for _, k := range ops[in.Target].ReadsOrigin {
			if k < l.firstOut(in) && in.Args[k] == v {
				count--
			}
		}
		if count != 0 {
			return false
		}
	}
	return true
}
