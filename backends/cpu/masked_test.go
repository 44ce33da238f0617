package cpu_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// The source's elements are handed out in logical order, however the tensors lie.
func TestMaskedScatterInEveryLayout(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	sizes := []int{2, 3, 4, 5}
	orders := [][]uint8{{0, 1, 2, 3}, {0, 2, 3, 1}}
	for _, d := range []executor.DType{arg.U8, arg.F16, arg.F32, arg.I64} {
		for choice := range 32 {
			tensor := func(d executor.DType, sizes []int, bit int) *executor.Tensor {
				return executor.NewTensorOrder(d, sizes, orders[choice>>bit&1], nil)
			}
			self, source, out := tensor(d, sizes, 0), tensor(d, sizes, 1), tensor(d, sizes, 2)
			mask := tensor(arg.Bool, sizes, 3)
			if choice >= 16 {
				mask = executor.NewTensor(arg.Bool, []int{3, 1, 5}, nil)
			}
			for _, x := range []*executor.Tensor{self, source} {
				fill(x, func() float64 { return float64(r.IntN(100)) })
			}
			fill(mask, func() float64 { return float64(r.IntN(2)) })
			require.NoError(t, call(t, nil, "aten::masked_scatter.out", val(self), val(mask), val(source), val(out)))
			var picked []float64
			each(sizes, func(i []int) { picked = append(picked, at(source, i)) })
			each(sizes, func(i []int) {
				want, where := at(self, i), i
				if mask.Rank() == 3 {
					where = []int{i[1], 0, i[3]}
				}
				if at(mask, where) != 0 {
					want, picked = picked[0], picked[1:]
				}
				require.Equal(t, want, at(out, i), "%v, case %d, at %v", d, choice, i)
			})
		}
	}
}
