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
		planned(constant, func() work { return &padCall{sig: constant, element: make([]byte, 16)} }),
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
	border  func(x, n int) int // the index that an index outside 0…n-1 stands for; nil: element stands there
	element []byte             // the number around, 16 bytes
	in, out *executor.Tensor
	rank    int
	axes    [arg.MaxRank]padAxis // by the output's memory order, outermost first
}

// padAxis is a dimension: where the output's index 0 lies in the input, and which indices lie inside.
type padAxis struct {
	size, have, stride, start int
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
	if c.border == nil && len(pad) > 0 && slices.Max(pad) > 0 { // where nothing is added, any number will do
		number, err := fitting(sig, args, 2, in.DType)
		if err != nil {
			return err
		}
		walk.Put(c.element, in.DType, number)
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
		c.axes[i] = padAxis{size: c.out.Sizes[d], have: c.in.Sizes[d], stride: c.in.Strides[d], start: start[d]}
	}
	if n == 0 {
		c.axes[0] = padAxis{size: 1, have: 1, stride: 1}
		n = 1
	}
	c.rank = n
}

// at gives the element of the input for the output's index i, false where the number stands.
func (c *padCall) at(a *padAxis, i int) (off int, inside bool) {
	x := i + a.start
	if x < 0 || x >= a.have {
		if c.border == nil {
			return 0, false
		}
		x = c.border(x, a.have)
	}
	return x * a.stride, true
}

func (c *padCall) run(*executor.Scope) error {
	if len(c.out.Data) == 0 {
		return nil
	}
	size := c.in.DType.Size()
	move, frame, last := walk.Mover(size), walk.Framer(size), c.rank-1
	row := &c.axes[last]
	// Inside the row, the input is seen from lo to hi.
	lo := min(max(-row.start, 0), row.size)
	hi := max(min(row.have-row.start, row.size), lo)
	// For each outer dimension: the index in the output, where it lies in the input, whether it does.
	var index, offset [arg.MaxRank]int
	base, outside := 0, 0
	enter := func(d int) {
		off, in := c.at(&c.axes[d], index[d])
		base += off - offset[d]
		offset[d] = off
		if !in {
			outside |= 1 << d
		} else {
			outside &^= 1 << d
		}
	}
	for d := range last {
		enter(d)
	}
	el := c.element
	if c.border == nil {
		el = el[:size]
	}
	for dst := c.out.Data; ; {
		line := dst[:row.size*size]
		switch {
		case outside != 0:
			walk.Fill(line, el)
		case c.border == nil:
			if hi == lo {
				walk.Fill(line, el)
			} else {
				frame(line, el, c.in.Data, lo, hi, base+(lo+row.start)*row.stride, row.stride)
			}
		default:
			for i := range lo {
				off, _ := c.at(row, i)
				move(line[i*size:], c.in.Data, base+off, 1, 1)
			}
			for i := hi; i < row.size; i++ {
				off, _ := c.at(row, i)
				move(line[i*size:], c.in.Data, base+off, 1, 1)
			}
			if hi > lo {
				move(line[lo*size:hi*size], c.in.Data, base+(lo+row.start)*row.stride, row.stride, hi-lo)
			}
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
