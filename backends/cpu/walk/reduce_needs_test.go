package walk

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// What is stated for shapes that may change suffices for every shape with as many elements or fewer, and is no more than a
// small multiple of the elements where there are few.
func TestReduceNeedsSuffice(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	types := []executor.DType{arg.U8, arg.I32, arg.F16, arg.F32, arg.F64, arg.C64, arg.C128}
	for range 3000 {
		sizes := make([]int, 1+r.IntN(4))
		for d := range sizes {
			sizes[d] = 1 + r.IntN(1<<r.IntN(8))
		}
		dims, kept := arg.Dims(0), []int{}
		for d, n := range sizes {
			if r.IntN(2) == 0 {
				dims |= 1 << uint(d)
			} else {
				kept = append(kept, n)
			}
		}
		as := arg.Compute(types[r.IntN(len(types))])
		in, out := executor.NewTensor(types[r.IntN(len(types))], sizes, nil), executor.NewTensor(types[r.IntN(len(types))], kept, nil)
		c := &Reduce{Outs: [2]*executor.Tensor{out}, Results: [2]executor.DType{as}, Strip: &StripFold{}}
		if err := c.Plan(out, in, dims, false, r.IntN(2) == 0, as); err != nil {
			continue
		}
		var takes, stated uint64
		for _, n := range c.Needs() {
			takes += n.Bytes
		}
		for _, n := range ReduceNeeds(in.NumElements(), out.NumElements(), as) {
			stated += n.Bytes
		}
		require.LessOrEqual(t, takes, stated, "%v of %v", dims, sizes)
		require.LessOrEqual(t, stated/uint64(Parts(in.NumElements())), uint64(1024+256*in.NumElements()))
	}
}
