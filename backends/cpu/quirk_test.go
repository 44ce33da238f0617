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

// Large quotients are those of the steps in f32, which cannot tell halves there.
func TestFloorDivisionOfLargeFloats(t *testing.T) {
	x, y := of(arg.F32, []float32{4348318.5, 28456664.0, -27334132.0, 29881486.0, -20024492.0, -16816788.0, 15457896.0, -13241347.0}), of(arg.F32, []float32{0.3048248887062073, -0.35709434747695923, 3.376615047454834, -0.6672711968421936, 2.9734740257263184, -0.9493616223335266, 4.168885231018066, -1.2129571437835693})
	got := like[float32](t, arg.F32, 8, "aten::floor_divide.out", val(x), val(y))
	require.Equal(t, []float32{14264970.0, -79689480.0, -8095130.0, -44781620.0, -6734377.0, 17713786.0, 3707920.0, 10916582.0}, got)
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

// Several tensors of another type and layout share what memory their conversion takes.
func TestCatConvertsSeveral(t *testing.T) {
	turned := func(x ...int8) *executor.Tensor {
		in := executor.NewTensorOrder(arg.I8, []int{2, 2}, []uint8{1, 0}, nil)
		copy(executor.Slice[int8](in), x)
		return in
	}
	out := executor.NewTensor(arg.F32, []int{2, 6}, nil)
	list := executor.NewTensors(turned(1, 2, 3, 4), turned(5, 6, 7, 8), turned(9, 10, 11, 12))
	require.NoError(t, call(t, nil, "aten::cat.out", list, executor.NewInt(1), val(out)))
	require.Equal(t, []float32{1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10, 12}, executor.Slice[float32](out))
	out = executor.NewTensor(arg.F32, []int{2, 3, 2}, nil)
	require.NoError(t, call(t, nil, "aten::stack.out", list, executor.NewInt(1), val(out)))
	require.Equal(t, []float32{1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10, 12}, executor.Slice[float32](out))
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
	for _, d := range []executor.DType{arg.C32, arg.C64, arg.C128} {
		x, out := gaussian(rand.New(rand.NewPCG(1, 3)), d, 1000), executor.NewTensor(d, []int{1000}, nil)
		require.NoError(t, call(t, nil, "aten::native_dropout.out", val(x), executor.NewDouble(0.75), executor.NewBool(true), val(out), val(kept)))
		for i, k := range kept.Data {
			require.Equal(t, complex(4*float64(k), 0)*numberAt(x, []int{i}), numberAt(out, []int{i}))
		}
	}
}

func TestSumOverRankZero(t *testing.T) {
	out := executor.NewTensor(arg.F32, nil, nil)
	require.NoError(t, call(t, nil, "aten::sum.IntList_out", val(of(arg.F32, []float32{3}, []int{}...)), executor.NewInts(0), executor.NewBool(false), executor.NewNone(), val(out)))
	require.Equal(t, []float32{3}, executor.Slice[float32](out))
	require.NoError(t, call(t, nil, "aten::cumsum.out", val(of(arg.F32, []float32{3}, []int{}...)), executor.NewInt(0), executor.NewNone(), val(out)))
	require.Equal(t, []float32{3}, executor.Slice[float32](out))
}

// Reductions of nothing give what they begin with, wherever the empty dimension lies and however many there are of them.
func TestReductionsOfNothing(t *testing.T) {
	none, keep := executor.NewNone(), executor.NewBool(true)
	for _, d := range []executor.DType{arg.F32, arg.F64, arg.F16, arg.BF16, arg.U8, arg.I8, arg.I16, arg.I32, arg.I64, arg.Bool} {
		for _, sizes := range [][]int{{0}, {3, 0}, {70, 0}, {0, 5}, {0, 70}, {4, 0, 1}, {70, 0, 1}, {5, 0, 70}, {32, 16, 0}, {2, 0, 3, 0}} {
			x := val(executor.NewTensor(d, sizes, nil))
			shape, dims, n := slices.Clone(sizes), []int64(nil), 1
			for i, s := range sizes {
				if s == 0 {
					shape[i], dims = 1, append(dims, int64(i))
				}
				n *= shape[i]
			}
			check := func(name string, want float64, to executor.DType, args ...*executor.Value) {
				out := executor.NewTensor(to, shape, nil)
				require.NoError(t, call(t, nil, name, append(append([]*executor.Value{x}, args...), val(out))...), "%s of %v %v", name, d, sizes)
				each(shape, func(i []int) {
					got := at(out, i)
					require.True(t, got == want || got != got && want != want, "%s of %v %v: %v", name, d, sizes, got)
				})
			}
			all, to := executor.NewInts(dims...), d
			if arg.IntBool.Has(d) {
				to = arg.I64
			} else {
				check("aten::mean.out", nan, d, all, keep, none)
				check("aten::var.correction_out", nan, d, all, executor.NewInt(1), keep)
			}
			check("aten::sum.IntList_out", 0, to, all, keep, none)
			check("aten::any.dims_out", 0, arg.Bool, all, keep)
			if len(dims) == 1 {
				check("aten::prod.int_out", 1, to, executor.NewInt(dims[0]), keep, none)
			}
		}
	}
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

// Of two operands of a 16-bit type the number is rounded to the type first, except as the second one of mul and div; quotients
// of tensors are rounded before they are cut to whole numbers, those by a number are not. Odds are rounded before their logarithm.
func TestHalvesAreRoundedStepByStep(t *testing.T) {
	brains := func(list ...float32) *executor.Value {
		x := executor.NewTensor(arg.BF16, []int{len(list)}, nil)
		for i, v := range list {
			executor.Slice[uint16](x)[i] = walk.F32ToBF16(v)
		}
		return val(x)
	}
	x, y := brains(2.703125, -16.875, 19, 0.30078125, 423, -5.0625), brains(0.30078125, 0.99609375, 1.703125, -0.69921875, 0.99609375, 1.7109375)
	odds := brains(0.00099945068359375, 0.490234375, 0.51171875, 0.76953125, 0.99609375, 1)
	n, third, rank0, one := executor.NewDouble(1.7), executor.NewDouble(0.3), val(of(arg.F64, []float64{1.7}, []int{}...)), executor.NewInt(1)
	floor, trunc := executor.NewString("floor"), executor.NewString("trunc")
	for _, c := range []struct {
		name string
		args []*executor.Value
		want []float32
	}{
		{"aten::logit.out", []*executor.Value{odds, executor.NewNone()}, []float32{-6.90625, -0.035888671875, 0.0458984375, 1.2109375, 5.53125, float32(inf)}},
		{"aten::logit.out", []*executor.Value{odds, executor.NewDouble(0.01)}, []float32{-4.59375, -0.035888671875, 0.0458984375, 1.2109375, 4.4375, 4.4375}},
		{"aten::logit.out", []*executor.Value{odds, executor.NewDouble(1e-6)}, []float32{-6.90625, -0.035888671875, 0.0458984375, 1.2109375, 5.53125, float32(inf)}},
		{"aten::add.out", []*executor.Value{x, rank0, one}, []float32{4.40625, -15.1875, 20.75, 2, 426, -3.359375}},
		{"aten::sub.Scalar_out", []*executor.Value{x, n, one}, []float32{1, -18.625, 17.25, -1.40625, 422, -6.75}},
		{"aten::rsub.Scalar_out", []*executor.Value{x, n, one}, []float32{-1, 18.625, -17.25, 1.40625, -422, 6.75}},
		{"aten::mul.Scalar_out", []*executor.Value{x, n}, []float32{4.59375, -28.75, 32.25, 0.51171875, 720, -8.625}},
		{"aten::mul.out", []*executor.Value{x, rank0}, []float32{4.59375, -28.75, 32.25, 0.51171875, 720, -8.625}},
		{"aten::mul.out", []*executor.Value{rank0, x}, []float32{4.59375, -28.75, 32.25, 0.51171875, 724, -8.625}},
		{"aten::div.out", []*executor.Value{rank0, x}, []float32{0.62890625, -0.10107421875, 0.08984375, 5.65625, 0.0040283203125, -0.3359375}},
		{"aten::div.Scalar_mode_out", []*executor.Value{x, n, executor.NewNone()}, []float32{1.59375, -9.9375, 11.1875, 0.1767578125, 249, -2.984375}},
		{"aten::div.out_mode", []*executor.Value{x, y, trunc}, []float32{9, -17, 11, 0, 426, -2}},
		{"aten::floor_divide.out", []*executor.Value{x, y}, []float32{8, -17, 11, -1, 426, -3}},
		{"aten::div.Scalar_mode_out", []*executor.Value{x, third, trunc}, []float32{9, -56, 63, 1, 1416, -16}},
		{"aten::div.Scalar_mode_out", []*executor.Value{x, third, floor}, []float32{9, -57, 63, 1, 1416, -17}},
	} {
		got := like[uint16](t, arg.BF16, 6, c.name, c.args...)
		for i, w := range c.want {
			require.Equal(t, w, walk.BF16ToF32(got[i]), "%s, element %d", c.name, i)
		}
	}
}
