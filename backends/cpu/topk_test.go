package cpu_test

import (
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// Rows of every kind of order, with equals, both zeros and NaN, compared with a stable sort of the whole row.
func TestTopKAgainstSort(t *testing.T) {
	r, op := rand.New(rand.NewPCG(21, 22)), all["aten::topk.values"]
	fills := map[string]func(i, n int) float64{
		"random":   func(_, _ int) float64 { return float64(r.IntN(1 << 14)) },
		"equals":   func(_, _ int) float64 { return float64(r.IntN(5) - 2) },
		"rising":   func(i, _ int) float64 { return float64(i) },
		"falling":  func(i, n int) float64 { return float64(n - i) },
		"all same": func(_, _ int) float64 { return 1 },
		"organ":    func(i, n int) float64 { return float64(min(i, n-i)) },
		"special": func(_, _ int) float64 {
			return []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, -1, 2}[r.IntN(8)]
		},
	}
	for _, d := range []executor.DType{arg.F32, arg.F64, arg.I64, arg.I16, arg.BF16} {
		for name, fill := range fills {
			if name == "special" && arg.Integers.Has(d) {
				continue
			}
			for _, n := range []int{1, 40, 100, 700} {
				for _, k := range []int{0, 1, 5, 32, 33, 64, n / 3, n - 1, n} {
					if k > n {
						continue
					}
					largest := r.IntN(2) == 0
					in := random(r, d, 2, n)
					for row := range 2 {
						for i := range n {
							off := (row*in.Strides[0] + i*in.Strides[1]) * d.Size()
							walk.Put(in.Data[off:off+d.Size()], d, arg.Scalar{Kind: executor.KindDouble, F: fill(i, n)})
						}
					}
					values, where := random(r, d, 2, k), random(r, arg.I64, 2, k)
					args := []*executor.Value{val(in), executor.NewInt(int64(k)), executor.NewInt(-1), executor.NewBool(largest), executor.NewBool(true), val(values), val(where)}
					if name == "falling" {
						require.NoError(t, call(t, nil, "aten::topk.values", args...))
					} else { // without counting allocations, which takes a while
						state, _, err := op.Prepare(args)
						require.NoError(t, err)
						require.NoError(t, op.Run(executor.NewScope(nil, 1<<16), state, args))
					}
					for row := range 2 {
						order := make([]int, n)
						for i := range order {
							order[i] = i
						}
						row64 := make([]float64, n)
						for i := range row64 {
							row64[i] = at(in, []int{row, i})
						}
						x := func(i int) float64 { return row64[i] }
						sort.SliceStable(order, func(i, j int) bool {
							a, b := x(order[i]), x(order[j])
							if largest {
								return a > b || a != a && b == b
							}
							return a < b || b != b && a == a
						})
						for i, p := range order[:k] {
							require.EqualValues(t, p, at(where, []int{row, i}), "%v, %s, %d of %d, largest %v, place %d", d, name, k, n, largest, i)
							want, got := x(p), at(values, []int{row, i})
							require.True(t, want == got || want != want && got != got)
						}
					}
				}
			}
		}
	}
}

// A tensor of rank 0 gives its one element even where none is asked for, as in PyTorch.
func TestTopkOfRankZero(t *testing.T) {
	for k := range int64(2) {
		v, i := executor.NewTensor(arg.F32, nil, nil), of(arg.I64, []int64{7}, []int{}...)
		require.NoError(t, call(t, nil, "aten::topk.values", val(of(arg.F32, []float32{2.5}, []int{}...)), executor.NewInt(k), executor.NewInt(-1), executor.NewBool(true), executor.NewBool(true), val(v), val(i)))
		require.Equal(t, []float32{2.5}, executor.Slice[float32](v))
		require.Equal(t, []int64{0}, executor.Slice[int64](i))
	}
}
