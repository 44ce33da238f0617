package cpu_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

var (
	reducedWhole  = []executor.DType{arg.U8, arg.I8, arg.I16, arg.I32, arg.I64, arg.Bool}
	reducedFloats = []executor.DType{arg.F16, arg.BF16, arg.F32, arg.F64}
)

// reducible makes a tensor whose reduction may go by rows, by short rows or by columns, and dimensions to reduce.
func reducible(r *rand.Rand, d executor.DType) (in *executor.Tensor, dims []int64) {
	lengths := []int{1, 2, 3, 4, 5, 8, 11, 16, 17, 31, 64, 65, 130, 300, 1100}
	var sizes []int
	for n, rank := 1, 1+r.IntN(3); len(sizes) < rank; {
		k := lengths[r.IntN(len(lengths))]
		if n*k > 30000 {
			k = 1 + r.IntN(2)
		}
		sizes = append(sizes, k)
		n *= k
	}
	in = random(r, d, sizes...)
	for k := range sizes {
		if r.IntN(2) == 0 {
			dims = append(dims, int64(k))
		}
	}
	if len(dims) == 0 {
		dims = []int64{int64(r.IntN(len(sizes)))}
	}
	return in, dims
}

// naive collects the elements that each output is made of, in logical order; keep is on.
func naive(in *executor.Tensor, dims []int64) (kept []int, of map[string][]float64) {
	of = map[string][]float64{}
	kept = slices.Clone(in.Sizes)
	for _, d := range dims {
		kept[d] = 1
	}
	each(in.Sizes, func(i []int) {
		key := slices.Clone(i)
		for _, d := range dims {
			key[d] = 0
		}
		of[fmt.Sprint(key)] = append(of[fmt.Sprint(key)], at(in, i))
	})
	return kept, of
}

// fill gives every element of a tensor a number.
func fill(t *executor.Tensor, f func() float64) {
	size := t.DType.Size()
	for i := range t.NumElements() {
		walk.Put(t.Data[i*size:(i+1)*size], t.DType, arg.Scalar{Kind: executor.KindDouble, F: f()})
	}
}

// cast is a number as an element of another type.
func cast(f float64, d executor.DType) float64 {
	b := make([]byte, 8)
	walk.Put(b, d, arg.Scalar{Kind: executor.KindDouble, F: f})
	return walk.Get(b, d, 0).Float()
}

// Sums and products of these numbers are exact in f64, whatever the order.
func TestSumsOfEveryType(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 40 {
		for _, d := range slices.Concat(reducedWhole, reducedFloats) {
			in, dims := reducible(r, d)
			kept, of := naive(in, dims)
			result := d
			if arg.IntBool.Has(d) && (d == arg.Bool || r.IntN(2) == 0) {
				result = arg.I64
			}
			args := func(out ...*executor.Tensor) []*executor.Value {
				v := []*executor.Value{val(in), executor.NewInts(dims...), executor.NewBool(true), executor.NewNone()}
				for _, o := range out {
					v = append(v, val(o))
				}
				return v
			}
			check := func(name string, want func([]float64) float64) {
				out := random(r, result, kept...)
				require.NoError(t, call(t, nil, name, args(out)...))
				each(kept, func(i []int) {
					if w, got := cast(want(of[fmt.Sprint(i)]), result), at(out, i); w != got {
						require.Equal(t, w, got, "%s of %v%v, strides %v, over %v at %v", name, d, in.Sizes, in.Strides, dims, i)
					}
				})
			}
			total := func(x []float64) (s float64) {
				for _, v := range x {
					s += v
				}
				return s
			}
			check("aten::sum.IntList_out", total)
			if arg.Floats.Has(d) {
				check("aten::mean.out", func(x []float64) float64 { return total(x) / float64(len(x)) })
				continue
			}
			if len(dims) > 1 {
				continue
			}
			out := random(r, result, kept...)
			require.NoError(t, call(t, nil, "aten::prod.int_out", val(in), executor.NewInt(dims[0]), executor.NewBool(true), executor.NewNone(), val(out)))
			each(kept, func(i []int) {
				p := int64(1)
				for _, v := range of[fmt.Sprint(i)] {
					p *= int64(v)
				}
				switch result {
				case arg.U8:
					p = int64(uint8(p))
				case arg.I8:
					p = int64(int8(p))
				case arg.I16:
					p = int64(int16(p))
				case arg.I32:
					p = int64(int32(p))
				}
				require.Equal(t, float64(p), at(out, i), "product of %v%v over %v at %v", d, in.Sizes, dims, i)
			})
		}
	}
}

func TestProductsOfFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 200 {
		in, dims := reducible(r, reducedFloats[r.IntN(4)])
		dims = dims[:1]
		fill(in, func() float64 { return []float64{0.5, 1, 1, 2, -1}[r.IntN(5)] })
		kept, of := naive(in, dims)
		out := random(r, in.DType, kept...)
		require.NoError(t, call(t, nil, "aten::prod.int_out", val(in), executor.NewInt(dims[0]), executor.NewBool(true), executor.NewNone(), val(out)))
		each(kept, func(i []int) {
			p := 1.0
			for _, v := range of[fmt.Sprint(i)] {
				p *= v
			}
			require.Equal(t, cast(p, in.DType), at(out, i), "product of %v%v over %v at %v", in.DType, in.Sizes, dims, i)
		})
	}
}

// Extremes are the first of equals, and NaN beats everything, so that the first NaN wins.
func TestExtremesOfEveryType(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	specials := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1)}
	for range 40 {
		for _, d := range slices.Concat(reducedWhole, reducedFloats) {
			in, dims := reducible(r, d)
			switch often := []int{3, 300, 1 << 20}[r.IntN(3)]; {
			case arg.Floats.Has(d):
				fill(in, func() float64 {
					if r.IntN(often) == 0 {
						return specials[r.IntN(len(specials))]
					}
					return math.Round(r.NormFloat64()*200) / 8
				})
			case r.IntN(3) == 0: // as small or as large as can be
				fill(in, func() float64 {
					return math.Copysign(math.Ldexp(1, 8*d.Size()-1), r.NormFloat64())
				})
			}
			for _, most := range []bool{true, false} {
				extremesOf(t, r, in, dims, most)
			}
		}
	}
}

func extremesOf(t *testing.T, r *rand.Rand, in *executor.Tensor, dims []int64, most bool) {
	kept, of := naive(in, dims)
	want := func(i []int) (best float64, where int) {
		x := of[fmt.Sprint(i)]
		best = x[0]
		for k, v := range x {
			if best != best {
				break
			}
			if v != v || most && v > best || !most && v < best {
				best, where = v, k
			}
		}
		return best, where
	}
	names := [3]string{"aten::amin.out", "aten::argmin.out", "aten::min.dim_min"}
	if most {
		names = [3]string{"aten::amax.out", "aten::argmax.out", "aten::max.dim_max"}
	}
	out := random(r, in.DType, kept...)
	text := fmt.Sprintf(" of %v%v, strides %v, over %v at ", in.DType, in.Sizes, in.Strides, dims)
	require.NoError(t, call(t, nil, names[0], val(in), executor.NewInts(dims...), executor.NewBool(true), val(out)))
	each(kept, func(i []int) {
		best, _ := want(i)
		same(t, best, at(out, i), names[0], text, i)
	})
	if len(dims) > 1 {
		return
	}
	which := random(r, arg.I64, kept...)
	if in.DType == arg.Bool { // as in PyTorch
		require.ErrorContains(t, call(t, nil, names[1], val(in), executor.NewInt(dims[0]), executor.NewBool(true), val(which)), "found bool")
	} else {
		require.NoError(t, call(t, nil, names[1], val(in), executor.NewInt(dims[0]), executor.NewBool(true), val(which)))
	}
	also := executor.NewTensorOrder(arg.I64, kept, out.DimOrder, nil)
	require.NoError(t, call(t, nil, names[2], val(in), executor.NewInt(dims[0]), executor.NewBool(true), val(out), val(also)))
	each(kept, func(i []int) {
		best, where := want(i)
		same(t, best, at(out, i), names[2], text, i)
		if in.DType != arg.Bool {
			same(t, float64(where), at(which, i), names[1], text, i)
		}
		same(t, float64(where), at(also, i), names[2], text, i)
	})
}

// same takes any NaN for another, and one zero for the other.
func same(t *testing.T, want, got float64, text ...any) {
	if want != got && (want == want || got == got) {
		require.Equal(t, want, got, fmt.Sprint(text...))
	}
}

func TestAnyOfEveryType(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for range 60 {
		for _, d := range slices.Concat(reducedWhole, reducedFloats) {
			in, dims := reducible(r, d)
			fill(in, func() float64 {
				switch r.IntN(200) {
				case 0:
					return 1
				case 1, 2, 3:
					return math.Copysign(0, -1)
				}
				return 0
			})
			kept, of := naive(in, dims)
			out := random(r, arg.Bool, kept...)
			require.NoError(t, call(t, nil, "aten::any.dims_out", val(in), executor.NewInts(dims...), executor.NewBool(true), val(out)))
			each(kept, func(i []int) {
				want := slices.ContainsFunc(of[fmt.Sprint(i)], func(v float64) bool { return v != 0 })
				require.Equal(t, float64(truth(want)), at(out, i), "any of %v%v over %v at %v", d, in.Sizes, dims, i)
			})
		}
	}
}

