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

func TestNumbersThatDoNotFitAreRefused(t *testing.T) {
	d, i := executor.NewDouble, executor.NewInt
	for _, c := range []struct {
		to executor.DType
		v  *executor.Value
		ok bool
	}{
		{arg.U8, i(255), true}, {arg.U8, i(256), false}, {arg.U8, i(-255), true}, {arg.U8, i(-256), false},
		{arg.U8, d(255.9), true}, {arg.U8, d(256), false}, {arg.U8, d(-0.5), false},
		{arg.I8, d(127.9), true}, {arg.I8, d(128), false}, {arg.I8, d(-128.5), false}, {arg.I32, i(1 << 31), false},
		{arg.I64, d(math.Ldexp(1, 63)), false}, {arg.I64, d(-math.Ldexp(1, 63)), true}, {arg.I32, d(nan), false},
		{arg.F32, d(1e39), false}, {arg.F32, d(inf), true}, {arg.F32, d(nan), true}, {arg.F16, i(70000), false}, {arg.Bool, d(1e300), true},
	} {
		err := call(t, nil, "aten::full.out", executor.NewInts(2), c.v, val(executor.NewTensor(c.to, []int{2}, nil)))
		require.Equal(t, c.ok, err == nil, "%v in %v: %v", c.v.Double(), c.to, err)
	}
}

func TestRanges(t *testing.T) {
	d, i := executor.NewDouble, executor.NewInt
	run := func(to executor.DType, from, end, step *executor.Value) ([]float64, error) {
		out := executor.NewTensor(to, []int{64}, nil)
		out.Dynamism = 1
		err := call(t, nil, "aten::arange.start_out", from, end, step, val(out))
		got := []float64{}
		for k := range out.NumElements() {
			got = append(got, walk.Get(out.Data, to, k).Float())
		}
		return got, err
	}
	for _, c := range []struct {
		to              executor.DType
		from, end, step *executor.Value
		want            []float64
	}{
		{arg.I64, i(5), i(1), i(-2), []float64{5, 3}},
		{arg.I32, d(0.5), d(3.7), i(1), []float64{0, 1, 2, 3}},
		{arg.I64, i(0), i(3), d(0.5), []float64{0, 0, 0, 0, 0, 0}},
		{arg.U8, i(-3), i(3), i(1), []float64{253, 254, 255, 0, 1, 2}},
		{arg.F32, d(1), d(2), d(0.25), []float64{1, 1.25, 1.5, 1.75}},
		{arg.BF16, i(256), i(260), i(1), []float64{256, 256, 258, 260}},
		{arg.F64, i(3), i(3), i(1), []float64{}},
	} {
		got, err := run(c.to, c.from, c.end, c.step)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	for _, bad := range [][3]*executor.Value{
		{i(0), i(1), i(0)}, {i(1), i(0), i(1)}, {i(0), d(inf), i(1)}, {d(nan), i(1), i(1)}, {i(0), i(5), d(nan)},
		{i(math.MinInt64), i(math.MaxInt64), i(1)}, {i(0), d(1e300), i(1)}, {i(0), i(1), d(1e-300)}, {i(0), i(-5), d(0.5)},
	} {
		for _, to := range []executor.DType{arg.I64, arg.I32, arg.F32} {
			_, err := run(to, bad[0], bad[1], bad[2])
			require.Error(t, err)
		}
	}
}

func TestSizesThatNoTensorCouldHold(t *testing.T) {
	out := executor.NewTensor(arg.F32, []int{2, 2}, nil)
	out.Dynamism = 1
	for _, size := range [][]int64{{-1, 2}, {1 << 40, 1 << 40}, {math.MinInt64, 1}, {2, 3}, {4}} {
		for _, name := range []string{"aten::zeros.out", "aten::ones.out", "aten::rand.out", "aten::randn.out"} {
			require.Error(t, call(t, nil, name, executor.NewInts(size...), val(out)), "%v", size)
		}
		require.Error(t, call(t, nil, "aten::full.out", executor.NewInts(size...), executor.NewInt(1), val(out)))
	}
}

func TestRandomNumbers(t *testing.T) {
	for _, d := range []executor.DType{arg.F32, arg.F64, arg.F16, arg.BF16} {
		const n = 20000
		out := executor.NewTensor(d, []int{n}, nil)
		moments := func(name string) (mean, spread, lo, hi float64) {
			require.NoError(t, call(t, nil, name, executor.NewInts(n), val(out)))
			lo, hi = inf, -inf
			for i := range n {
				x := at(out, []int{i})
				mean += x / n
				spread += x * x / n
				lo, hi = min(lo, x), max(hi, x)
			}
			return
		}
		mean, spread, lo, hi := moments("aten::rand.out")
		require.True(t, lo >= 0 && hi < 1 && hi > 0.98)
		require.InDelta(t, 0.5, mean, 0.02)
		require.InDelta(t, 1.0/3, spread, 0.02)
		mean, spread, _, _ = moments("aten::randn.out")
		require.InDelta(t, 0, mean, 0.05)
		require.InDelta(t, 1, spread, 0.05)
	}
}

func TestFourierThereAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 60 {
		sizes := []int{1 + r.IntN(12), 1 + r.IntN(12), 1 + r.IntN(12)}
		x := random(r, arg.F64, sizes...)
		half := append([]int{}, sizes...)
		half[2] = sizes[2]/2 + 1
		spectrum, back := ordered(r, arg.C128, half...), ordered(r, arg.F64, sizes...)
		dims := executor.NewInts(0, 1, 2)
		require.NoError(t, call(t, nil, "aten::_fft_r2c.out", val(x), dims, executor.NewInt(0), executor.NewBool(true), val(spectrum)))
		require.NoError(t, call(t, nil, "aten::_fft_c2r.out", val(spectrum), dims, executor.NewInt(2), executor.NewInt(int64(sizes[2])), val(back)))
		sum := 0.0
		each(sizes, func(i []int) {
			require.InDelta(t, at(x, i), at(back, i), 1e-11)
			sum += at(x, i)
		})
		require.InDelta(t, sum, at(spectrum, []int{0, 0, 0}), 1e-9)
	}
}

