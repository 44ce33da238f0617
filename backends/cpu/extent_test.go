package cpu_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// The tests of this file hold what PyTorch 2.15 gives for numbers at and beyond the ends of their types.

// The number of which the second operand is added must fit the common type; that of sub is turned first, and as an integer.
func TestAlphaAtTheEndsOfATypes(t *testing.T) {
	const least = math.MinInt64
	whole := func(n int64) *executor.Value { return executor.NewInt(n) }
	first := func(name string, d executor.DType, alpha *executor.Value) (float64, error) {
		y := val(filled(d, []int{21}, 1, 2, 3))
		if name != "aten::add.out" && name != "aten::sub.out" {
			y = whole(3)
		}
		out := executor.NewTensor(d, []int{21}, nil)
		err := call(t, nil, name, val(filled(d, []int{21}, 5, 6, 7)), y, alpha, val(out))
		return numberReal(out), err
	}
	for _, c := range []struct {
		d       executor.DType
		alpha   *executor.Value
		results [5]float64 // of the operators below; NaN where they refuse
	}{
		{arg.I8, whole(127), [5]float64{-124, -122, -126, -120, -120}},
		{arg.I8, whole(128), [5]float64{nan, -123, nan, -123, -125}},
		{arg.I8, whole(-128), [5]float64{-123, nan, -123, nan, nan}},
		{arg.I8, whole(-129), [5]float64{nan, nan, nan, nan, nan}},
		{arg.U8, whole(255), [5]float64{4, 6, 2, 8, 8}},
		{arg.U8, whole(256), [5]float64{nan, nan, nan, nan, nan}},
		{arg.U8, whole(-255), [5]float64{6, 4, 8, 2, 254}},
		{arg.U8, whole(-256), [5]float64{nan, nan, nan, nan, nan}},
		{arg.I16, whole(-1 << 15), [5]float64{-32763, nan, -32763, nan, nan}},
		{arg.I16, whole(1 << 15), [5]float64{nan, -32763, nan, -32763, -32765}},
		{arg.I32, whole(-1 << 31), [5]float64{-1<<31 + 5, nan, -1<<31 + 5, nan, nan}},
		{arg.I32, whole(1 << 31), [5]float64{nan, -1<<31 + 5, nan, -1<<31 + 5, -1<<31 + 3}},
		{arg.I32, whole(least), [5]float64{nan, nan, nan, nan, nan}},
		{arg.I64, whole(least), [5]float64{least + 5, least + 5, least + 5, least + 5, least + 3}},
		{arg.F32, whole(least), [5]float64{least, least, 3 * least, 3 * least, 5 * least}},
		{arg.F64, whole(least), [5]float64{least, least, 3 * least, 3 * least, 5 * least}},
		{arg.BF16, whole(least), [5]float64{least, least, 3 * least, 3 * least, 5 * least}},
		{arg.C64, whole(least), [5]float64{least, least, 3 * least, 3 * least, 5 * least}},
		{arg.F16, whole(least), [5]float64{nan, nan, nan, nan, nan}},
		{arg.F16, whole(65504), [5]float64{65504, -65504, inf, -inf, -inf}},
		{arg.F16, whole(65505), [5]float64{nan, nan, nan, nan, nan}},
		{arg.F32, executor.NewDouble(1e39), [5]float64{nan, nan, nan, nan, nan}},
		{arg.C64, executor.NewDouble(1e39), [5]float64{nan, nan, nan, nan, nan}},
		{arg.F32, executor.NewDouble(inf), [5]float64{inf, -inf, inf, -inf, -inf}},
		{arg.BF16, executor.NewDouble(3.4e38), [5]float64{nan, nan, nan, nan, nan}},
	} {
		for k, name := range []string{"aten::add.out", "aten::sub.out", "aten::add.Scalar_out", "aten::sub.Scalar_out", "aten::rsub.Scalar_out"} {
			got, err := first(name, c.d, c.alpha)
			want := c.results[k]
			if want != want {
				require.ErrorContains(t, err, "(alpha): want a number that fits", "%s of %v by %v", name, c.d, c.alpha)
				continue
			}
			require.NoError(t, err, "%s of %v by %v", name, c.d, c.alpha)
			require.Equal(t, rounding(c.d, want), got, "%s of %v by %v", name, c.d, c.alpha)
		}
	}
}

