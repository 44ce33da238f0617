package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

func TestVariancesOfFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	within := map[executor.DType]float64{arg.F16: 1e-3, arg.BF16: 8e-3, arg.F32: 1e-6, arg.F64: 1e-12}
	for range 300 {
		in, dims := reducible(r, reducedFloats[r.IntN(4)])
		kept, of := naive(in, dims)
		variance, mean := random(r, in.DType, kept...), executor.NewTensor(in.DType, kept, nil)
		mean = executor.NewTensorOrder(in.DType, kept, variance.DimOrder, nil)
		less := r.IntN(2)
		require.NoError(t, call(t, nil, "aten::var_mean.correction_out", val(in), executor.NewInts(dims...), executor.NewInt(int64(less)), executor.NewBool(true), val(variance), val(mean)))
		each(kept, func(i []int) {
			x := of[fmt.Sprint(i)]
			m, v := 0.0, 0.0
			for _, e := range x {
				m += e / float64(len(x))
			}
			for _, e := range x {
				v += (e - m) * (e - m)
			}
			v /= float64(len(x) - less)
			require.InDelta(t, m, at(mean, i), within[in.DType]*(1+math.Abs(m)), "mean of %v%v over %v at %v", in.DType, in.Sizes, dims, i)
			if got := at(variance, i); len(x) > less {
				require.InDelta(t, v, got, within[in.DType]*(1+v), "variance of %v%v over %v at %v", in.DType, in.Sizes, dims, i)
			} else {
				require.True(t, got != got)
			}
		})
	}
}

// The figures are PyTorch's.
func TestVariancesOfOneElement(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	elements, means := []float64{inf, 1, nan, math.Copysign(0, -1), -2.5}, []float64{inf, 1, nan, 0, -2.5}
	finite, none := []float64{nan, 0, nan, 0, 0}, []float64{nan, nan, nan, nan, nan}
	same := func(want, got float64, of ...any) {
		require.True(t, want == got && math.Signbit(want) == math.Signbit(got) || want != want && got != got, "%v, want %v, of %v", got, want, of)
	}
	for _, from := range reducedFloats {
		for _, to := range []executor.DType{from, arg.F64} {
			for _, n := range []int{1, 3, 5, 600, 70001} {
				in := executor.NewTensor(from, []int{1, n}, nil)
				next := 0
				fill(in, func() float64 { next++; return elements[(next-1)%5] })
				for correction, variances := range map[float64][]float64{0: finite, 0.5: finite, 1: none, 2: none} {
					args := []*executor.Value{val(in), executor.NewInts(0), executor.NewDouble(correction), executor.NewBool(false)}
					alone, variance, mean := executor.NewTensor(to, []int{n}, nil), executor.NewTensor(to, []int{n}, nil), executor.NewTensor(to, []int{n}, nil)
					require.NoError(t, call(t, nil, "aten::var.correction_out", append(args, val(alone))...))
					require.NoError(t, call(t, nil, "aten::var_mean.correction_out", append(args, val(variance), val(mean))...))
					for i := range n {
						same(variances[i%5], at(alone, []int{i}), from, to, n, correction)
						same(variances[i%5], at(variance, []int{i}), from, to, n, correction)
						same(means[i%5], at(mean, []int{i}), from, to, n, correction)
					}
				}
			}
		}
	}
}

// ±Inf among other elements makes the mean of var_mean NaN, and that of layer and group normalisation even alone; batch
// normalisation adds elements up, as mean does. The figures are PyTorch's, which keeps ±Inf where it comes last.
func TestMeansOfInfinity(t *testing.T) {
	no, eps := executor.NewBool(false), executor.NewDouble(1e-5)
	whole := func(n int) *executor.Value { return executor.NewInt(int64(n)) }
	check := func(outs []*executor.Tensor, wanted ...float64) {
		for k, want := range wanted {
			for i := range outs[k].NumElements() {
				got := walk.Get(outs[k].Data, outs[k].DType, i).Float()
				require.True(t, got == want || got != got && want != want, "output %d, %v: %v, want %v", k, outs[k].DType, got, want)
			}
		}
	}
	for _, d := range reducedFloats {
		for _, n := range []int{1, 2, 5, 8, 9, 70, 3000} {
			for _, c := range []struct {
				at       int
				x        float64
				sum, one float64 // the mean of a sum; of var_mean
			}{{0, inf, inf, nan}, {n / 3, -inf, -inf, nan}, {n / 2, nan, nan, nan}} {
				if n == 1 {
					c.one = c.x
				}
				for _, rows := range []int{1, 3, 4, 5, 21, 300} {
					if n*rows > 1<<16 {
						continue
					}
					row, column := executor.NewTensor(d, []int{rows, n}, nil), executor.NewTensor(d, []int{n, rows}, nil)
					fill(row, func() float64 { return 2 })
					fill(column, func() float64 { return 2 })
					for i := range rows {
						walk.Put(row.Data[(i*n+c.at)*d.Size():], d, arg.Scalar{Kind: executor.KindDouble, F: c.x})
						walk.Put(column.Data[(c.at*rows+i)*d.Size():], d, arg.Scalar{Kind: executor.KindDouble, F: c.x})
					}
					apart := executor.NewTensorOrder(d, []int{rows, n}, []uint8{1, 0}, nil) // rows as column has them
					copy(apart.Data, column.Data)
					outs := func(sizes ...[]int) (ts []*executor.Tensor, vs []*executor.Value) {
						for _, s := range sizes {
							ts = append(ts, executor.NewTensor(d, s, nil))
							vs = append(vs, val(ts[len(ts)-1]))
						}
						return ts, vs
					}
					for dim, in := range []*executor.Tensor{column, row, apart} {
						ts, vs := outs([]int{rows}, []int{rows})
						args := []*executor.Value{val(in), executor.NewInts(int64(min(dim, 1))), executor.NewNone(), no}
						require.NoError(t, call(t, nil, "aten::var_mean.correction_out", append(args, vs...)...))
						check(ts, nan, c.one)
						require.NoError(t, call(t, nil, "aten::var.correction_out", append(args, vs[0])...))
						check(ts, nan)
						require.NoError(t, call(t, nil, "aten::mean.out", val(in), executor.NewInts(int64(min(dim, 1))), no, executor.NewNone(), vs[1]))
						check(ts[1:], c.sum)
					}
					for _, weight := range []*executor.Value{executor.NewNone(), val(filled(d, []int{n}, 3))} {
						for _, in := range []*executor.Tensor{row, apart} {
							ts, vs := outs([]int{rows, n}, []int{rows, 1}, []int{rows, 1})
							require.NoError(t, call(t, nil, "aten::native_layer_norm.out", append([]*executor.Value{val(in), executor.NewInts(int64(n)), weight, weight, eps}, vs...)...))
							check(ts, nan, nan, nan)
							ts, vs = outs([]int{rows, n}, []int{rows, 1}, []int{rows, 1})
							require.NoError(t, call(t, nil, "aten::native_group_norm.out", append([]*executor.Value{val(in), weight, weight, whole(rows), whole(n), whole(1), whole(1), eps}, vs...)...))
							check(ts, nan, nan, nan)
						}
					}
					ts, vs := outs([]int{n, rows}, []int{rows}, []int{rows})
					require.NoError(t, call(t, nil, "aten::_native_batch_norm_legit.no_stats_out", append([]*executor.Value{val(column), executor.NewNone(), executor.NewNone(), executor.NewBool(true), eps, eps}, vs...)...))
					check(ts, nan, c.sum, nan)
				}
			}
		}
	}
}
