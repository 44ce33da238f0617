package cpu_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/workers"
)

// weights makes n weights, or none in one of three cases.
func weights(r *rand.Rand, d executor.DType, n ...int) (*executor.Value, *executor.Tensor) {
	if r.IntN(3) == 0 {
		return executor.NewNone(), nil
	}
	sizes := slices.Clone(n)
	t := executor.NewTensor(d, sizes, nil)
	copy(t.Data, random(r, d, t.NumElements()).Data)
	return val(t), t
}

// weighed is x times a weight plus a bias, those at position i of what is there.
func weighed(x float64, w, b *executor.Tensor, i []int) float64 {
	if w != nil {
		x *= at(w, i)
	}
	if b != nil {
		x += at(b, i)
	}
	return x
}

// moments are the mean and 1/√(variance + eps) of some elements.
func moments(xs []float64, eps float64) (mean, rstd float64) {
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	var square float64
	for _, x := range xs {
		square += (x - mean) * (x - mean) / float64(len(xs))
	}
	return mean, 1 / math.Sqrt(square+eps)
}

// within compares a normalised element, of numbers up to some hundreds.
func within(t *testing.T, d executor.DType, want, got float64, why ...any) {
	t.Helper()
	unit := map[executor.DType]float64{arg.F64: 1e-12, arg.F32: 1e-5, arg.F16: 2e-3, arg.BF16: 1.5e-2}[d]
	require.InDelta(t, want, got, unit*(1+math.Abs(want)), why...)
}

// agree runs an operator with 1, 2 and 8 workers and wants the same output each time.
func agree(t *testing.T, run []*workers.Pool, name string, out *executor.Tensor, args ...*executor.Value) {
	t.Helper()
	var first []byte
	for _, w := range run {
		clear(out.Data)
		require.NoError(t, call(t, w, name, args...))
		if first == nil {
			first = slices.Clone(out.Data)
		}
		require.Equal(t, first, out.Data, "%s with %d workers", name, w.Size())
	}
}

var normTypes = []executor.DType{arg.F32, arg.F32, arg.F64, arg.F16, arg.BF16}

func TestLayerNormAgainstNaive(t *testing.T) {
	r, run := rand.New(rand.NewPCG(11, 12)), pools(t)
	for range 200 {
		d := normTypes[r.IntN(len(normTypes))]
		sizes := []int{1 + r.IntN(4), 1 + r.IntN(6), 1 + r.IntN(9), 1 + r.IntN(40)}[r.IntN(3):]
		lead := r.IntN(len(sizes))
		row := sizes[lead:]
		in, out := random(r, d, sizes...), random(r, d, sizes...)
		stats := slices.Clone(sizes)
		shape := []int64{}
		for k, n := range row {
			stats[lead+k] = 1
			shape = append(shape, int64(n))
		}
		mean, rstd := random(r, d, stats...), random(r, d, stats...)
		weight, w := weights(r, d, row...)
		bias, b := weights(r, d, row...)
		agree(t, run, "aten::native_layer_norm.out", out, val(in), executor.NewInts(shape...), weight, bias, executor.NewDouble(1e-5), val(out), val(mean), val(rstd))
		each(stats, func(i []int) {
			var xs []float64
			j := slices.Clone(i)
			each(row, func(k []int) {
				copy(j[lead:], k)
				xs = append(xs, at(in, j))
			})
			m, s := moments(xs, 1e-5)
			within(t, d, m, at(mean, i), "mean")
			within(t, d, s, at(rstd, i), "deviation")
			n := 0
			each(row, func(k []int) {
				copy(j[lead:], k)
				within(t, d, weighed((xs[n]-m)*s, w, b, k), at(out, j), "%v%v %v, rows from %d, at %v", d, sizes, in.DimOrder, lead, j)
				n++
			})
		})
	}
}

