package quant

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

var addSig = arg.Sign("quantized_decomposed::add.out", "a a_scale a_zero_point a_quant_min a_quant_max b b_scale b_zero_point b_quant_min b_quant_max out_scale out_zero_point out_quant_min out_quant_max out")

func add() executor.Op { return site.Plain(addSig, func() site.Call { return &addCall{} }) }

// addCall dequantises two tensors, adds them and quantises the sum, in f32. What an operand gives depends on its 256
// codes only.
type addCall struct {
	a, b    walk.View
	size    [arg.MaxRank]int
	table   [2][256]float32
	scale   [3]float64
	zero    [3]int64
	filled  [2]affineKey
	inverse float32
	lo, hi  float64
}

type affineKey struct {
	scale float64
	zero  int64
	d     executor.DType
	set   bool
}

func (c *addCall) Needs() []memory.Need { return nil }

func (c *addCall) Plan(args []*executor.Value) error {
	var ts [3]*executor.Tensor
	types := arg.Of(arg.U8, arg.I8)
	for n, i := range [...]int{0, 5, 14} {
		t, err := addSig.Tensor(args, i)
		if err != nil {
			return err
		}
		if err := addSig.DType(i, t, types); err != nil {
			return err
		}
		ts[n] = t
	}
	for n, at := range [...]int{1, 6, 10} {
		var err error
		if c.scale[n], err = addSig.Double(args, at); err != nil {
			return err
		}
		if c.zero[n], err = addSig.Int(args, at+1); err != nil {
			return err
		}
	}
	lo, hi := codeRange(ts[2].DType)
	l, err := addSig.IntIn(args, 12, lo, hi)
	if err != nil {
		return err
	}
	h, err := addSig.IntIn(args, 13, int64(l), hi)
	if err != nil {
		return err
	}
	c.lo, c.hi, c.inverse = float64(l), float64(h), float32(1/c.scale[2])
	for n := range 2 {
		key := affineKey{c.scale[n], c.zero[n], ts[n].DType, true}
		if c.filled[n] != key {
			c.fill(n, key)
		}
	}
	size, err := walk.Broadcast(c.size[:0], ts[0], ts[1])
	if err != nil {
		return addSig.Bad(5, "sizes that broadcast with "+site.Sizes(ts[0]), site.Sizes(ts[1]))
	}
	if err := addSig.Resize(14, ts[2], size...); err != nil {
		return err
	}
	if err := c.a.See(ts[2], ts[0]); err != nil {
		return err
	}
	return c.b.See(ts[2], ts[1])
}

func (c *addCall) fill(n int, key affineKey) {
	c.filled[n] = key
	for i := range 256 {
		x := int64(i)
		if key.d == arg.I8 {
			x = int64(int8(i))
		}
		c.table[n][i] = float32(x-key.zero) * float32(key.scale)
	}
}

func (c *addCall) Run(_ *executor.Scope, args []*executor.Value) error {
	x, y, z := args[0].Tensor().Data, args[5].Tensor().Data, args[14].Tensor().Data
	if len(z) == 0 {
		return nil
	}
	var ca, cb walk.Cursor
	c.a.Seek(&ca, 0)
	c.b.Seek(&cb, 0)
	sa, sb := c.a.Stride[c.a.Rank-1], c.b.Stride[c.b.Rank-1]
	for at := 0; at < len(z); {
		n := min(c.a.Left(&ca), c.b.Left(&cb), len(z)-at)
		for i := range n {
			sum := c.table[0][x[ca.Off+i*sa]] + c.table[1][y[cb.Off+i*sb]]
			v := math.RoundToEven(float64(sum*c.inverse)) + float64(c.zero[2])
			if v != v {
				v = c.lo
			}
			z[at+i] = uint8(int64(max(c.lo, min(v, c.hi))))
		}
		c.a.Skip(&ca, n)
		c.b.Skip(&cb, n)
		at += n
	}
	return nil
}
