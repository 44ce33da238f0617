package cpu

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// activations are the non-linear functions of networks and the clamps.
func activations() []executor.Op {
	var ops []executor.Op
	for _, op := range []*pointwise{
		{sig: arg.Sign("aten::relu.out", "self out"), types: arg.Real, table: reluTable},
		{sig: arg.Sign("aten::hardtanh.out", "self min_val max_val out"), types: arg.Real, extra: []int{1, 2}, choose: chooseHardtanh},
		{sig: arg.Sign("aten::leaky_relu.out", "self negative_slope out"), types: arg.Floats, extra: []int{1}, choose: chooseLeaky},
		{sig: arg.Sign("aten::elu.out", "self alpha scale input_scale out"), types: arg.Floats, extra: []int{1, 2, 3}, choose: chooseElu},
		{sig: arg.Sign("aten::gelu.out", "self approximate out"), types: arg.Floats, extra: []int{1}, choose: chooseGelu},
	} {
		op.ins = []operand{{0, tensor}}
		ops = append(ops, op.make())
	}
	return append(ops, (&clampScalar).make(),
		(&pointwise{sig: arg.Sign("aten::clamp.Tensor_out", "self min max out"), ins: []operand{{0, tensor}, {1, optional}, {2, optional}},
			types: arg.RealBool, choose: chooseClampTensor}).make())
}

var (
	reluTable = &walk.Table{
		arg.U8: identity, arg.I8: vector(lanes.Positive8, relu[int8]), arg.I16: vector(lanes.Positive16, relu[int16]),
		arg.I32: vector(lanes.Positive32, relu[int32]), arg.I64: vector(lanes.Positive64, relu[int64]),
		arg.F16: vector(lanes.PositiveF16, reluF16), arg.BF16: vector(lanes.PositiveBF16, reluBF16),
		arg.F32: reluF32, arg.F64: vector(lanes.PositiveF64, relu[float64]),
	}
	limitTable = &walk.Table{
		arg.U8: limited(lanes.LimitU8, limitInt[uint8]), arg.I8: limited(lanes.LimitI8, limitInt[int8]),
		arg.I16: limited(lanes.LimitI16, limitInt[int16]), arg.I32: limited(lanes.LimitI32, limitInt[int32]),
		arg.I64: limited(lanes.LimitI64, limitInt[int64]),
		arg.F32: limitF32, arg.F64: limitF64,
	}
	clampTable = &walk.Table{
		arg.Bool: between(lanes.BetweenU8, clamp[uint8]), arg.U8: between(lanes.BetweenU8, clamp[uint8]),
		arg.I8: between(lanes.BetweenI8, clamp[int8]), arg.I16: between(lanes.BetweenI16, clamp[int16]),
		arg.I32: between(lanes.BetweenI32, clamp[int32]), arg.I64: between(lanes.BetweenI64, clamp[int64]),
		arg.F32: between(lanes.BetweenF32, clamp[float32]), arg.F64: between(lanes.BetweenF64, clamp[float64]),
	}
	leakyTable    = &walk.Table{arg.F32: leakyF32, arg.F64: leakyF64}
	eluTable      = &walk.Table{arg.F32: eluF32, arg.F64: elu}
	geluTable     = &walk.Table{arg.F32: sliced(fmath.Gelu), arg.F64: sliced(fmath.Gelu64)}
	geluTanhTable = &walk.Table{arg.F32: sliced(fmath.GeluTanh), arg.F64: sliced(fmath.GeluTanh64)}
)

// relu keeps NaN and the sign of zero.
func relu[T arith](_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[T, T](dst, a)
	for i, v := range x {
		if v < 0 {
			v = 0
		}
		y[i] = v
	}
}

func reluF16(_ *walk.Params, dst, a, _, _ []byte) { reluHalf(dst, a, 0x7c00) }

func reluBF16(_ *walk.Params, dst, a, _, _ []byte) { reluHalf(dst, a, 0x7f80) }

// reluHalf clears what lies, as bits, above -0 and up to -infinity; NaN is above that.
func reluHalf(dst, a []byte, infinity uint16) {
	y, x := one[uint16, uint16](dst, a)
	for i, v := range x {
		if v > halfSign && v <= halfSign|infinity {
			v = 0
		}
		y[i] = v
	}
}

func chooseHardtanh(c *pointCall, args []*executor.Value) (*walk.Table, error) {
	for k := range 2 {
		r, fits := c.op.sig.Read(args), c.common
		if arg.Integers.Has(fits) {
			fits = arg.I64 // as which PyTorch takes bounds of integers first
		}
		s := fitting(&r, 1+k, fits)
		if r.Err != nil {
			return nil, r.Err
		}
		if fits == arg.I64 {
			s = arg.Scalar{Kind: executor.KindInt, I: s.Int()}
		}
		if err := c.setLimit(k, s); err != nil {
			return nil, err
		}
	}
	return limitTable, nil
}

