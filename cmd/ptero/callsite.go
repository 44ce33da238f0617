package main

import (
	"fmt"
	"strings"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/pte"
)

// callSiteJSON is a call of a delegate, its flat argument list cut as the blob says.
type callSiteJSON struct {
	Instruction int              `json:"instruction"`
	Inputs      []int32          `json:"inputs,omitempty"`
	Outputs     []int32          `json:"outputs,omitempty"`
	Scratch     []scratchArgJSON `json:"scratch,omitempty"`
	Args        []int32          `json:"args,omitempty"` // uncut, where the blob cannot say
}

// scratchArgJSON is working memory that the program planned as a trailing argument.
type scratchArgJSON struct {
	Role   string `json:"role"`
	Value  int32  `json:"value"`
	MemID  uint32 `json:"mem_id"`
	Offset uint64 `json:"offset"`
	Bytes  int    `json:"bytes"`
	Needed uint64 `json:"needed"`
}

// arityOf asks the backend of a delegate how its argument lists are cut; false where no backend knows the blob.
func arityOf(p *pte.Program, m *pte.Plan, index int) (executor.Arity, bool) {
	d := &m.Delegates[index]
	blob := executor.Blob{Bytes: d.Blob, Specs: d.Specs, Named: namedIn(p), Method: m.Name, Delegate: index, Calls: 1}
	var backend executor.Backend
	switch d.ID {
	case ethosu.BackendID:
		backend = ethosu.NewBackend(nil, ethosu.Options{}) // only asked, never run
	case nxp.BackendID:
		backend = nxp.NewBackend(nil, 0)
	default:
		return executor.Arity{}, false
	}
	g, err := backend.Init(blob)
	if err != nil {
		return executor.Arity{}, false
	}
	return g.Arity(), g.Close() == nil
}

func describeCallSite(m *pte.Plan, pc int, args []int32, a executor.Arity, known bool) callSiteJSON {
	c := callSiteJSON{Instruction: pc}
	rest := len(args) - a.In - a.Out
	var form []executor.Scratch
	for _, f := range a.Forms {
		if len(f) == rest {
			form = f
			known = known && rest >= 0
		}
	}
	if !known || rest < 0 || len(form) != rest {
		c.Args = args
		return c
	}
	c.Inputs, c.Outputs = args[:a.In], args[a.In:a.In+a.Out]
	for i, s := range form {
		v := args[a.In+a.Out+i]
		d := describeValue(m, v, nil)
		c.Scratch = append(c.Scratch, scratchArgJSON{s.Role, v, d.MemID, d.Offset, d.Bytes, s.Size})
	}
	return c
}

// String writes a call for people; planned scratch is labelled.
func (c callSiteJSON) String() string {
	if c.Args != nil {
		return fmt.Sprintf("[%d] args %v", c.Instruction, c.Args)
	}
	s := fmt.Sprintf("[%d] inputs %v, outputs %v", c.Instruction, c.Inputs, c.Outputs)
	var list []string
	for _, x := range c.Scratch {
		list = append(list, fmt.Sprintf("value %d is its %s: %s B at mem_id %d+%s, needs %s B", x.Value, x.Role, group(x.Bytes), x.MemID, group(x.Offset), group(x.Needed)))
	}
	if len(list) == 0 {
		return s + ", no planned scratch"
	}
	return s + "; " + strings.Join(list, "; ")
}
