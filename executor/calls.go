package executor

import "github.com/ptero-rt/ptero/pte"

// DelegateCall is one call site of a delegate, for planners.
type DelegateCall struct {
	Instruction int     // in the flattened program
	Chain       int     // as in the file
	Index       int     // in the chain
	Args        []int32 // value indices; the slice belongs to the program
	Arity       Arity
	Form        int // of the trailing scratch that the file plans: index into Arity.Forms
	Delegate    Delegate
}

// DelegateCalls lists the delegate calls of the method in order. It allocates.
func (l *Linked) DelegateCalls() []DelegateCall {
	var list []DelegateCall
	l.eachInstruction(func(index int, in *pte.Instruction) {
		if in.Op != pte.CallDelegate {
			return
		}
		c := DelegateCall{Instruction: index, Args: in.Args, Arity: l.arities[in.Target], Form: l.forms[index], Delegate: l.delegates[in.Target]}
		c.Chain, c.Index = l.Place(index)
		list = append(list, c)
	})
	return list
}
