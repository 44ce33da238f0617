package cpu_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// Distances of every type, layout and norm against the definition, batches broadcast; results do not depend on the
// number of workers.
func TestDistancesByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	workers := pools(t)
	near := func(want, got, tolerance float64, format string, args ...any) {
		if want > 6e4 && math.IsInf(got, 1) {
			return // more than a half holds
		}
		require.InDelta(t, want, got, tolerance*(1+want), append([]any{format}, args...)...)
	}
	tolerance := map[executor.DType]float64{arg.F64: 1e-12, arg.F32: 3e-6, arg.F16: 2e-3, arg.BF16: 1e-2}
	for _, p := range []float64{0, 1, 2, 3, 0.5, 3.5, 2.7, 17, inf} {
		for d, tolerance := range tolerance {
			for range 6 {
				batch, na, nb, m := 1+r.IntN(3), 1+r.IntN(40), 1+r.IntN(40), r.IntN(10)
				if r.IntN(3) == 0 {
					m = 60 + r.IntN(150)
				}
				a, b := random(r, d, batch, na, m), random(r, d, []int{1, batch}[r.IntN(2)], nb, m)
				distance := func(x, y *executor.Tensor, n, i, j int) float64 {
					sum := 0.0
					for k := range m {
						v := math.Abs(at(x, []int{n, i, k}) - at(y, []int{n, j, k}))
						switch {
						case p == 0 && v != 0:
							sum++
						case p == 0:
						case math.IsInf(p, 1):
							sum = max(sum, v)
						default:
							sum += math.Pow(v, p)
						}
					}
					if p == 0 || math.IsInf(p, 1) {
						return sum
					}
					return math.Pow(sum, 1/p)
				}
				out := ordered(r, d, batch, na, nb)
				var first []byte
				for _, w := range workers {
					require.NoError(t, call(t, w, "aten::_cdist_forward.out", val(a), val(b), executor.NewDouble(p), executor.NewNone(), val(out)))
					if first == nil {
						first = append(first, out.Data...)
					}
					require.Equal(t, first, out.Data)
				}
				each(out.Sizes, func(i []int) {
					want := distance(a, b, i[0], i[1], i[2])
					near(want, at(out, i), tolerance, "p %v, %v", p, d)
				})
				rows, pairs := random(r, d, na, m), ordered(r, d, na*(na-1)/2)
				require.NoError(t, call(t, nil, "aten::_pdist_forward.out", val(rows), executor.NewDouble(p), val(pairs)))
				k := 0
				for i := range na {
					for j := i + 1; j < na; j++ {
						view := *rows
						view.Sizes, view.Strides = []int{1, na, m}, append([]int{0}, rows.Strides...)
						want := distance(&view, &view, 0, i, j)
						near(want, at(pairs, []int{k}), tolerance, "pairs, p %v, %v", p, d)
						k++
					}
				}
			}
		}
	}
}

// NaN makes a distance NaN whatever the norm, but for the largest difference of rows of two matrices, which leaves it out, as
// PyTorch 2.15 does; ∞ from ∞ is NaN too.
func TestDistancesOfNaN(t *testing.T) {
	for _, d := range []executor.DType{arg.F32, arg.F64, arg.F16, arg.BF16} {
		for _, m := range []int{1, 2, 3, 8, 17, 64, 130} {
			for _, lost := range [][2]float64{{nan, 0}, {0, nan}, {nan, nan}, {inf, inf}} {
				for at := range min(m, 9) {
					a, b, both := executor.NewTensor(d, []int{1, m}, nil), executor.NewTensor(d, []int{1, m}, nil), executor.NewTensor(d, []int{2, m}, nil)
					largest := 0.0
					for i := range m {
						x := [2]float64{float64(i + 1), 0}
						if i == at {
							x = lost
						} else {
							largest = x[0]
						}
						for k, c := range []*executor.Tensor{a, b} {
							e := arg.Scalar{Kind: executor.KindDouble, F: x[k]}
							walk.Put(c.Data[i*d.Size():], d, e)
							walk.Put(both.Data[(k*m+i)*d.Size():], d, e)
						}
					}
					for _, p := range []float64{0, 0.5, 1, 1.5, 2, 3, inf} {
						want, y := nan, executor.NewTensor(d, []int{1, 1}, nil)
						if p == inf {
							want = largest
						}
						require.NoError(t, call(t, nil, "aten::_cdist_forward.out", val(a), val(b), executor.NewDouble(p), executor.NewNone(), val(y)))
						same(t, want, numberReal(y), p, d, m, lost, at)
						within := executor.NewTensor(d, []int{1}, nil)
						require.NoError(t, call(t, nil, "aten::_pdist_forward.out", val(both), executor.NewDouble(p), val(within)))
						same(t, nan, numberReal(within), "pairs", p, d, m, lost, at)
					}
				}
			}
		}
	}
}
