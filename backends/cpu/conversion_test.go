package cpu_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// The tests of this file hold what eager PyTorch gives where a result, a bound or an exponent has another type than the
// elements.

// Every element is taken for the type of the result before it is folded, but a mean of halves is rounded only at the end.
func TestFoldsIntoAnotherType(t *testing.T) {
	none, keep := executor.NewNone(), executor.NewBool(false)
	to := func(d executor.DType) *executor.Value { return executor.NewInt(int64(d)) }
	f32 := func(x ...float32) *executor.Value { return val(of(arg.F32, x)) }
	i8 := func(x ...int8) *executor.Value { return val(of(arg.I8, x)) }
	i16 := func(x ...int16) *executor.Value { return val(of(arg.I16, x)) }
	for _, c := range []struct {
		x       *executor.Value
		to      executor.DType
		of      string
		want    float64
		running []float64
	}{
		{f32(0.5, -0.5), arg.Bool, "sum", 1, []float64{1, 1}},
		{f32(0, 0, 0.25), arg.Bool, "sum", 1, []float64{0, 0, 1}},
		{f32(0.5, 0.25), arg.Bool, "prod", 1, nil},
		{f32(0.5, 0, 0.25), arg.Bool, "prod", 0, nil},
		{i8(2, -2), arg.Bool, "sum", 1, []float64{1, 1}},
		{i8(0, 0), arg.Bool, "sum", 0, []float64{0, 0}},
		{i16(256, 256), arg.Bool, "prod", 1, nil},
		{f32(float32(nan)), arg.I32, "sum", math.MinInt32, nil},
		{f32(3e9), arg.I32, "prod", math.MinInt32, nil},
		{i16(-32768, 32767, -32767, 32766), arg.F16, "mean", -0.5, nil},
		{i16(-32768, 32767, -32767, 32766), arg.BF16, "mean", -0.5, nil},
		{i16(-32768, 32767, -32767, 32766), arg.F16, "sum", 0, []float64{-32768, 0, -32768, 0}},
		{f32(1+1./512, 1./512), arg.BF16, "sum", 1, []float64{1, 1}},
	} {
		name := map[string]string{"sum": "aten::sum.IntList_out", "mean": "aten::mean.out", "prod": "aten::prod.int_out"}[c.of]
		dims := executor.NewInts(0)
		if c.of == "prod" {
			dims = executor.NewInt(0)
		}
		out := executor.NewTensor(c.to, nil, nil)
		require.NoError(t, call(t, nil, name, c.x, dims, keep, to(c.to), val(out)))
		require.Equal(t, c.want, at(out, nil), "%s of %v to %v", name, c.x, c.to)
		if c.of == "prod" {
			require.NoError(t, call(t, nil, "aten::prod.out", c.x, to(c.to), val(out)))
			require.Equal(t, c.want, at(out, nil), "product of %v to %v", c.x, c.to)
		}
		if c.running == nil {
			continue
		}
		sums := executor.NewTensor(c.to, c.x.Tensor().Sizes, nil)
		require.NoError(t, call(t, nil, "aten::cumsum.out", c.x, executor.NewInt(0), none, val(sums)))
		for i, want := range c.running {
			require.Equal(t, want, at(sums, []int{i}), "running sum %d of %v to %v", i, c.x, c.to)
		}
	}
}

// A bound beyond an integer type lets everything through, or is an error where nothing could pass.
func TestBoundsBeyondTheType(t *testing.T) {
	for _, c := range []struct {
		d      executor.DType
		lo, hi int64
		bad    bool
	}{
		{arg.U8, -1, 200, false}, {arg.U8, -300, 256, false}, {arg.U8, 0, 1 << 40, false}, {arg.U8, 256, 300, true}, {arg.U8, -9, -1, true},
		{arg.I8, -129, 100, false}, {arg.I8, -1 << 40, 128, false}, {arg.I8, 128, 200, true}, {arg.I8, -200, -129, true},
		{arg.I16, -40000, 40000, false}, {arg.I32, -1 << 40, 1 << 40, false}, {arg.I32, 1 << 31, 1 << 32, true},
		{arg.I64, math.MinInt64, math.MaxInt64, false}, {arg.I8, math.MinInt64, math.MaxInt64, false}, {arg.U8, 300, 5, true}, {arg.U8, 3, -5, true},
	} {
		x, out := executor.NewTensor(c.d, []int{64}, nil), executor.NewTensor(c.d, []int{64}, nil)
		for i := range x.Data {
			x.Data[i] = byte(i * 37)
		}
		for name, bounds := range map[string][2]*executor.Value{
			"aten::clamp.out":    {executor.NewInt(c.lo), executor.NewInt(c.hi)},
			"aten::hardtanh.out": {executor.NewInt(c.lo), executor.NewInt(c.hi)},
		} {
			err := call(t, nil, name, val(x), bounds[0], bounds[1], val(out))
			if c.bad {
				require.ErrorContains(t, err, "want a number in the range of", "%s of %v: %d %d", name, c.d, c.lo, c.hi)
				continue
			}
			require.NoError(t, err)
			for i := range 64 {
				v := at(x, []int{i})
				require.Equal(t, min(max(v, float64(c.lo)), float64(c.hi)), at(out, []int{i}), "%s of %v: %d %d", name, c.d, c.lo, c.hi)
			}
		}
	}
}

