package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/plane"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// gates are glu and dropout.
func gates() []executor.Op {
	glu := arg.Sign("aten::glu.out", "self dim out")
	dropout := arg.Sign("aten::native_dropout.out", "input p train out0 out1")
	return []executor.Op{
		site.Planned(glu, func() site.Work { return &gluCall{sig: glu} }),
		site.Planned(dropout, func() site.Work { return newDropout(dropout) }),
	}
}

// gluCall splits the input in two along a dimension: the first half, passed as far as the sigmoid of the second says.
type gluCall struct {
	sig    *arg.Signature
	halves [2]tensorView
	from   [2]int // bytes before each half
	m      walk.Map
}

func (c *gluCall) Needs() []memory.Need { return c.m.Needs() }

func (c *gluCall) BoundNeeds(args []*executor.Value) []memory.Need {
	in, out := args[0].Tensor(), args[2].Tensor()
	if in == nil || out == nil {
		return nil
	}
	c.m.Reserve()
	o := walk.Operand{Type: arg.Compute(in.DType)}
	return walk.BoundNeeds(out, o.Type, o, o)
}

func (c *gluCall) Plan(args []*executor.Value) error {
	sig := c.sig
	r := sig.Read(args)
	in, out := r.Of(0, arg.Floats), r.Of(2, arg.Floats)
	dim := rankedDim(&r, 1, in)
	if r.Err != nil {
		return r.Err
	}
	if in.Sizes[dim]%2 != 0 {
		return sig.Bad(1, "a dimension of even size", fmt.Sprint(in.Sizes[dim]))
	}
	half := in.Sizes[dim] / 2
	for k := range c.halves {
		v := &c.halves[k]
		v.begin(in)
		for d, n := range in.Sizes {
			if d == dim {
				n = half
			}
			v.dim(n, in.Strides[d])
		}
		c.from[k] = k * half * in.Strides[dim] * in.DType.Size()
	}
	if err := sig.Resize(2, out, c.halves[0].t.Sizes...); err != nil {
		return err
	}
	as := arg.Compute(in.DType)
	op := func(k int) walk.Operand { return walk.Operand{Tensor: &c.halves[k].t, Type: as} }
	return fault.Under(sig.Op, c.m.Plan(gluTable.Of(as), out, as, op(0), op(1)))
}

func (c *gluCall) Run(s *executor.Scope) error {
	if c.m.Empty() {
		return nil
	}
	for k := range c.halves {
		c.halves[k].t.Data = c.halves[k].of.Data[c.from[k]:]
	}
	return c.m.Run(s)
}

var gluTable = &walk.Table{arg.F32: gated(fmath.Sigmoid), arg.F64: gated(fmath.Sigmoid64)}

func gated[T float](sigmoid func(dst, src []T)) walk.Kernel {
	return func(_ *walk.Params, dst, a, b, _ []byte) {
		y, x, gate := two[T, T](dst, a, b)
		sigmoid(y, gate)
		for i, v := range x {
			y[i] *= v
		}
	}
}

// dropoutCall copies its input, or in training zeroes elements with probability p and scales the rest up.
type dropoutCall struct {
	sig          *arg.Signature
	in, out, got *executor.Tensor
	copy         walk.Copy
	p            float64
	train        bool
	source       rand.PCG // of this call site, as in randomCall
}

func newDropout(sig *arg.Signature) *dropoutCall {
	c := &dropoutCall{sig: sig}
	c.source.Seed(rand.Uint64(), rand.Uint64())
	return c
}

func (c *dropoutCall) Plan(args []*executor.Value) error {
	r := c.sig.Read(args)
	c.in, c.out, c.got = r.Of(0, dropped), r.Of(3, dropped), r.Of(4, arg.Of(arg.Bool))
	c.p, c.train = r.Double(1), r.BoolOr(2, true)
	if !(c.p >= 0 && c.p <= 1) {
		r.Bad(1, "a probability", fmt.Sprint(c.p))
	}
	if r.Err != nil {
		return r.Err
	}
	if !walk.CanCast(c.in.DType, c.out.DType) {
		return c.sig.Bad(3, "a type that "+c.in.DType.String()+" casts to", c.out.DType.String())
	}
	r.Resize(3, c.out, c.in.Sizes...)
	if r.Resize(4, c.got, c.in.Sizes...); r.Err != nil {
		return r.Err
	}
	if err := c.copy.View.See(c.out, c.in); err != nil {
		return fault.Under(c.sig.Op, err)
	}
	return c.copy.Plan(c.out, c.in, c.in.DType)
}

var kept = []byte{1}

// dropped are the types of elements that can be dropped.
var dropped = arg.Floats | arg.Complex

func (c *dropoutCall) Run(s *executor.Scope) error {
	if err := c.copy.Run(s); err != nil {
		return err
	}
	if !c.train {
		plane.Fill(c.got.Data, kept)
		return nil
	}
	c.draw(c.got.Data)
	scale := 0.0
	if c.p < 1 {
		scale = 1 / (1 - c.p)
	}
	switch c.out.DType {
	case arg.F32:
		drop(executor.Slice[float32](c.out), c.got.Data, func(x float32) float32 { return float32(float64(x) * scale) })
	case arg.F64:
		drop(executor.Slice[float64](c.out), c.got.Data, func(x float64) float64 { return x * scale })
	case arg.C32:
		drop(executor.Slice[uint32](c.out), c.got.Data, func(x uint32) uint32 {
			return walk.Halves(x, x, func(part, _ float32) float32 { return float32(float64(part) * scale) })
		})
	case arg.C64:
		drop(executor.Slice[complex64](c.out), c.got.Data, func(x complex64) complex64 { return complex64(scaleComplex(complex128(x), scale)) })
	case arg.C128:
		drop(executor.Slice[complex128](c.out), c.got.Data, func(x complex128) complex128 { return scaleComplex(x, scale) })
	case arg.F16:
		drop(executor.Slice[uint16](c.out), c.got.Data, func(x uint16) uint16 { return walk.F32ToF16(float32(float64(walk.F16ToF32(x)) * scale)) })
	case arg.BF16:
		drop(executor.Slice[uint16](c.out), c.got.Data, func(x uint16) uint16 { return walk.F32ToBF16(float32(float64(walk.BF16ToF32(x)) * scale)) })
	}
	return nil
}

// draw writes 1 with a probability of 1−p, else 0; two of each number that it draws.
func (c *dropoutCall) draw(got []byte) {
	least := uint64(math.Ceil(c.p * (1 << 32)))
	for ; len(got) >= 2; got = got[2:] {
		u := c.source.Uint64()
		got[0], got[1] = truth(u>>32 >= least), truth(u&math.MaxUint32 >= least)
	}
	for i := range got {
		got[i] = truth(c.source.Uint64()>>32 >= least)
	}
}

// drop scales what is kept and clears the rest.
func drop[T executor.Element](y []T, got []byte, scaled func(T) T) {
	var zero T
	for i, keep := range got[:len(y)] {
		v := scaled(y[i])
		if keep == 0 {
			v = zero
		}
		y[i] = v
	}
}
