package cpu

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// indexing are the operators that read where index tensors and masks say.
func indexing() []executor.Op {
	var ops []executor.Op
	for _, op := range []lookup{
		{sig: arg.Sign("aten::index.Tensor_out", "self indices out"), picks: pickList, wrap: true},
		{sig: arg.Sign("aten::embedding.out", "weight indices padding_idx scale_grad_by_freq sparse out"), picks: pickRows},
		{sig: arg.Sign("aten::index_select.out", "self dim index out"), picks: pickSelect},
	} {
		ops = append(ops, site.Planned(op.sig, func() site.Work { return &lookupCall{op: &op} }))
	}
	return append(ops, indexPuts()...)
}

// lookup is an operator that reads blocks of its first argument into its output.
type lookup struct {
	sig   *arg.Signature
	picks func(sig *arg.Signature, args []*executor.Value, x *walk.Index, self *executor.Tensor) error
	wrap  bool
}

type lookupCall struct {
	op        *lookup
	self, out *executor.Tensor
	x         walk.Index
	fetch     *walk.Exchange
}

// pickList reads a list of index tensors, none for a dimension that is taken whole.
func pickList(sig *arg.Signature, args []*executor.Value, x *walk.Index, self *executor.Tensor) error {
	if k := args[1].Kind(); k != executor.KindOptionalTensorList && k != executor.KindTensorList {
		return sig.Bad(1, "tensor list", k.String())
	}
	items := args[1].Items()
	x.Start(self, len(items))
	dim := 0
	for i, v := range items {
		if v == nil || v.IsNone() {
			dim++
			continue
		}
		t := v.Tensor()
		if t == nil {
			return sig.Bad(1, "tensors or none", fmt.Sprintf("%v as entry %d", v.Kind(), i))
		}
		if self.Rank() == 0 {
			return sig.Bad(1, "no indices for rank 0", fmt.Sprint(len(items)))
		}
		n, err := x.Pick(t, dim)
		if err != nil {
			return fault.Under(sig.Op, err)
		}
		dim += n
	}
	if dim > max(self.Rank(), 1) {
		return sig.Bad(1, fmt.Sprintf("indices for %d dimensions", self.Rank()), fmt.Sprintf("for %d", dim))
	}
	return nil
}

// pickRows chooses rows of a matrix.
func pickRows(sig *arg.Signature, args []*executor.Value, x *walk.Index, self *executor.Tensor) error {
	r := sig.Read(args)
	index := r.Of(1, walk.IndexTypes)
	if r.Rank(0, self, 2); r.Err != nil {
		return r.Err
	}
	x.Start(self, 1)
	_, err := x.Pick(index, 0)
	return err
}

// pickSelect chooses entries of one dimension.
func pickSelect(sig *arg.Signature, args []*executor.Value, x *walk.Index, self *executor.Tensor) error {
	r := sig.Read(args)
	dim, index := r.Dim(1, self), r.Of(2, walk.IndexTypes)
	if r.Err != nil {
		return r.Err
	}
	if index.Rank() > 1 {
		return sig.Bad(2, "at most one dimension", fmt.Sprint(index.Rank()))
	}
	if self.Rank() == 0 && index.NumElements() != 1 {
		return sig.Bad(2, "one index for a tensor of rank 0", fmt.Sprint(index.NumElements()))
	}
	x.Start(self, 1)
	x.Line = true
	_, err := x.Pick(index, dim)
	return err
}

func (c *lookupCall) BoundNeeds(args []*executor.Value) []memory.Need {
	return walk.IndexNeeds(elementsAt(args[c.op.sig.Out()]))
}

func (c *lookupCall) Plan(args []*executor.Value) error {
	r := c.op.sig.Read(args)
	c.self, c.out = inOut(&r)
	for i := range r.Out() {
		r.Apart(r.Out(), i)
	}
	if r.Err != nil {
		return r.Err
	}
	c.x.Wrap = c.op.wrap
	if err := c.op.picks(c.op.sig, args, &c.x, c.self); err != nil {
		return err
	}
	c.fetch = walk.Fetch(c.self.DType.Size())
	if c.x.Masks() {
		return nil // the shape depends on data
	}
	return c.lay()
}

// lay gives the output its shape.
func (c *lookupCall) lay() error {
	sig := c.op.sig
	var buf [arg.MaxRank]int
	shape, positions, err := c.x.Shape(buf[:])
	if err != nil {
		return fault.Under(sig.Op, err)
	}
	size, strides := shape, c.out.Strides
	if c.self.Rank() == 0 && c.out.Rank() == 0 { // which counted as one dimension of size 1
		size, strides = nil, shape
	}
	if err := sig.Resize(sig.Out(), c.out, size...); err != nil {
		return err
	}
	c.x.Beside(shape, strides, positions)
	return nil
}

func (c *lookupCall) Run(s *executor.Scope) error {
	if c.x.Masks() {
		if err := c.lay(); err != nil {
			return err
		}
	}
	return fault.Under(c.op.sig.Op, c.x.Run(s, c.fetch, c.self.Data, c.out.Data))
}