// setLimit puts argument 1+k, a bound, where the kernel finds it: rounded to the tensor's type, or that type's own end
// where the bound is beyond it.
func (c *pointCall) setLimit(k int, s arg.Scalar) error {
	p := c.Map.Params()
	lo, hi, whole := bounds(c.common)
	switch {
	case whole && k == 0 && s.Float() < float64(lo):
		p.I[k] = lo
	case whole && k == 1 && s.Float() > float64(hi):
		p.I[k] = hi
	case whole && (s.Float() < float64(lo) || s.Float() > float64(hi)) || !s.Fits(c.common):
		return c.op.sig.Bad(1+k, "a number in the range of "+c.common.String(), s.String())
	default:
		p.I[k], p.F[k] = s.Int(), s.Float()
	}
	if h := halvesOf(c.common); h != nil {
		p.F[k] = float64(h.round(float32(p.F[k])))
	}
	return nil
}

// clampScalar is clamp with numbers as bounds, either of which may be absent. The bounds take part in promotion.
var clampScalar = pointwise{
	sig: arg.Sign("aten::clamp.out", "self min max out"), ins: []operand{{0, tensor}},
	types: arg.RealBool, extra: []int{1, 2}, choose: chooseClamp,
}

func chooseClamp(c *pointCall, args []*executor.Value) (*walk.Table, error) {
	sig := c.op.sig
	if args[1].IsNone() && args[2].IsNone() {
		return nil, sig.Wrong("min, max or both", "neither")
	}
	var mix walk.Mix
	mix.Tensor(c.common, 1)
	for k := range 2 {
		if args[1+k].IsNone() {
			continue
		}
		s, err := sig.Scalar(args, 1+k)
		if err != nil {
			return nil, err
		}
		mix.Number(s)
	}
	c.common = mix.Result()
	p := c.Map.Params()
	p.F[0], p.F[1] = math.Inf(-1), math.Inf(1)
	p.I[0], p.I[1] = math.MinInt64, math.MaxInt64
	if lo, hi, ok := bounds(c.common); ok {
		p.I[0], p.I[1] = lo, hi
	}
	for k := range 2 {
		if args[1+k].IsNone() {
			continue
		}
		s, _ := sig.Scalar(args, 1+k)
		if err := c.setLimit(k, s); err != nil {
			return nil, err
		}
	}
	if c.common == arg.Bool {
		return nil, sig.Bad(0, "a type with an order", "bool")
	}
	return limitTable, nil
}

// bounds are the smallest and the largest number of an integer type of at most 64 bits.
func bounds(d executor.DType) (lo, hi int64, ok bool) {
	bits := uint(8 * d.Size())
	switch {
	case arg.Signed.Has(d):
		return -1 << (bits - 1), 1<<(bits-1) - 1, true
	case arg.Unsigned.Has(d) && bits < 64:
		return 0, 1<<bits - 1, true
	}
	return 0, 0, false
}

func chooseClampTensor(c *pointCall, args []*executor.Value) (*walk.Table, error) {
	if args[1].IsNone() && args[2].IsNone() {
		return nil, c.op.sig.Wrong("min, max or both", "neither")
	}
	if c.common == arg.Bool && !args[1].IsNone() && !args[2].IsNone() { // with one, PyTorch takes maxima or minima
		return nil, c.op.sig.Bad(0, "a type with an order", "bool")
	}
	// An absent bound is one that lets everything through.
	lo, hi, ok := bounds(c.common)
	c.fill[1], c.fill[2] = arg.Scalar{Kind: executor.KindInt, I: lo}, arg.Scalar{Kind: executor.KindInt, I: hi}
	if !ok {
		c.fill[1] = arg.Scalar{Kind: executor.KindDouble, F: math.Inf(-1)}
		c.fill[2] = arg.Scalar{Kind: executor.KindDouble, F: math.Inf(1)}
	}
	if c.common == arg.Bool {
		c.fill[1] = arg.Scalar{Kind: executor.KindBool}
		c.fill[2] = arg.Scalar{Kind: executor.KindBool, I: 1}
	}
	return clampTable, nil
}

func limitInt[T integer](p *walk.Params, dst, a, _, _ []byte) {
	lo, hi := T(p.I[0]), T(p.I[1])
	y, x := one[T, T](dst, a)
	for i, v := range x {
		y[i] = min(max(v, lo), hi)
	}
}

func reluF32(_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[float32, float32](dst, a)
	fmath.Clamp(y, x, 0, float32(math.Inf(1)))
}

