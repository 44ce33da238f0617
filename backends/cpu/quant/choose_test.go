package quant

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// TestTokensGetTheirRange checks scales of rows of all lengths, types and strides; a row with NaN has no scale but NaN.
func TestTokensGetTheirRange(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for _, d := range []executor.DType{arg.F32, arg.F16, arg.BF16} {
		for range 60 {
			rows, n := 1+r.IntN(5), 1+r.IntN(40)
			if r.IntN(4) == 0 {
				n = 200 + r.IntN(400)
			}
			x := executor.NewTensorOrder(d, []int{rows, n}, [][]uint8{{0, 1}, {1, 0}}[r.IntN(2)], nil)
			want := make([]float32, rows)
			for i := range rows {
				var lo, hi, nan float32
				for j := range n {
					v := float32(r.NormFloat64() * 10)
					if r.IntN(500) == 0 {
						v = float32(math.NaN())
					}
					at := (i*x.Strides[0] + j*x.Strides[1])
					walk.Put(x.Data[at*d.Size():][:d.Size()], d, arg.Scalar{Kind: executor.KindDouble, F: float64(v)})
					v = float32(walk.Get(x.Data, d, at).F)
					lo, hi = min(lo, v), max(hi, v)
					nan += v * 0
				}
				want[i] = max((hi-lo)/255, 0x1p-23) + nan
			}
			scale, zero := executor.NewTensor(arg.F64, []int{rows, 1}, nil), executor.NewTensor(arg.I64, []int{rows, 1}, nil)
			call(t, chooseParamsPerToken(), executor.NewTensorValue(x), executor.NewInt(1), executor.NewTensorValue(scale), executor.NewTensorValue(zero))
			for i, s := range executor.Slice[float64](scale) {
				if want[i] != want[i] {
					require.True(t, math.IsNaN(s), "%v × %d", d, n)
					continue
				}
				require.Equal(t, float64(want[i]), s, "%v × %d", d, n)
			}
		}
	}
}