// numberReal is the first element's real part, rounding what a number is in a type.
func numberReal(t *executor.Tensor) float64 { return real(numberAt(t, make([]int, t.Rank()))) }

func rounding(d executor.DType, f float64) float64 { return numberReal(filled(d, []int{1}, f)) }

// Whole numbers to the power of 1 are copied to the output, those to other fractions computed in float32.
func TestPowersOfLargeWholeNumbers(t *testing.T) {
	x := val(of(arg.I64, []int64{math.MaxInt64, math.MinInt64, 1<<53 + 1, 1<<24 + 1, -3}))
	power := func(e float64) []float64 {
		return like[float64](t, arg.F64, 5, "aten::pow.Tensor_Scalar_out", x, executor.NewDouble(e))
	}
	require.Equal(t, []float64{1 << 63, -1 << 63, 1 << 53, 1<<24 + 1, -3}, power(1))
	require.Equal(t, []float64{1, 1, 1, 1, 1}, power(0))
	require.Equal(t, []float64{8.507059173023462e+37, 8.507059173023462e+37, 8.112963841460668e+31, 281474976710656, 9}, power(2))
	require.Equal(t, []float64{1.1754943508222875e-38, 1.1754943508222875e-38, 1.232595164407831e-32, 3.552713678800501e-15, 0.1111111119389534}, power(-2))
	roots := power(0.5)
	require.True(t, math.IsNaN(roots[1]) && math.IsNaN(roots[4]))
	require.Equal(t, []float64{3037000448, 94906264, 4096}, []float64{roots[0], roots[2], roots[3]})
	require.Equal(t, []float32{1 << 63, -1 << 63, 1 << 53, 1 << 24, -3}, like[float32](t, arg.F32, 5, "aten::pow.Tensor_Scalar_out", x, executor.NewDouble(1)))
	require.Equal(t, []complex128{1 << 63, -1 << 63, 1 << 53, 1<<24 + 1, -3}, like[complex128](t, arg.C128, 5, "aten::pow.Tensor_Scalar_out", x, executor.NewDouble(1)))
	out := executor.NewTensor(arg.I64, []int{5}, nil)
	require.Error(t, call(t, nil, "aten::pow.Tensor_Scalar_out", x, executor.NewDouble(1), val(out)), "the result is a float")
}

// With an eps above ½ what is less than it is raised, even above 1-eps, and nothing but the rest is lowered to that.
func TestLogitWithCrossedBounds(t *testing.T) {
	for _, c := range []struct {
		eps    float64
		lo, hi float64 // the results of what is raised and what is lowered
		at     float64 // the least that is lowered
	}{
		{0.5, 0, 0, 0.5}, {0.6, 0.4054651081081642, -0.4054651081081643, 0.6}, {0.75, 1.0986122886681098, -1.0986122886681098, 0.75},
		{1, inf, -inf, 1}, {1.5, nan, nan, 1}, {inf, nan, nan, 1},
	} {
		for _, d := range []executor.DType{arg.F32, arg.F64, arg.F16, arg.BF16} {
			list := []float64{-1, 0, 0.1, 0.25, 0.4, 0.5, 0.59, 0.61, 0.75, 0.9, 1, 2, -inf, inf, 0.3, 0.7, 0.2, nan}
			out := executor.NewTensor(d, []int{len(list)}, nil)
			require.NoError(t, call(t, nil, "aten::logit.out", val(filled(d, []int{len(list)}, list...)), executor.NewDouble(c.eps), val(out)))
			for i, v := range list {
				want := c.lo
				if v >= c.at {
					want = c.hi
				}
				got := at(out, []int{i})
				if v != v || want != want {
					require.True(t, math.IsNaN(got), "%v of %g with %g", d, v, c.eps)
				} else if math.IsInf(want, 0) {
					require.Equal(t, want, got, "%v of %g with %g", d, v, c.eps)
				} else {
					tolerance := map[executor.DType]float64{arg.F64: 1e-15, arg.F32: 1e-7, arg.F16: 1e-3, arg.BF16: 1e-2}[d]
					require.InDelta(t, want, got, tolerance, "%v of %g with %g", d, v, c.eps)
				}
			}
		}
	}
}

