package cpu_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Rows that lie together, side by side, apart, or in short runs, of every type, are compared with naive sums: each way
// to take many of them at once comes up.
func TestRowsOfAllKindsAgainstNaive(t *testing.T) {
	r, run := rand.New(rand.NewPCG(41, 42)), pools(t)
	for range 150 {
		d := []executor.DType{arg.F32, arg.F64, arg.F16, arg.BF16, arg.I64, arg.I32, arg.U8}[r.IntN(7)]
		sizes := make([]int, 1+r.IntN(3))
		for i := range sizes {
			if sizes[i] = 1 + r.IntN(7); r.IntN(2) == 0 {
				sizes[i] = 14 + r.IntN(60)
			}
		}
		dim := r.IntN(len(sizes))
		in := random(r, d, sizes...)
		to := d
		if arg.Integers.Has(d) {
			to = arg.I64
		}
		out := random(r, to, sizes...)
		if r.IntN(2) == 0 {
			out = executor.NewTensorOrder(to, sizes, in.DimOrder, nil)
		}
		agree(t, run, "aten::cumsum.out", out, val(in), executor.NewInt(int64(dim)), executor.NewNone(), val(out))
		rows(sizes, dim, func(place func(i int) []int) {
			var sum, size float64
			for i := range sizes[dim] {
				x := at(in, place(i))
				sum += x
				size += math.Abs(x)
				within(t, to, 0, (at(out, place(i))-sum)/(1+size), "cumsum of %v%v %v → %v along %d at %v", d, sizes, in.DimOrder, out.DimOrder, dim, place(i))
			}
		})
		if arg.Integers.Has(d) {
			continue
		}
		for _, log := range []bool{false, true} {
			name := map[bool]string{false: "aten::_softmax.out", true: "aten::_log_softmax.out"}[log]
			agree(t, run, name, out, val(in), executor.NewInt(int64(dim)), executor.NewBool(false), val(out))
			rows(sizes, dim, func(place func(i int) []int) {
				most, sum := math.Inf(-1), 0.0
				for i := range sizes[dim] {
					most = max(most, at(in, place(i)))
				}
				for i := range sizes[dim] {
					sum += math.Exp(at(in, place(i)) - most)
				}
				for i := range sizes[dim] {
					want := math.Exp(at(in, place(i))-most) / sum
					if log {
						want = at(in, place(i)) - most - math.Log(sum)
					}
					within(t, to, want, at(out, place(i)), "%s of %v%v %v → %v along %d at %v", name, d, sizes, in.DimOrder, out.DimOrder, dim, place(i))
				}
			})
		}
	}
}

// rows goes through the rows of a shape along a dimension; place gives the index of a row's element.
func rows(sizes []int, dim int, f func(place func(i int) []int)) {
	across := append([]int{}, sizes...)
	across[dim] = 1
	each(across, func(index []int) {
		j := append([]int{}, index...)
		f(func(i int) []int {
			j[dim] = i
			return j
		})
	})
}

func TestCumsumOfOneElementRows(t *testing.T) {
	in := executor.NewTensor(arg.F32, []int{40, 1, 3}, nil)
	for i := range executor.Slice[float32](in) {
		executor.Slice[float32](in)[i] = float32(i)
	}
	out := executor.NewTensor(arg.F32, in.Sizes, nil)
	require.NoError(t, call(t, nil, "aten::cumsum.out", val(in), executor.NewInt(1), executor.NewNone(), val(out)))
	require.Equal(t, in.Data, out.Data)
}

func TestCumsumOfNegativeZeroIsZero(t *testing.T) {
	for _, sizes := range [][]int{{3, 1}, {40, 1}, {1, 40}, {2, 40}, {40, 2}} {
		for _, d := range []executor.DType{arg.F16, arg.F32, arg.F64} {
			for dim := range 2 {
				in := executor.NewTensor(d, sizes, nil)
				fill(in, func() float64 { return math.Copysign(0, -1) })
				out := executor.NewTensor(d, sizes, nil)
				require.NoError(t, call(t, nil, "aten::cumsum.out", val(in), executor.NewInt(int64(dim)), executor.NewNone(), val(out)))
				require.Equal(t, make([]byte, len(out.Data)), out.Data, "%v%v along %d", d, sizes, dim)
			}
		}
	}
}
