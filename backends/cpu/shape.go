package cpu

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// views are the operators whose output is the input seen through other sizes and strides.
func views() []executor.Op {
	var ops []executor.Op
	for _, op := range []moving{
		{sig: arg.Sign("aten::permute_copy.out", "self dims out"), look: lookPermute},
		{sig: arg.Sign("aten::transpose_copy.int_out", "self dim0 dim1 out"), look: lookTranspose},
		{sig: arg.Sign("aten::t_copy.out", "self out"), look: lookT},
		{sig: arg.Sign("aten::unsqueeze_copy.out", "self dim out"), look: lookUnsqueeze},
		{sig: arg.Sign("aten::squeeze_copy.dim_out", "self dim out"), look: lookSqueeze},
		{sig: arg.Sign("aten::squeeze_copy.dims_out", "self dim out"), look: lookSqueeze},
		{sig: arg.Sign("aten::expand_copy.out", "self size implicit out"), look: lookExpand},
		{sig: arg.Sign("aten::slice_copy.Tensor_out", "self dim start end step out"), look: lookSlice},
		{sig: arg.Sign("aten::narrow_copy.out", "self dim start length out"), look: lookNarrow},
		{sig: arg.Sign("aten::select_copy.int_out", "self dim index out"), look: lookSelect, slide: slideSelect},
		{sig: arg.Sign("aten::flip.out", "self dims out"), look: lookFlip},
		{sig: arg.Sign("aten::diagonal_copy.out", "self offset dim1 dim2 out"), look: lookDiagonal},
		{sig: arg.Sign("aten::as_strided_copy.out", "self size stride storage_offset out"), look: lookStrided},
		{sig: arg.Sign("aten::unfold_copy.out", "self dimension size step out"), look: lookUnfold},
		{sig: arg.Sign("aten::alias_copy.out", "self out"), look: lookSame},
		{sig: arg.Sign("aten::clone.out", "self memory_format out"), look: lookSame},
		{sig: arg.Sign("aten::detach_copy.out", "self out"), look: lookSame},
		{sig: arg.Sign("aten::lift_fresh_copy.out", "self out"), look: lookSame},
		{sig: arg.Sign("et_copy::_h2d_copy.out", "self out"), look: lookSame},
		{sig: arg.Sign("et_copy::_d2h_copy.out", "self out"), look: lookSame},
		{sig: arg.Sign("aten::_to_copy.out", "self non_blocking memory_format out"), look: lookSame, cast: true},
		{sig: arg.Sign("dim_order_ops::_to_dim_order_copy.out", "self non_blocking dim_order out"), look: lookSame, cast: true},
		{sig: arg.Sign("dim_order_ops::_clone_dim_order.out", "self non_blocking dim_order out"), look: lookSame},
	} {
		ops = append(ops, op.make())
	}
	return ops
}

func lookSame(c *moveCall, _ []*executor.Value, in *executor.Tensor) error {
	for d, n := range in.Sizes {
		c.dim(n, in.Strides[d])
	}
	return nil
}

func lookPermute(c *moveCall, args []*executor.Value, in *executor.Tensor) error {
	var buf [arg.MaxRank]int
	dims, err := c.op.sig.DimList(args, 1, in.Rank(), buf[:0])
	if err != nil {
		return err
	}
	if len(dims) != in.Rank() {
		return c.op.sig.Bad(1, fmt.Sprintf("%d dimensions", in.Rank()), fmt.Sprint(len(dims)))
	}
	for _, d := range dims {
		c.dim(in.Sizes[d], in.Strides[d])
	}
	return nil
}

func lookTranspose(c *moveCall, args []*executor.Value, in *executor.Tensor) error {
	r := c.op.sig.Read(args)
	c.transposed(in, r.Dim(1, in), r.Dim(2, in))
	return r.Err
}

func (c *moveCall) transposed(in *executor.Tensor, d0, d1 int) {
	for d := range in.Sizes {
		switch d {
		case d0:
			d = d1
		case d1:
			d = d0
		}
		c.dim(in.Sizes[d], in.Strides[d])
	}
}

