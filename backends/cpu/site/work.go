package site

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// Work is what an operator does at one call site, in two steps: Plan reads the arguments, checks them, resizes outputs and
// lays out the loops; Run goes through the elements. What tensors hold counts in Run only: a plan is kept while the same
// tensors are in the slots. Both may be called again and again and allocate nothing then.
type Work interface {
	Plan(args []*executor.Value) error
	Run(s *executor.Scope) error
}

// Needy is work that takes memory of its own: what its plan needs, asked once, in Prepare. Where the file leaves sizes or
// numbers open, the plan is one for the bounds of all sizes, unless the work is Bounded.
type Needy interface {
	Needs() []memory.Need
}

// Bounded is work that can tell, before there is a plan, what memory any plan takes whose sizes are within the bounds. It
// is asked instead where the file leaves sizes or numbers open, or where the work is not Needy.
type Bounded interface {
	BoundNeeds(args []*executor.Value) []memory.Need
}

// Sliding is work whose plan, in a loop, differs from one run to the next only in where it begins.
type Sliding interface {
	Slides(args []*executor.Value) bool // the file fixes everything else
	Slide(args []*executor.Value) error // takes up the new beginning
}

// Planned makes an operator of work. Where the file decides everything (static shapes, fixed numbers) the plan is made
// once, in Prepare, and holds while the same tensors are in the slots; else whenever sizes or numbers have changed.
func Planned(sig *arg.Signature, fresh func() Work) executor.Op {
	return operator(sig, func([]*executor.Value) (Work, error) { return fresh(), nil })
}

// Typed is Planned for work that depends on the type of the first argument, a tensor of one of the types given.
func Typed(sig *arg.Signature, types arg.Set, fresh func(d executor.DType) Work) executor.Op {
	return operator(sig, func(args []*executor.Value) (Work, error) {
		t, err := sig.Tensor(args, 0)
		if err == nil {
			err = sig.DType(0, t, types)
		}
		if err != nil {
			return nil, err
		}
		return fresh(t.DType), nil
	})
}

// Grown is an operator whose schema has got an argument before the last one: where a call site has a tensor at position i,
// the output of the older schema, old does it.
func Grown(now, old executor.Op, i int) executor.Op {
	prepare := now.Prepare
	now.Prepare = func(args []*executor.Value) (any, []memory.Need, error) {
		if len(args) > i && args[i].Tensor() != nil {
			return old.Prepare(args)
		}
		return prepare(args)
	}
	return now
}

// call is work and what it was planned for.
type call struct {
	work    Work
	sliding Sliding // the same work where it slides, else nil
	seen    Seen
}

func operator(sig *arg.Signature, open func(args []*executor.Value) (Work, error)) executor.Op {
	return executor.Op{
		Name: sig.Op,
		Prepare: func(args []*executor.Value) (any, []memory.Need, error) {
			if err := sig.Check(args); err != nil {
				return nil, nil, err
			}
			w, err := open(args)
			if err != nil {
				return nil, nil, err
			}
			c := &call{work: w}
			needs, err := c.prepare(sig, args)
			return c, needs, err
		},
		Run: run,
	}
}

func (c *call) prepare(sig *arg.Signature, args []*executor.Value) ([]memory.Need, error) {
	steady := c.seen.Settle(sig, args)
	if w, ok := c.work.(Sliding); ok && !steady && w.Slides(args) {
		c.sliding = w
	}
	needy, planFirst := c.work.(Needy)
	bounded, early := c.work.(Bounded)
	if steady || planFirst && !early {
		if err := c.work.Plan(args); err != nil {
			if c.seen.Open() {
				return nil, nil // decided in Run, by what the numbers are then
			}
			return nil, err
		}
		c.seen.Remember(args)
		if planFirst {
			return needy.Needs(), nil
		}
	}
	if early {
		return bounded.BoundNeeds(args), nil
	}
	return nil, nil
}

func run(s *executor.Scope, state any, args []*executor.Value) error {
	c := state.(*call)
	switch {
	case c.sliding != nil && c.seen.Same(args):
		if err := c.sliding.Slide(args); err != nil {
			return err
		}
	case c.seen.Holds(args):
	default:
		if err := c.work.Plan(args); err != nil {
			c.seen.Forget()
			return err
		}
		c.seen.Remember(args)
	}
	return c.work.Run(s)
}
