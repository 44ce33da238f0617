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

// The tests of this file hold what eager PyTorch gives where ExecuTorch 1.5.1's own kernels give something else, refuse or
// abort. Expected values were written down from PyTorch 2.13.

func of[T executor.Element](d executor.DType, xs []T, sizes ...int) *executor.Tensor {
	if sizes == nil {
		sizes = []int{len(xs)}
	}
	t := executor.NewTensor(d, sizes, nil)
	copy(executor.Slice[T](t), xs)
	return t
}

func like[T executor.Element](t *testing.T, d executor.DType, n int, name string, args ...*executor.Value) []T {
	t.Helper()
	out := executor.NewTensor(d, []int{n}, nil)
	require.NoError(t, call(t, nil, name, append(args, val(out))...))
	return executor.Slice[T](out)
}

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

func TestIntegerRemainderHasTheDivisorsSign(t *testing.T) {
	got := like[int32](t, arg.I32, 4, "aten::remainder.Tensor_out", val(of(arg.I32, []int32{-7, 7, -7, 7})), val(of(arg.I32, []int32{3, -3, -3, 3})))
	require.Equal(t, []int32{2, -2, -1, 1}, got)
	got = like[int32](t, arg.I32, 2, "aten::fmod.Scalar_out", val(of(arg.I32, []int32{-7, 7})), executor.NewInt(3))
	require.Equal(t, []int32{-1, 1}, got)
}

func TestRemainderOfDoublesIsDouble(t *testing.T) {
	got := like[float64](t, arg.F64, 1, "aten::remainder.Tensor_out", val(of(arg.F64, []float64{1e15 + 0.3})), val(of(arg.F64, []float64{0.7})))
	require.Equal(t, math.Mod(1e15+0.3, 0.7), got[0])
}

func TestIntegerPowerWraps(t *testing.T) {
	got := like[int64](t, arg.I64, 1, "aten::pow.Tensor_Scalar_out", val(of(arg.I64, []int64{3})), executor.NewInt(40))
	require.Equal(t, []int64{-6289078614652622815}, got)
	got = like[int64](t, arg.I64, 4, "aten::pow.Tensor_Tensor_out", val(of(arg.I64, []int64{1, -1, 2, -1})), val(of(arg.I64, []int64{-1, -3, -1, -2})))
	require.Equal(t, []int64{1, -1, 0, 1}, got)
}

func TestFmodOfLargeIntegersIsExact(t *testing.T) {
	got := like[int64](t, arg.I64, 1, "aten::fmod.Scalar_out", val(of(arg.I64, []int64{1<<62 + 1})), executor.NewInt(10))
	require.Equal(t, []int64{(1<<62 + 1) % 10}, got)
}

func TestFloorDivisionByZero(t *testing.T) {
	got := like[float32](t, arg.F32, 3, "aten::floor_divide.out", val(of(arg.F32, []float32{0, 1, -1})), val(of(arg.F32, []float32{0, 0, 0})))
	require.True(t, got[0] != got[0])
	require.Equal(t, []float32{float32(inf), float32(-inf)}, got[1:])
	out := executor.NewTensor(arg.I32, []int{1}, nil)
	err := call(t, nil, "aten::floor_divide.out", val(of(arg.I32, []int32{1})), val(of(arg.I32, []int32{0})), val(out))
	require.Equal(t, fault.InvalidArgument, fault.CodeOf(err))
	require.ErrorContains(t, err, "aten::floor_divide.out")
}

func TestShiftsByTheWidthAndMore(t *testing.T) {
	left := like[int32](t, arg.I32, 3, "aten::bitwise_left_shift.Tensor_out", val(of(arg.I32, []int32{1, 1, 1})), val(of(arg.I32, []int32{31, 32, -1})))
	require.Equal(t, []int32{math.MinInt32, 0, 0}, left)
	right := like[int32](t, arg.I32, 3, "aten::bitwise_right_shift.Tensor_out", val(of(arg.I32, []int32{-8, -8, 8})), val(of(arg.I32, []int32{40, -1, 40})))
	require.Equal(t, []int32{-1, -1, 0}, right)
}

func TestSignOfNaNIsZero(t *testing.T) {
	got := like[float32](t, arg.F32, 3, "aten::sign.out", val(of(arg.F32, []float32{float32(nan), -2, 0})))
	require.Equal(t, []float32{0, -1, 0}, got)
}

func TestPowersOfMinusInfinity(t *testing.T) {
	x := val(of(arg.F32, []float32{float32(-inf)}))
	got := like[float32](t, arg.F32, 1, "aten::pow.Tensor_Tensor_out", x, val(of(arg.F32, []float32{0.5})))
	require.Equal(t, []float32{float32(inf)}, got)
	got = like[float32](t, arg.F32, 1, "aten::pow.Tensor_Scalar_out", x, executor.NewDouble(-0.5))
	require.True(t, got[0] != got[0], "a number as exponent takes the root")
}

