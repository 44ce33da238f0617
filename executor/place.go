package executor

import (
	"errors"
	"fmt"
	"sort"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// problems collects everything that is wrong, so that a phase reports it at once.
type problems struct{ list []error }

func (p *problems) add(err error) {
	if err != nil {
		p.list = append(p.list, fault.All(err)...)
	}
}

func (p *problems) addf(code Code, path, rule, want, found string) {
	p.list = append(p.list, &fault.Error{Path: path, Rule: rule, Want: want, Found: found, Code: code})
}

func (p *problems) err() error {
	switch len(p.list) {
	case 0:
		return nil
	case 1:
		return p.list[0]
	}
	return errors.Join(p.list...)
}

// Place says which instruction of the file stands at an index of the flattened program.
func (l *Linked) Place(index int) (chain, instruction int) {
	chain = sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > index }) - 1
	return chain, index - l.starts[chain]
}

// Label names an instruction as a person would: the operator, the delegate's backend, or the kind.
func (l *Linked) Label(index int) string {
	chain, k := l.Place(index)
	return label(l.plan, &l.plan.Chains[chain].Instructions[k])
}

func label(p *pte.Plan, in *pte.Instruction) string {
	switch in.Op {
	case pte.CallKernel:
		return p.Operators[in.Target].FullName()
	case pte.CallDelegate:
		return p.Delegates[in.Target].ID
	case pte.Move:
		return "move"
	case pte.JumpFalse:
		return "jump_false"
	case pte.Free:
		return "free"
	}
	return "unknown"
}

func (l *Linked) path() string { return fmt.Sprintf("plan[%d]", l.index) }

func (l *Linked) instructionPath(index int) string {
	chain, k := l.Place(index)
	if len(l.starts) == 1 {
		return fmt.Sprintf("plan[%d].instructions[%d]", l.index, k)
	}
	return fmt.Sprintf("plan[%d].chains[%d].instructions[%d]", l.index, chain, k)
}

func (l *Linked) valuePath(v int) string { return fmt.Sprintf("plan[%d].values[%d]", l.index, v) }

// at puts the place of an instruction in front of what its call reported: the path, then the name of what was called.
func (l *Linked) at(index int, err error) error {
	if err == nil {
		return nil
	}
	place, name := l.instructionPath(index), l.Label(index)
	var p problems
	for _, one := range fault.All(err) {
		f := new(fault.Error)
		if e, ok := one.(*fault.Error); ok {
			*f = *e
			if e.Path != "" && e.Path[0] != '[' && e.Path[0] != '.' {
				f.Path = "." + e.Path
			}
		} else {
			f.Code, f.Err = CodeOf(one), one
		}
		f.Path = place + f.Path + " " + name
		p.list = append(p.list, f)
	}
	return p.err()
}
