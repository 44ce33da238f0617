package cpu_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// TestLargeMoves compares what moves many elements, cut up for any number of workers and in any dim order, with moving them
// one by one.
func TestLargeMoves(t *testing.T) {
	const n, m = 310, 330
	r := rand.New(rand.NewPCG(11, 12))
	i := executor.NewInt
	ints := executor.NewInts
	for _, d := range []executor.DType{arg.F32, arg.I16} {
		x, part := random(r, d, n, m, 3), random(r, d, n, 3)
		same := func(k []int) float64 { return at(x, k) }
		for _, c := range []struct {
			name string
			args []*executor.Value
			size []int
			want func(k []int) float64
		}{
			{"aten::cat.out", []*executor.Value{executor.NewTensors(x, x), i(1)}, []int{n, 2 * m, 3},
				func(k []int) float64 { return at(x, []int{k[0], k[1] % m, k[2]}) }},
			{"aten::stack.out", []*executor.Value{executor.NewTensors(x, x), i(3)}, []int{n, m, 3, 2},
				func(k []int) float64 { return at(x, k[:3]) }},
			{"aten::constant_pad_nd.out", []*executor.Value{val(x), ints(1, 0, 2, 3), executor.NewDouble(7)}, []int{n, m + 5, 4},
				func(k []int) float64 {
					if k[1] < 2 || k[1] >= m+2 || k[2] < 1 {
						return 7
					}
					return at(x, []int{k[0], k[1] - 2, k[2] - 1})
				}},
			{"aten::select_scatter.out", []*executor.Value{val(x), val(part), i(1), i(9)}, []int{n, m, 3},
				func(k []int) float64 {
					if k[1] == 9 {
						return at(part, []int{k[0], k[2]})
					}
					return at(x, k)
				}},
			{"aten::view_copy.out", []*executor.Value{val(x), ints(3, n*m)}, []int{3, n * m},
				func(k []int) float64 { p := k[0]*n*m + k[1]; return at(x, []int{p / (3 * m), p / 3 % m, p % 3}) }},
			{"aten::permute_copy.out", []*executor.Value{val(x), ints(2, 0, 1)}, []int{3, n, m},
				func(k []int) float64 { return at(x, []int{k[1], k[2], k[0]}) }},
			{"aten::flip.out", []*executor.Value{val(x), ints(0, 2)}, []int{n, m, 3},
				func(k []int) float64 { return at(x, []int{n - 1 - k[0], k[1], 2 - k[2]}) }},
			{"aten::unfold_copy.out", []*executor.Value{val(x), i(1), i(8), i(5)}, []int{n, 65, 3, 8},
				func(k []int) float64 { return at(x, []int{k[0], 5*k[1] + k[3], k[2]}) }},
			{"aten::clone.out", []*executor.Value{val(x), executor.NewNone()}, []int{n, m, 3}, same},
		} {
			for _, w := range pools(t) {
				out := random(r, d, c.size...)
				require.NoError(t, call(t, w, c.name, append(c.args, val(out))...), c.name)
				each(c.size, func(k []int) {
					if want, got := c.want(k), at(out, k); want != got {
						require.Equal(t, want, got, "%s of %v%v %v to %v at %v, %d workers", c.name, d, x.Sizes, x.DimOrder, out.DimOrder, k, w.Size())
					}
				})
			}
		}
	}
}

// TestJoinsOfOtherTypes stacks more converted tensors than fit into one call's block of memory.
func TestJoinsOfOtherTypes(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var xs []*executor.Tensor
	for _, d := range []executor.DType{arg.I64, arg.F32, arg.I16, arg.F16, arg.I64, arg.I64} {
		xs = append(xs, random(r, d, 40, 50))
	}
	for dim := range int64(3) {
		sizes := slices.Insert([]int{40, 50}, int(dim), len(xs))
		out := random(r, arg.F32, sizes...)
		require.NoError(t, call(t, nil, "aten::stack.out", executor.NewTensors(xs...), executor.NewInt(dim), val(out)))
		each(sizes, func(k []int) {
			from := slices.Delete(slices.Clone(k), int(dim), int(dim)+1)
			require.Equal(t, at(xs[k[dim]], from), at(out, k), "along %d at %v", dim, k)
		})
	}
}

