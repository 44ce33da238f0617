package cpu

import (
	"math/rand/v2"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// randoms are rand and randn. Each call site has a generator of its own, seeded anew in each process: results never
// repeat, as with ExecuTorch.
func randoms() []executor.Op {
	uniform := arg.Sign("aten::rand.out", "size out")
	normal := arg.Sign("aten::randn.out", "size out")
	return []executor.Op{
		planned(uniform, func() work { return newRandom(uniform, false) }),
		planned(normal, func() work { return newRandom(normal, true) }),
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

func (c *randomCall) plan(args []*executor.Value) error {
	sig := c.sig
	var err error
	if c.out, err = sig.Tensor(args, 1); err != nil {
		return err
	}
	if err := sig.DType(1, c.out, arg.Floats); err != nil {
		return err
	}
	var buf [arg.MaxRank]int
	size, err := sig.Ints(args, 0, buf[:0])
	if err != nil {
		return err
	}
	return sig.Resize(1, c.out, size...)
}

func (c *randomCall) run(*executor.Scope) error {
	d := c.out.Data
	switch c.out.DType {
	case arg.F32:
		for i, y := 0, executor.SliceBytes[float32](d); i < len(y); i++ {
			y[i] = float32(c.next(24))
		}
	case arg.F64:
		for i, y := 0, executor.SliceBytes[float64](d); i < len(y); i++ {
			y[i] = c.next(53)
		}
	case arg.F16:
		for i, y := 0, executor.SliceBytes[uint16](d); i < len(y); i++ {
			y[i] = walk.F32ToF16(float32(c.next(11)))
		}
	case arg.BF16:
		for i, y := 0, executor.SliceBytes[uint16](d); i < len(y); i++ {
			y[i] = walk.F32ToBF16(float32(c.next(8)))
		}
	}
	return nil
}

// next is a normal number, or a uniform one in [0, 1) with no more bits than the type holds, so that 1 never comes of
// rounding.
func (c *randomCall) next(bits int) float64 {
	if c.normal {
		return c.rand.NormFloat64()
	}
	return float64(c.source.Uint64()>>(64-bits)) / float64(uint64(1)<<bits)
}
