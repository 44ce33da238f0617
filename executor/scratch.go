package executor

import (
	"fmt"
	"strings"

	"github.com/ptero-rt/ptero/pte"
)

// checkScratch holds the trailing scratch of delegate calls to the rules that the file alone decides.
func (l *linker) checkScratch() {}

// scratchRole is the role of a value among the trailing arguments of a call.
func (l *Linked) scratchRole(index int, v *Value) Scratch {
	in := &l.code[index]
	a := l.arities[in.target]
	for k, s := range in.args[a.In+a.Out:] {
		if s == v {
			return a.Forms[l.forms[index]][k]
		}
	}
	return Scratch{}
}

var (
	_ = fmt.Sprint
	_ = strings.Contains
	_ pte.Plan
)