// A view of nothing may begin anywhere.
func TestStridedViewOfNothing(t *testing.T) {
	for _, sizes := range [][]int{{0}, {2, 3}} {
		x := val(executor.NewTensor(arg.F32, sizes, nil))
		strided := func(offset int64) error {
			out := val(executor.NewTensor(arg.F32, []int{3, 0}, nil))
			return call(t, nil, "aten::as_strided_copy.out", x, executor.NewInts(3, 0), executor.NewInts(2, 1), executor.NewInt(offset), out)
		}
		require.NoError(t, strided(0))
		require.NoError(t, strided(1<<40))
		require.ErrorContains(t, strided(-1), "storage_offset")
	}
}

// An operator that moves elements refuses to write over what it reads, and over its indices; one that leaves them where they
// are does not.
func TestMovesOntoThemselves(t *testing.T) {
	one, none, dims := executor.NewInt(1), executor.NewNone(), executor.NewInts(0, 1)
	for _, c := range []struct {
		name  string
		args  []*executor.Value
		still bool
	}{
		{"aten::flip.out", []*executor.Value{dims}, false},
		{"aten::flip.out", []*executor.Value{executor.NewInts()}, true},
		{"aten::roll.out", []*executor.Value{executor.NewInts(1), executor.NewInts(0)}, false},
		{"aten::roll.out", []*executor.Value{executor.NewInts(1), executor.NewInts()}, false},
		{"aten::permute_copy.out", []*executor.Value{executor.NewInts(1, 0)}, false},
		{"aten::permute_copy.out", []*executor.Value{dims}, true},
		{"aten::transpose_copy.int_out", []*executor.Value{executor.NewInt(0), one}, false},
		{"aten::transpose_copy.int_out", []*executor.Value{one, one}, true},
		{"aten::t_copy.out", nil, false},
		{"aten::slice_copy.Tensor_out", []*executor.Value{one, one, executor.NewInt(3), one}, false},
		{"aten::slice_copy.Tensor_out", []*executor.Value{one, none, none, one}, true},
		{"aten::as_strided_copy.out", []*executor.Value{executor.NewInts(3, 3), executor.NewInts(1, 3), none}, false},
		{"aten::constant_pad_nd.out", []*executor.Value{executor.NewInts(1, -1), one}, false},
		{"aten::clone.out", []*executor.Value{none}, true},
		{"aten::copy.out", nil, true},
		{"aten::index_select.out", []*executor.Value{one, val(of(arg.I64, []int64{2, 1, 0}))}, false},
		{"aten::index.Tensor_out", []*executor.Value{executor.NewTensors(of(arg.I64, []int64{2, 1, 0}))}, false},
		{"aten::gather.out", []*executor.Value{one, val(of(arg.I64, make([]int64, 9), 3, 3)), executor.NewBool(false)}, false},
	} {
		x := val(of(arg.I64, []int64{1, 2, 3, 4, 5, 6, 7, 8, 0}, 3, 3))
		before := append([]byte{}, x.Tensor().Data...)
		args := append(append([]*executor.Value{x}, c.args...), x)
		if c.name == "aten::copy.out" {
			args = []*executor.Value{x, x, executor.NewBool(false), x}
		}
		err := call(t, nil, c.name, args...)
		if c.still {
			require.NoError(t, err, c.name)
		} else {
			require.ErrorContains(t, err, "a tensor that is not ", c.name)
		}
		require.Equal(t, before, x.Tensor().Data, c.name)
	}
	index := val(of(arg.I64, make([]int64, 9), 3, 3))
	x := val(of(arg.I64, make([]int64, 9), 3, 3))
	require.ErrorContains(t, call(t, nil, "aten::gather.out", x, one, index, executor.NewBool(false), index), "a tensor that is not index")
	require.ErrorContains(t, call(t, nil, "aten::scatter.src_out", x, one, index, x, x), "a tensor that is not src")
	require.NoError(t, call(t, nil, "aten::scatter.value_out", x, one, index, one, x))
}
