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

// numbers makes a tensor of random indices below n, from -n on if they may be negative.
func numbers(r *rand.Rand, n int, negative bool, sizes ...int) *executor.Tensor {
	t := random(r, []executor.DType{arg.I32, arg.I64}[r.IntN(2)], sizes...)
	size := t.DType.Size()
	for i := range t.NumElements() {
		x := r.IntN(n)
		if negative && r.IntN(2) == 0 {
			x -= n
		}
		walk.Put(t.Data[i*size:][:size], t.DType, arg.Scalar{Kind: executor.KindInt, I: int64(x)})
	}
	return t
}

// ordered makes an empty tensor of a random dim order, its bytes not zero.
func ordered(r *rand.Rand, d executor.DType, sizes ...int) *executor.Tensor {
	t := random(r, d, sizes...)
	for i := range t.Data {
		t.Data[i] = 0x55
	}
	return t
}

func wrap(x float64, n int) int {
	if x < 0 {
		return int(x) + n
	}
	return int(x)
}

// chosen is a random list of index tensors for t, with the shape of the result and where its elements come from.
func chosen(r *rand.Rand, t *executor.Tensor) (list []*executor.Tensor, shape []int, from func(index []int) []int) {
	positions := []int{1 + r.IntN(3), 1 + r.IntN(3)}
	first, last, count := -1, -1, 0
	for d, n := range t.Sizes {
		if r.IntN(3) == 0 {
			list = append(list, nil)
			continue
		}
		sizes := []int{positions[0], positions[1]}[r.IntN(2):]
		for i := range sizes {
			if r.IntN(4) == 0 {
				sizes = append([]int{}, sizes...)
				sizes[i] = 1
			}
		}
		list = append(list, numbers(r, n, true, sizes...))
		if first < 0 {
			first = d
		}
		last, count = d, count+1
	}
	if count == 0 {
		list = append(list[:0], numbers(r, t.Sizes[0], true, 2))
		first, last, count = 0, 0, 1
	}
	ones := []int{}
	for _, x := range list {
		if x != nil {
			for len(ones) < x.Rank() {
				ones = append([]int{1}, ones...)
			}
			for i, n := range x.Sizes {
				ones[len(ones)-x.Rank()+i] = max(ones[len(ones)-x.Rank()+i], n)
			}
		}
	}
	front := first
	if last-first+1 != count {
		front = 0
	}
	var rest []int
	for d := range t.Rank() {
		if d >= len(list) || list[d] == nil {
			rest = append(rest, d)
		}
	}
	at := 0
	for _, d := range rest {
		if d < first && front > 0 {
			at++
		}
	}
	for i, d := range rest {
		if i == at {
			shape = append(shape, ones...)
		}
		shape = append(shape, t.Sizes[d])
	}
	if at == len(rest) {
		shape = append(shape, ones...)
	}
	return list, shape, func(index []int) []int {
		place := make([]int, t.Rank())
		position := index[at : at+len(ones)]
		others := append(append([]int{}, index[:at]...), index[at+len(ones):]...)
		for d := range place {
			if d < len(list) && list[d] != nil {
				place[d] = wrap(element(list[d], position[len(ones)-list[d].Rank():]), t.Sizes[d])
			}
		}
		for i, d := range rest {
			place[d] = others[i]
		}
		return place
	}
}

// element reads an element by its index, broadcast.
func element(t *executor.Tensor, index []int) float64 { return at(t, index) }

func TestIndexAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		x := random(r, arg.F32, shape(r, 4, 4)...)
		if x.Rank() == 0 || x.NumElements() == 0 {
			continue
		}
		list, sizes, from := chosen(r, x)
		out := ordered(r, arg.F32, sizes...)
		require.NoError(t, call(t, nil, "aten::index.Tensor_out", val(x), executor.NewTensors(list...), val(out)))
		each(sizes, func(i []int) {
			require.Equal(t, at(x, from(i)), at(out, i), "%v of %v", i, sizes)
		})

		// What is put there is found there; places that were not chosen keep what they held.
		values, put := random(r, arg.F32, sizes...), ordered(r, arg.F32, x.Sizes...)
		require.NoError(t, call(t, nil, "aten::index_put.out", val(x), executor.NewTensors(list...), val(values), executor.NewBool(true), val(put)))
		want := map[string]float64{}
		each(x.Sizes, func(i []int) { want[fmt.Sprint(i)] = at(x, i) })
		each(sizes, func(i []int) { want[fmt.Sprint(from(i))] += at(values, i) })
		each(x.Sizes, func(i []int) { require.InDelta(t, want[fmt.Sprint(i)], at(put, i), 1e-4) })
	}
}

