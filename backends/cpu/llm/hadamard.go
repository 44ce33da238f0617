package llm

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

func hadamard() executor.Op {
	sig := arg.Sign("llama::fast_hadamard_transform.out", "mat out")
	return site.Planned(sig, func() site.Work { return &hadamardCall{sig: sig} })
}

// hadamardCall multiplies each row by the Hadamard matrix of its length, 2ⁿ or 28·2ⁿ. The factor 2ⁿ is normalised, the
// factor 28 is not, as in ExecuTorch.
type hadamardCall struct {
	sig  *arg.Signature
	rows walk.Rows
	as   executor.DType
}

func (c *hadamardCall) BoundNeeds(args []*executor.Value) []memory.Need {
	if t := args[0].Tensor(); t != nil && t.Rank() > 0 {
		return walk.RowNeeds(t.Sizes[t.Rank()-1], t.Bound(), 1)
	}
	return walk.RowNeeds(1, 1, 1)
}

func (c *hadamardCall) Plan(args []*executor.Value) error {
	sig := c.sig
	r := sig.Read(args)
	in := r.Of(0, arg.Floats)
	out := r.Like(1, in)
	if r.Err != nil {
		return r.Err
	}
	if r.Resize(1, out, in.Sizes...); r.Err != nil {
		return r.Err
	}
	n, last := 1, 0
	if in.Rank() > 0 {
		last = in.Rank() - 1
		n = in.Sizes[last]
	}
	if two := n / max(factor(n), 1); two&(two-1) != 0 {
		return sig.Bad(0, "a last dimension of 2ⁿ or 28·2ⁿ", fmt.Sprint(n))
	}
	c.as = arg.Compute(in.DType)
	c.rows.Kernel = c
	return fault.Under(sig.Op, c.rows.Plan(in, 1<<uint(last), c.as, walk.Out{Tensor: out, As: c.as}))
}

// factor is 28 for lengths that it divides, 1 for others.
func factor(n int) int {
	if n > 0 && n%28 == 0 {
		return 28
	}
	return 1
}

func (c *hadamardCall) Run(s *executor.Scope) error { return c.rows.Run(s) }

// Row is walk.RowKernel.
func (c *hadamardCall) Row(_, _ int, outs *[3][]byte, in []byte) {
	copy(outs[0], in)
	if c.as == arg.F64 {
		transform(executor.SliceBytes[float64](outs[0]))
	} else {
		transform(executor.SliceBytes[float32](outs[0]))
	}
}

func transform[T float32 | float64](x []T) {
	if len(x) == 0 {
		return
	}
	blocks := factor(len(x))
	n := len(x) / blocks
	for b := range blocks {
		butterflies(x[b*n : (b+1)*n])
	}
	if blocks == 1 {
		return
	}
	for i := range n {
		var column [28]T
		for r := range column {
			column[r] = x[r*n+i]
		}
		for r, signs := range hadamard28 {
			var sum T
			for k, v := range column {
				if signs>>uint(k)&1 == 0 {
					v = -v
				}
				sum += v
			}
			x[r*n+i] = sum
		}
	}
}

// butterflies is the transform of a power of two, and its scale.
func butterflies[T float32 | float64](x []T) {
	if f, ok := any(x).([]float32); ok {
		fmath.Walsh(f)
	} else {
		for step := 1; step < len(x); step *= 2 {
			for i := 0; i < len(x); i += 2 * step {
				a, b := x[i:i+step], x[i+step:][:step]
				for j, u := range a {
					v := b[j]
					a[j], b[j] = u+v, u-v
				}
			}
		}
	}
	log := bits.Len(uint(len(x))) - 1
	scale := 1 / (T(int(1)<<(log/2)) * T(math.Pow(math.Sqrt2, float64(log%2))))
	for i := range x {
		x[i] *= scale
	}
}

// hadamard28 is a Hadamard matrix of 28 rows, a bit for each plus sign: the one that ExecuTorch uses
// (extension/llm/custom_ops/spinquant/special_hadamard_code_gen.py, from Sloane's library, had.28.will).
var hadamard28 = [28]uint32{
	0x3296181, 0x6528382, 0xc854704, 0x92a8e08, 0x2751c10, 0x4ca7820, 0x994b0c0,
	0x4b980bc, 0x9534178, 0x2a6c271, 0x54d8463, 0xa9b0847, 0x536500f, 0xa4ce01e,
	0x7804cda, 0xf009935, 0xe21326a, 0xc6224d5, 0x8e409ab, 0x1e81356, 0x3d0262d,
	0x030ed66, 0x041dacd, 0x083b51b, 0x1072ab6, 0x20e15ec, 0x41c2b59, 0x81856b3,
}
