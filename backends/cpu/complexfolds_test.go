package cpu_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// Reductions over one dimension, of every layout and for every number of workers, against a loop over logical indices.
func TestComplexReductionsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	workers := pools(t)
	for range 60 {
		in := []executor.DType{arg.C64, arg.C128}[r.IntN(2)]
		sizes := []int{1 + r.IntN(5), 1 + r.IntN(40), 1 + r.IntN(20)}
		if r.IntN(5) == 0 {
			sizes = []int{3, 100 + r.IntN(150), 40}
		}
		dim := r.IntN(3)
		n := sizes[dim]
		x := gaussian(r, in, sizes...)
		kept := append([]int{}, sizes...)
		kept[dim] = 1
		total, product, squares, some := map[[3]int]complex128{}, map[[3]int]complex128{}, map[[3]int]float64{}, map[[3]int]bool{}
		running := map[[3]int]complex128{}
		each(sizes, func(index []int) {
			k, here := [3]int(index), [3]int(index)
			k[dim] = 0
			v := numberAt(x, index)
			if index[dim] == 0 {
				product[k] = 1
			}
			total[k] += v
			product[k] *= v
			some[k] = some[k] || v != 0
			running[here] = total[k]
		})
		each(sizes, func(index []int) {
			k := [3]int(index)
			k[dim] = 0
			v := numberAt(x, index) - total[k]/complex(float64(n), 0)
			squares[k] += real(v)*real(v) + imag(v)*imag(v)
		})
		dims, keep, none := executor.NewInts(int64(dim)), executor.NewBool(true), executor.NewNone()
		part := walk.PartOf(in)
		for _, w := range workers {
			check := func(name string, out *executor.Tensor, loose float64, want func(k [3]int) complex128, args ...*executor.Value) {
				require.NoError(t, call(t, w, "aten::"+name, append(append([]*executor.Value{val(x)}, args...), val(out))...))
				each(out.Sizes, func(index []int) {
					got, wanted := numberAt(out, index), want([3]int(index))
					require.LessOrEqual(t, cmplx.Abs(got-wanted), loose*(1+cmplx.Abs(wanted)), "%s of %v %v over %d at %v: %v, want %v", name, in, sizes, dim, index, got, wanted)
				})
			}
			small := map[executor.DType]float64{arg.C64: 1e-6, arg.C128: 1e-14}[in]
			check("sum.IntList_out", executor.NewTensor(in, kept, nil), 0, func(k [3]int) complex128 { return total[k] }, dims, keep, none)
			check("mean.out", executor.NewTensor(in, kept, nil), small, func(k [3]int) complex128 { return total[k] / complex(float64(n), 0) }, dims, keep, none)
			check("cumsum.out", executor.NewTensor(in, sizes, nil), 0, func(k [3]int) complex128 { return running[k] }, executor.NewInt(int64(dim)), none)
			if n <= 12 {
				check("prod.int_out", executor.NewTensor(in, kept, nil), small, func(k [3]int) complex128 { return product[k] }, executor.NewInt(int64(dim)), keep, none)
			}
			check("any.dims_out", executor.NewTensor(arg.Bool, kept, nil), 0, func(k [3]int) complex128 {
				if some[k] {
					return 1
				}
				return 0
			}, dims, keep)
			if n > 1 {
				check("var.correction_out", executor.NewTensor(part, kept, nil), 10*small, func(k [3]int) complex128 { return complex(squares[k]/float64(n-1), 0) }, dims, none, keep)
			}
		}
	}
}

// The mean divides by a complex number, so that an infinite part makes the other NaN; the mean that var_mean gives does not.
func TestComplexMeansAsEager(t *testing.T) {
	for _, d := range []executor.DType{arg.C64, arg.C128} {
		x := val(complexes(d, []float64{1, 2, 3, -5, 2, 6}, 3))
		none, dims, no := executor.NewNone(), executor.NewInts(0), executor.NewBool(false)
		mean, variance := executor.NewTensor(d, nil, nil), executor.NewTensor(walk.PartOf(d), nil, nil)
		require.NoError(t, call(t, nil, "aten::var_mean.correction_out", x, dims, none, no, val(variance), val(mean)))
		require.Equal(t, 2+1i, numberAt(mean, nil))
		require.Equal(t, 32.0, real(numberAt(variance, nil)))
		infinite := val(complexes(d, []float64{inf, 2, 3, 5}, 2))
		require.NoError(t, call(t, nil, "aten::var_mean.correction_out", infinite, dims, none, no, val(variance), val(mean)))
		require.Equal(t, 3.5, partAt(mean, 1))
		two, variances := executor.NewTensor(d, []int{9}, nil), executor.NewTensor(walk.PartOf(d), []int{9}, nil) // columns of the same
		var columns []float64
		for _, row := range [][2]float64{{inf, 2}, {3, 5}} {
			for range 9 {
				columns = append(columns, row[:]...)
			}
		}
		require.NoError(t, call(t, nil, "aten::var_mean.correction_out", val(complexes(d, columns, 2, 9)), dims, none, no, val(variances), val(two)))
		require.Equal(t, 3.5, imag(numberAt(two, []int{8})))
		require.NoError(t, call(t, nil, "aten::mean.out", infinite, dims, no, none, val(mean)))
		require.True(t, math.IsInf(partAt(mean, 0), 1) && partAt(mean, 1) != partAt(mean, 1), "%v", numberAt(mean, nil))
	}
}

