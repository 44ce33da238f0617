package cpu

import (
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// pads are the operators that put a border around a tensor, or with negative numbers cut one off: of one number, of the
// elements inside mirrored at the edge, or of the edge repeated.
func pads() []executor.Op {
	constant := arg.Sign("aten::constant_pad_nd.out", "self pad value out")
	ops := []executor.Op{
		site.Planned(constant, func() site.Work { return &frameCall{padCall: padCall{sig: constant}, element: make([]byte, 16)} }),
	}
	for dims := 1; dims <= 3; dims++ {
		mirror := arg.Sign(fmt.Sprintf("aten::reflection_pad%dd.out", dims), "self padding out")
		edge := arg.Sign(fmt.Sprintf("aten::replication_pad%dd.out", dims), "self padding out")
		ops = append(ops,
			site.Planned(mirror, func() site.Work { return &borderCall{padCall: padCall{sig: mirror, dims: dims, border: mirrored}} }),
			site.Planned(edge, func() site.Work { return &borderCall{padCall: padCall{sig: edge, dims: dims, border: nearest}} }),
		)
	}
	return ops
}

// padCall is what all of them share: which of the output's elements lie in the input.
type padCall struct {
	sig     *arg.Signature
	dims    int                // dimensions that are padded, the last ones; 0: any
	border  func(x, n int) int // the index that an index outside 0…n-1 stands for; nil: a number stands there
	in, out *executor.Tensor
	rank    int
	axes    [arg.MaxRank]padAxis // by the output's memory order, outermost first
}

// padAxis is a dimension: where the output's index 0 lies in the input, and which indices lie inside.
type padAxis struct {
	dim, size, have, stride, start int
}

// mirrored reflects at the edges, which are not repeated.
func mirrored(x, n int) int {
	if x < 0 {
		return -x
	}
	return 2*(n-1) - x
}

func nearest(x, n int) int { return min(max(x, 0), n-1) }

// padLimit bounds the numbers so that sizes do not overflow; no tensor is as large.
const padLimit = 1 << 29

func (c *padCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	in, out := inOut(&r)
	r.Apart(r.Out(), 0)
	var buf [2 * arg.MaxRank]int
	pad := r.Ints(1, buf[:0])
	if r.Err != nil {
		return r.Err
	}
	if c.dims > 0 && (len(pad) != 2*c.dims || in.Rank() != c.dims+1 && in.Rank() != c.dims+2) {
		return sig.Bad(1, fmt.Sprintf("%d numbers for a tensor of rank %d or %d", 2*c.dims, c.dims+1, c.dims+2), fmt.Sprintf("%d for rank %d", len(pad), in.Rank()))
	}
	for _, n := range in.Sizes[max(in.Rank()-c.dims-1, 0):] {
		if c.dims > 0 && n == 0 {
			return sig.Bad(0, "no size 0 outside the batch", arg.List(in.Sizes))
		}
	}
	if len(pad)%2 != 0 || len(pad) > 2*in.Rank() {
		return sig.Bad(1, fmt.Sprintf("pairs of numbers for at most %d dimensions", in.Rank()), arg.List(pad))
	}
	var shape, start [arg.MaxRank]int
	copy(shape[:], in.Sizes)
	for k := 0; k < len(pad); k += 2 {
		d := in.Rank() - 1 - k/2
		if shape[d], r.Err = c.extent(in.Sizes[d], pad[k], pad[k+1]); r.Err != nil {
			return r.Err
		}
		start[d] = -pad[k]
	}
	if err := sig.Resize(sig.Out(), out, shape[:in.Rank()]...); err != nil {
		return err
	}
	c.in, c.out = in, out
	c.order(start[:in.Rank()])
	return nil
}

// extent is the size of a padded dimension.
func (c *padCall) extent(n, before, after int) (int, error) {
	if max(before, after) > padLimit || min(before, after) < -padLimit {
		return 0, c.sig.Bad(1, fmt.Sprintf("numbers within ±%d", padLimit), fmt.Sprintf("%d and %d", before, after))
	}
	size := n + before + after
	switch {
	case n+min(before, 0)+min(after, 0) < 0: // also if the other side adds as much again
		return 0, c.sig.Bad(1, fmt.Sprintf("no more than %d to cut off", n), fmt.Sprintf("%d and %d", before, after))
	case c.border == nil:
	case size <= 0 || n == 0:
		return 0, c.sig.Bad(1, fmt.Sprintf("at least 1 of %d left", n), fmt.Sprint(size))
	case max(before, after) >= n && c.border(-1, 3) == 1: // the mirror shows what is inside
		return 0, c.sig.Bad(1, fmt.Sprintf("numbers below %d", n), fmt.Sprintf("%d and %d", before, after))
	}
	return size, nil
}

func (c *padCall) order(start []int) {
	var order [arg.MaxRank]int
	n := 0
	for d := range start {
		if c.out.Sizes[d] != 1 || start[d] != 0 || c.in.Sizes[d] != 1 {
			order[n] = d
			n++
		}
	}
	walk.OutermostFirst(order[:n], c.out.Strides)
	for i, d := range order[:n] {
		c.axes[i] = padAxis{dim: d, size: c.out.Sizes[d], have: c.in.Sizes[d], stride: c.in.Strides[d], start: start[d]}
	}
	if n == 0 {
		c.axes[0] = padAxis{size: 1, have: 1, stride: 1}
		n = 1
	}
	c.rank = n
}

// inside gives the output's indices that lie in the input: lo to hi.
func (a *padAxis) inside() (lo, hi int) {
	lo = min(max(-a.start, 0), a.size)
	return lo, max(min(a.have-a.start, a.size), lo)
}

// borderCall has a region for the inside and for each side and corner, whose elements lie in the input as its own do, but
// for the strides.
type borderCall struct {
	padCall
	regions  []walk.Path // of a block: some indices of the outermost dimension
	blocks   int
	to, from int // bytes from one block to the next
}

// padBlock is how many bytes of the output are worth doing together: what the caches keep until the sides are done.
const padBlock = 1 << 17

func (c *borderCall) Plan(args []*executor.Value) error {
	if err := c.padCall.Plan(args); err != nil {
		return err
	}
	outer, size := &c.axes[0], c.in.DType.Size()
	c.blocks, c.regions = 1, c.regions[:0]
	stride := c.out.Strides[outer.dim]
	if outer.start == 0 && outer.size == outer.have && c.rank > 1 {
		for outer.size/c.blocks*stride*size > padBlock && c.blocks < outer.size {
			for c.blocks++; outer.size%c.blocks != 0; c.blocks++ {
			}
		}
	}
	if c.blocks > 1 {
		outer.size /= c.blocks
		outer.have = outer.size
	}
	c.to, c.from = outer.size*stride*size, outer.size*outer.stride*size
	var to, from walk.View
	to.Rank, from.Rank = c.rank, c.rank
	c.lay(0, to, from)
	return nil
}

// lay lays the regions that begin with the views' dimensions before d.
func (c *borderCall) lay(d int, to, from walk.View) {
	if d == c.rank {
		c.regions = append(c.regions, walk.Path{})
		c.regions[len(c.regions)-1].Lay(&to, &from, c.in.DType.Size())
		return
	}
	a := &c.axes[d]
	lo, hi := a.inside()
	for _, side := range [3]struct{ first, end int }{{0, lo}, {lo, hi}, {hi, a.size}} {
		n := side.end - side.first
		if n == 0 {
			continue
		}
		at, step := side.first+a.start, 1
		if side.first != lo || lo == hi {
			x := at
			at = c.border(x, a.have)
			step = c.border(x+1, a.have) - at
		}
		t, f := to, from
		t.Size[d], t.Stride[d], f.Size[d], f.Stride[d] = n, c.out.Strides[a.dim], n, step*a.stride
		t.Base += side.first * t.Stride[d]
		f.Base += at * a.stride
		c.lay(d+1, t, f)
	}
}

func (c *borderCall) Run(*executor.Scope) error {
	for b := range c.blocks {
		out, in := c.out.Data[b*c.to:], c.in.Data[b*c.from:]
		for k := range c.regions {
			c.regions[k].Move(out, in, 1, 0)
		}
	}
	return nil
}

// frameCall is constant_pad_nd: the input in its place, and a number on both sides of it in each dimension.
type frameCall struct {
	padCall
	element []byte      // the number, 16 bytes
	sides   []walk.Path // of the number; those of an outer dimension reach over all of the inner ones
	inner   walk.Place
}

func (c *frameCall) Plan(args []*executor.Value) error {
	if err := c.padCall.Plan(args); err != nil {
		return err
	}
	r := c.sig.Read(args)
	var buf [2 * arg.MaxRank]int
	if pad := r.Ints(1, buf[:0]); len(pad) > 0 && slices.Max(pad) > 0 { // where nothing is added, any number will do
		number := fitting(&r, 2, c.in.DType)
		if r.Err != nil {
			return r.Err
		}
		walk.Put(c.element, c.in.DType, number)
	}
	var left, number walk.View // of the output: what has no number yet
	left.Start(c.out)
	copy(left.Stride[:], c.out.Strides)
	c.inner.Start(c.in)
	copy(c.inner.To.Stride[:], c.out.Strides)
	c.sides = c.sides[:0]
	for i := range c.rank {
		a := &c.axes[i]
		lo, hi := a.inside()
		for _, side := range [2]struct{ from, to int }{{0, lo}, {hi, a.size}} {
			if side.from == side.to {
				continue
			}
			to := left
			to.Size[a.dim] = side.to - side.from
			to.Base += side.from * to.Stride[a.dim]
			number.Rank, number.Size = to.Rank, to.Size
			c.sides = append(c.sides, walk.Path{})
			c.sides[len(c.sides)-1].Lay(&to, &number, c.in.DType.Size())
		}
		left.Size[a.dim] = hi - lo
		left.Base += lo * left.Stride[a.dim]
		c.inner.Cut(a.dim, lo+a.start, lo, hi-lo)
	}
	return c.inner.Plan(c.out)
}

func (c *frameCall) Run(s *executor.Scope) error {
	for i := range c.sides {
		c.sides[i].Move(c.out.Data, c.element, 1, 0)
	}
	return c.inner.Run(s)
}
