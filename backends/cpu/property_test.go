package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu"
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/optest"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/workers"
)

// The tests of this file compare operators with a naive reference, which goes through logical indices one by one, on
// random shapes, types and dim orders.

var all = cpu.Ops()

// call is optest.Call of an operator by its name.
func call(t testing.TB, w *workers.Pool, name string, args ...*executor.Value) error {
	t.Helper()
	op, ok := all[name]
	require.True(t, ok, name)
	return optest.Call(t, w, op, args...)
}

func val(t *executor.Tensor) *executor.Value { return executor.NewTensorValue(t) }

// random makes a tensor of a random dim order with small numbers.
func random(r *rand.Rand, d executor.DType, sizes ...int) *executor.Tensor {
	return optest.Random(r, d, func() float64 { return math.Round(r.NormFloat64()*40) / 8 }, sizes...)
}

// shape makes up to rank dimensions of up to n, rarely one of 0.
func shape(r *rand.Rand, rank, n int) []int {
	s := make([]int, r.IntN(rank+1))
	for i := range s {
		s[i] = 1 + r.IntN(n)
		if r.IntN(40) == 0 {
			s[i] = 0
		}
	}
	return s
}

// each goes through all indices of a shape.
func each(sizes []int, f func(index []int)) {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	index := make([]int, len(sizes))
	for i := range n {
		for d := len(sizes) - 1; d >= 0; d-- {
			index[d] = i % sizes[d]
			i /= sizes[d]
		}
		f(index)
	}
}

// at reads an element by its logical index, right-aligned and broadcast.
func at(t *executor.Tensor, index []int) float64 { return optest.At(t, index...) }

func pools(t *testing.T) []*workers.Pool {
	two, eight := workers.New(2), workers.New(8)
	t.Cleanup(two.Close)
	t.Cleanup(eight.Close)
	return []*workers.Pool{nil, two, eight}
}

// A number does what a tensor of one element does.
func TestBitsWithNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, w := range pools(t) {
		for i := range 60 {
			d := []executor.DType{arg.Bool, arg.U8, arg.I8, arg.I16, arg.I32, arg.I64}[i%6]
			sizes := shape(r, 3, 14)
			if i >= 48 {
				sizes = []int{3, 50001 + i}
			}
			x, n := random(r, d, sizes...), r.Int64N(256)-128
			number, one := executor.NewInt(n), executor.NewTensor(d, nil, nil)
			if d == arg.Bool {
				number = executor.NewBool(n > 0)
				one.Data[0] = byte(max(0, min(n, 1)))
			} else {
				walk.Put(one.Data, d, arg.Scalar{Kind: executor.KindInt, I: n})
			}
			for _, f := range []string{"and", "or", "xor"} {
				order := x.DimOrder
				if i%3 == 0 { // the tensor is gathered
					order = random(r, d, sizes...).DimOrder
				}
				got, want := executor.NewTensorOrder(d, sizes, order, nil), executor.NewTensorOrder(d, sizes, order, nil)
				require.NoError(t, call(t, w, "aten::bitwise_"+f+".Scalar_out", val(x), number, val(got)))
				require.NoError(t, call(t, w, "aten::bitwise_"+f+".Tensor_out", val(x), val(one), val(want)))
				require.Equal(t, want.Data, got.Data, "%s of %v and %d", f, x, n)
			}
		}
	}
}

func TestBroadcastAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	types := []executor.DType{arg.F32, arg.F64, arg.I32, arg.I64, arg.I16, arg.I8, arg.F16, arg.BF16}
	for range 600 {
		sizes := shape(r, 5, 6)
		one := func() *executor.Tensor {
			own := append([]int{}, sizes[r.IntN(len(sizes)+1):]...)
			for d := range own {
				if r.IntN(3) == 0 {
					own[d] = 1
				}
			}
			return random(r, types[r.IntN(len(types))], own...)
		}
		a, b := one(), one()
		full := make([]int, max(a.Rank(), b.Rank()))
		for d := range full {
			full[d] = 1
			for _, x := range []*executor.Tensor{a, b} {
				if k := d - len(full) + x.Rank(); k >= 0 && x.Sizes[k] != 1 {
					full[d] = x.Sizes[k]
				}
			}
		}
		var mix walk.Mix
		mix.Tensor(a.DType, a.Rank())
		mix.Tensor(b.DType, b.Rank())
		out := random(r, mix.Result(), full...)
		require.NoError(t, call(t, nil, "aten::sub.out", val(a), val(b), executor.NewInt(1), val(out)))
		each(full, func(i []int) {
			want := []byte{0, 0, 0, 0, 0, 0, 0, 0}
			walk.Put(want, out.DType, arg.Scalar{Kind: executor.KindDouble, F: round(a, i, out.DType) - round(b, i, out.DType)})
			require.Equal(t, walk.Get(want, out.DType, 0).Float(), at(out, i), "%v%v - %v%v at %v", a.DType, a.Sizes, b.DType, b.Sizes, i)
		})
	}
}

// round reads an element as the common type holds it; numbers of this test fit every type but the narrowest halves.
func round(t *executor.Tensor, i []int, d executor.DType) float64 {
	f := at(t, i)
	switch d {
	case arg.BF16:
		return float64(walk.BF16ToF32(walk.F32ToBF16(float32(f))))
	case arg.F16:
		return float64(walk.F16ToF32(walk.F32ToF16(float32(f))))
	}
	if arg.Integers.Has(d) {
		return math.Trunc(f)
	}
	return f
}

func TestReductionsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	types := []executor.DType{arg.F32, arg.F64, arg.F16, arg.I32, arg.U8}
	for range 400 {
		in := random(r, types[r.IntN(len(types))], shape(r, 3, 20)...)
		if in.NumElements() == 0 {
			continue
		}
		rank := in.Rank()
		var dims []int64
		gone := map[int]bool{}
		for d := range rank {
			if r.IntN(2) == 0 {
				gone[d] = true
				dims = append(dims, int64(d-rank*r.IntN(2)))
			}
		}
		if len(dims) == 0 {
			for d := range rank {
				gone[d] = true
			}
		}
		keep := r.IntN(2) == 0
		var kept []int
		for d, n := range in.Sizes {
			switch {
			case !gone[d]:
				kept = append(kept, n)
			case keep:
				kept = append(kept, 1)
			}
		}
		sums, most := map[string]float64{}, map[string]float64{}
		each(in.Sizes, func(i []int) {
			var key []int
			for d := range i {
				switch {
				case !gone[d]:
					key = append(key, i[d])
				case keep:
					key = append(key, 0)
				}
			}
			k := fmt.Sprint(key)
			if m, ok := most[k]; !ok || at(in, i) > m {
				most[k] = at(in, i)
			}
			sums[k] += at(in, i)
		})
		total := in.DType
		if arg.IntBool.Has(total) {
			total = arg.I64
		}
		out, top := random(r, total, kept...), random(r, in.DType, kept...)
		require.NoError(t, call(t, nil, "aten::sum.IntList_out", val(in), executor.NewInts(dims...), executor.NewBool(keep), executor.NewNone(), val(out)))
		require.NoError(t, call(t, nil, "aten::amax.out", val(in), executor.NewInts(dims...), executor.NewBool(keep), val(top)))
		each(kept, func(i []int) {
			k := fmt.Sprint(append([]int(nil), i...))
			require.InDelta(t, sums[k], at(out, i), 1e-6+2e-3*math.Abs(sums[k])*float64(truth(in.DType == arg.F16)), "sum of %v%v over %v at %v", in.DType, in.Sizes, dims, i)
			require.Equal(t, most[k], at(top, i), "amax of %v%v over %v at %v", in.DType, in.Sizes, dims, i)
		})
	}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Rows along any dimension of any layout: running sums are exact for these numbers.
func TestRowsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	types := []executor.DType{arg.F32, arg.F64, arg.F16, arg.I32, arg.I64}
	for range 300 {
		in := random(r, types[r.IntN(len(types))], shape(r, 3, 20)...)
		if in.Rank() == 0 {
			continue
		}
		dim := r.IntN(in.Rank())
		d := in.DType
		if arg.Integers.Has(d) {
			d = arg.I64
		}
		out := random(r, d, in.Sizes...)
		require.NoError(t, call(t, nil, "aten::cumsum.out", val(in), executor.NewInt(int64(dim)), executor.NewNone(), val(out)))
		each(in.Sizes, func(i []int) {
			j := append([]int{}, i...)
			var s float64
			for j[dim] = 0; j[dim] <= i[dim]; j[dim]++ {
				s += at(in, j)
			}
			require.InDelta(t, s, at(out, i), 2e-3*math.Abs(s)*float64(truth(d == arg.F16)), "%v%v %v along %d at %v", in.DType, in.Sizes, in.DimOrder, dim, i)
		})
	}
}

// What one operator takes apart, another puts together again.
func TestInversePairs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	types := []executor.DType{arg.F32, arg.F64, arg.I8, arg.I16, arg.Bool, arg.C64, arg.C128}
	for range 300 {
		in := random(r, types[r.IntN(len(types))], shape(r, 4, 9)...)
		if in.Rank() == 0 {
			continue
		}
		same := func(back *executor.Tensor, what string) {
			each(in.Sizes, func(i []int) {
				require.Equal(t, at(in, i), at(back, i), "%s of %v%v %v at %v", what, in.DType, in.Sizes, in.DimOrder, i)
			})
		}
		// Permute there and back.
		perm := r.Perm(in.Rank())
		there, back := make([]int64, len(perm)), make([]int64, len(perm))
		turned := make([]int, len(perm))
		for i, p := range perm {
			there[i], back[p], turned[i] = int64(p), int64(i), in.Sizes[p]
		}
		mid, end := random(r, in.DType, turned...), random(r, in.DType, in.Sizes...)
		require.NoError(t, call(t, nil, "aten::permute_copy.out", val(in), executor.NewInts(there...), val(mid)))
		require.NoError(t, call(t, nil, "aten::permute_copy.out", val(mid), executor.NewInts(back...), val(end)))
		same(end, "permute")
		// Cut and join.
		dim := r.IntN(in.Rank())
		n := in.Sizes[dim]
		var widths []int64
		var pieces []*executor.Tensor
		for left := n; left > 0; {
			w := 1 + r.IntN(left)
			left -= w
			widths = append(widths, int64(w))
			sizes := append([]int{}, in.Sizes...)
			sizes[dim] = w
			pieces = append(pieces, random(r, in.DType, sizes...))
		}
		if len(pieces) > 0 {
			end = random(r, in.DType, in.Sizes...)
			require.NoError(t, call(t, nil, "aten::split_with_sizes_copy.out", val(in), executor.NewInts(widths...), executor.NewInt(int64(dim)), executor.NewTensors(pieces...)))
			require.NoError(t, call(t, nil, "aten::cat.out", executor.NewTensors(pieces...), executor.NewInt(int64(dim)), val(end)))
			same(end, "split and cat")
		}
		// Roll and roll back, flip twice, view and view back.
		mid, end = random(r, in.DType, in.Sizes...), random(r, in.DType, in.Sizes...)
		by := int64(r.IntN(50) - 25)
		require.NoError(t, call(t, nil, "aten::roll.out", val(in), executor.NewInts(by), executor.NewInts(int64(dim)), val(mid)))
		require.NoError(t, call(t, nil, "aten::roll.out", val(mid), executor.NewInts(-by), executor.NewInts(int64(dim)), val(end)))
		same(end, "roll")
		require.NoError(t, call(t, nil, "aten::roll.out", val(in), executor.NewInts(by), executor.NewInts(), val(mid)))
		require.NoError(t, call(t, nil, "aten::roll.out", val(mid), executor.NewInts(-by), executor.NewInts(), val(end)))
		same(end, "flat roll")
		require.NoError(t, call(t, nil, "aten::flip.out", val(in), executor.NewInts(int64(dim)), val(mid)))
		require.NoError(t, call(t, nil, "aten::flip.out", val(mid), executor.NewInts(int64(dim)), val(end)))
		same(end, "flip")
		flat := random(r, in.DType, in.NumElements())
		var sizes []int64
		for _, s := range in.Sizes {
			sizes = append(sizes, int64(s))
		}
		require.NoError(t, call(t, nil, "aten::view_copy.out", val(in), executor.NewInts(int64(in.NumElements())), val(flat)))
		require.NoError(t, call(t, nil, "aten::view_copy.out", val(flat), executor.NewInts(sizes...), val(end)))
		same(end, "view")
	}
}

