package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
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
			c := &plannedCall{work: fresh(), args: len(sig.Names)}
			c.steady = steady(sig, args)
			if w, ok := c.work.(sliding); ok && !c.steady && w.slides(args) {
				c.sliding = w
			}
			if c.steady {
				if err := c.work.plan(args); err != nil {
					return nil, nil, err
				}
				c.remember(args)
			}
			if n, ok := c.work.(needy); ok {
				return c, n.needs(args, c.steady), nil
			}
			return c, nil, nil
		},
		Run: func(s *executor.Scope, state any, args []*executor.Value) error {
			c := state.(*plannedCall)
			switch {
			case c.steady && c.same(args):
			case c.sliding != nil && c.same(args):
				if err := c.sliding.slide(args); err != nil {
					return err
				}
			default:
				if err := c.work.plan(args); err != nil {
					c.seen = c.seen[:0]
					return err
				}
				c.remember(args)
			}
			return c.work.run(s)
		},
	}
}

type plannedCall struct {
	work    work
	sliding sliding // the same work where it slides, else nil
	args    int
	seen    []*executor.Tensor // what the plan was made for, lists unfolded; empty before the first
	steady  bool
}

func (c *plannedCall) remember(args []*executor.Value) {
	c.seen = c.seen[:0]
	for _, v := range args[:c.args] {
		if t := v.Tensor(); t != nil {
			c.seen = append(c.seen, t)
			continue
		}
		if v.Kind() == executor.KindTensorList || v.Kind() == executor.KindOptionalTensorList {
			for _, item := range v.Items() {
				if item != nil && item.Tensor() != nil {
					c.seen = append(c.seen, item.Tensor())
				}
			}
		}
	}
}

// same says whether the tensors are those that the plan was made for.
func (c *plannedCall) same(args []*executor.Value) bool {
	left := c.seen
	for _, v := range args[:c.args] {
		switch v.Kind() {
		case executor.KindTensor:
			if len(left) == 0 || left[0] != v.Tensor() {
				return false
			}
			left = left[1:]
		case executor.KindTensorList, executor.KindOptionalTensorList:
			for _, item := range v.Items() {
				if item != nil && item.Tensor() != nil {
					if len(left) == 0 || left[0] != item.Tensor() {
						return false
					}
					left = left[1:]
				}
			}
		}
	}
	return len(left) == 0
}

// steady says whether the file alone decides a call: every tensor has a static shape and every other argument is fixed.
func steady(sig *arg.Signature, args []*executor.Value) bool {
	for _, v := range args[:len(sig.Names)] {
		switch v.Kind() {
		case executor.KindTensor:
			if v.Tensor().Dynamism != 0 {
				return false
			}
		case executor.KindTensorList, executor.KindOptionalTensorList:
			for _, item := range v.Items() {
				if item != nil && item.Tensor() != nil && item.Tensor().Dynamism != 0 {
					return false
				}
			}
		default:
			if !v.Fixed() {
				return false
			}
		}
	}
	return true
}