func lookT(c *moveCall, _ []*executor.Value, in *executor.Tensor) error {
	if in.Rank() > 2 {
		return c.op.sig.Bad(0, "at most 2 dimensions", fmt.Sprint(in.Rank()))
	}
	c.transposed(in, 0, in.Rank()-1)
	return nil
}

func lookUnsqueeze(c *moveCall, args []*executor.Value, in *executor.Tensor) error {
	at, err := c.op.sig.Dim(args, 1, in.Rank()+1)
	if err != nil {
		return err
	}
	for d, n := range in.Sizes {
		if d == at {
			c.dim(1, 0)
		}
		c.dim(n, in.Strides[d])
	}
	if at == in.Rank() {
		c.dim(1, 0)
	}
	return nil
}

func lookSqueeze(c *moveCall, args []*executor.Value, in *executor.Tensor) error {
	drop, err := c.op.sig.DimSet(args, 1, in.Rank())
	if err != nil {
		return err
	}
	if args[1].Kind() == executor.KindIntList && args[1].Len() == 0 {
		drop = 0
	}
	for d, n := range in.Sizes {
		if n != 1 || !drop.Has(d) {
			c.dim(n, in.Strides[d])
		}
	}
	return nil
}

func lookExpand(c *moveCall, args []*executor.Value, in *executor.Tensor) error {
	sig := c.op.sig
	var buf [arg.MaxRank]int
	size, err := sig.Ints(args, 1, buf[:0])
	if err != nil {
		return err
	}
	lead := len(size) - in.Rank()
	if lead < 0 || len(size) > arg.MaxRank {
		return sig.Bad(1, fmt.Sprintf("%d to %d sizes", in.Rank(), arg.MaxRank), fmt.Sprint(len(size)))
	}
	for d, n := range size {
		have, stride := 1, 0
		if d >= lead {
			have, stride = in.Sizes[d-lead], in.Strides[d-lead]
		} else if n == -1 {
			return sig.Bad(1, "a size for the new dimension", "-1")
		}
		switch {
		case n == -1 || n == have:
			n = have
		case have == 1 && n >= 0:
			stride = 0
		default:
			return sig.Bad(1, fmt.Sprintf("%d for dimension %d", have, d), fmt.Sprint(n))
		}
		c.dim(n, stride)
	}
	return nil
}

// cut sees length elements of dimension at, from start on, in steps.
func (c *moveCall) cut(in *executor.Tensor, at, start, length, step int) {
	for d, n := range in.Sizes {
		if d == at {
			c.dim(length, step*in.Strides[d])
			if length > 0 {
				c.base = start * in.Strides[d]
			}
			continue
		}
		c.dim(n, in.Strides[d])
	}
}

func lookSlice(c *moveCall, args []*executor.Value, in *executor.Tensor) error {
	r := c.op.sig.Read(args)
	at := rankedDim(&r, 1, in)
	if r.Err != nil {
		return r.Err
	}
	start, length, step := sliceOf(&r, 2, in.Sizes[at])
	c.cut(in, at, start, length, step)
	return r.Err
}

func lookNarrow(c *moveCall, args []*executor.Value, in *executor.Tensor) error {
	r := c.op.sig.Read(args)
	at := rankedDim(&r, 1, in)
	if r.Err != nil {
		return r.Err
	}
	n := int64(in.Sizes[at])
	start := r.IntIn(2, -n, n)
	if start < 0 {
		start += int(n)
	}
	c.cut(in, at, start, r.IntIn(3, 0, n-int64(start)), 1)
	return r.Err
}

func lookSelect(c *moveCall, args []*executor.Value, in *executor.Tensor) error {
	r := c.op.sig.Read(args)
	at := rankedDim(&r, 1, in)
	if r.Err != nil {
		return r.Err
	}
	for d, n := range in.Sizes {
		if d != at {
			c.dim(n, in.Strides[d])
		}
	}
	c.axis = at
	return slideSelect(c, args, in)
}

func slideSelect(c *moveCall, args []*executor.Value, in *executor.Tensor) error {
	index, err := indexIn(c.op.sig, args, 2, in.Sizes[c.axis])
	c.base = index * in.Strides[c.axis]
	return err
}