// Numbers of activations must fit the type that PyTorch computes in: f32 for halves; limits must fit the halves themselves, and
// those of integers are int64 without a fraction before they are compared with the type's own. Bools are neither limited nor
// clamped between two bools.
func TestActivationsTakeNumbersThatFit(t *testing.T) {
	number, whole, one := executor.NewDouble, executor.NewInt, executor.NewInt(1)
	run := func(name string, d, to executor.DType, args ...*executor.Value) (x []float64, err error) {
		out := executor.NewTensor(to, []int{3}, nil)
		err = call(t, nil, name, append(append([]*executor.Value{val(filled(d, []int{3}, 0, 1, 100))}, args...), val(out))...)
		for i := range 3 {
			x = append(x, at(out, []int{i}))
		}
		return x, err
	}
	refused := func(_ []float64, err error) {
		t.Helper()
		require.Equal(t, fault.InvalidArgument, fault.CodeOf(err))
	}
	for _, d := range []executor.DType{arg.F16, arg.BF16, arg.F32, arg.F64} {
		for _, c := range []struct {
			x              float64
			limit, factors arg.Set // that refuse it
		}{
			{1e6, arg.Of(arg.F16), 0}, {-1e6, arg.Of(arg.F16), 0}, {inf, 0, 0}, {nan, 0, 0},
			{3.4e38, arg.Of(arg.F16, arg.BF16), 0}, {-1e40, arg.Of(arg.F16, arg.BF16, arg.F32), arg.Of(arg.F16, arg.BF16, arg.F32)},
		} {
			for name, args := range map[string][]*executor.Value{
				"aten::hardtanh.out":   {number(c.x), one},
				"aten::leaky_relu.out": {number(c.x)},
				"aten::elu.out":        {number(c.x), one, one},
			} {
				set := c.factors
				if name == "aten::hardtanh.out" {
					set = c.limit
				}
				if _, err := run(name, d, d, args...); set.Has(d) {
					require.ErrorContains(t, err, "want a number ", "%s %v %v", name, d, c.x)
				} else {
					require.NoError(t, err, "%s %v %v", name, d, c.x)
				}
			}
			if c.factors.Has(d) {
				refused(run("aten::elu.out", d, d, one, number(c.x), one))
				refused(run("aten::elu.out", d, d, one, one, number(c.x)))
				refused(run("aten::hardtanh.out", d, d, one, number(c.x)))
			}
		}
	}
	for _, d := range []executor.DType{arg.U8, arg.I8, arg.I16, arg.I32, arg.I64} {
		for _, x := range []float64{inf, -inf, nan, 1e40, -9.3e18, 9.3e18} {
			refused(run("aten::hardtanh.out", d, d, number(x), whole(5)))
			refused(run("aten::hardtanh.out", d, d, whole(0), number(x)))
		}
		for _, c := range []struct {
			lo, hi float64
			want   []float64
		}{{-0.5, 6, []float64{0, 1, 6}}, {-3, -0.5, []float64{0, 0, 0}}, {0.5, 6.9, []float64{0, 1, 6}}, {-9.2e18, 9.2e18, []float64{0, 1, 100}}, {6, 0, []float64{0, 0, 0}}} {
			got, err := run("aten::hardtanh.out", d, d, number(c.lo), number(c.hi))
			require.NoError(t, err)
			require.Equal(t, c.want, got, "%v", d)
		}
	}
	yes, no, none := executor.NewBool(true), executor.NewBool(false), executor.NewNone()
	bools := func(d executor.DType, sizes ...int) *executor.Value { return val(filled(d, sizes, 1)) }
	refused(run("aten::hardtanh.out", arg.Bool, arg.Bool, no, yes))
	for _, bounds := range [][2]*executor.Value{{no, yes}, {none, yes}, {no, none}} {
		refused(run("aten::clamp.out", arg.Bool, arg.Bool, bounds[0], bounds[1]))
	}
	refused(run("aten::clamp.Tensor_out", arg.Bool, arg.Bool, bools(arg.Bool), bools(arg.Bool, 1)))
	most, err := run("aten::clamp.Tensor_out", arg.Bool, arg.Bool, bools(arg.Bool), none) // a maximum
	require.NoError(t, err)
	require.Equal(t, []float64{1, 1, 1}, most)
	least, err := run("aten::clamp.Tensor_out", arg.Bool, arg.Bool, none, bools(arg.Bool, 3)) // a minimum with 1, 0, 0
	require.NoError(t, err)
	require.Equal(t, []float64{0, 0, 0}, least)
	got, err := run("aten::clamp.out", arg.Bool, arg.I64, whole(2), whole(3))
	require.NoError(t, err)
	require.Equal(t, []float64{2, 2, 2}, got)
	got, err = run("aten::clamp.Tensor_out", arg.Bool, arg.I64, bools(arg.I64), none)
	require.NoError(t, err)
	require.Equal(t, []float64{1, 1, 1}, got)
}

