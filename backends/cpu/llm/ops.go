// Package llm holds the operators that ExecuTorch adds for language models: attention over a key-value cache, cache
// updates, the Hadamard transform and the gated delta rule.
//
// Caches are [batch, positions, heads, width] unless an argument says otherwise; a call appends at start_pos and looks
// back from there. Sources: pytorch/executorch extension/llm/custom_ops at cff6f4dd; results are those of the same
// arithmetic in eager PyTorch.
package llm

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// Ops gives all operators of the package.
func Ops() []executor.Op {
	return []executor.Op{
		customSDPA(),
		quantizedSDPA(),
		cachedSDPA(),
		updateCache(),
		updateCacheAt(),
		experts(),
		hadamard(),
		deltaRule("llama::gated_delta_rule.out"),
		deltaRule("llama::channelwise_gated_delta_rule.out"), // its name before decay could be one number a head
	}
}

// call is the state of one call site. plan reads and checks the arguments; needs tells the temp memory for the shapes that
// tensors have now, which in Prepare are their bounds.
type call interface {
	plan(args []*executor.Value) error
	needs(args []*executor.Value) []memory.Need
	run(s *executor.Scope) error
}

// operator makes an Op of call states. A call that the file alone decides is checked in Prepare; each run plans again,
// since positions and lengths change from run to run.
func operator(sig *arg.Signature, fresh func() call) executor.Op {
	return executor.Op{
		Name: sig.Op,
		Prepare: func(args []*executor.Value) (any, []memory.Need, error) {
			if err := sig.Check(args); err != nil {
				return nil, nil, err
			}
			c := fresh()
			if decided(args) {
				if err := c.plan(args); err != nil {
					return nil, nil, err
				}
			}
			return c, c.needs(args), nil
		},
		Run: func(s *executor.Scope, state any, args []*executor.Value) error {
			c := state.(call)
			if err := c.plan(args); err != nil {
				return err
			}
			return c.run(s)
		},
	}
}

func decided(args []*executor.Value) bool {
	for _, v := range args {
		if t := v.Tensor(); t != nil && t.Dynamism != 0 || t == nil && !v.Fixed() && v.Kind() != executor.KindTensorList {
			return false
		}
	}
	return true
}

// rank4 reads a tensor of four dimensions.
func rank4(sig *arg.Signature, args []*executor.Value, i int) (*executor.Tensor, error) {
	t, err := sig.Tensor(args, i)
	if err == nil && t.Rank() != 4 {
		err = sig.Bad(i, "4 dimensions", fmt.Sprint(t.Rank()))
	}
	return t, err
}
