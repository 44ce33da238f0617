package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// work is what an operator does at one call site, in two steps: plan reads the arguments, checks them, resizes outputs
// and lays out the loops; run goes through the elements. Both may be called again and again and allocate nothing then.
type work interface {
	plan(args []*executor.Value) error
	run(s *executor.Scope) error
}

// needy is work that takes temp memory: asked once, in Prepare, after the plan where that holds, else (planned is false)
// before the first, with every tensor at its bound.
type needy interface {
	needs(args []*executor.Value, planned bool) []memory.Need
}

// sliding is work whose plan, in a loop, differs from one run to the next only in where it begins.
type sliding interface {
	slides(args []*executor.Value) bool // the file fixes everything else
	slide(args []*executor.Value) error // takes up the new beginning
}

// planned makes an operator of work. Where the file decides everything (static shapes, fixed numbers) the plan is made
// once, in Prepare, and holds while the same tensors are in the slots; else each run plans again.
func planned(sig *arg.Signature, fresh func() work) executor.Op {
	return executor.Op{
		Name: sig.Op,
		Prepare: func(args []*executor.Value) (any, []memory.Need, error) {
			if err := sig.Check(args); err != nil {
				return nil, nil, err
			}
			c := &plannedCall{work: fresh()}
			steady := c.seen.Settle(sig, args)
			if w, ok := c.work.(sliding); ok && !steady && w.slides(args) {
				c.sliding = w
			}
			if steady {
				if err := c.work.plan(args); err != nil {
					return nil, nil, err
				}
				c.seen.Remember(args)
			}
			if n, ok := c.work.(needy); ok {
				return c, n.needs(args, steady), nil
			}
			return c, nil, nil
		},
		Run: runPlanned,
	}
}

type plannedCall struct {
	work    work
	sliding sliding // the same work where it slides, else nil
	seen    site.Seen
}

func runPlanned(s *executor.Scope, state any, args []*executor.Value) error {
	c := state.(*plannedCall)
	switch {
	case c.sliding != nil && c.seen.Same(args):
		if err := c.sliding.slide(args); err != nil {
			return err
		}
	case c.seen.Holds(args):
	default:
		if err := c.work.plan(args); err != nil {
			c.seen.Forget()
			return err
		}
		c.seen.Remember(args)
	}
	return c.work.run(s)
}