// Sums of another type than the elements are sums of what those convert to: of complex numbers, the real parts. The figures are
// PyTorch 2.15's.
func TestComplexNumbersIntoRealTypes(t *testing.T) {
	no, dims := executor.NewBool(false), executor.NewInts(0)
	for _, from := range []executor.DType{arg.C64, arg.C128} {
		for _, to := range []executor.DType{arg.F16, arg.BF16, arg.F32, arg.F64, arg.U8, arg.I16, arg.I32, arg.I64} {
			in := val(complexes(from, []float64{1, 2, 3, -4, 0, 1, 5, 7}, 4))
			dtype, sum, running := executor.NewInt(int64(to)), executor.NewTensor(to, nil, nil), executor.NewTensor(to, []int{4}, nil)
			require.NoError(t, call(t, nil, "aten::sum.IntList_out", in, dims, no, dtype, val(sum)))
			require.Equal(t, 9.0, numberReal(sum))
			require.NoError(t, call(t, nil, "aten::prod.int_out", in, executor.NewInt(0), no, dtype, val(sum)))
			require.Equal(t, 0.0, numberReal(sum))
			require.NoError(t, call(t, nil, "aten::cumsum.out", in, executor.NewInt(0), dtype, val(running)))
			for i, want := range []float64{1, 4, 4, 9} {
				require.Equal(t, want, at(running, []int{i}), "%v %v", from, to)
			}
			columns, sums := gaussian(rand.New(rand.NewPCG(5, 8)), from, 3, 70), executor.NewTensor(to, []int{3, 70}, nil)
			require.NoError(t, call(t, nil, "aten::cumsum.out", val(columns), executor.NewInt(0), dtype, val(sums)))
			if to == arg.F64 {
				for j := range 70 {
					s := 0.0
					for i := range 3 {
						s += real(numberAt(columns, []int{i, j}))
						require.InDelta(t, s, at(sums, []int{i, j}), 1e-12)
					}
				}
			}
		}
	}
}

// Complex numbers have no largest, but where no extreme is asked for there is none to refuse, as in PyTorch.
func TestExtremesOfNoComplexNumbers(t *testing.T) {
	for _, d := range []executor.DType{arg.C32, arg.C64, arg.C128} {
		for _, c := range []struct {
			sizes, shape []int
			dims         *executor.Value
			want         string
		}{
			{[]int{0, 3}, []int{0}, executor.NewInts(1), ""},
			{[]int{3, 0}, []int{0}, executor.NewInts(0), ""},
			{[]int{2, 0, 3}, []int{0, 3}, executor.NewInts(0), ""},
			{[]int{2, 0, 3}, []int{0}, executor.NewInts(0, 2), ""},
			{[]int{3, 2}, []int{3}, executor.NewInts(1), "found " + d.String()},
			{[]int{3, 0}, []int{3}, executor.NewInts(1), "found " + d.String()},
			{[]int{2, 0, 3}, nil, executor.NewInts(), "found " + d.String()},
		} {
			for _, name := range []string{"aten::amax.out", "aten::amin.out"} {
				err := call(t, nil, name, val(executor.NewTensor(d, c.sizes, nil)), c.dims, executor.NewBool(false), val(executor.NewTensor(d, c.shape, nil)))
				if c.want == "" {
					require.NoError(t, err)
				} else {
					require.ErrorContains(t, err, c.want)
				}
			}
		}
		err := call(t, nil, "aten::argmax.out", val(executor.NewTensor(d, []int{0, 3}, nil)), executor.NewInt(1), executor.NewBool(false), val(executor.NewTensor(arg.I64, []int{0}, nil)))
		require.ErrorContains(t, err, "found "+d.String())
	}
}

// Calls of complex numbers whose shapes change have said how much temp memory they take, converted ones too.
func TestDynamicComplexCallsDoNotAllocate(t *testing.T) {
	dynamic := func(d executor.DType, sizes ...int) *executor.Value {
		x := executor.NewTensor(d, sizes, nil)
		x.Dynamism = 1
		return val(x)
	}
	no, none := executor.NewBool(false), executor.NewNone()
	for _, n := range []int{1, 3, 40, 300} {
		for _, from := range []executor.DType{arg.Bool, arg.F16, arg.F32, arg.I64, arg.C64, arg.C128} {
			for _, to := range []executor.DType{arg.C64, arg.C128} {
				as := executor.NewInt(int64(to))
				x := dynamic(from, n, 4)
				for _, dim := range []int{0, 1} {
					out := func(d executor.DType) *executor.Value { return dynamic(d, []int{n, 4}[1-dim]) }
					at, list := executor.NewInt(int64(dim)), executor.NewInts(int64(dim))
					require.NoError(t, call(t, nil, "aten::sum.IntList_out", x, list, no, as, out(to)), "%v to %v", from, to)
					require.NoError(t, call(t, nil, "aten::mean.out", x, list, no, as, out(to)))
					require.NoError(t, call(t, nil, "aten::prod.int_out", x, at, no, as, out(to)))
					require.NoError(t, call(t, nil, "aten::cumsum.out", x, at, as, dynamic(to, n, 4)))
					if arg.Complex.Has(from) {
						require.NoError(t, call(t, nil, "aten::any.out", x, at, no, out(arg.Bool)))
						require.NoError(t, call(t, nil, "aten::var_mean.correction_out", x, list, none, no, out(walk.PartOf(from)), out(to)))
					}
				}
				require.NoError(t, call(t, nil, "aten::div.out", x, dynamic(to, 4), dynamic(to, n, 4)))
				require.NoError(t, call(t, nil, "aten::copy.out", dynamic(to, n, 4), x, no, dynamic(to, n, 4)))
			}
		}
	}
}