func lookFlip(c *moveCall, args []*executor.Value, in *executor.Tensor) error {
	turn, err := c.op.sig.DimSet(args, 1, in.Rank())
	if err != nil {
		return err
	}
	if args[1].Len() == 0 {
		turn = 0
	}
	for d, n := range in.Sizes {
		if turn.Has(d) && n > 0 {
			c.dim(n, -in.Strides[d])
			c.base += (n - 1) * in.Strides[d]
			continue
		}
		c.dim(n, in.Strides[d])
	}
	return nil
}

func lookDiagonal(c *moveCall, args []*executor.Value, in *executor.Tensor) error {
	sig := c.op.sig
	if in.Rank() < 2 {
		return sig.Bad(0, "at least two dimensions", fmt.Sprint(in.Rank()))
	}
	r := sig.Read(args)
	offset, d1, d2 := r.Int(1), r.Dim(2, in), r.Dim(3, in)
	if r.Err != nil {
		return r.Err
	}
	if d1 == d2 {
		return sig.Bad(3, "another dimension than dim1", fmt.Sprint(d2))
	}
	for d, n := range in.Sizes {
		if d != d1 && d != d2 {
			c.dim(n, in.Strides[d])
		}
	}
	rows, columns := int64(in.Sizes[d1]), int64(in.Sizes[d2])
	var n int64
	if offset >= 0 {
		n = max(0, min(rows, columns-min(offset, columns)))
	} else {
		n = max(0, min(columns, rows-min(-max(offset, -rows), rows)))
	}
	if n > 0 {
		if offset >= 0 {
			c.base = int(offset) * in.Strides[d2]
		} else {
			c.base = int(-offset) * in.Strides[d1]
		}
	}
	c.dim(int(n), in.Strides[d1]+in.Strides[d2])
	return nil
}

func lookStrided(c *moveCall, args []*executor.Value, in *executor.Tensor) error {
	sig, r := c.op.sig, c.op.sig.Read(args)
	var sizeBuf, strideBuf [arg.MaxRank]int
	size, stride, offset := r.Ints(1, sizeBuf[:0]), r.Ints(2, strideBuf[:0]), r.IntOr(3, 0)
	if r.Err != nil {
		return r.Err
	}
	if len(size) != len(stride) || len(size) > arg.MaxRank {
		return sig.Bad(2, fmt.Sprintf("%d strides", len(size)), fmt.Sprint(len(stride)))
	}
	have, empty := in.NumElements(), false
	for d, n := range size {
		if n < 0 || stride[d] < 0 {
			return sig.Bad(1, "sizes and strides ≥ 0", fmt.Sprintf("%d with stride %d", n, stride[d]))
		}
		empty = empty || n == 0
	}
	if offset < 0 || offset > int64(have) && !empty {
		return sig.Bad(3, fmt.Sprintf("0…%d", have), fmt.Sprint(offset))
	}
	// The highest element touched, without overflow: every product is bounded before it is made.
	last := int(offset)
	for d, n := range size {
		if !empty && n > 1 && stride[d] > 0 {
			if n-1 > have/stride[d] {
				last = have
				break
			}
			last += (n - 1) * stride[d]
		}
	}
	if !empty && last >= have {
		return sig.Bad(1, fmt.Sprintf("elements inside the %d of self", have), "sizes and strides that reach beyond")
	}
	for d, n := range size {
		c.dim(n, stride[d])
	}
	c.base = int(offset)
	return nil
}

func lookUnfold(c *moveCall, args []*executor.Value, in *executor.Tensor) error {
	r := c.op.sig.Read(args)
	at := r.Dim(1, in)
	n, stride := 1, 1
	if in.Rank() > 0 {
		n, stride = in.Sizes[at], in.Strides[at]
	}
	size, step := r.IntIn(2, 0, int64(n)), r.Int(3)
	if step <= 0 {
		r.Bad(3, "a step > 0", fmt.Sprint(step))
	}
	if r.Err != nil {
		return r.Err
	}
	step = min(step, int64(n)+1)
	for d := range in.Sizes {
		if d == at {
			c.dim((n-size)/int(step)+1, int(step)*stride)
			continue
		}
		c.dim(in.Sizes[d], in.Strides[d])
	}
	c.dim(size, stride)
	return nil
}
