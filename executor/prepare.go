package executor

import (
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// prepare lets every call check its arguments and say what it needs. All calls are asked before the first error counts.
func (l *linker) prepare(ops []*Op) {
	prepares := l.preparesOf(ops)
	index := 0
	for c := range l.plan.Chains {
		for list := l.plan.Chains[c].Instructions; len(list) > 0; {
			n, err := l.prepareSome(list, index, ops, prepares)
			if err != nil { // instruction n panicked
				l.add(l.at(index+n, err))
				n++
			}
			list, index = list[n:], index+n
		}
	}
	l.checkScratch()
}

// prepareSome prepares instructions from index on and gives how many it did, which are all unless one panics.
func (l *linker) prepareSome(list []pte.Instruction, index int, ops []*Op, prepares []prepareFunc) (n int, failed error) {
	defer recovered(&failed)
	for ; n < len(list); n++ {
		file, in := &list[n], &l.code[index+n]
		var needs []memory.Need
		var err error
		switch in.code {
		case opCall, opGuarded:
			op := ops[file.Target]
			if op == nil {
				break
			}
			in.run = op.Run
			if prepare := prepares[file.Target]; prepare != nil {
				if in.state, needs, err = prepare(in.args); err == nil {
					l.skipCopy(index+n, file, ops)
				}
			}
		case opDelegate:
			needs, err = l.prepareDelegate(index+n, in, file.Args)
		}
		if err != nil {
			l.add(l.at(index+n, err))
		}
		if len(needs) > 0 {
			l.calls = append(l.calls, memory.Call{Instruction: index + n, Label: label(l.plan, file), Needs: needs})
		}
	}
	return n, nil
}

type prepareFunc = func(args []*Value) (state any, needs []memory.Need, err error)

// preparesOf gives what prepares the calls of each operator; nil where nothing does.
func (l *linker) preparesOf(ops []*Op) []prepareFunc {
	calls := make([]int, len(ops))
	l.eachInstruction(func(_ int, in *pte.Instruction) {
		if in.Op == pte.CallKernel {
			calls[in.Target]++
		}
	})
	list := make([]prepareFunc, len(ops))
	for i, op := range ops {
		switch {
		case op == nil || calls[i] == 0:
		case op.PrepareMany != nil:
			list[i] = op.PrepareMany(calls[i])
		default:
			list[i] = op.Prepare
		}
	}
	return list
}

func (l *linker) prepareDelegate(index int, in *instruction, args []int32) (needs []memory.Need, err error) {
	if l.delegates[in.target] == nil {
		return nil, nil
	}
	_, _, scratch, form, err := l.arities[in.target].Split(in.args)
	if err != nil {
		return nil, err
	}
	if len(scratch) > 0 {
		if l.forms == nil {
			l.forms = map[int]int{}
		}
		l.forms[index] = form
		if err := l.checkScratchArguments(in, args, form); err != nil {
			return nil, err
		}
	}
	return l.delegates[in.target].Prepare(in.args)
}
