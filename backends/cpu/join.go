package cpu

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// joins are cat and stack: several tensors behind each other along a dimension.
//
// Each input has its place in the output, from where the last one ended.
func joins() []executor.Op {
	return []executor.Op{join("aten::cat.out", false), join("aten::stack.out", true)}
}

type joinCall struct {
	sig   *arg.Signature
	stack bool
	ins   []walk.Place
}

func join(name string, stack bool) executor.Op {
	sig := arg.Sign(name, "tensors dim out")
	return site.Planned(sig, func() site.Work { return &joinCall{sig: sig, stack: stack} })
}

func (c *joinCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	items, out := r.Tensors(0), r.Tensor(2)
	if r.Err != nil {
		return r.Err
	}
	if len(items) == 0 {
		return sig.Bad(0, "at least one tensor", "none")
	}
	if len(items) != len(c.ins) {
		c.ins = make([]walk.Place, len(items))
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
			return sig.Bad(0, fmt.Sprintf("the shape of %v outside dimension %d", arg.List(first.Sizes), at), fmt.Sprintf("%s of tensor %d", arg.List(t.Sizes), i))
		}
		shape[at] += n
	}
	if err := sig.Resize(2, out, shape[:rank]...); err != nil {
		return err
	}
	behind := 0
	for i, v := range items {
		t := v.Tensor()
		if err := c.place(&c.ins[i], t, out, at, behind); err != nil {
			return sig.Bad(0, "tensors that convert to "+out.DType.String(), fmt.Sprintf("%v of tensor %d", t.DType, i))
		}
		if c.stack {
			behind++
		} else if !legacyEmpty(t) {
			behind += t.Sizes[at]
		}
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

// place plans where t goes: from index at of the dimension on.
func (c *joinCall) place(p *walk.Place, t, out *executor.Tensor, dim, at int) error {
	if t.NumElements() == 0 {
		*p = walk.Place{}
		return nil
	}
	if !walk.CanCast(t.DType, out.DType) {
		return arg.NoConversion(t.DType, out.DType)
	}
	p.Start(t)
	for d := range t.Sizes {
		k := d
		if c.stack && d >= dim {
			k++
		}
		p.To.Stride[d] = out.Strides[k]
	}
	p.To.Base = at * out.Strides[dim]
	return p.Plan(out)
}

func (c *joinCall) BoundNeeds(args []*executor.Value) []memory.Need {
	out := args[c.sig.Out()].Tensor()
	for _, v := range args[0].Items() {
		if t := v.Tensor(); t == nil || out == nil || t.DType != out.DType {
			return walk.PlaceNeeds(elementsAt(args[c.sig.Out()]))
		}
	}
	return nil
}

func (c *joinCall) Run(s *executor.Scope) error {
	var temp []byte
	for i := range c.ins {
		if err := c.ins[i].RunAmong(s, &temp); err != nil {
			return err
		}
	}
	return nil
}
