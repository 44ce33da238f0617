package cpu

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// copies are the operators that write a broadcast source over a tensor, and those that read elements in logical order.
func copies() []executor.Op {
	var ops []executor.Op
	for _, op := range []moving{
		{sig: arg.Sign("aten::copy.out", "self src non_blocking out"), look: lookSource, cast: true},
		{sig: arg.Sign("aten::view_as_real_copy.out", "self out"), look: lookReal, cast: true},
	} {
		ops = append(ops, op.make())
	}
	return append(ops, copyInPlace(), viewCopy(), repeat())
}

// lookSource sees src with self's shape.
func lookSource(c *moveCall, args []*executor.Value, self *executor.Tensor) error {
	src, err := c.op.sig.Tensor(args, 1)
	if err != nil {
		return err
	}
	c.from = src
	lead := len(self.Sizes) - len(src.Sizes)
	for d, n := range self.Sizes {
		switch {
		case d < lead || lead >= 0 && src.Sizes[d-lead] == 1:
			c.dim(n, 0)
		case lead < 0 || src.Sizes[d-lead] != n:
			return c.op.sig.Bad(1, "a shape that broadcasts to self", "another")
		default:
			c.dim(n, src.Strides[d-lead])
		}
	}
	if lead < 0 {
		return c.op.sig.Bad(1, "at most self's rank", "more dimensions")
	}
	return nil
}

// copyInPlace is copy_, whose first argument is its output.
func copyInPlace() executor.Op {
	return (&moving{sig: arg.Sign("aten::copy_", "self src non_blocking"), look: lookSource, cast: true, inPlace: true}).make()
}

// lookReal sees each complex number as two reals.
func lookReal(c *moveCall, _ []*executor.Value, in *executor.Tensor) error {
	part := walk.PartOf(in.DType)
	if part == in.DType {
		return c.op.sig.Bad(0, arg.Complex.String(), in.DType.String())
	}
	for d, n := range in.Sizes {
		c.dim(n, 2*in.Strides[d])
	}
	c.dim(2, 1)
	c.as = part
	return nil
}

// viewCopy is view_copy: the elements in logical order, cut into another shape. Where one of the tensors lies in logical
// order, the elements are placed over the shape of the other.
func viewCopy() executor.Op {
	sig := arg.Sign("aten::view_copy.out", "self size out")
	return site.Planned(sig, func() site.Work { return &viewCall{sig: sig} })
}

type viewCall struct {
	sig     *arg.Signature
	in, out *executor.Tensor
	apart   bool       // neither tensor lies in logical order
	place   walk.Place // or, if so, just the views of both
}

func (c *viewCall) Plan(args []*executor.Value) error {
	r := c.sig.Read(args)
	in, out := inOut(&r)
	if r.Err != nil {
		return r.Err
	}
	var buf [arg.MaxRank]int
	size, err := viewSizes(c.sig, args, 1, in.NumElements(), buf[:0])
	if err != nil {
		return err
	}
	if err := c.sig.Resize(2, out, size...); err != nil {
		return err
	}
	c.in, c.out = in, out
	from, to := &c.place.From, &c.place.To
	from.Logical(in)
	to.Logical(out)
	switch c.apart = false; {
	case to.Packed():
		c.place.Start(in)
		to.RowMajor(in)
	case from.Packed():
		c.place.Start(in)
		from.RowMajor(out)
		to.Start(out)
		copy(to.Stride[:], out.Strides)
	default:
		c.apart = true
		return nil
	}
	return fault.Under(c.sig.Op, c.place.Plan(out))
}

func (c *viewCall) Run(s *executor.Scope) error {
	if !c.apart {
		return c.place.Run(s)
	}
	var from, to walk.Cursor
	c.place.From.Seek(&from, 0)
	c.place.To.Seek(&to, 0)
	walk.Transfer(c.out.Data, &c.place.To, &to, c.in.Data, &c.place.From, &from, c.in.DType.Size(), c.place.From.N)
	return nil
}

// repeat lays copies of the input side by side: each dimension is seen twice, first the copies, then the elements.
func repeat() executor.Op {
	sig := arg.Sign("aten::repeat.out", "self repeats out")
	return site.Planned(sig, func() site.Work { return &repeatCall{sig: sig} })
}

type repeatCall struct {
	sig  *arg.Signature
	copy walk.Copy
}

func (c *repeatCall) Run(s *executor.Scope) error { return c.copy.Run(s) }

func (c *repeatCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	in, out := inOut(&r)
	var buf, shape [arg.MaxRank]int
	times := r.Ints(1, buf[:0])
	if r.Err != nil {
		return r.Err
	}
	lead := len(times) - in.Rank()
	if lead < 0 || len(times) > arg.MaxRank {
		return sig.Bad(1, "as many numbers as self has dimensions, or more", arg.List(times))
	}
	for d, r := range times {
		n := 1
		if d >= lead {
			n = in.Sizes[d-lead]
		}
		if r < 0 || r > 0 && n > math.MaxInt32/r {
			return sig.Bad(1, "numbers ≥ 0 of a size that can be held", arg.List(times))
		}
		shape[d] = n * r
	}
	if err := sig.Resize(2, out, shape[:len(times)]...); err != nil {
		return err
	}
	v := &c.copy.View
	*v = walk.View{N: 1}
	var order [arg.MaxRank]int
	for d, r := range times {
		n, stride := 1, 0
		if d >= lead {
			n, stride = in.Sizes[d-lead], in.Strides[d-lead]
		}
		for _, part := range [2]struct{ size, stride, order int }{{r, 0, n * out.Strides[d]}, {n, stride, out.Strides[d]}} {
			if part.size == 1 {
				continue
			}
			if v.Rank == arg.MaxRank {
				return sig.Bad(1, "at most 16 dimensions to walk", arg.List(times))
			}
			order[v.Rank] = part.order
			v.Add(part.size, part.stride)
		}
	}
	v.Merge(order[:])
	return fault.Under(sig.Op, c.copy.Plan(out, in, in.DType))
}