// Calls whose shapes change plan anew in every run, and allocate nothing for it (call checks that).
func TestDynamicCallsDoNotAllocate(t *testing.T) {
	dynamic := func(d executor.DType, sizes ...int) *executor.Value {
		x := executor.NewTensor(d, sizes, nil)
		x.Dynamism = 1
		return val(x)
	}
	i, list := executor.NewInt, executor.NewInts
	no := executor.NewBool(false)
	for _, d := range []executor.DType{arg.F32, arg.F16, arg.BF16, arg.I8, arg.F64} {
		x := func() *executor.Value { return dynamic(d, 4, 4) }
		index := dynamic(arg.I64, 2)
		for _, c := range []struct {
			name string
			args []*executor.Value
		}{
			{"aten::index.Tensor_out", []*executor.Value{x(), executor.NewTensors(index.Tensor()), dynamic(d, 2, 4)}},
			{"aten::index.Tensor_out", []*executor.Value{x(), executor.NewTensors(of(arg.Bool, []uint8{1, 0, 1, 0})), dynamic(d, 4, 4)}},
			{"aten::index_put.out", []*executor.Value{x(), executor.NewTensors(index.Tensor()), dynamic(d, 2, 4), executor.NewBool(true), x()}},
			{"aten::index_put_", []*executor.Value{x(), executor.NewTensors(index.Tensor()), dynamic(d, 2, 4), no}},
			{"aten::embedding.out", []*executor.Value{x(), index, i(-1), no, no, dynamic(d, 2, 4)}},
			{"aten::index_select.out", []*executor.Value{x(), i(1), index, dynamic(d, 4, 2)}},
			{"aten::gather.out", []*executor.Value{x(), i(1), dynamic(arg.I32, 4, 2), no, dynamic(d, 4, 2)}},
			{"aten::scatter.src_out", []*executor.Value{x(), i(1), dynamic(arg.I64, 4, 2), dynamic(d, 4, 2), x()}},
			{"aten::scatter.value_out", []*executor.Value{x(), i(1), dynamic(arg.I64, 4, 2), i(3), x()}},
			{"aten::scatter_add.out", []*executor.Value{x(), i(1), dynamic(arg.I64, 4, 2), dynamic(d, 4, 2), x()}},
			{"aten::select_scatter.out", []*executor.Value{x(), dynamic(arg.I32, 4), i(0), i(1), x()}},
			{"aten::slice_scatter.out", []*executor.Value{x(), dynamic(d, 2, 4), i(0), i(1), i(3), i(1), x()}},
			{"aten::nonzero.out", []*executor.Value{x(), dynamic(arg.I64, 16, 2)}},
			{"aten::constant_pad_nd.out", []*executor.Value{x(), list(1, 1), i(2), dynamic(d, 4, 6)}},
			{"aten::reflection_pad1d.out", []*executor.Value{x(), list(1, 1), dynamic(d, 4, 6)}},
			{"aten::full.out", []*executor.Value{list(3, 4), i(2), x()}},
			{"aten::fill.Tensor_out", []*executor.Value{x(), val(of(arg.F64, []float64{2})), x()}},
			{"aten::arange.out", []*executor.Value{i(7), dynamic(d, 9)}},
			{"aten::allclose.out", []*executor.Value{x(), x(), executor.NewDouble(0), executor.NewDouble(0), no, no, dynamic(arg.Bool, 1)}},
		} {
			require.NoError(t, call(t, nil, c.name, c.args...), "%s of %v", c.name, d)
		}
		if d == arg.F32 {
			require.NoError(t, call(t, nil, "aten::_fft_r2c.out", x(), list(0, 1), i(1), executor.NewBool(true), dynamic(arg.C64, 4, 3)))
		}
	}
}