func TestMasksChooseLikeTheirIndices(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		x := random(r, arg.I16, 3, 4, 5)
		mask := random(r, arg.Bool, 3, 4)
		hits := 0
		each(mask.Sizes, func(i []int) { hits += int(at(mask, i)) })
		if hits == 0 {
			continue
		}
		rows, columns := executor.NewTensor(arg.I64, []int{hits}, nil), executor.NewTensor(arg.I64, []int{hits}, nil)
		k := 0
		each(mask.Sizes, func(i []int) {
			if at(mask, i) != 0 {
				executor.Slice[int64](rows)[k], executor.Slice[int64](columns)[k] = int64(i[0]), int64(i[1])
				k++
			}
		})
		a, b := ordered(r, arg.I16, hits, 5), ordered(r, arg.I16, hits, 5)
		require.NoError(t, call(t, nil, "aten::index.Tensor_out", val(x), executor.NewTensors(mask), val(a)))
		require.NoError(t, call(t, nil, "aten::index.Tensor_out", val(x), executor.NewTensors(rows, columns), val(b)))
		each(a.Sizes, func(i []int) { require.Equal(t, at(b, i), at(a, i)) })
	}
}

func TestGatherAndScatterAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 400 {
		x := random(r, arg.F32, shape(r, 3, 5)...)
		if x.Rank() == 0 || x.NumElements() == 0 {
			continue
		}
		dim := r.IntN(x.Rank())
		sizes := make([]int, x.Rank())
		for d, n := range x.Sizes {
			sizes[d] = 1 + r.IntN(n)
		}
		sizes[dim] = r.IntN(6)
		index := numbers(r, x.Sizes[dim], false, sizes...)
		place := func(i []int) []int {
			p := append([]int{}, i...)
			p[dim] = int(at(index, i))
			return p
		}
		out := ordered(r, arg.F32, sizes...)
		require.NoError(t, call(t, nil, "aten::gather.out", val(x), executor.NewInt(int64(dim-x.Rank())), val(index), executor.NewBool(false), val(out)))
		each(sizes, func(i []int) { require.Equal(t, at(x, place(i)), at(out, i)) })

		src := random(r, arg.F32, sizes...)
		for _, name := range []string{"aten::scatter.src_out", "aten::scatter_add.out", "aten::scatter.value_out"} {
			want := map[string]float64{}
			each(x.Sizes, func(i []int) { want[fmt.Sprint(i)] = at(x, i) })
			arguments := []*executor.Value{val(x), executor.NewInt(int64(dim)), val(index), val(src)}
			each(sizes, func(i []int) {
				switch name {
				case "aten::scatter.src_out":
					want[fmt.Sprint(place(i))] = at(src, i)
				case "aten::scatter_add.out":
					want[fmt.Sprint(place(i))] += at(src, i)
				default:
					want[fmt.Sprint(place(i))] = 2.5
				}
			})
			if name == "aten::scatter.value_out" {
				arguments[3] = executor.NewDouble(2.5)
			}
			got := ordered(r, arg.F32, x.Sizes...)
			require.NoError(t, call(t, nil, name, append(arguments, val(got))...))
			each(x.Sizes, func(i []int) { require.InDelta(t, want[fmt.Sprint(i)], at(got, i), 1e-5, name) })
		}
	}
}

func TestScatterAddOfHalvesRoundsOnce(t *testing.T) {
	x := of(arg.F16, []uint16{walk.F32ToF16(2048), 0})
	src := of(arg.F16, []uint16{0x3c00, 0x3c00, 0x3c00, 0x3c00}) // ones, each lost if added alone
	got := like[uint16](t, arg.F16, 2, "aten::scatter_add.out", val(x), executor.NewInt(0), val(of(arg.I64, []int64{0, 0, 0, 0})), val(src))
	require.Equal(t, float32(2052), walk.F16ToF32(got[0]))
}

func TestPadsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	kinds := map[string]func(x, n int) int{
		"reflection":  func(x, n int) int { return max(x, -x) - 2*max(0, max(x, -x)-(n-1)) },
		"replication": func(x, n int) int { return min(max(x, 0), n-1) },
	}
	for range 300 {
		dims := 1 + r.IntN(3)
		sizes := []int{2}
		for range dims {
			sizes = append(sizes, 3+r.IntN(3))
		}
		x := random(r, arg.I32, sizes...)
		var pad []int64
		wide := append([]int{}, sizes...)
		start := make([]int, len(sizes))
		for k := range dims {
			before, after := r.IntN(4)-1, r.IntN(4)-1
			pad = append(pad, int64(before), int64(after))
			wide[dims-k] += before + after
			start[dims-k] = before
		}
		check := func(name string, source func(x, n int) int, args ...*executor.Value) {
			out := ordered(r, arg.I32, wide...)
			require.NoError(t, call(t, nil, name, append(append([]*executor.Value{val(x), executor.NewInts(pad...)}, args...), val(out))...))
			each(wide, func(i []int) {
				from, inside := append([]int{}, i...), true
				for d, n := range sizes {
					from[d] = i[d] - start[d]
					if from[d] < 0 || from[d] >= n {
						inside = false
						if source != nil {
							from[d] = source(from[d], n)
						}
					}
				}
				want := float64(-77)
				if inside || source != nil {
					want = at(x, from)
				}
				require.Equal(t, want, at(out, i), "%s %v %v", name, pad, i)
			})
		}
		check("aten::constant_pad_nd.out", nil, executor.NewInt(-77))
		for kind, source := range kinds {
			check(fmt.Sprintf("aten::%s_pad%dd.out", kind, dims), source)
		}
	}
}

func TestNegativePadsCrop(t *testing.T) {
	x := of(arg.F32, []float32{0, 1, 2, 3, 4})
	require.Equal(t, []float32{1, 2}, like[float32](t, arg.F32, 2, "aten::constant_pad_nd.out", val(x), executor.NewInts(-1, -2), executor.NewInt(0)))
}

func TestPadsThatNoTensorCouldHold(t *testing.T) {
	x, out := of(arg.F32, []float32{1, 2}), executor.NewTensor(arg.F32, []int{2}, nil)
	for _, pad := range [][]int64{{-1, 0}, {math.MaxInt64, 1}, {math.MinInt64, 0}, {math.MaxInt64, math.MinInt64}, {-3, 3}, {1}, {0, 0, 0, 0}} {
		require.Error(t, call(t, nil, "aten::constant_pad_nd.out", val(x), executor.NewInts(pad...), executor.NewInt(0), val(out)), "%v", pad)
	}
}

func TestIndicesOutOfBounds(t *testing.T) {
	x, rows := of(arg.F32, []float32{1, 2, 3, 4, 5, 6}, 3, 2), executor.NewTensor(arg.F32, []int{1, 2}, nil)
	for _, bad := range []int64{3, -4, math.MaxInt64, math.MinInt64} {
		index := val(of(arg.I64, []int64{bad}))
		list := executor.NewTensors(index.Tensor())
		require.Error(t, call(t, nil, "aten::index.Tensor_out", val(x), list, val(rows)))
		require.Error(t, call(t, nil, "aten::index_put_", val(x), list, val(rows), executor.NewBool(false)))
		require.Error(t, call(t, nil, "aten::embedding.out", val(x), index, executor.NewInt(-1), executor.NewBool(false), executor.NewBool(false), val(rows)))
		require.Error(t, call(t, nil, "aten::index_select.out", val(x), executor.NewInt(0), index, val(rows)))
		cell := val(of(arg.I64, []int64{bad}, 1, 1))
		one := val(executor.NewTensor(arg.F32, []int{1, 1}, nil))
		require.Error(t, call(t, nil, "aten::gather.out", val(x), executor.NewInt(0), cell, executor.NewBool(false), one))
		for _, name := range []string{"aten::scatter.src_out", "aten::scatter_add.out"} {
			require.Error(t, call(t, nil, name, val(x), executor.NewInt(0), cell, one, val(executor.NewTensor(arg.F32, []int{3, 2}, nil))))
		}
	}
	// Only lists of indices count from the end.
	last := of(arg.I64, []int64{-1})
	require.NoError(t, call(t, nil, "aten::index.Tensor_out", val(x), executor.NewTensors(last), val(rows)))
	require.Equal(t, []float32{5, 6}, executor.Slice[float32](rows))
	require.Error(t, call(t, nil, "aten::index_select.out", val(x), executor.NewInt(0), val(last), val(rows)))
}