// Results must not depend on the number of workers, for tensors long enough to be cut up.
func TestWorkersDoNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	run := pools(t)
	x, h := random(r, arg.F32, 300, 500), random(r, arg.F16, 300, 500)
	row := random(r, arg.F32, 500)
	for name, args := range map[string]func(out *executor.Tensor) []*executor.Value{
		"aten::add.out": func(o *executor.Tensor) []*executor.Value {
			return []*executor.Value{val(x), val(row), executor.NewDouble(1.5), val(o)}
		},
		"aten::mul.out": func(o *executor.Tensor) []*executor.Value { return []*executor.Value{val(x), val(h), val(o)} },
		"aten::exp.out": func(o *executor.Tensor) []*executor.Value { return []*executor.Value{val(x), val(o)} },
		"aten::_softmax.out": func(o *executor.Tensor) []*executor.Value {
			return []*executor.Value{val(x), executor.NewInt(0), executor.NewBool(false), val(o)}
		},
		"aten::cumsum.out": func(o *executor.Tensor) []*executor.Value {
			return []*executor.Value{val(x), executor.NewInt(1), executor.NewNone(), val(o)}
		},
		"aten::permute_copy.out": func(o *executor.Tensor) []*executor.Value {
			return []*executor.Value{val(x), executor.NewInts(0, 1), val(o)}
		},
		"aten::clone.out": func(o *executor.Tensor) []*executor.Value {
			return []*executor.Value{val(x), executor.NewNone(), val(o)}
		},
		"aten::remainder.Scalar_out": func(o *executor.Tensor) []*executor.Value {
			return []*executor.Value{val(x), executor.NewDouble(0.7), val(o)}
		},
	} {
		var first []byte
		for _, w := range run {
			for _, order := range [][]uint8{{0, 1}, {1, 0}} {
				out := executor.NewTensorOrder(arg.F32, x.Sizes, order, nil)
				require.NoError(t, call(t, w, name, args(out)...), name)
				plain := executor.NewTensor(arg.F32, x.Sizes, nil)
				require.NoError(t, call(t, nil, "aten::clone.out", val(out), executor.NewNone(), val(plain)))
				if first == nil {
					first = plain.Data
				}
				require.Equal(t, first, plain.Data, "%s with %d workers", name, w.Size())
			}
		}
	}
	for _, d := range []int64{0, 1} {
		var first []byte
		for _, w := range run {
			out := executor.NewTensor(arg.F32, []int{[2]int{500, 300}[d]}, nil)
			require.NoError(t, call(t, w, "aten::mean.out", val(x), executor.NewInts(d), executor.NewBool(false), executor.NewNone(), val(out)))
			if first == nil {
				first = out.Data
			}
			require.Equal(t, first, out.Data)
		}
	}
}