// Of f16, PyTorch takes no root for an exponent of one half, but the power.
func TestRootsOfMinusInfinity(t *testing.T) {
	for _, e := range []float64{0.5, -0.5} {
		x := val(of(arg.F16, []uint16{walk.F32ToF16(float32(-inf))}))
		got := like[uint16](t, arg.F16, 1, "aten::pow.Tensor_Scalar_out", x, executor.NewDouble(e))
		require.Equal(t, math.Pow(inf, e), float64(walk.F16ToF32(got[0])))
		x = val(of(arg.BF16, []uint16{walk.F32ToBF16(float32(-inf))}))
		got = like[uint16](t, arg.BF16, 1, "aten::pow.Tensor_Scalar_out", x, executor.NewDouble(e))
		require.True(t, walk.BF16ToF32(got[0]) != walk.BF16ToF32(got[0]))
	}
}

func TestPowersOfBools(t *testing.T) {
	x := val(of(arg.Bool, []bool{true, false}))
	require.Equal(t, []bool{true, false}, like[bool](t, arg.Bool, 2, "aten::pow.Tensor_Scalar_out", x, executor.NewBool(true)))
	require.Equal(t, []bool{true, true}, like[bool](t, arg.Bool, 2, "aten::pow.Tensor_Scalar_out", x, executor.NewBool(false)))
	require.Equal(t, []int64{1, 0}, like[int64](t, arg.I64, 2, "aten::pow.Tensor_Scalar_out", x, executor.NewInt(2)))
}

// Factors that are not finite touch only one side of zero.
func TestEluWithInfiniteFactors(t *testing.T) {
	one := executor.NewInt(1)
	for _, bad := range []float64{inf, -inf, nan} {
		x := val(of(arg.F32, []float32{2, -1}))
		got := like[float32](t, arg.F32, 2, "aten::elu.out", x, executor.NewDouble(bad), one, one)
		require.Equal(t, float32(2), got[0])
		require.False(t, math.Abs(float64(got[1])) < inf)
		got = like[float32](t, arg.F32, 2, "aten::elu.out", x, one, one, executor.NewDouble(bad))
		require.Equal(t, float32(2), got[0])
	}
}

// A variance of nothing is not a number, whatever the correction.
func TestVarianceOfNothing(t *testing.T) {
	for _, sizes := range [][]int{{0}, {0, 3}, {0, 70}} {
		for _, correction := range []int64{-2, 0, 1} {
			x, out := executor.NewTensor(arg.F32, sizes, nil), executor.NewTensor(arg.F32, sizes[1:], nil)
			require.NoError(t, call(t, nil, "aten::var.correction_out", val(x), executor.NewInts(0), executor.NewInt(correction), executor.NewBool(false), val(out)))
			for _, v := range executor.Slice[float32](out) {
				require.True(t, v != v)
			}
		}
	}
}

// A batch norm's output may have another type than its input.
func TestBatchNormToAnotherType(t *testing.T) {
	x := of(arg.F32, []float32{1, 2, 3, 4, 5, 6}, 1, 3, 2)
	mean, spread := val(of(arg.F32, []float32{1, 1, 1})), val(of(arg.F32, []float32{4, 1, 0.25}))
	none, zero := executor.NewNone(), executor.NewDouble(0)
	for _, d := range []executor.DType{arg.F64, arg.F16, arg.BF16, arg.F32} {
		out := executor.NewTensor(d, []int{1, 3, 2}, nil)
		empty := func() *executor.Value { return val(executor.NewTensor(arg.F32, []int{0}, nil)) }
		require.NoError(t, call(t, nil, "aten::_native_batch_norm_legit_no_training.out", val(x), none, none, mean, spread, executor.NewDouble(0.1), zero, val(out), empty(), empty()))
		for i, want := range []float64{0, 0.5, 2, 3, 8, 10} {
			require.Equal(t, want, at(out, []int{0, i / 2, i % 2}), "%v, element %d", d, i)
		}
	}
}
