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

// scatters are gather and scatter, whose index tensor replaces one coordinate of each element, and the two that write a
// slice.
func scatters() []executor.Op {
	var ops []executor.Op
	for _, op := range []placing{
		{sig: arg.Sign("aten::gather.out", "self dim index sparse_grad out"), gather: true},
		{sig: arg.Sign("aten::scatter.src_out", "self dim index src out")},
		{sig: arg.Sign("aten::scatter.value_out", "self dim index value out"), number: true},
		{sig: arg.Sign("aten::scatter_add.out", "self dim index src out"), add: true},
	} {
		ops = append(ops, site.Planned(op.sig, func() site.Work { return &placingCall{op: &op, element: make([]byte, 16)} }))
	}
	pick := arg.Sign("aten::select_scatter.out", "self src dim index out")
	slice := arg.Sign("aten::slice_scatter.out", "self src dim start end step out")
	return append(ops,
		site.Planned(pick, func() site.Work { return &sliceCall{sig: pick, pick: true} }),
		site.Planned(slice, func() site.Work { return &sliceCall{sig: slice} }),
	)
}

// placing is gather or scatter.
type placing struct {
	sig    *arg.Signature
	gather bool
	number bool // one number for all places
	add    bool
}

type placingCall struct {
	op               *placing
	self, other, out *executor.Tensor
	x                walk.Index
	copy             walk.Copy // of self, before places of it are written
	exchange         *walk.Exchange
	element          []byte // the number, 16 bytes
	half             executor.DType
	wide, narrow     walk.Load // for sums of 16-bit floats, which are kept in f32 till the end
}

func (c *placingCall) BoundNeeds(args []*executor.Value) []memory.Need {
	needs := walk.IndexNeeds(elementsAt(args[2]))
	if out := args[c.op.sig.Out()].Tensor(); out != nil && c.op.add && arg.IsHalf(out.DType) {
		needs = append(needs, memory.Need{Role: "sums", Place: memory.Temp, Bytes: uint64(4 * out.Bound()), Align: 64})
	}
	return needs
}

func (c *placingCall) Plan(args []*executor.Value) error {
	sig, r := c.op.sig, c.op.sig.Read(args)
	c.self, c.out = inOut(&r)
	dim, index := r.Dim(1, c.self), r.Of(2, walk.IndexTypes)
	if r.Apart(r.Out(), 2); c.op.gather {
		r.Apart(r.Out(), 0)
	} else {
		r.Apart(r.Out(), 3)
	}
	if r.Err != nil {
		return r.Err
	}
	if c.op.gather {
		c.other = c.out
		if err := sig.Resize(sig.Out(), c.out, index.Sizes...); err != nil {
			return err
		}
	} else if err := c.scatter(&r, index.NumElements()); err != nil {
		return err
	}
	var strides [arg.MaxRank]int // of a number: 0
	if c.other != nil {
		copy(strides[:], c.other.Strides)
	}
	if err := c.fits(index, dim); err != nil {
		return err
	}
	if c.exchangeOf(); c.exchange == nil {
		return sig.Bad(0, "a type that can be added", c.self.DType.String())
	}
	indexed := c.self
	if !c.op.gather {
		indexed = c.out // it may lie in another order
	}
	return fault.Under(sig.Op, c.x.Along(indexed, dim, index, strides[:]))
}

// scatter reads what is written and plans the copy of self.
func (c *placingCall) scatter(r *arg.Reader, places int) error {
	c.other = nil
	if !c.op.number {
		c.other = r.Like(3, c.self)
	} else if places > 0 {
		if s := fitting(r, 3, c.self.DType); r.Err == nil {
			walk.Put(c.element, c.self.DType, s)
		}
	}
	if r.Err != nil {
		return r.Err
	}
	return copyOf(c.op.sig, &c.copy, c.self, c.out)
}

// copyOf resizes the output to self's shape and plans a copy.
func copyOf(sig *arg.Signature, c *walk.Copy, self, out *executor.Tensor) error {
	if err := sig.Resize(sig.Out(), out, self.Sizes...); err != nil {
		return err
	}
	if err := c.View.See(out, self); err != nil {
		return fault.Under(sig.Op, err)
	}
	return fault.Under(sig.Op, c.Plan(out, self, self.DType))
}