// limitF32 keeps NaN, and gives NaN where a bound is NaN.
func limitF32(p *walk.Params, dst, a, _, _ []byte) {
	lo, hi := float32(p.F[0]), float32(p.F[1])
	y, x := one[float32, float32](dst, a)
	if lo != lo || hi != hi {
		for i := range y {
			y[i] = lo + hi
		}
		return
	}
	fmath.Clamp(y, x, lo, hi)
}

// limitF64 is limitF32 for doubles.
func limitF64(p *walk.Params, dst, a, _, _ []byte) {
	lo, hi := p.F[0], p.F[1]
	y, x := one[float64, float64](dst, a)
	if lo != lo || hi != hi {
		for i := range y {
			y[i] = lo + hi
		}
		return
	}
	n := 0
	if lanes.LimitF64 != nil {
		n = lanes.LimitF64(dst, a, math.Float64bits(lo), math.Float64bits(hi)) / 8
	}
	for i, v := range x[n:] {
		if v < lo {
			v = lo
		}
		if v > hi {
			v = hi
		}
		y[n+i] = v
	}
}

func clamp[T arith](_ *walk.Params, dst, a, b, c []byte) {
	y, x, lo, hi := three[T, T](dst, a, b, c)
	for i, v := range x {
		y[i] = min(max(v, lo[i]), hi[i])
	}
}

func chooseLeaky(c *pointCall, args []*executor.Value) (*walk.Table, error) {
	r := c.op.sig.Read(args)
	c.Map.Params().F[0] = fitting(&r, 1, arg.Compute(c.common)).Float()
	return leakyTable, r.Err
}

func leakyF32(p *walk.Params, dst, a, _, _ []byte) {
	y, x := one[float32, float32](dst, a)
	fmath.Leaky(y, x, float32(p.F[0]))
}

func leakyF64(p *walk.Params, dst, a, _, _ []byte) {
	y, x := one[float64, float64](dst, a)
	for i, v := range x {
		if !(v > 0) {
			v *= p.F[0]
		}
		y[i] = v
	}
}

func chooseElu(c *pointCall, args []*executor.Value) (*walk.Table, error) {
	r, p := c.op.sig.Read(args), c.Map.Params()
	for k := range 3 {
		p.F[k] = fitting(&r, 1+k, arg.Compute(c.common)).Float()
	}
	return eluTable, r.Err
}

// elu and eluF32 take a few elements at a time, and the exponential only where there is something below zero.

func elu(p *walk.Params, dst, a, _, _ []byte) {
	negative, positive, input := p.F[0]*p.F[1], p.F[1], p.F[2]
	y, x := one[float64, float64](dst, a)
	var below [128]float64
	for len(x) > 0 {
		n := min(len(x), len(below))
		b, signs := below[:n], uint64(0)
		for i, v := range x[:n] {
			signs |= math.Float64bits(v)
			b[i] = v * input
		}
		if signs>>63 != 0 {
			fmath.Expm164(b, b)
		}
		for i, v := range x[:n] {
			if v < 0 {
				y[i] = b[i] * negative
			} else {
				y[i] = v * positive
			}
		}
		x, y = x[n:], y[n:]
	}
}

// eluF32 adds the part below zero and the part above, of which one is nothing; that takes finite factors.
func eluF32(p *walk.Params, dst, a, _, _ []byte) {
	negative, positive, input := float32(p.F[0])*float32(p.F[1]), float32(p.F[1]), float32(p.F[2])
	inf := float32(math.Inf(1))
	y, x := one[float32, float32](dst, a)
	if all := negative + positive + input; all-all != 0 {
		for i, v := range x {
			if v < 0 {
				y[i] = float32(math.Expm1(float64(v*input))) * negative
			} else {
				y[i] = v * positive
			}
		}
		return
	}
	var below [256]float32
	for len(x) > 0 {
		n := min(len(x), len(below))
		b := below[:n]
		some := !(fmath.MinOf(x[:n]) > 0)
		if some {
			fmath.Clamp(b, x[:n], -inf, 0)
			if input != 1 {
				for i := range b {
					b[i] *= input
				}
			}
			fmath.Expm1(b, b)
		}
		fmath.Clamp(y[:n], x[:n], 0, inf)
		if positive != 1 {
			for i := range b {
				y[i] *= positive
			}
		}
		if some {
			fmath.AddScaled(y[:n], y[:n], b, negative)
		}
		x, y = x[n:], y[n:]
	}
}

func chooseGelu(c *pointCall, args []*executor.Value) (*walk.Table, error) {
	mode, err := c.op.sig.Text(args, 1, "none")
	if err != nil {
		return nil, err
	}
	switch mode {
	case "none":
		return geluTable, nil
	case "tanh":
		return geluTanhTable, nil
	}
	return nil, c.op.sig.Bad(1, `"none" or "tanh"`, mode)
}
