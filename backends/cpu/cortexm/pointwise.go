package cortexm

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// pair is what operators on two tensors share: the operands are walked in the memory order of the output and broadcast
// to it.
type pair struct {
	sig  *arg.Signature
	t    [3]*executor.Tensor // the operands and the output
	a, b walk.View
	size [arg.MaxRank]int
}

// settle checks the tensors at x, y and the end, and resizes the output to what they broadcast to.
func (p *pair) settle(r *arg.Reader, x, y int, types arg.Set) error {
	ts := &p.t
	ts[0] = r.Of(x, types)
	if ts[1], ts[2] = r.Like(y, ts[0]), r.Like(r.Out(), ts[0]); r.Err != nil {
		return r.Err
	}
	size, err := walk.Broadcast(p.size[:0], ts[0], ts[1])
	if err != nil {
		return p.sig.Bad(y, "sizes that broadcast with "+site.Sizes(ts[0]), site.Sizes(ts[1]))
	}
	if err := p.sig.Resize(p.sig.Out(), ts[2], size...); err != nil {
		return err
	}
	if err := p.a.See(ts[2], ts[0]); err != nil {
		return err
	}
	return p.b.See(ts[2], ts[1])
}

// zip calls f for runs of elements that lie evenly in both operands.
func zip[T executor.Element](p *pair, f func(dst, a, b []T, sa, sb int)) {
	x, y, z := executor.Slice[T](p.t[0]), executor.Slice[T](p.t[1]), executor.Slice[T](p.t[2])
	var ca, cb walk.Cursor
	n := len(z)
	if n == 0 {
		return
	}
	p.a.Seek(&ca, 0)
	p.b.Seek(&cb, 0)
	for at := 0; at < n; {
		k := min(p.a.Left(&ca), p.b.Left(&cb), n-at)
		f(z[at:at+k], x[ca.Off:], y[cb.Off:], p.a.Stride[p.a.Rank-1], p.b.Stride[p.b.Rank-1])
		p.a.Skip(&ca, k)
		p.b.Skip(&cb, k)
		at += k
	}
}

var int8s = arg.Of(arg.I8)

var addSig = arg.Sign("cortex_m::quantized_add.out", "self self_zero_point self_multiplier self_shift other other_zero_point other_multiplier other_shift output_zero_point output_multiplier output_shift activation_min activation_max out")

func add() executor.Op {
	return site.Planned(addSig, func() site.Work { return &addCall{pair: pair{sig: addSig}} })
}

// addCall adds on a common scale: each operand is shifted left by 20 and scaled, which depends on its 256 values only.
type addCall struct {
	pair
	zero     [3]int32
	scale    [3]scaling
	lo, hi   int32
	filled   bool
	from     [2]scaling
	fromZero [2]int32
	table    [2][256]int32
}

func (c *addCall) Plan(args []*executor.Value) error {
	r := addSig.Read(args)
	for i, at := range [...]int{1, 5, 8} {
		c.zero[i], c.scale[i] = readOffset(&r, at), readScaling(&r, at+1)
	}
	c.lo, c.hi = bounds(&r, 11, 12)
	return c.settle(&r, 0, 4, int8s)
}

// bounds reads the smallest and largest output.
func bounds(r *arg.Reader, lo, hi int) (int32, int32) {
	a, b := r.IntIn(lo, -1<<31, 1<<31-1), r.IntIn(hi, -1<<31, 1<<31-1)
	if a > b {
		r.Bad(lo, fmt.Sprintf("at most activation_max %d", b), fmt.Sprint(a))
	}
	return int32(max(-128, min(a, 127))), int32(max(-128, min(b, 127)))
}

func (c *addCall) Run(*executor.Scope) error {
	if !c.filled || c.from != [2]scaling(c.scale[:2]) || c.fromZero != [2]int32(c.zero[:2]) {
		for i := range 2 {
			for x := range 256 {
				c.table[i][x] = c.scale[i].requantise((int32(int8(x)) - c.zero[i]) << 20)
			}
		}
		c.filled, c.from, c.fromZero = true, [2]scaling(c.scale[:2]), [2]int32(c.zero[:2])
	}
	zip(&c.pair, func(dst, a, b []int8, sa, sb int) {
		for i := range dst {
			sum := c.table[0][uint8(a[i*sa])] + c.table[1][uint8(b[i*sb])]
			dst[i] = clampInt8(c.scale[2].requantise(sum), c.zero[2], c.lo, c.hi)
		}
	})
	return nil
}

var mulSig = arg.Sign("cortex_m::quantized_mul.out", "self self_zero_point other other_zero_point output_zero_point output_multiplier output_shift out")

func mul() executor.Op {
	return site.Planned(mulSig, func() site.Work { return &mulCall{pair: pair{sig: mulSig}} })
}