// An exponent and a number to fill with must fit too, unless the power is computed in float32 or wider.
func TestNumbersMustFit(t *testing.T) {
	refused := func(name string, d executor.DType, n *executor.Value, want bool) {
		t.Helper()
		x, out := val(executor.NewTensor(d, []int{2}, nil)), val(executor.NewTensor(d, []int{2}, nil))
		args := []*executor.Value{x, n, out}
		if name == "aten::masked_fill.Scalar_out" {
			args = []*executor.Value{x, val(executor.NewTensor(arg.Bool, []int{2}, nil)), n, out}
		}
		if err := call(t, nil, name, args...); want {
			require.ErrorContains(t, err, " that fits "+d.String())
		} else {
			require.NoError(t, err, "%s of %v", name, d)
		}
	}
	whole, real := executor.NewInt(1<<40), executor.NewDouble(1e39)
	for _, d := range []executor.DType{arg.U8, arg.I8, arg.I16, arg.I32, arg.I64, arg.Bool, arg.F16, arg.BF16, arg.F32, arg.F64, arg.C64, arg.C128} {
		few := d != arg.I64 && d != arg.Bool && arg.IntBool.Has(d) || d == arg.F16
		if d != arg.Bool { // whose powers by a number are not bools
			refused("aten::pow.Tensor_Scalar_out", d, whole, few)
		}
		refused("aten::masked_fill.Scalar_out", d, whole, few)
		refused("aten::masked_fill.Scalar_out", d, real, few || d == arg.I64 || d == arg.BF16 || d == arg.F32 || d == arg.C64)
		if !arg.IntBool.Has(d) {
			refused("aten::pow.Tensor_Scalar_out", d, real, arg.IsHalf(d))
		}
	}
	refused("aten::masked_fill.Scalar_out", arg.U8, executor.NewInt(-255), false)
	refused("aten::masked_fill.Scalar_out", arg.U8, executor.NewInt(-256), true)
	refused("aten::masked_fill.Scalar_out", arg.U8, executor.NewDouble(-0.5), true)
	refused("aten::masked_fill.Scalar_out", arg.I32, executor.NewDouble(nan), true)
}

// Bools are not subtracted, and alpha is one for bools only.
func TestArithmeticOfBoolsIsRefused(t *testing.T) {
	bools, yes, one := val(of(arg.Bool, []uint8{1})), executor.NewBool(true), executor.NewInt(1)
	for _, d := range []executor.DType{arg.I32, arg.I64, arg.F32, arg.C64} {
		x := val(executor.NewTensor(d, []int{1}, nil))
		for _, c := range []struct {
			name string
			args []*executor.Value
			want string
		}{
			{"aten::sub.out", []*executor.Value{x, bools, one}, "aten::sub.out(other): want numbers, found bool"},
			{"aten::sub.out", []*executor.Value{bools, x, one}, "aten::sub.out(self): want numbers, found bool"},
			{"aten::sub.Scalar_out", []*executor.Value{x, yes, one}, "aten::sub.Scalar_out(other): want numbers, found bool"},
			{"aten::rsub.Scalar_out", []*executor.Value{x, yes, one}, "aten::rsub.Scalar_out(other): want numbers, found bool"},
			{"aten::rsub.Scalar_out", []*executor.Value{bools, one, one}, "aten::rsub.Scalar_out(self): want numbers, found bool"},
			{"aten::add.out", []*executor.Value{x, bools, yes}, "aten::add.out(alpha): want a number for " + d.String() + ", found true"},
			{"aten::add.Scalar_out", []*executor.Value{x, one, yes}, "aten::add.Scalar_out(alpha): want a number for " + d.String() + ", found true"},
		} {
			require.EqualError(t, call(t, nil, c.name, append(c.args, val(executor.NewTensor(d, []int{1}, nil)))...), c.want)
		}
	}
	require.NoError(t, call(t, nil, "aten::add.out", bools, bools, yes, val(executor.NewTensor(arg.Bool, []int{1}, nil))))
}

