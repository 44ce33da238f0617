package quant

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

var addSig = arg.Sign("quantized_decomposed::add.out", "a a_scale a_zero_point a_quant_min a_quant_max b b_scale b_zero_point b_quant_min b_quant_max out_scale out_zero_point out_quant_min out_quant_max out")

func add() executor.Op { return site.Planned(addSig, func() site.Work { return &addCall{} }) }

// addCall dequantises two tensors, adds them and quantises the sum, in f32.
type addCall struct {
	t       [3]*executor.Tensor // a, b and out
	in      [2]walk.View
	size    [arg.MaxRank]int
	scale   [3]float64
	zero    [3]int64
	inverse float32
	lo, hi  float64
	plain   bool // no NaN can come up, and zero points fit
}

func (c *addCall) Plan(args []*executor.Value) error {
	r := addSig.Read(args)
	ts := &c.t
	for n, i := range [...]int{0, 5, 14} {
		ts[n] = r.Of(i, arg.Of(arg.U8, arg.I8))
	}
	for n, at := range [...]int{1, 6, 10} {
		c.scale[n], c.zero[n] = r.Double(at), r.Int(at+1)
	}
	if r.Err != nil {
		return r.Err
	}
	lo, hi := codeRange(ts[2].DType)
	l := r.IntIn(12, lo, hi)
	h := r.IntIn(13, int64(l), hi)
	if r.Err != nil {
		return r.Err
	}
	c.lo, c.hi, c.inverse = float64(l), float64(h), float32(1/c.scale[2])
	c.plain = math.Abs(float64(c.inverse)) < 1e18
	for n, z := range c.zero {
		c.plain = c.plain && z == int64(int16(z)) && math.Abs(c.scale[n]) < 1e18
	}
	size, err := walk.Broadcast(c.size[:0], ts[0], ts[1])
	if err != nil {
		return addSig.Bad(5, "sizes that broadcast with "+site.Sizes(ts[0]), site.Sizes(ts[1]))
	}
	if err := addSig.Resize(14, ts[2], size...); err != nil {
		return err
	}
	if err := c.in[0].See(ts[2], ts[0]); err != nil {
		return err
	}
	return c.in[1].See(ts[2], ts[1])
}

func (c *addCall) Run(*executor.Scope) error {
	z := c.t[2].Data
	if len(z) == 0 {
		return nil
	}
	var cur [2]walk.Cursor
	for k := range cur {
		c.in[k].Seek(&cur[k], 0)
	}
	var sums, other [stretch]float32
	for at := 0; at < len(z); {
		n := min(c.in[0].Left(&cur[0]), c.in[1].Left(&cur[1]), len(z)-at, stretch)
		for k, to := range [2][]float32{sums[:n], other[:n]} {
			v := &c.in[k]
			c.values(k, to, cur[k].Off, v.Stride[v.Rank-1])
			v.Skip(&cur[k], n)
		}
		fmath.Add(sums[:n], sums[:n], other[:n])
		c.store(z[at:at+n], sums[:n])
		at += n
	}
	return nil
}

// values dequantises codes of operand k.
func (c *addCall) values(k int, to []float32, off, step int) {
	var codes [stretch]byte
	t := c.t[k]
	x := t.Data[off:]
	if step != 1 {
		for i := range to {
			codes[i] = x[i*step]
		}
		x = codes[:]
	}
	x = x[:len(to)]
	scale := float32(c.scale[k])
	if !c.plain {
		for i, v := range x {
			code := int64(v)
			if t.DType == arg.I8 {
				code = int64(int8(v))
			}
			to[i] = float32(code-c.zero[k]) * scale
		}
		return
	}
	if t.DType == arg.I8 {
		fmath.DecodeI8(to, executor.SliceBytes[int8](x), int32(c.zero[k]), scale)
	} else {
		fmath.DecodeU8(to, x, int32(c.zero[k]), scale)
	}
}

// store quantises sums. NaN gives the smallest code.
func (c *addCall) store(z []byte, sums []float32) {
	zero := c.zero[2]
	if !c.plain {
		for i, sum := range sums {
			v := math.RoundToEven(float64(sum*c.inverse)) + float64(zero)
			if v != v {
				v = c.lo
			}
			z[i] = uint8(int64(max(c.lo, min(v, c.hi))))
		}
		return
	}
	lo, hi := float32(c.lo)-float32(zero), float32(c.hi)-float32(zero)
	if c.t[2].DType == arg.I8 {
		fmath.EncodeI8(executor.SliceBytes[int8](z), sums, c.inverse, 0, lo, hi, int32(zero))
	} else {
		fmath.EncodeU8(z, sums, c.inverse, 0, lo, hi, int32(zero))
	}
}