type mulCall struct {
	pair
	zero  [3]int32
	scale scaling
}

func (c *mulCall) Plan(args []*executor.Value) error {
	r := mulSig.Read(args)
	c.zero = [3]int32{readOffset(&r, 1), readOffset(&r, 3), readOffset(&r, 4)}
	c.scale = readScaling(&r, 5)
	return c.settle(&r, 0, 2, int8s)
}

func (c *mulCall) Run(*executor.Scope) error {
	zip(&c.pair, func(dst, a, b []int8, sa, sb int) {
		for i := range dst {
			x := (int32(a[i*sa]) - c.zero[0]) * (int32(b[i*sb]) - c.zero[1])
			dst[i] = clampInt8(c.scale.requantise(x), c.zero[2], -128, 127)
		}
	})
	return nil
}

var divSig = arg.Sign("cortex_m::quantized_div.out", "self self_zero_point other other_zero_point output_zero_point output_scale out")

func div() executor.Op {
	return site.Planned(divSig, func() site.Work { return &divCall{pair: pair{sig: divSig}} })
}

// divCall divides in f32; a divisor of zero gives zero.
type divCall struct {
	pair
	zero  [3]int32
	scale float32
}

func (c *divCall) Plan(args []*executor.Value) error {
	r := divSig.Read(args)
	c.zero = [3]int32{readOffset(&r, 1), readOffset(&r, 3), readOffset(&r, 4)}
	c.scale = float32(r.Double(5))
	return c.settle(&r, 0, 2, int8s|arg.Of(arg.I16))
}

func (c *divCall) Run(*executor.Scope) error {
	if c.t[0].DType == arg.I8 {
		divide[int8](c, -128, 127)
	} else {
		divide[int16](c, -1<<15, 1<<15-1)
	}
	return nil
}

func divide[T int8 | int16](c *divCall, lo, hi float32) {
	zip(&c.pair, func(dst, a, b []T, sa, sb int) {
		for i := range dst {
			var q float32
			if d := int32(b[i*sb]) - c.zero[1]; d != 0 {
				q = float32(int32(a[i*sa])-c.zero[0]) / float32(d)
			}
			x := float32(math.Round(float64(q*c.scale))) + float32(c.zero[2])
			if x != x {
				x = 0
			}
			dst[i] = T(max(lo, min(hi, x)))
		}
	})
}

func extreme(name string, f func(a, b int8) int8) executor.Op {
	sig := arg.Sign(name, "self other out")
	return site.Planned(sig, func() site.Work { return &extremeCall{pair: pair{sig: sig}, f: f} })
}

type extremeCall struct {
	pair
	f func(a, b int8) int8
}

func (c *extremeCall) Plan(args []*executor.Value) error {
	r := c.sig.Read(args)
	return c.settle(&r, 0, 1, int8s)
}

func (c *extremeCall) Run(*executor.Scope) error {
	zip(&c.pair, func(dst, a, b []int8, sa, sb int) {
		for i := range dst {
			dst[i] = c.f(a[i*sa], b[i*sb])
		}
	})
	return nil
}

var activationSig = arg.Sign("cortex_m::quantized_activation.out", "input lut out")

func activation() executor.Op {
	return site.Planned(activationSig, func() site.Work { return &activationCall{} })
}

// activationCall looks each of the 256 values up.
type activationCall struct {
	t  [3]*executor.Tensor // input, table, out
	in walk.View
}

func (c *activationCall) Plan(args []*executor.Value) error {
	r, ts := activationSig.Read(args), &c.t
	for i := range ts {
		ts[i] = r.Of(i, int8s)
	}
	if r.Err != nil {
		return r.Err
	}
	if ts[1].NumElements() != 256 {
		return activationSig.Bad(1, "256 entries", site.Sizes(ts[1]))
	}
	if err := activationSig.Resize(2, ts[2], ts[0].Sizes...); err != nil {
		return err
	}
	return c.in.See(ts[2], ts[0])
}

func (c *activationCall) Run(*executor.Scope) error {
	x, lut, y := executor.Slice[int8](c.t[0]), executor.Slice[int8](c.t[1]), executor.Slice[int8](c.t[2])
	lut = lut[:256]
	if len(y) == 0 {
		return nil
	}
	var at walk.Cursor
	c.in.Seek(&at, 0)
	stride := c.in.Stride[c.in.Rank-1]
	for len(y) > 0 {
		k := min(c.in.Left(&at), len(y))
		src := x[at.Off:]
		for i := range y[:k] {
			y[i] = lut[uint8(src[i*stride])^0x80]
		}
		c.in.Skip(&at, k)
		y = y[k:]
	}
	return nil
}