func TestCatConvertsValues(t *testing.T) {
	out := executor.NewTensor(arg.F32, []int{3}, nil)
	list := executor.NewTensors(of(arg.I32, []int32{1, -2}), of(arg.F32, []float32{0.5}))
	require.NoError(t, call(t, nil, "aten::cat.out", list, executor.NewInt(0), val(out)))
	require.Equal(t, []float32{1, -2, 0.5}, executor.Slice[float32](out))
}

func TestDropoutScales(t *testing.T) {
	x := executor.NewTensor(arg.F32, []int{1000}, nil)
	for i := range executor.Slice[float32](x) {
		executor.Slice[float32](x)[i] = 1
	}
	out, kept := executor.NewTensor(arg.F32, x.Sizes, nil), executor.NewTensor(arg.Bool, x.Sizes, nil)
	require.NoError(t, call(t, nil, "aten::native_dropout.out", val(x), executor.NewDouble(0.75), executor.NewBool(true), val(out), val(kept)))
	n := 0
	for i, k := range kept.Data {
		require.Equal(t, 4*float32(k), executor.Slice[float32](out)[i])
		n += int(k)
	}
	require.InDelta(t, 250, n, 100)
}

func TestSumOverRankZero(t *testing.T) {
	out := executor.NewTensor(arg.F32, nil, nil)
	require.NoError(t, call(t, nil, "aten::sum.IntList_out", val(of(arg.F32, []float32{3}, []int{}...)), executor.NewInts(0), executor.NewBool(false), executor.NewNone(), val(out)))
	require.Equal(t, []float32{3}, executor.Slice[float32](out))
	require.NoError(t, call(t, nil, "aten::cumsum.out", val(of(arg.F32, []float32{3}, []int{}...)), executor.NewInt(0), executor.NewNone(), val(out)))
	require.Equal(t, []float32{3}, executor.Slice[float32](out))
}

func TestNarrowWithNegativeDim(t *testing.T) {
	out := executor.NewTensor(arg.F32, []int{2, 1}, nil)
	require.NoError(t, call(t, nil, "aten::narrow_copy.out", val(of(arg.F32, []float32{1, 2, 3, 4}, 2, 2)), executor.NewInt(-1), executor.NewInt(1), executor.NewInt(1), val(out)))
	require.Equal(t, []float32{2, 4}, executor.Slice[float32](out))
}

func TestSumsOfDoublesAreDouble(t *testing.T) {
	out := executor.NewTensor(arg.F64, nil, nil)
	require.NoError(t, call(t, nil, "aten::sum.IntList_out", val(of(arg.F64, []float64{1e9, 1e-7, -1e9})), executor.NewNone(), executor.NewBool(false), executor.NewNone(), val(out)))
	require.InDelta(t, 1e-7, executor.Slice[float64](out)[0], 1e-7)
}

func TestComparisonOfDoubleAndFloatIsDouble(t *testing.T) {
	out := executor.NewTensor(arg.Bool, []int{1}, nil)
	require.NoError(t, call(t, nil, "aten::eq.Tensor_out", val(of(arg.F64, []float64{0.1})), val(of(arg.F32, []float32{0.1})), val(out)))
	require.Equal(t, []byte{0}, out.Data)
}

func TestLayerNormWithALargeMean(t *testing.T) {
	x := of(arg.F32, []float32{10000, 10001, 10002, 10003}, 1, 4)
	out, mean, rstd := executor.NewTensor(arg.F32, []int{1, 4}, nil), executor.NewTensor(arg.F32, []int{1, 1}, nil), executor.NewTensor(arg.F32, []int{1, 1}, nil)
	require.NoError(t, call(t, nil, "aten::native_layer_norm.out", val(x), executor.NewInts(4), executor.NewNone(), executor.NewNone(), executor.NewDouble(0), val(out), val(mean), val(rstd)))
	require.InDeltaSlice(t, []float32{-1.3416408, -0.4472136, 0.4472136, 1.3416408}, executor.Slice[float32](out), 1e-6)
}

func TestComparisonRoundsANumberToTheTensorsType(t *testing.T) {
	x := of(arg.BF16, []uint16{walk.F32ToBF16(0.1)})
	out := executor.NewTensor(arg.Bool, []int{1}, nil)
	require.NoError(t, call(t, nil, "aten::eq.Scalar_out", val(x), executor.NewDouble(0.1), val(out)))
	require.Equal(t, []byte{1}, out.Data)
}

func TestIntegerPlusFractionIsRefused(t *testing.T) {
	out := executor.NewTensor(arg.I32, []int{1}, nil)
	err := call(t, nil, "aten::add.Scalar_out", val(of(arg.I32, []int32{1})), executor.NewDouble(0.5), executor.NewInt(1), val(out))
	require.ErrorContains(t, err, "aten::add.Scalar_out(out): want a type that float32 casts to, found int32")
	float := executor.NewTensor(arg.F32, []int{1}, nil)
	require.NoError(t, call(t, nil, "aten::add.Scalar_out", val(of(arg.I32, []int32{1})), executor.NewDouble(0.5), executor.NewInt(1), val(float)))
	require.Equal(t, []float32{1.5}, executor.Slice[float32](float))
}