// floatReductions are those whose result might depend on the order of additions.
var floatReductions = map[string]func(in, out *executor.Tensor, dim int64) []*executor.Value{
	"aten::sum.IntList_out": func(in, out *executor.Tensor, dim int64) []*executor.Value {
		return []*executor.Value{val(in), executor.NewInts(dim), executor.NewBool(false), executor.NewNone(), val(out)}
	},
	"aten::mean.out": func(in, out *executor.Tensor, dim int64) []*executor.Value {
		return []*executor.Value{val(in), executor.NewInts(dim), executor.NewBool(false), executor.NewNone(), val(out)}
	},
	"aten::prod.int_out": func(in, out *executor.Tensor, dim int64) []*executor.Value {
		return []*executor.Value{val(in), executor.NewInt(dim), executor.NewBool(false), executor.NewNone(), val(out)}
	},
	"aten::var.correction_out": func(in, out *executor.Tensor, dim int64) []*executor.Value {
		return []*executor.Value{val(in), executor.NewInts(dim), executor.NewInt(1), executor.NewBool(false), val(out)}
	},
}

// Rows, short rows, columns and short runs of columns give the same bits, for any number of workers.
func TestReductionsInAnyLayout(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	run := pools(t)
	for _, n := range []int{1, 2, 3, 4, 7, 8, 9, 16, 33, 64, 65, 200, 4100} {
		for _, outs := range []int{2, 5, 8, 40, 130, 2000} {
			if n*outs > 300000 {
				continue
			}
			for _, d := range reducedFloats {
				rows := executor.NewTensor(d, []int{outs, n}, nil)
				fill(rows, func() float64 { return 1 + r.NormFloat64()/8 })
				columns := executor.NewTensorOrder(d, []int{outs, n}, []uint8{1, 0}, nil)
				require.NoError(t, call(t, nil, "dim_order_ops::_to_dim_order_copy.out", val(rows), executor.NewBool(false), executor.NewInts(1, 0), val(columns)))
				in := []*executor.Tensor{rows, columns}
				for _, k := range []int{2, 5, 8, 10} {
					if outs%k == 0 { // runs of k columns, each behind those of the run before
						flat := executor.NewTensor(d, []int{outs / k, k, n}, rows.Data)
						runs := executor.NewTensorOrder(d, []int{outs / k, k, n}, []uint8{0, 2, 1}, nil)
						require.NoError(t, call(t, nil, "dim_order_ops::_to_dim_order_copy.out", val(flat), executor.NewBool(false), executor.NewInts(0, 2, 1), val(runs)))
						in = append(in, runs)
					}
				}
				for name, args := range floatReductions {
					var first []byte
					for _, in := range in {
						for _, w := range run {
							dim := in.Rank() - 1
							out := executor.NewTensor(d, in.Sizes[:dim], nil)
							require.NoError(t, call(t, w, name, args(in, out, int64(dim))...))
							if first == nil {
								first = out.Data
							}
							require.Equal(t, first, out.Data, "%s of %v[%d, %d], strides %v, %d workers", name, d, outs, n, in.Strides, w.Size())
						}
					}
				}
			}
		}
	}
}

// The sums of all machines are the same to the last bit, with vectors or without.
func TestReductionsOnAnyMachine(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	h := fnv.New64a()
	for _, shape := range [][]int{{40, 1000}, {1000, 40}, {3000, 4}, {4, 3000}, {700, 17}, {16, 600}} {
		for _, d := range reducedFloats {
			in := executor.NewTensor(d, shape, nil)
			fill(in, func() float64 { return 1 + r.Float64()/8 })
			for _, name := range []string{"aten::sum.IntList_out", "aten::mean.out", "aten::prod.int_out", "aten::var.correction_out"} {
				for dim := range 2 {
					out := executor.NewTensor(d, []int{shape[1-dim]}, nil)
					require.NoError(t, call(t, nil, name, floatReductions[name](in, out, int64(dim))...))
					for i := range out.NumElements() {
						h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(at(out, []int{i}))))
					}
				}
			}
		}
	}
	require.Equal(t, uint64(0x6a8a31badbf3770a), h.Sum64())
}
