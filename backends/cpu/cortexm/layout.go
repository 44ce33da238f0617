package cortexm

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
)

// move copies an int8 tensor of up to four dimensions by strides: what transpose and pad come down to.
type move struct {
	size, from, to [4]int
	base           int // first element written
	x, y           *executor.Tensor
}

func (m *move) copy() {
	src, dst := executor.Slice[int8](m.x), executor.Slice[int8](m.y)
	if len(src) == 0 {
		return
	}
	for a := range m.size[0] {
		for b := range m.size[1] {
			for c := range m.size[2] {
				i := a*m.from[0] + b*m.from[1] + c*m.from[2]
				o := m.base + a*m.to[0] + b*m.to[1] + c*m.to[2]
				if m.from[3] == 1 && m.to[3] == 1 {
					copy(dst[o:o+m.size[3]], src[i:])
					continue
				}
				for range m.size[3] {
					dst[o] = src[i]
					i += m.from[3]
					o += m.to[3]
				}
			}
		}
	}
}

// tensors reads an int8 input of 1 to 4 dimensions and an int8 output of the same rank.
func tensors(r *arg.Reader) (x, y *executor.Tensor) {
	x, y = r.Of(0, int8s), r.Of(r.Out(), int8s)
	if r.Err == nil && (x.Rank() < 1 || x.Rank() > 4) {
		r.Bad(0, "1…4 dimensions", site.Sizes(x))
	}
	return x, y
}

var transposeSig = arg.Sign("cortex_m::transpose.out", "input perm out")

func transpose() executor.Op {
	return site.Planned(transposeSig, func() site.Work { return &transposeCall{} })
}

type transposeCall struct{ move }

func (c *transposeCall) Plan(args []*executor.Value) error {
	read := transposeSig.Read(args)
	x, y := tensors(&read)
	if read.Err != nil {
		return read.Err
	}
	var room [8]int
	r := x.Rank()
	perm, err := transposeSig.DimList(args, 1, r, room[:0])
	if err != nil {
		return err
	}
	if len(perm) != r {
		return transposeSig.Bad(1, fmt.Sprintf("%d dimensions", r), fmt.Sprint(len(perm)))
	}
	c.size, c.from, c.to = [4]int{1, 1, 1, 1}, [4]int{}, [4]int{}
	for i, d := range perm {
		c.size[4-r+i], c.from[4-r+i] = x.Sizes[d], x.Strides[d]
	}
	if err := transposeSig.Resize(2, y, c.size[4-r:]...); err != nil {
		return err
	}
	copy(c.to[4-r:], y.Strides)
	c.x, c.y = x, y
	return nil
}

func (c *transposeCall) Run(*executor.Scope) error {
	c.copy()
	return nil
}

var padSig = arg.Sign("cortex_m::pad.out", "input pre_pad post_pad pad_value out")

func pad() executor.Op {
	return site.Planned(padSig, func() site.Work { return &padCall{} })
}

// padCall surrounds the input with a value. The four pads are in the order that the input's dimensions have in memory.
type padCall struct {
	move
	value int8
}

// channelsLast says whether a tensor counts as NHWC: by its dim order, or because there is nothing to tell the two apart.
func channelsLast(t *executor.Tensor) bool {
	if t.Rank() != 4 {
		return false
	}
	return t.Sizes[1] == 1 || t.Sizes[2] == 1 && t.Sizes[3] == 1 || [4]uint8(t.DimOrder) == [4]uint8{0, 2, 3, 1}
}

func (c *padCall) Plan(args []*executor.Value) error {
	read := padSig.Read(args)
	x, y := tensors(&read)
	var pads [2][4]int
	for i := range pads {
		var room [8]int
		list := read.Ints(1+i, room[:0])
		if len(list) != 4 {
			read.Bad(1+i, "four numbers", fmt.Sprint(len(list)))
		}
		copy(pads[i][:], list)
		for _, n := range list {
			if n < 0 || n > limit {
				read.Bad(1+i, fmt.Sprintf("0…%d", limit), fmt.Sprint(n))
			}
		}
	}
	c.value = int8(read.IntIn(3, -128, 127))
	if read.Err != nil {
		return read.Err
	}
	r := x.Rank()
	place := [4]int{0, 1, 2, 3} // where the pad of logical dimension d stands
	if channelsLast(x) {
		place = [4]int{0, 3, 1, 2}
	}
	var size [4]int
	c.move = move{size: [4]int{1, 1, 1, 1}, x: x, y: y}
	for d := 4 - r; d < 4; d++ {
		n := x.Sizes[d-(4-r)]
		c.size[d], c.from[d] = n, x.Strides[d-(4-r)]
		size[d] = n + pads[0][place[d]] + pads[1][place[d]]
	}
	if err := padSig.Resize(4, y, size[4-r:]...); err != nil {
		return err
	}
	for d := 4 - r; d < 4; d++ {
		c.to[d] = y.Strides[d-(4-r)]
		c.base += pads[0][place[d]] * c.to[d]
	}
	return nil
}

func (c *padCall) Run(*executor.Scope) error {
	y := executor.Slice[int8](c.y)
	for i := range y {
		y[i] = c.value
	}
	c.copy()
	return nil
}
