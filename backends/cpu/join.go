package cpu

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// joins are cat and stack: several tensors behind each other along a dimension.
//
// In the output's memory order the dimension has some dimensions outside and some inside; each step outside, every input
// contributes one run, which a View of that input delivers in the output's order.
func joins() []executor.Op {
	return []executor.Op{join("aten::cat.out", false), join("aten::stack.out", true)}
}

type joinCall struct {
	sig   *arg.Signature
	stack bool
	out   *executor.Tensor
	ins   []joined
	outer int
	width int // elements of an outer step
}

type joined struct {
	t    *executor.Tensor
	view walk.View
	cur  walk.Cursor
	load walk.Load
	from executor.DType
	to   executor.DType
	run  int // elements for each outer step
	at   int // the first of them, in an outer step
}

func join(name string, stack bool) executor.Op {
	sig := arg.Sign(name, "tensors dim out")
	return planned(sig, func() work { return &joinCall{sig: sig, stack: stack} })
}

func (c *joinCall) plan(args []*executor.Value) error {
	sig := c.sig
	items, err := sig.Tensors(args, 0)
	if err != nil {
		return err
	}
	out, err := sig.Tensor(args, 2)
	if err != nil {
		return err
	}
	if len(items) == 0 {
		return sig.Bad(0, "at least one tensor", "none")
	}
	if len(items) != len(c.ins) {
		c.ins = make([]joined, len(items))
	}
	first := model(items)
	rank := first.Rank()
	if c.stack {
		rank++
	} else if rank == 0 {
		return sig.Bad(0, "tensors of at least one dimension", "rank 0")
	}
	at, err := sig.Dim(args, 1, rank)
	if err != nil {
		return err
	}
	var shape [arg.MaxRank]int
	if rank > len(shape) {
		return sig.Bad(0, "at most 16 dimensions", fmt.Sprint(rank))
	}
	for d := range rank {
		switch {
		case d == at:
		case c.stack && d > at:
			shape[d] = first.Sizes[d-1]
		default:
			shape[d] = first.Sizes[d]
		}
	}
	for i, v := range items {
		t := v.Tensor()
		if !c.stack && legacyEmpty(t) {
			continue
		}
		n, ok := c.extent(t, first, at)
		if !ok {
			return sig.Bad(0, fmt.Sprintf("the shape of %v outside dimension %d", intsText(first.Sizes), at), fmt.Sprintf("%s of tensor %d", intsText(t.Sizes), i))
		}
		shape[at] += n
	}
	if err := sig.Resize(2, out, shape[:rank]...); err != nil {
		return err
	}
	// What lies inside the dimension in the output's memory, and how often the whole is repeated outside.
	inner := 1
	for d, n := range out.Sizes {
		if d != at && n != 1 && out.Strides[d] < out.Strides[at] {
			inner *= n
		}
	}
	c.out, c.outer = out, 0
	if n := out.NumElements(); n > 0 {
		c.width = inner * shape[at]
		c.outer = n / c.width
	}
	behind := 0
	for i, v := range items {
		if err := c.ins[i].plan(c, v.Tensor(), out, at, inner); err != nil {
			return sig.Bad(0, "tensors that convert to "+out.DType.String(), fmt.Sprintf("%v of tensor %d", v.Tensor().DType, i))
		}
		c.ins[i].at = behind
		behind += c.ins[i].run
	}
	return nil
}

// model is the tensor that gives the rank: the first that is not an empty list of numbers, which cat has always skipped.
func model(items []*executor.Value) *executor.Tensor {
	for _, v := range items {
		if !legacyEmpty(v.Tensor()) {
			return v.Tensor()
		}
	}
	return items[0].Tensor()
}

func legacyEmpty(t *executor.Tensor) bool { return t.Rank() == 1 && t.Sizes[0] == 0 }

// extent is how much t adds along the dimension.
func (c *joinCall) extent(t, first *executor.Tensor, at int) (n int, ok bool) {
	if t.Rank() != first.Rank() {
		return 0, false
	}
	n = 1
	for d := range t.Sizes {
		if d == at && !c.stack {
			n = t.Sizes[d]
		} else if t.Sizes[d] != first.Sizes[d] {
			return 0, false
		}
	}
	return n, true
}

func (j *joined) plan(c *joinCall, t, out *executor.Tensor, at, inner int) error {
	j.t, j.run = t, 0
	if t.NumElements() == 0 {
		return nil
	}
	if j.load == nil || j.from != t.DType || j.to != out.DType {
		j.from, j.to = t.DType, out.DType
		if j.load = walk.Loader(j.from, j.to); j.load == nil || !walk.CanCast(j.from, j.to) {
			return arg.NoConversion(j.from, j.to)
		}
	}
	v := &j.view
	v.Start(out)
	v.N = t.NumElements()
	for d := range out.Sizes {
		switch {
		case c.stack && d == at:
			v.Size[d], v.Stride[d] = 1, 0
		case c.stack && d > at:
			v.Stride[d] = t.Strides[d-1]
		default:
			v.Size[d], v.Stride[d] = t.Sizes[d], t.Strides[d]
		}
	}
	j.run = inner
	if !c.stack {
		j.run *= t.Sizes[at]
	}
	v.Merge(out.Strides)
	return nil
}

func (c *joinCall) run(*executor.Scope) error {
	size := c.out.DType.Size()
	for i := range c.ins {
		j := &c.ins[i]
		if j.run == 0 {
			continue
		}
		if j.from == j.to && j.view.Packed() {
			walk.Runs(c.out.Data, j.at, c.width, j.t.Data, 0, j.run, 1, size, j.run, c.outer)
			continue
		}
		j.view.Seek(&j.cur, 0)
		for to := j.at; to < c.outer*c.width; to += c.width {
			j.view.Gather(&j.cur, j.load, c.out.Data[to*size:], j.t.Data, size, j.run)
		}
	}
	return nil
}