func TestBatchNormAgainstNaive(t *testing.T) {
	r, run := rand.New(rand.NewPCG(13, 14)), pools(t)
	for range 200 {
		d := normTypes[r.IntN(len(normTypes))]
		sizes := []int{1 + r.IntN(4), 1 + r.IntN(5), 1 + r.IntN(7), 1 + r.IntN(40)}
		if r.IntN(3) == 0 {
			sizes = []int{1 + r.IntN(4), 1 + r.IntN(300)}
		}
		if r.IntN(10) == 0 {
			sizes = []int{100 + r.IntN(200), 16 + r.IntN(60)}
		}
		channels := sizes[1]
		in, out := random(r, d, sizes...), random(r, d, sizes...)
		if r.IntN(2) == 0 {
			out = executor.NewTensorOrder(d, sizes, in.DimOrder, nil)
		}
		weight, w := weights(r, d, channels)
		bias, b := weights(r, d, channels)
		means, vars := random(r, d, channels), random(r, d, channels)
		each(vars.Sizes, func(i []int) { // variances are positive
			size := d.Size()
			walk.Put(vars.Data[i[0]*size:][:size], d, arg.Scalar{Kind: executor.KindDouble, F: math.Abs(at(vars, i))})
		})
		none := func() *executor.Value { return val(executor.NewTensor(d, []int{0}, nil)) }
		agree(t, run, "aten::_native_batch_norm_legit_no_training.out", out, val(in), weight, bias, val(means), val(vars), executor.NewDouble(0.1), executor.NewDouble(0.5), val(out), none(), none())
		each(sizes, func(i []int) {
			c := i[1:2]
			want := weighed((at(in, i)-at(means, c))/math.Sqrt(at(vars, c)+0.5), w, b, c)
			within(t, d, want, at(out, i), "%v%v %v → %v at %v", d, sizes, in.DimOrder, out.DimOrder, i)
		})
		mean, rstd := random(r, d, channels), random(r, d, channels)
		agree(t, run, "aten::_native_batch_norm_legit.no_stats_out", out, val(in), weight, bias, executor.NewBool(true), executor.NewDouble(0.1), executor.NewDouble(0.5), val(out), val(mean), val(rstd))
		for c := range channels {
			var xs []float64
			each(sizes, func(i []int) {
				if i[1] == c {
					xs = append(xs, at(in, i))
				}
			})
			m, s := moments(xs, 0.5)
			within(t, d, m, at(mean, []int{c}))
			within(t, d, s, at(rstd, []int{c}))
			each(sizes, func(i []int) {
				if i[1] == c {
					within(t, d, weighed((at(in, i)-m)*s, w, b, i[1:2]), at(out, i), "%v%v %v → %v at %v, %v %v", d, sizes, in.DimOrder, out.DimOrder, i, w != nil, b != nil)
				}
			})
		}
	}
}

func TestGroupNormAgainstNaive(t *testing.T) {
	r, run := rand.New(rand.NewPCG(15, 16)), pools(t)
	for range 150 {
		d := normTypes[r.IntN(len(normTypes))]
		groups, per := 1+r.IntN(4), 1+r.IntN(4)
		sizes := []int{1 + r.IntN(3), groups * per, 1 + r.IntN(5), 1 + r.IntN(20)}
		in, out := random(r, d, sizes...), random(r, d, sizes...)
		weight, w := weights(r, d, sizes[1])
		bias, b := weights(r, d, sizes[1])
		mean, rstd := random(r, d, sizes[0], groups), random(r, d, sizes[0], groups)
		n := func(x int) *executor.Value { return executor.NewInt(int64(x)) }
		agree(t, run, "aten::native_group_norm.out", out, val(in), weight, bias, n(sizes[0]), n(sizes[1]), n(sizes[2]*sizes[3]), n(groups), executor.NewDouble(1e-5), val(out), val(mean), val(rstd))
		each(mean.Sizes, func(g []int) {
			var xs []float64
			each(sizes, func(i []int) {
				if i[0] == g[0] && i[1]/per == g[1] {
					xs = append(xs, at(in, i))
				}
			})
			m, s := moments(xs, 1e-5)
			within(t, d, m, at(mean, g))
			within(t, d, s, at(rstd, g))
			each(sizes, func(i []int) {
				if i[0] == g[0] && i[1]/per == g[1] {
					within(t, d, weighed((at(in, i)-m)*s, w, b, i[1:2]), at(out, i), "%v%v %v at %v", d, sizes, in.DimOrder, i)
				}
			})
		})
	}
}

// Group normalisation adds up channels-last elements: ±Inf stays the mean, where it is NaN otherwise. The figures are
// PyTorch's.
func TestGroupMeanOfInfinity(t *testing.T) {
	for _, d := range reducedFloats {
		for order, want := range map[string]float64{"\x00\x01\x02\x03": math.NaN(), "\x00\x02\x03\x01": math.Inf(1)} {
			in := executor.NewTensorOrder(d, []int{1, 4, 3, 3}, []uint8(order), nil)
			fill(in, func() float64 { return 1 })
			walk.Put(in.Data, d, arg.Scalar{Kind: executor.KindDouble, F: math.Inf(1)})
			out := executor.NewTensorOrder(d, in.Sizes, []uint8(order), nil)
			mean, rstd := executor.NewTensor(d, []int{1, 2}, nil), executor.NewTensor(d, []int{1, 2}, nil)
			whole := func(n int64) *executor.Value { return executor.NewInt(n) }
			require.NoError(t, call(t, nil, "aten::native_group_norm.out", val(in), executor.NewNone(), executor.NewNone(),
				whole(1), whole(4), whole(9), whole(2), executor.NewDouble(1e-5), val(out), val(mean), val(rstd)))
			for i, want := range []float64{want, 1} {
				got := walk.Get(mean.Data, d, i).Float()
				require.True(t, got == want || got != got && want != want, "%v %v: mean %v, want %v", d, []uint8(order), got, want)
			}
		}
	}
}
