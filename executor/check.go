package executor

import (
	"fmt"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

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
	if len(l.constants) == 0 {
		return
	}
	l.eachInstruction(func(index int, in *pte.Instruction) {
		if in.Op != pte.CallKernel && (in.Op != pte.CallDelegate || l.delegates[in.Target] == nil) { // nobody knows what a missing backend writes
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
