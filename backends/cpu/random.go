package cpu

import (
	"math/rand/v2"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// randoms are rand and randn. Each call site has a generator of its own, seeded anew in each process: results never
// repeat, as with ExecuTorch.
func randoms() []executor.Op {
	uniform := arg.Sign("aten::rand.out", "size out")
	normal := arg.Sign("aten::randn.out", "size out")
	return []executor.Op{
		site.Planned(uniform, func() site.Work { return newRandom(uniform, false) }),
		site.Planned(normal, func() site.Work { return newRandom(normal, true) }),
	}
}

type randomCall struct {
	sig    *arg.Signature
	normal bool
	out    *executor.Tensor
	source rand.PCG
	rand   *rand.Rand
}

func newRandom(sig *arg.Signature, normal bool) *randomCall {
	c := &randomCall{sig: sig, normal: normal}
	c.source.Seed(rand.Uint64(), rand.Uint64())
	c.rand = rand.New(&c.source)
	return c
}

func (c *randomCall) Plan(args []*executor.Value) error {
	r := c.sig.Read(args)
	c.out = r.Of(1, arg.Floats)
	var buf [arg.MaxRank]int
	r.Resize(1, c.out, r.Ints(0, buf[:0])...)
	return r.Err
}

func (c *randomCall) Run(*executor.Scope) error {
	d := c.out.Data
	switch c.out.DType {
	case arg.F32:
		random(c, executor.SliceBytes[float32](d), 24, func(x float64) float32 { return float32(x) })
	case arg.F64:
		random(c, executor.SliceBytes[float64](d), 53, func(x float64) float64 { return x })
	case arg.F16:
		random(c, executor.SliceBytes[uint16](d), 11, func(x float64) uint16 { return walk.F32ToF16(float32(x)) })
	case arg.BF16:
		random(c, executor.SliceBytes[uint16](d), 8, func(x float64) uint16 { return walk.F32ToBF16(float32(x)) })
	}
	return nil
}

// random fills y with normal numbers, or with uniform ones in [0, 1) that have no more bits than the type holds, so that
// 1 never comes of rounding. Types of up to 32 bits make two of each draw.
func random[T executor.Element](c *randomCall, y []T, bits int, narrow func(float64) T) {
	if c.normal {
		for i := range y {
			y[i] = narrow(c.rand.NormFloat64())
		}
		return
	}
	scale := 1 / float64(uint64(1)<<bits)
	if bits <= 32 {
		for ; len(y) >= 2; y = y[2:] {
			u := c.source.Uint64()
			y[0] = narrow(float64(uint32(u>>32)>>(32-bits)) * scale)
			y[1] = narrow(float64(uint32(u)>>(32-bits)) * scale)
		}
	}
	for i := range y {
		y[i] = narrow(float64(c.source.Uint64()>>(64-bits)) * scale)
	}
}
