package cpu

import (
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// pads are the operators that put a border around a tensor, or with negative numbers cut one off: of one number, of the
// elements inside mirrored at the edge, or of the edge repeated.
func pads() []executor.Op {
	constant := arg.Sign("aten::constant_pad_nd.out", "self pad value out")
	ops := []executor.Op{
		planned(constant, func() work { return &frameCall{padCall: padCall{sig: constant}, element: make([]byte, 16)} }),
	}
	for dims := 1; dims <= 3; dims++ {
		mirror := arg.Sign(fmt.Sprintf("aten::reflection_pad%dd.out", dims), "self padding out")
		edge := arg.Sign(fmt.Sprintf("aten::replication_pad%dd.out", dims), "self padding out")
		ops = append(ops,
			planned(mirror, func() work { return &padCall{sig: mirror, dims: dims, border: mirrored} }),
			planned(edge, func() work { return &padCall{sig: edge, dims: dims, border: nearest} }),
		)
	}
	return ops
}

// padCall goes through the output row by row in its memory order.
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

func (c *padCall) plan(args []*executor.Value) error {
	sig := c.sig
	in, err := sig.Tensor(args, 0)
	if err != nil {
		return err
	}
	out, err := sig.Tensor(args, sig.Out())
	if err != nil {
		return err
	}
	if in.DType != out.DType {
		return sig.Bad(sig.Out(), in.DType.String(), out.DType.String())
	}
	var buf [2 * arg.MaxRank]int
	pad, err := sig.Ints(args, 1, buf[:0])
	if err != nil {
		return err
	}
	if c.dims > 0 && (len(pad) != 2*c.dims || in.Rank() != c.dims+1 && in.Rank() != c.dims+2) {
		return sig.Bad(1, fmt.Sprintf("%d numbers for a tensor of rank %d or %d", 2*c.dims, c.dims+1, c.dims+2), fmt.Sprintf("%d for rank %d", len(pad), in.Rank()))
	}
	for _, n := range in.Sizes[max(in.Rank()-c.dims-1, 0):] {
		if c.dims > 0 && n == 0 {
			return sig.Bad(0, "no size 0 outside the batch", intsText(in.Sizes))
		}
	}
	if len(pad)%2 != 0 || len(pad) > 2*in.Rank() {
		return sig.Bad(1, fmt.Sprintf("pairs of numbers for at most %d dimensions", in.Rank()), intsText(pad))
	}
	var shape, start [arg.MaxRank]int
	copy(shape[:], in.Sizes)
	for k := 0; k < len(pad); k += 2 {
		d := in.Rank() - 1 - k/2
		if shape[d], err = c.extent(in.Sizes[d], pad[k], pad[k+1]); err != nil {
			return err
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
		if c.out.Sizes[d] == 1 && start[d] == 0 && c.in.Sizes[d] == 1 {
			continue
		}
		i := n
		for i > 0 && c.out.Strides[order[i-1]] < c.out.Strides[d] {
			order[i] = order[i-1]
			i--
		}
		order[i] = d
		n++
	}
	for i, d := range order[:n] {
		c.axes[i] = padAxis{dim: d, size: c.out.Sizes[d], have: c.in.Sizes[d], stride: c.in.Strides[d], start: start[d]}
	}
	if n == 0 {
		c.axes[0] = padAxis{size: 1, have: 1, stride: 1}
		n = 1
	}
	c.rank = n
}

// at gives the element of the input for the output's index i.
func (c *padCall) at(a *padAxis, i int) int {
	x := i + a.start
	if x < 0 || x >= a.have {
		x = c.border(x, a.have)
	}
	return x * a.stride
}

func (c *padCall) run(*executor.Scope) error {
	if len(c.out.Data) == 0 {
		return nil
	}
	size := c.in.DType.Size()
	move, last := walk.Mover(size), c.rank-1
	row := &c.axes[last]
	lo, hi := row.inside()
	// For each outer dimension: the index in the output, where it lies in the input.
	var index, offset [arg.MaxRank]int
	base := 0
	enter := func(d int) {
		off := c.at(&c.axes[d], index[d])
		base += off - offset[d]
		offset[d] = off
	}
	for d := range last {
		enter(d)
	}
	for dst := c.out.Data; ; {
		line := dst[:row.size*size]
		for i := range lo {
			move(line[i*size:], c.in.Data, base+c.at(row, i), 1, 1)
		}
		for i := hi; i < row.size; i++ {
			move(line[i*size:], c.in.Data, base+c.at(row, i), 1, 1)
		}
		if hi > lo {
			move(line[lo*size:hi*size], c.in.Data, base+(lo+row.start)*row.stride, row.stride, hi-lo)
		}
		if dst = dst[row.size*size:]; len(dst) == 0 {
			return nil
		}
		for d := last - 1; d >= 0; d-- {
			if index[d]++; index[d] < c.axes[d].size {
				enter(d)
				break
			}
			index[d] = 0
			enter(d)
		}
	}
}

// inside gives the output's indices that lie in the input: lo to hi.
func (a *padAxis) inside() (lo, hi int) {
	lo = min(max(-a.start, 0), a.size)
	return lo, max(min(a.have-a.start, a.size), lo)
}

// frameCall is constant_pad_nd: the input in its place, and a number on both sides of it in each dimension.
type frameCall struct {
	padCall
	element []byte      // the number, 16 bytes
	sides   []walk.Path // of the number; those of an outer dimension reach over all of the inner ones
	inner   walk.Place
}

func (c *frameCall) plan(args []*executor.Value) error {
	if err := c.padCall.plan(args); err != nil {
		return err
	}
	var buf [2 * arg.MaxRank]int
	pad, err := c.sig.Ints(args, 1, buf[:0])
	if err != nil {
		return err
	}
	if len(pad) > 0 && slices.Max(pad) > 0 { // where nothing is added, any number will do
		number, err := fitting(c.sig, args, 2, c.in.DType)
		if err != nil {
			return err
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
			c.sides[len(c.sides)-1].Lay(&to, &number)
		}
		left.Size[a.dim] = hi - lo
		left.Base += lo * left.Stride[a.dim]
		c.inner.Cut(a.dim, lo+a.start, lo, hi-lo)
	}
	return c.inner.Plan(c.out)
}

func (c *frameCall) run(s *executor.Scope) error {
	size := c.in.DType.Size()
	for i := range c.sides {
		c.sides[i].Move(c.out.Data, c.element, size, 1, 0)
	}
	return c.inner.Run(s)
}
