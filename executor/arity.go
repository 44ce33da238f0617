package executor

import (
	"fmt"
	"strings"

	"github.com/ptero-rt/ptero/internal/fault"
)

// Arity is how many arguments a delegate call has, read from the blob, never from the call.
//
//	args:  in … in  out … out  [scratch …]
//	       └ In ─┘  └ Out ─┘   └ one of Forms, by count
type Arity struct {
	In, Out int
	Forms   [][]Scratch // trailing lists that the blob accepts; Forms[0] is empty: an older file without planned scratch
}

// Split cuts an argument list into inputs, outputs and trailing scratch, and says which form the scratch has. It is the
// only code that does. A count that no form has is an error with the rule "arg_count".
func (a Arity) Split(args []*Value) (in, out, scratch []*Value, form int, err error) {
	extra := len(args) - a.In - a.Out
	for i, f := range a.Forms {
		if len(f) == extra {
			return args[:a.In], args[a.In : a.In+a.Out], args[a.In+a.Out:], i, nil
		}
	}
	if len(a.Forms) == 0 && extra == 0 {
		return args[:a.In], args[a.In:], nil, 0, nil
	}
	return nil, nil, nil, 0, &fault.Error{Rule: "arg_count", Code: fault.InvalidProgram,
		Want:  fmt.Sprintf("%d inputs, %d outputs and %s", a.In, a.Out, a.forms()),
		Found: fmt.Sprintf("%d arguments", len(args))}
}

func (a Arity) forms() string {
	var s []string
	for _, f := range a.Forms {
		var roles []string
		for _, r := range f {
			roles = append(roles, fmt.Sprintf("%s of %d B", r.Role, r.Size))
		}
		if len(roles) == 0 {
			roles = []string{"no scratch"}
		}
		s = append(s, strings.Join(roles, " + "))
	}
	if len(s) == 0 {
		return "no scratch"
	}
	return strings.Join(s, ", or ")
}
