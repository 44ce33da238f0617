package cortexm

import (
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

var softmaxSig = arg.Sign("cortex_m::softmax.out", "input dim input_zero_point output_zero_point input_multiplier input_shift diff_min out")

func softmax() executor.Op {
	return site.Planned(softmaxSig, func() site.Work { return &softmaxCall{} })
}

// softmaxCall is the fixed-point softmax over the last dimension; sums have 12 integer bits.
type softmaxCall struct {
	rows    walk.Rows
	scale   scaling
	diffMin int32
}

func (c *softmaxCall) Needs() []memory.Need { return c.rows.Needs() }

func (c *softmaxCall) BoundNeeds(args []*executor.Value) []memory.Need {
	if x := args[0].Tensor(); x != nil {
		return walk.RowNeeds(x.Bound(), x.Bound(), 1)
	}
	return nil
}

func (c *softmaxCall) Plan(args []*executor.Value) error {
	r := softmaxSig.Read(args)
	x, y := r.Of(0, int8s), r.Of(7, int8s)
	d := r.Dim(1, x)
	if r.Err != nil {
		return r.Err
	}
	if rank := x.Rank(); d != rank-1 {
		r.Bad(1, "the last dimension", fmt.Sprintf("%d of %d", d, rank))
	}
	readOffset(&r, 2)
	if zero := readOffset(&r, 3); zero != -128 {
		r.Bad(3, "-128", fmt.Sprint(zero))
	}
	if c.scale = readScaling(&r, 4); c.scale.shift < 0 {
		r.Bad(5, "0…31", fmt.Sprint(c.scale.shift))
	}
	c.diffMin = int32(r.IntIn(6, -1<<31, 0))
	if r.Resize(7, y, x.Sizes...); r.Err != nil {
		return r.Err
	}
	c.rows.Kernel = c
	return c.rows.Plan(x, 1<<uint(d), arg.I8, walk.Out{Tensor: y, As: arg.I8})
}

func (c *softmaxCall) Run(s *executor.Scope) error { return c.rows.Run(s) }

// Row is walk.RowKernel.
func (c *softmaxCall) Row(_, _ int, outs *[3][]byte, in []byte) {
	const accumBits = 12
	x, y := executor.SliceBytes[int8](in), executor.SliceBytes[int8](outs[0])
	if len(x) == 0 {
		return
	}
	top := slices.Max(x)
	exp := func(diff int32) int32 {
		return expNegative(highMul(diff<<uint32(c.scale.shift), c.scale.multiplier))
	}
	var sum int32
	for _, v := range x {
		if diff := int32(v) - int32(top); diff >= c.diffMin {
			sum += divideByPowerOfTwo(exp(diff), accumBits)
		}
	}
	headroom := leadingZeros(sum)
	shifted := int32(-1 << 31)
	if sum > 0 {
		shifted += sum << uint32(headroom)
	}
	scale := oneOver(shifted)
	over := min(accumBits-headroom+23, 31)
	for i, v := range x {
		y[i] = -128
		if diff := int32(v) - int32(top); diff >= c.diffMin {
			y[i] = int8(max(-128, min(127, divideByPowerOfTwo(highMul(scale, exp(diff)), over)-128)))
		}
	}
}
