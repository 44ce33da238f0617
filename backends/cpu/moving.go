package cpu

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// moving is an operator with one input and one output whose elements are those of the input, seen with other strides:
// views, slices, permutations, copies, casts. Each says only what it sees.
type moving struct {
	sig *arg.Signature
	// look states the output's shape and, for each of its dimensions, the stride in the input, with c.dim and c.base.
	look    func(c *moveCall, args []*executor.Value, in *executor.Tensor) error
	slide   func(c *moveCall, args []*executor.Value, in *executor.Tensor) error // sets c.base alone; nil where more depends on numbers
	cast    bool                                                                 // the output's type may differ
	inPlace bool                                                                 // the first argument is the output
}

// moveCall is the state of a call site.
type moveCall struct {
	op     *moving
	rank   int
	shape  [arg.MaxRank]int
	stride [arg.MaxRank]int
	base   int
	axis   int              // of the input, that slide moves along
	from   *executor.Tensor // what is read, if not the first argument
	as     executor.DType   // what its elements are taken for, if not 0
	copy   walk.Copy
}

// dim adds a dimension to what the output sees.
func (c *moveCall) dim(size, stride int) {
	if c.rank < arg.MaxRank {
		c.shape[c.rank], c.stride[c.rank] = size, stride
	}
	c.rank++
}

// at is the position of the output.
func (op *moving) at() int {
	if op.inPlace {
		return 0
	}
	return op.sig.Out()
}

func (op *moving) make() executor.Op {
	return site.Planned(op.sig, func() site.Work { return &moveCall{op: op} })
}

func (c *moveCall) Run(s *executor.Scope) error { return c.copy.Run(s) }

// slides says whether only the last number before the output changes from run to run: the index of a loop.
func (c *moveCall) Slides(args []*executor.Value) bool {
	last := c.op.sig.Out() - 1
	if c.op.slide == nil || args[last].Fixed() {
		return false
	}
	for i, v := range args[:last+2] {
		if t := v.Tensor(); i != last && !v.Fixed() && (t == nil || t.Dynamism != 0) || t != nil && t.Dynamism != 0 {
			return false
		}
	}
	return true
}

func (c *moveCall) Slide(args []*executor.Value) error {
	if err := c.op.slide(c, args, args[0].Tensor()); err != nil {
		return err
	}
	c.copy.View.Base = c.base
	return nil
}

// source is what is read.
func (c *moveCall) source(first *executor.Tensor) *executor.Tensor {
	if c.from != nil {
		return c.from
	}
	return first
}

// still says whether each element of a tensor that is input and output stays where it is.
func (c *moveCall) still(t *executor.Tensor) bool {
	if c.base != 0 || c.rank != t.Rank() {
		return false
	}
	for d, n := range t.Sizes {
		if c.shape[d] != n || n > 1 && c.stride[d] != t.Strides[d] {
			return false
		}
	}
	return true
}

func (c *moveCall) Plan(args []*executor.Value) error {
	sig, r := c.op.sig, c.op.sig.Read(args)
	in, out := r.Tensor(0), r.Tensor(c.op.at())
	if !c.op.cast {
		r.Like(c.op.at(), in)
	}
	if r.Err != nil {
		return r.Err
	}
	c.rank, c.base = 0, 0
	if err := c.op.look(c, args, in); err != nil {
		return err
	}
	if c.rank > arg.MaxRank {
		return sig.Wrong(fmt.Sprintf("at most %d dimensions", arg.MaxRank), fmt.Sprint(c.rank))
	}
	if source := c.source(in); source == out && !c.still(out) {
		return sig.Bad(c.op.at(), "a tensor that is not "+sig.Names[0], "the same")
	}
	if err := sig.Resize(c.op.at(), out, c.shape[:c.rank]...); err != nil {
		return err
	}
	v := &c.copy.View
	v.Start(out)
	v.Base = c.base
	copy(v.Stride[:], c.stride[:c.rank])
	v.Merge(out.Strides)
	in = c.source(in)
	from := in.DType
	if c.as != 0 {
		from = c.as
	}
	if err := c.copy.Plan(out, in, from); err != nil {
		return fault.Under(sig.Op, err)
	}
	if in.Constant() && out.DType == in.DType && c.as == 0 && c.base == 0 && c.rank > 1 && site.Steady(sig, args) {
		out.SetOrigin(in, c.stride[:c.rank])
	}
	return nil
}