// fits wants index to be no larger than self outside dim, and no larger than what is written. An empty index touches
// nothing and may have any shape.
func (c *placingCall) fits(index *executor.Tensor, dim int) error {
	sig := c.op.sig
	if index.NumElements() == 0 {
		return nil
	}
	if max(index.Rank(), 1) != max(c.self.Rank(), 1) {
		return sig.Bad(2, fmt.Sprintf("%d dimensions", c.self.Rank()), fmt.Sprint(index.Rank()))
	}
	if c.other != nil && max(c.other.Rank(), 1) != max(c.self.Rank(), 1) {
		return sig.Bad(3, fmt.Sprintf("%d dimensions", c.self.Rank()), fmt.Sprint(c.other.Rank()))
	}
	for d, n := range index.Sizes {
		if d != dim && n > c.self.Sizes[d] {
			return sig.Bad(2, fmt.Sprintf("at most %d in dimension %d", c.self.Sizes[d], d), fmt.Sprint(n))
		}
		if c.other != nil && c.other.Rank() > 0 && n > c.other.Sizes[d] || c.other != nil && c.other.Rank() == 0 && n > 1 {
			return sig.Bad(2, fmt.Sprintf("no more than src in dimension %d", d), fmt.Sprint(n))
		}
	}
	return nil
}

func (c *placingCall) exchangeOf() {
	half := c.op.add && arg.IsHalf(c.self.DType)
	if !half {
		c.wide, c.half = nil, 0
	} else if c.half != c.self.DType {
		c.half = c.self.DType
		c.wide, c.narrow = walk.Loader(c.self.DType, arg.F32), walk.Loader(arg.F32, c.self.DType)
	}
	switch {
	case c.op.gather:
		c.exchange = walk.Fetch(c.self.DType.Size())
	case half:
		c.exchange = walk.AddWide(c.self.DType)
	case c.op.add:
		c.exchange = walk.Add(c.self.DType)
	default:
		c.exchange = walk.Store(c.self.DType.Size())
	}
}

func (c *placingCall) Run(s *executor.Scope) error {
	return fault.Under(c.op.sig.Op, c.exchangeAll(s))
}

func (c *placingCall) exchangeAll(s *executor.Scope) error {
	if c.op.gather {
		return c.x.Run(s, c.exchange, c.self.Data, c.out.Data)
	}
	if err := c.copy.Run(s); err != nil {
		return err
	}
	other := c.element
	if c.other != nil {
		other = c.other.Data
	}
	if c.wide == nil {
		return c.x.Run(s, c.exchange, c.out.Data, other)
	}
	n := c.out.NumElements()
	sums, err := s.TempBytes(4 * n)
	if err != nil {
		return err
	}
	c.wide(sums, c.out.Data, 0, 1, n)
	if err := c.x.Run(s, c.exchange, sums, other); err != nil {
		return err
	}
	c.narrow(c.out.Data, sums, 0, 1, n)
	return nil
}

// sliceCall is select_scatter and slice_scatter: self with a part replaced. Where the part is in one piece, or is much of self,
// only what lies around it is copied from self.
type sliceCall struct {
	sig    *arg.Signature
	pick   bool // the part is one index, without the dimension
	places [3]walk.Place
}

func (c *sliceCall) BoundNeeds(args []*executor.Value) []memory.Need {
	return walk.PlaceNeeds(elementsAt(args[c.sig.Out()]))
}

func (c *sliceCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	self, out := inOut(&r)
	src, at := r.Tensor(1), rankedDim(&r, 2, self)
	if r.Err != nil {
		return r.Err
	}
	start, length, step := 0, 1, 1
	if c.pick {
		start, r.Err = indexIn(sig, args, 3, self.Sizes[at])
	} else {
		start, length, step = sliceOf(&r, 3, self.Sizes[at])
	}
	if r.Resize(r.Out(), out, self.Sizes...); r.Err != nil {
		return r.Err
	}
	before, part, after := &c.places[0], &c.places[1], &c.places[2]
	size := self.Sizes[at]
	first, last := start, start+length // of self, up to the part and from behind it
	if pieces := out.Strides[at]*size != out.NumElements(); step > 1 || pieces && 4*length <= size {
		first, last = size, size
	}
	for _, p := range [...]*walk.Place{before, after} {
		p.Start(self)
		copy(p.To.Stride[:], out.Strides)
	}
	before.Cut(at, 0, 0, first)
	after.Cut(at, last, last, size-last)
	part.Start(src)
	k := 0
	for d, n := range self.Sizes {
		if d == at && c.pick {
			continue
		}
		stride := out.Strides[d]
		if d == at {
			n, stride = length, step*stride
		}
		if k >= src.Rank() || src.Sizes[k] != n {
			return sig.Bad(1, "the shape of the part", arg.List(src.Sizes))
		}
		part.To.Stride[k] = stride
		k++
	}
	if k != src.Rank() {
		return sig.Bad(1, fmt.Sprintf("%d dimensions", k), fmt.Sprint(src.Rank()))
	}
	part.To.Base = start * out.Strides[at]
	for i := range c.places {
		if err := c.places[i].Plan(out); err != nil {
			return fault.Under(sig.Op, err)
		}
	}
	return nil
}

func (c *sliceCall) Run(s *executor.Scope) error {
	var temp []byte
	for i := range c.places {
		if err := c.places[i].RunAmong(s, &temp); err != nil {
			return err
		}
	}
	return nil
}
