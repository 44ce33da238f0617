package cortexm

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/plane"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

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

type transposeCall struct{ copy walk.Copy }

func (c *transposeCall) Plan(args []*executor.Value) error {
	r := transposeSig.Read(args)
	x, y := tensors(&r)
	if r.Err != nil {
		return r.Err
	}
	var room, size [4]int
	perm, err := transposeSig.DimList(args, 1, x.Rank(), room[:0])
	if err != nil {
		return err
	}
	if len(perm) != x.Rank() {
		return transposeSig.Bad(1, fmt.Sprintf("%d dimensions", x.Rank()), fmt.Sprint(len(perm)))
	}
	for i, d := range perm {
		size[i] = x.Sizes[d]
	}
	if r.Resize(2, y, size[:len(perm)]...); r.Err != nil {
		return r.Err
	}
	v := &c.copy.View
	v.Start(y)
	for i, d := range perm {
		v.Stride[i] = x.Strides[d]
	}
	v.Merge(y.Strides)
	return c.copy.Plan(y, x, arg.I8)
}

func (c *transposeCall) Run(s *executor.Scope) error { return c.copy.Run(s) }

var padSig = arg.Sign("cortex_m::pad.out", "input pre_pad post_pad pad_value out")

func pad() executor.Op {
	return site.Planned(padSig, func() site.Work { return &padCall{} })
}

// padCall surrounds the input with a value. The four pads are in the order that the input's dimensions have in memory.
type padCall struct {
	y     *executor.Tensor
	value [1]byte
	inner walk.Place
}

// channelsLast says whether a tensor counts as NHWC: by its dim order, or because there is nothing to tell the two apart.
func channelsLast(t *executor.Tensor) bool {
	if t.Rank() != 4 {
		return false
	}
	return t.Sizes[1] == 1 || t.Sizes[2] == 1 && t.Sizes[3] == 1 || [4]uint8(t.DimOrder) == [4]uint8{0, 2, 3, 1}
}

func (c *padCall) Plan(args []*executor.Value) error {
	r := padSig.Read(args)
	x, y := tensors(&r)
	var pads [2][4]int
	for i := range pads {
		var room [8]int
		list := r.Ints(1+i, room[:0])
		if len(list) != 4 {
			r.Bad(1+i, "four numbers", fmt.Sprint(len(list)))
		}
		copy(pads[i][:], list)
		for _, n := range list {
			if n < 0 || n > limit {
				r.Bad(1+i, fmt.Sprintf("0…%d", limit), fmt.Sprint(n))
			}
		}
	}
	c.value[0] = byte(r.IntIn(3, -128, 127))
	if r.Err != nil {
		return r.Err
	}
	place := [4]int{0, 1, 2, 3} // where the pad of logical dimension d, of four, stands
	if channelsLast(x) {
		place = [4]int{0, 3, 1, 2}
	}
	lead := 4 - x.Rank()
	var size [4]int
	for d, n := range x.Sizes {
		size[d] = n + pads[0][place[lead+d]] + pads[1][place[lead+d]]
	}
	if r.Resize(4, y, size[:x.Rank()]...); r.Err != nil {
		return r.Err
	}
	c.y = y
	c.inner.Start(x)
	for d, stride := range y.Strides {
		c.inner.To.Stride[d] = stride
		c.inner.To.Base += pads[0][place[lead+d]] * stride
	}
	return c.inner.Plan(y)
}

func (c *padCall) Run(s *executor.Scope) error {
	plane.Fill(c.y.Data, c.value[:])
	return c.inner.Run(s)
}
