package cortexm

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
)

var softmaxSig = arg.Sign("cortex_m::softmax.out", "input dim input_zero_point output_zero_point input_multiplier input_shift diff_min out")

func softmax() executor.Op {
	return site.Planned(softmaxSig, func() site.Work { return &softmaxCall{} })
}

// softmaxCall is the fixed-point softmax over the last dimension; sums have 12 integer bits.
type softmaxCall struct {
	x, y    *executor.Tensor
	scale   scaling
	diffMin int32
}

func (c *softmaxCall) Plan(args []*executor.Value) error {
	r := softmaxSig.Read(args)
	c.x, c.y = r.Of(0, int8s), r.Of(7, int8s)
	d := r.Dim(1, c.x)
	if r.Err != nil {
		return r.Err
	}
	if rank := c.x.Rank(); d != rank-1 {
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
	r.Resize(7, c.y, c.x.Sizes...)
	return r.Err
}

func (c *softmaxCall) Run(*executor.Scope) error {
	x, y := c.x, c.y
	n := x.Sizes[x.Rank()-1]
	if y.NumElements() == 0 {
		return nil
	}
	xs, ys := executor.Slice[int8](x), executor.Slice[int8](y)
	for r := range x.NumElements() / n {
		c.row(xs[rowAt(x, r):], ys[rowAt(y, r):], n, x.Strides[x.Rank()-1], y.Strides[y.Rank()-1])
	}
	return nil
}

// rowAt is the first element of row r along the last dimension.
func rowAt(t *executor.Tensor, r int) int {
	at := 0
	for d := t.Rank() - 2; d >= 0; d-- {
		at += r % t.Sizes[d] * t.Strides[d]
		r /= t.Sizes[d]
	}
	return at
}

func (c *softmaxCall) row(x, y []int8, n, sx, sy int) {
	const accumBits = 12
	top := x[0]
	for i := range n {
		top = max(top, x[i*sx])
	}
	exp := func(diff int32) int32 {
		return expNegative(highMul(diff<<uint32(c.scale.shift), c.scale.multiplier))
	}
	var sum int32
	for i := range n {
		if diff := int32(x[i*sx]) - int32(top); diff >= c.diffMin {
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
	for i := range n {
		v := int32(-128)
		if diff := int32(x[i*sx]) - int32(top); diff >= c.diffMin {
			v = max(-128, min(127, divideByPowerOfTwo(highMul(scale, exp(diff)), over)-128))
		}
		y[i*sy] = int8(v)
	}
}