// Floats that an integer type does not hold become what they are when they are converted, before anything is summed.
func TestFoldsIntoIntegersOfFloatsBeyondThem(t *testing.T) {
	list := []float64{nan, 3e9, -3e9, 1e20, 300.7, -300.7, inf}
	for d, want := range map[executor.DType][]float64{
		arg.I8: {0, 0, 0, 0, 44, -44, 0}, arg.U8: {0, 0, 0, 0, 44, 212, 0}, arg.I16: {0, 0, 0, 0, 300, -300, 0},
		arg.I32: {-1 << 31, -1 << 31, -1 << 31, -1 << 31, 300, -300, -1 << 31},
		arg.I64: {-1 << 63, 3e9, -3e9, -1 << 63, 300, -300, -1 << 63},
	} {
		for _, from := range []executor.DType{arg.F32, arg.F64} {
			for _, others := range []int{1, 20} { // rows one by one, and side by side
				n := len(list) * others
				x := executor.NewTensor(from, []int{2, n}, nil)
				for i := range n {
					walk.Put(x.Data[i*from.Size():], from, arg.Scalar{Kind: executor.KindDouble, F: list[i%len(list)]})
				}
				sums, all, products := executor.NewTensor(d, []int{2, n}, nil), executor.NewTensor(d, []int{n}, nil), executor.NewTensor(d, []int{n}, nil)
				to, first := executor.NewInt(int64(d)), executor.NewInt(0)
				require.NoError(t, call(t, nil, "aten::cumsum.out", val(x), first, to, val(sums)))
				require.NoError(t, call(t, nil, "aten::sum.IntList_out", val(x), executor.NewInts(0), executor.NewBool(false), to, val(all)))
				row := executor.NewTensor(from, []int{1, n}, nil)
				copy(row.Data, x.Data)
				require.NoError(t, call(t, nil, "aten::prod.int_out", val(row), first, executor.NewBool(false), to, val(products)))
				for i := range n {
					w := want[i%len(list)]
					require.Equal(t, [4]float64{w, w, w, w}, [4]float64{at(sums, []int{0, i}), at(sums, []int{1, i}), at(all, []int{i}), at(products, []int{i})}, "%v of %v", d, from)
				}
			}
		}
	}
}

// ELU is linear from 0 on, whatever the factor below.
func TestEluAtZero(t *testing.T) {
	for _, d := range []executor.DType{arg.F16, arg.BF16, arg.F32, arg.F64} {
		for _, alpha := range []float64{inf, -inf, 1} {
			out := executor.NewTensor(d, []int{3}, nil)
			require.NoError(t, call(t, nil, "aten::elu.out", val(filled(d, []int{3}, 0, math.Copysign(0, -1), -1e-3)), executor.NewDouble(alpha), executor.NewDouble(2), executor.NewDouble(3), val(out)))
			require.Equal(t, [2]float64{0, math.Copysign(0, -1)}, [2]float64{at(out, []int{0}), at(out, []int{1})})
			require.Equal(t, alpha > 0, at(out, []int{2}) < 0)
		}
	}
}

// Quotients of complex numbers cannot be rounded.
func TestDivisionOfComplexNumbersWithoutAMode(t *testing.T) {
	for _, d := range []executor.DType{arg.C64, arg.C128} {
		x, y := val(filled(d, []int{2}, 1, 2, 3, -1)), val(filled(d, []int{2}, 2, 0, 0, 1))
		for _, mode := range []*executor.Value{executor.NewNone(), executor.NewString("floor"), executor.NewString("trunc")} {
			out, half := executor.NewTensor(d, []int{2}, nil), executor.NewTensor(d, []int{2}, nil)
			err := call(t, nil, "aten::div.out_mode", x, y, mode, val(out))
			byNumber := call(t, nil, "aten::div.Scalar_mode_out", x, executor.NewInt(2), mode, val(half))
			if !mode.IsNone() {
				require.Error(t, err)
				require.Error(t, byNumber)
				continue
			}
			require.NoError(t, err)
			require.NoError(t, byNumber)
			require.Equal(t, []complex128{0.5 + 1i, -1 - 3i, 0.5 + 1i, 1.5 - 0.5i}, []complex128{numberAt(out, []int{0}), numberAt(out, []int{1}), numberAt(half, []int{0}), numberAt(half, []int{1})})
		}
	}
}