// Operators that are silently wrong there on channels-last inputs.
func TestChannelsLast(t *testing.T) {
	sizes, last := []int{1, 4, 2, 3}, []uint8{0, 2, 3, 1}
	plain := executor.NewTensor(arg.F32, sizes, nil)
	for i := range executor.Slice[float32](plain) {
		executor.Slice[float32](plain)[i] = float32(i*7%24) - 11
	}
	turned := executor.NewTensorOrder(arg.F32, sizes, last, nil)
	require.NoError(t, call(t, nil, "aten::clone.out", val(plain), executor.NewNone(), val(turned)))
	half, short := []int{1, 2, 2, 3}, []int{1, 4, 2, 3}
	for name, c := range map[string]struct {
		sizes []int
		args  []*executor.Value
	}{
		"aten::glu.out":          {half, []*executor.Value{executor.NewInt(1)}},
		"aten::_log_softmax.out": {short, []*executor.Value{executor.NewInt(1), executor.NewBool(false)}},
		"aten::_softmax.out":     {short, []*executor.Value{executor.NewInt(3), executor.NewBool(false)}},
		"aten::flip.out":         {short, []*executor.Value{executor.NewInts(1, 3)}},
		"aten::cumsum.out":       {short, []*executor.Value{executor.NewInt(2), executor.NewNone()}},
		"aten::alias_copy.out":   {short, nil},
	} {
		want := executor.NewTensor(arg.F32, c.sizes, nil)
		require.NoError(t, call(t, nil, name, append(append([]*executor.Value{val(plain)}, c.args...), val(want))...))
		for _, order := range [][]uint8{{0, 1, 2, 3}, last} {
			got := executor.NewTensorOrder(arg.F32, c.sizes, order, nil)
			require.NoError(t, call(t, nil, name, append(append([]*executor.Value{val(turned)}, c.args...), val(got))...))
			each(c.sizes, func(i []int) { require.Equal(t, at(want, i), at(got, i), "%s at %v", name, i) })
		}
	}
	// A channels-last tensor meets one number a channel.
	bias, out := of(arg.F32, []float32{1, 2, 3, 4}, 1, 4, 1, 1), executor.NewTensorOrder(arg.F32, sizes, last, nil)
	require.NoError(t, call(t, nil, "aten::add.out", val(turned), val(bias), executor.NewInt(1), val(out)))
	each(sizes, func(i []int) { require.Equal(t, at(plain, i)+float64(i[1]+1), at(out, i)) })
}

func TestStackingBeyondTheEnd(t *testing.T) {
	to, from := executor.NewTensor(arg.F32, []int{2, 4}, nil), of(arg.F32, []float32{1, 2, 3, 4})
	stack := func(from *executor.Tensor, index int64) error {
		return call(t, nil, "executorch_prim::et_copy_index.tensor", val(to), val(from), executor.NewInt(index))
	}
	require.NoError(t, stack(from, 1))
	require.Equal(t, []float32{0, 0, 0, 0, 1, 2, 3, 4}, executor.Slice[float32](to))
	require.ErrorContains(t, stack(from, 2), "index")
	require.ErrorContains(t, stack(from, -1), "index")
	require.ErrorContains(t, stack(executor.NewTensor(arg.F32, []int{8}, nil), 0), "copy_from")
}

func TestPrimArgumentsAreCounted(t *testing.T) {
	for n := range 3 {
		args := []*executor.Value{executor.NewInt(1), executor.NewInt(2)}[:n]
		_, _, err := all["executorch_prim::add.Scalar"].Prepare(args)
		require.Equal(t, fault.InvalidProgram, fault.CodeOf(err))
	}
	out := executor.NewInt(0)
	err := all["executorch_prim::floordiv.Scalar"].Run(nil, nil, []*executor.Value{executor.NewInt(1), executor.NewInt(0), out})
	require.Equal(t, fault.InvalidArgument, fault.CodeOf(err))
	require.NoError(t, all["executorch_prim::mod.Scalar"].Run(nil, nil, []*executor.Value{executor.NewInt(-7), executor.NewInt(3), out}))
	require.Equal(t, int64(2), out.Int())
}

func TestTopkPutsNaNFirst(t *testing.T) {
	x := of(arg.F32, []float32{1, float32(nan), 3, 2, 3})
	v, i := executor.NewTensor(arg.F32, []int{3}, nil), executor.NewTensor(arg.I64, []int{3}, nil)
	require.NoError(t, call(t, nil, "aten::topk.values", val(x), executor.NewInt(3), executor.NewInt(0), executor.NewBool(true), executor.NewBool(true), val(v), val(i)))
	require.Equal(t, []int64{1, 2, 4}, executor.Slice[int64](i))
}

func TestSumInANarrowTypeRoundsFirst(t *testing.T) {
	out := executor.NewTensor(arg.F16, nil, nil)
	x := of(arg.F32, []float32{1.0001, 1.0001, 1.0001, 1.0001})
	require.NoError(t, call(t, nil, "aten::sum.IntList_out", val(x), executor.NewNone(), executor.NewBool(false), executor.NewInt(int64(arg.F16)), val(out)))
	require.Equal(t, 4.0, at(out, nil))
}