func TestNonzeroHonoursThePlannedDimOrder(t *testing.T) {
	x := of(arg.F32, []float32{0, 1, 0, float32(math.NaN()), 0, -2}, 2, 3)
	for _, order := range [][]uint8{{0, 1}, {1, 0}} {
		out := executor.NewTensorOrder(arg.I64, []int{6, 2}, order, nil)
		out.Dynamism = 1
		require.NoError(t, call(t, nil, "aten::nonzero.out", val(x), val(out)))
		require.Equal(t, []int{3, 2}, out.Sizes)
		for k, want := range [][2]float64{{0, 1}, {1, 0}, {1, 2}} {
			require.Equal(t, want, [2]float64{at(out, []int{k, 0}), at(out, []int{k, 1})})
		}
	}
	scalar := executor.NewTensor(arg.I64, []int{1, 0}, nil)
	require.NoError(t, call(t, nil, "aten::nonzero.out", val(of(arg.F32, []float32{5}, []int{}...)), val(scalar)))
}

func TestRepeatsBeyondTheOutput(t *testing.T) {
	out := executor.NewTensor(arg.I64, []int{4}, nil)
	out.Dynamism = 1
	for _, n := range [][]int64{{5}, {math.MaxInt64, math.MaxInt64}, {-1, 2}, {2, 2, 1}} {
		require.Error(t, call(t, nil, "aten::repeat_interleave.Tensor_out", val(of(arg.I64, n)), executor.NewNone(), val(out)), "%v", n)
	}
	require.NoError(t, call(t, nil, "aten::repeat_interleave.Tensor_out", val(of(arg.I64, []int64{2, 0, 1})), executor.NewNone(), val(out)))
	require.Equal(t, []int64{0, 0, 2}, executor.Slice[int64](out))
}

// Repeats may be integers of any width, not bools, and so are the indices: those that do not fit wrap around.
func TestRepeatsOfEveryType(t *testing.T) {
	for _, d := range []executor.DType{arg.U8, arg.I8, arg.I16, arg.I32, arg.I64} {
		n := make([]float64, 300)
		n[0], n[2], n[299] = 1, 2, 3
		out := executor.NewTensor(d, []int{6}, nil)
		require.NoError(t, call(t, nil, "aten::repeat_interleave.Tensor_out", val(filled(d, []int{300}, n...)), executor.NewNone(), val(out)))
		last := rounding(d, 299)
		for i, want := range []float64{0, 2, 2, last, last, last} {
			require.Equal(t, want, at(out, []int{i}), "%v", d)
		}
		n[7] = -1
		if d != arg.U8 {
			require.Error(t, call(t, nil, "aten::repeat_interleave.Tensor_out", val(filled(d, []int{300}, n...)), executor.NewNone(), val(out)), "%v", d)
		}
		if d != arg.I64 {
			require.Error(t, call(t, nil, "aten::repeat_interleave.Tensor_out", val(filled(d, []int{1}, 1)), executor.NewNone(), val(executor.NewTensor(arg.I64, []int{1}, nil))), "%v", d)
		}
	}
	for _, d := range []executor.DType{arg.Bool, arg.F32, arg.F16} {
		require.Error(t, call(t, nil, "aten::repeat_interleave.Tensor_out", val(executor.NewTensor(d, []int{1}, nil)), executor.NewNone(), val(executor.NewTensor(d, []int{1}, nil))), "%v", d)
	}
}

func TestSliceScatterIsTheInverseOfSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 200 {
		x := random(r, arg.F32, 2+r.IntN(4), 2+r.IntN(4), 2+r.IntN(4))
		dim := r.IntN(3)
		n := x.Sizes[dim]
		start, step := r.IntN(n), 1+r.IntN(3)
		sizes := append([]int{}, x.Sizes...)
		sizes[dim] = (n - start + step - 1) / step
		part := random(r, arg.F32, sizes...)
		slice := []*executor.Value{executor.NewInt(int64(dim)), executor.NewInt(int64(start)), executor.NewNone(), executor.NewInt(int64(step))}
		whole, back := ordered(r, arg.F32, x.Sizes...), ordered(r, arg.F32, sizes...)
		require.NoError(t, call(t, nil, "aten::slice_scatter.out", append(append([]*executor.Value{val(x), val(part)}, slice...), val(whole))...))
		require.NoError(t, call(t, nil, "aten::slice_copy.Tensor_out", append(append([]*executor.Value{val(whole)}, slice...), val(back))...))
		each(sizes, func(i []int) { require.Equal(t, at(part, i), at(back, i)) })
		each(x.Sizes, func(i []int) {
			if i[dim] < start || (i[dim]-start)%step != 0 {
				require.Equal(t, at(x, i), at(whole, i))
			}
		})
	}
}
