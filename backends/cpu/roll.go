package cpu

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// rolls are roll, which moves elements around in a circle, and tril, which keeps the lower triangle.
func rolls() []executor.Op {
	roll := arg.Sign("aten::roll.out", "self shifts dims out")
	tril := arg.Sign("aten::tril.out", "self diagonal out")
	return []executor.Op{
		site.Planned(roll, func() site.Work { return &rollCall{sig: roll} }),
		site.Planned(tril, func() site.Work { return &trilCall{sig: tril} }),
	}
}

// rollCall goes through the output in its memory order; each dimension's index in the input is the output's less the
// shift, around the end. Without dimensions the tensor is one circle in logical order.
type rollCall struct {
	sig     *arg.Signature
	in, out *executor.Tensor
	flat    bool
	by      int // of a flat roll
	from    walk.View
	to      walk.View
	// For the other form, by the output's memory order, outermost first.
	rank   int
	size   [arg.MaxRank]int
	stride [arg.MaxRank]int // in the input
	start  [arg.MaxRank]int // index in the input of the output's index 0
}

func (c *rollCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	in, out := inOut(&r)
	r.Apart(3, 0)
	var sbuf, dbuf [arg.MaxRank]int
	shifts, dims := r.Ints(1, sbuf[:0]), r.Ints(2, dbuf[:0])
	if r.Err != nil {
		return r.Err
	}
	if r.Resize(3, out, in.Sizes...); r.Err != nil {
		return r.Err
	}
	c.in, c.out, c.flat = in, out, len(dims) == 0
	if c.flat {
		if len(shifts) != 1 {
			return sig.Bad(1, "one shift where no dimensions are given", fmt.Sprint(len(shifts)))
		}
		c.from.Logical(in)
		c.to.Logical(out)
		c.by = around(shifts[0], c.from.N)
		return nil
	}
	if len(shifts) != len(dims) {
		return sig.Bad(1, fmt.Sprintf("%d shifts", len(dims)), fmt.Sprint(len(shifts)))
	}
	var shift [arg.MaxRank]int
	for i, x := range dims {
		if in.Rank() == 0 {
			return sig.Bad(2, "no dimensions for rank 0", fmt.Sprint(x))
		}
		d, err := sig.Wrap(2, int64(x), in.Rank())
		if err != nil {
			return err
		}
		shift[d] = around(shift[d]+around(shifts[i], in.Sizes[d]), in.Sizes[d])
	}
	c.rank = 0
	var order [arg.MaxRank]int
	for d, n := range out.Sizes {
		if n != 1 {
			order[c.rank] = d
			c.rank++
		}
	}
	walk.OutermostFirst(order[:c.rank], out.Strides)
	for i, d := range order[:c.rank] {
		c.size[i], c.stride[i] = in.Sizes[d], in.Strides[d]
		c.start[i] = around(-shift[d], in.Sizes[d])
	}
	return nil
}

// around brings x into 0…n-1.
func around(x, n int) int {
	if n == 0 {
		return 0
	}
	return (x%n + n) % n
}

func (c *rollCall) Run(*executor.Scope) error {
	n, size := c.in.NumElements(), c.in.DType.Size()
	if n == 0 {
		return nil
	}
	if c.flat {
		var from, to walk.Cursor
		c.to.Seek(&to, 0)
		c.from.Seek(&from, n-c.by)
		if c.by > 0 {
			walk.Transfer(c.out.Data, &c.to, &to, c.in.Data, &c.from, &from, size, c.by)
		}
		c.from.Seek(&from, 0)
		walk.Transfer(c.out.Data, &c.to, &to, c.in.Data, &c.from, &from, size, n-c.by)
		return nil
	}
	if c.rank == 0 {
		copy(c.out.Data, c.in.Data)
		return nil
	}
	last := c.rank - 1
	width, step, turn := c.size[last], c.stride[last], c.start[last]
	move := walk.Mover(size)
	var index [arg.MaxRank]int
	dst := c.out.Data
	for len(dst) > 0 {
		off := 0
		for d := range last {
			off += around(index[d]+c.start[d], c.size[d]) * c.stride[d]
		}
		move(dst, c.in.Data, off+turn*step, step, width-turn)
		move(dst[(width-turn)*size:], c.in.Data, off, step, turn)
		dst = dst[width*size:]
		for d := last - 1; d >= 0; d-- {
			if index[d]++; index[d] < c.size[d] {
				break
			}
			index[d] = 0
		}
	}
	return nil
}

// trilCall copies and clears what lies above the diagonal.
type trilCall struct {
	sig      *arg.Signature
	in, out  *executor.Tensor
	copy     walk.Copy
	diagonal int64
	outside  walk.View // of the output: which matrix
}

func (c *trilCall) Plan(args []*executor.Value) error {
	r := c.sig.Read(args)
	in, out := inOut(&r)
	if c.diagonal = r.Int(1); r.Err != nil {
		return r.Err
	}
	if in.Rank() < 2 {
		return c.sig.Bad(0, "at least two dimensions", fmt.Sprint(in.Rank()))
	}
	if r.Resize(2, out, in.Sizes...); r.Err != nil {
		return r.Err
	}
	if err := c.copy.View.See(out, in); err != nil {
		return err
	}
	c.in, c.out = in, out
	outer := out.Sizes[:out.Rank()-2]
	c.outside.Broadcast(outer, out.Strides, outer)
	return c.copy.Plan(out, in, in.DType)
}

func (c *trilCall) Run(s *executor.Scope) error {
	if c.copy.View.N == 0 {
		return nil
	}
	if err := c.copy.Run(s); err != nil {
		return err
	}
	out, size, rank := c.out, c.out.DType.Size(), c.out.Rank()
	rows, columns := out.Sizes[rank-2], out.Sizes[rank-1]
	down, right := out.Strides[rank-2], out.Strides[rank-1]
	var cur walk.Cursor
	c.outside.Seek(&cur, 0)
	for range c.outside.N {
		for i := range rows {
			// The first column above the diagonal, without overflow.
			first := columns
			if c.diagonal < int64(columns) {
				first = int(min(int64(columns), max(0, int64(i)+max(c.diagonal, -int64(rows))+1)))
			}
			if row := cur.Off + i*down; right == 1 {
				clear(out.Data[(row+first)*size : (row+columns)*size])
			} else {
				for j := first; j < columns; j++ {
					at := (row + j*right) * size
					clear(out.Data[at : at+size])
				}
			}
		}
		c.outside.Skip(&cur, 1)
	}
	return nil
}
