package cpu

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// moving is an operator with one input and one output whose elements are those of the input, seen with other strides:
// views, slices, permutations, copies, casts. Each says only what it sees.
type moving struct {
	sig *arg.Signature
	// look states the output's shape and, for each of its dimensions, the stride in the input, with c.dim and c.base.
	look func(c *moveCall, args []*executor.Value, in *executor.Tensor) error
	cast bool // the output's type may differ
}

// moveCall is the state of a call site.
type moveCall struct {
	op     *moving
	rank   int
	shape  [arg.MaxRank]int
	stride [arg.MaxRank]int
	base   int
	copy   walk.Copy
	in     *executor.Tensor
	out    *executor.Tensor
	steady bool
}

// dim adds a dimension to what the output sees.
func (c *moveCall) dim(size, stride int) {
	if c.rank < arg.MaxRank {
		c.shape[c.rank], c.stride[c.rank] = size, stride
	}
	c.rank++
}

func (op *moving) make() executor.Op {
	return executor.Op{
		Name: op.sig.Op,
		Prepare: func(args []*executor.Value) (any, []memory.Need, error) {
			if err := op.sig.Check(args); err != nil {
				return nil, nil, err
			}
			c := &moveCall{op: op}
			if !steady(op.sig, args) {
				return c, nil, nil
			}
			c.steady = true
			return c, nil, c.plan(args)
		},
		Run: func(s *executor.Scope, state any, args []*executor.Value) error {
			c := state.(*moveCall)
			if !c.steady || c.in != args[0].Tensor() || c.out != args[op.sig.Out()].Tensor() {
				if err := c.plan(args); err != nil {
					return err
				}
			}
			return c.copy.Run(s)
		},
	}
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

func (c *moveCall) plan(args []*executor.Value) error {
	sig := c.op.sig
	in, err := sig.Tensor(args, 0)
	if err != nil {
		return err
	}
	out, err := sig.Tensor(args, sig.Out())
	if err != nil {
		return err
	}
	if !c.op.cast && out.DType != in.DType {
		return sig.Bad(sig.Out(), in.DType.String(), out.DType.String())
	}
	c.rank, c.base = 0, 0
	if err := c.op.look(c, args, in); err != nil {
		return err
	}
	if c.rank > arg.MaxRank {
		return sig.Wrong(fmt.Sprintf("at most %d dimensions", arg.MaxRank), fmt.Sprint(c.rank))
	}
	if err := sig.Resize(sig.Out(), out, c.shape[:c.rank]...); err != nil {
		return err
	}
	v := &c.copy.View
	v.Start(out)
	v.Base = c.base
	copy(v.Stride[:], c.stride[:c.rank])
	v.Merge(out.Strides)
	c.in, c.out = in, out
	if err := c.copy.Plan(out, in); err != nil {
		return fault.Under(sig.Op, err)
	}
	return nil
}
