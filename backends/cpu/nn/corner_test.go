package nn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/nn"
	"github.com/ptero-rt/ptero/backends/cpu/optest"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// A sum of nothing is zero: products whose inner dimension is empty give zeros, or what is added to them.
func TestProductsOverNothing(t *testing.T) {
	ops := executor.Ops{}.Add(nn.Ops()...)
	v := executor.NewTensorValue
	for _, d := range []executor.DType{arg.F32, arg.F64, arg.F16, arg.BF16, arg.U8, arg.I8, arg.I16, arg.I32, arg.I64} {
		for _, rows := range []int{1, 3, 33} {
			for _, constant := range []bool{false, true} {
				t.Run(fmt.Sprint(d, rows, constant), func(t *testing.T) {
					weight := func(sizes ...int) *executor.Tensor {
						w := executor.NewTensor(d, sizes, nil)
						if constant {
							w.MarkConstant()
						}
						return w
					}
					bias := executor.NewTensor(d, []int{9}, nil)
					fill(bias, 1)
					added := repeated(logical(bias), rows)
					x, y := executor.NewTensor(d, []int{rows, 0}, nil), executor.NewTensor(d, []int{rows, 9}, nil)
					zeros := make([]float64, rows*9)
					require.Equal(t, zeros, result(t, ops["aten::mm.out"], y, v(x), v(weight(0, 9))))
					require.Equal(t, added, result(t, ops["aten::addmm.out"], y, v(bias), v(x), v(weight(0, 9)), executor.NewInt(1), executor.NewInt(1)))
					require.Equal(t, added, result(t, ops["aten::linear.out"], y, v(x), v(weight(9, 0)), v(bias)))
					require.Equal(t, zeros, result(t, ops["aten::linear.out"], y, v(x), v(weight(9, 0)), executor.NewNone()))
					many := executor.NewTensor(d, []int{2, rows, 9}, nil)
					require.Equal(t, append(zeros, zeros...), result(t, ops["aten::bmm.out"], many, v(executor.NewTensor(d, []int{2, rows, 0}, nil)), v(weight(2, 0, 9))))
				})
			}
		}
	}
}

// A factor of zero leaves its part of addmm out, NaN and all; of halves only the one before the added tensor does, as PyTorch
// multiplies those itself. And there may be no outputs.
func TestFactorsOfZero(t *testing.T) {
	ops := executor.Ops{}.Add(nn.Ops()...)
	v, zero, one := executor.NewTensorValue, executor.NewInt(0), executor.NewInt(1)
	for _, d := range []executor.DType{arg.F32, arg.F64, arg.F16, arg.BF16} {
		for _, size := range [][3]int{{1, 1, 1}, {1, 5, 1}, {3, 4, 5}, {20, 33, 40}, {3, 4, 0}, {0, 4, 3}} {
			x, w, y := executor.NewTensor(d, []int{size[0], size[1]}, nil), executor.NewTensor(d, []int{size[1], size[2]}, nil), executor.NewTensor(d, []int{size[0], size[2]}, nil)
			bias := executor.NewTensor(d, []int{size[2]}, nil)
			fill(w, 1)
			fill(bias, 2)
			for i := range x.NumElements() {
				walk.Put(x.Data[i*d.Size():][:d.Size()], d, arg.Scalar{Kind: executor.KindDouble, F: math.NaN()})
			}
			got := result(t, ops["aten::addmm.out"], y, v(bias), v(x), v(w), one, zero)
			both := result(t, ops["aten::addmm.out"], y, v(bias), v(x), v(w), zero, zero)
			if arg.IsHalf(d) {
				for i := range got {
					require.True(t, math.IsNaN(got[i]) && math.IsNaN(both[i]))
				}
				continue
			}
			require.Equal(t, repeated(logical(bias), size[0]), append([]float64(nil), got...), "%v %v", d, size)
			require.Equal(t, make([]float64, size[0]*size[2]), append([]float64{}, both...), "%v %v", d, size)
		}
	}
}

// Factors of integer tensors lose their fractions and must fit. Where there are no products, the added tensor is multiplied
// as by any number, that need not fit but must be whole; where there are no outputs, factors may be anything. What is refused
// and what is computed is what PyTorch 2.15 does.
func TestFactorsOfIntegers(t *testing.T) {
	op := executor.Ops{}.Add(nn.Ops()...)["aten::addmm.out"]
	v, whole, number := executor.NewTensorValue, executor.NewInt, executor.NewDouble
	for _, d := range []executor.DType{arg.U8, arg.I8, arg.I16, arg.I32, arg.I64} {
		tensor := func(sizes []int, xs ...int64) *executor.Tensor {
			x := executor.NewTensor(d, sizes, nil)
			for i, e := range xs {
				walk.Put(x.Data[i*d.Size():], d, arg.Scalar{Kind: executor.KindInt, I: e})
			}
			return x
		}
		square := []int{2, 2}
		x, bias := v(tensor(square, 1, 2, 3, 4)), v(tensor(square, 10, 20, 30, 40))
		for _, c := range []struct {
			beta, alpha *executor.Value
			b, a        float64
			refused     arg.Set
			alone       arg.Set // refused where there are no products
		}{
			{whole(1), number(1.5), 1, 1, 0, 0},
			{number(1.5), whole(1), 1, 1, 0, arg.Integers},
			{number(2.5), number(2.5), 2, 2, 0, arg.Integers},
			{number(0.5), number(0.5), 0, 0, 0, arg.Integers},
			{whole(0), number(-0.5), 0, 0, arg.Of(arg.U8), 0},
			{executor.NewBool(true), executor.NewBool(true), 1, 1, 0, 0},
			{number(-1.5), number(-1.5), -1, -1, arg.Of(arg.U8), arg.Integers},
			{whole(2), whole(300), 2, 300, arg.Of(arg.U8, arg.I8), 0},
			{whole(300), whole(1), 300, 1, arg.Of(arg.U8, arg.I8), 0},
			{number(1e10), whole(1), 1e10, 1, arg.Of(arg.U8, arg.I8, arg.I16, arg.I32), arg.Integers},
			{number(math.NaN()), whole(1), 0, 0, arg.Integers, arg.Integers},
			{whole(1), number(math.Inf(1)), 1, 0, arg.Integers, 0},
		} {
			for _, k := range []int{2, 0} {
				a, b, refused, y := x, x, c.refused, tensor(square)
				if k == 0 {
					a, b, refused = v(tensor([]int{2, 0})), v(tensor([]int{0, 2})), c.alone
				}
				if refused.Has(d) {
					require.ErrorContains(t, optest.Call(t, nil, op, bias, a, b, c.beta, c.alpha, v(y)), "want a", "%v %v", d, c)
				} else {
					var want []int64
					for i, product := range []float64{7, 10, 15, 22} {
						if k == 0 {
							product = 0
						}
						want = append(want, int64(c.b*float64(10*(i+1))+c.a*product))
					}
					require.Equal(t, logical(tensor(square, want...)), result(t, op, y, bias, a, b, c.beta, c.alpha), "%v %v", d, c)
				}
				none := v(tensor([]int{0, k}))
				require.NoError(t, optest.Call(t, nil, op, v(tensor([]int{1, 2})), none, b, c.beta, c.alpha, v(tensor([]int{0, 2}))))
			}
		}
	}
}

// Bools are not multiplied, but where there is no result or no product they need not be: empty tensors and falses. What is
// refused is what PyTorch 2.15 refuses.
func TestProductsOfBools(t *testing.T) {
	ops := executor.Ops{}.Add(nn.Ops()...)
	v := executor.NewTensorValue
	ones := func(sizes ...int) *executor.Value {
		x := executor.NewTensor(arg.Bool, sizes, nil)
		fill(x, 1)
		return v(x)
	}
	check := func(refused bool, name string, sizes []int, args ...*executor.Value) {
		y := executor.NewTensor(arg.Bool, sizes, nil)
		if refused {
			require.ErrorContains(t, optest.Call(t, nil, ops[name], append(args, v(y))...), "found bool", "%s %v", name, sizes)
			return
		}
		require.Equal(t, make([]float64, y.NumElements()), append([]float64{}, result(t, ops[name], y, args...)...), "%s %v", name, sizes)
	}
	one, zero, none := executor.NewInt(1), executor.NewInt(0), executor.NewNone()
	for _, s := range [][3]int{{2, 3, 2}, {1, 1, 1}, {0, 3, 2}, {2, 0, 3}, {2, 3, 0}, {0, 0, 0}, {1, 0, 1}} {
		m, k, n := s[0], s[1], s[2]
		empty := m*n == 0
		products := !empty && k > 0
		check(products, "aten::mm.out", []int{m, n}, ones(m, k), ones(k, n))
		check(products, "aten::bmm.out", []int{2, m, n}, ones(2, m, k), ones(2, k, n))
		check(false, "aten::bmm.out", []int{0, m, n}, ones(0, m, k), ones(0, k, n))
		check(!empty, "aten::addmm.out", []int{m, n}, ones(m, n), ones(m, k), ones(k, n), one, one)
		check(products, "aten::addmm.out", []int{m, n}, ones(m, n), ones(m, k), ones(k, n), zero, one)
		check(products, "aten::linear.out", []int{m, n}, ones(m, k), ones(n, k), none)
		check(!empty, "aten::linear.out", []int{m, n}, ones(m, k), ones(n, k), ones(n))
		check(products, "aten::linear.out", []int{2, m, n}, ones(2, m, k), ones(n, k), none)
	}
}

// result runs an operator whose last argument is y, on a y that holds something, and gives what it holds then.
func result(t *testing.T, op executor.Op, y *executor.Tensor, args ...*executor.Value) []float64 {
	fill(y, 2)
	args = append(args, executor.NewTensorValue(y))
	require.NoError(t, optest.Call(t, nil, op, args...), op.Name)
	return logical(y)
}

func repeated(x []float64, n int) (list []float64) {
	for range n {
		list = append(list, x...)
	}
	return list
}

// Max pooling does what PyTorch's loop over a window does (aten/src/ATen/native/cpu/MaxPoolKernel.cpp): it begins with the
// lowest number at the window's first place and takes each element that is larger, or NaN.
func TestMaxPoolTakesTheLastNaN(t *testing.T) {
	op := executor.Ops{}.Add(nn.Ops()...)["aten::max_pool2d_with_indices.out"]
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		h, w := 1+r.IntN(6), 1+r.IntN(9)
		k, s, d := [2]int{1 + r.IntN(4), 1 + r.IntN(4)}, [2]int{1 + r.IntN(3), 1 + r.IntN(3)}, [2]int{1 + r.IntN(3), 1 + r.IntN(3)}
		p, ceil := [2]int{r.IntN(k[0]/2 + 1), r.IntN(k[1]/2 + 1)}, r.IntN(2) == 0
		var out [2]int
		for i, n := range [2]int{h, w} {
			span := n + 2*p[i] - d[i]*(k[i]-1) - 1
			if ceil {
				span += s[i] - 1
			}
			if span >= 0 {
				out[i] = span/s[i] + 1
			}
			if ceil && (out[i]-1)*s[i] >= n+p[i] {
				out[i]--
			}
		}
		if out[0] < 1 || out[1] < 1 {
			continue
		}
		order := [][]uint8{{0, 1, 2, 3}, {0, 2, 3, 1}}[r.IntN(2)]
		x := executor.NewTensorOrder(arg.F32, []int{1, 3, h, w}, order, nil)
		for i := range executor.Slice[float32](x) {
			executor.Slice[float32](x)[i] = []float32{float32(math.NaN()), 1, 2, 3, -1, float32(math.Inf(-1))}[r.IntN(6)]
		}
		var want, at []float64
		for c := range 3 {
			for oy := range out[0] {
				for ox := range out[1] {
					y0, x0 := oy*s[0]-p[0], ox*s[1]-p[1]
					y1, x1 := min(y0+(k[0]-1)*d[0]+1, h), min(x0+(k[1]-1)*d[1]+1, w)
					for y0 < 0 {
						y0 += d[0]
					}
					for x0 < 0 {
						x0 += d[1]
					}
					best, where := math.Inf(-1), y0*w+x0
					for y := y0; y < y1; y += d[0] {
						for z := x0; z < x1; z += d[1] {
							if v := float64(executor.Slice[float32](x)[c*x.Strides[1]+y*x.Strides[2]+z*x.Strides[3]]); v > best || v != v {
								best, where = v, y*w+z
							}
						}
					}
					want, at = append(want, best), append(at, float64(where))
				}
			}
		}
		two := func(v [2]int) *executor.Value { return executor.NewInts(int64(v[0]), int64(v[1])) }
		y := executor.NewTensorOrder(arg.F32, []int{1, 3, out[0], out[1]}, order, nil)
		idx := executor.NewTensorOrder(arg.I64, []int{1, 3, out[0], out[1]}, order, nil)
		require.Equal(t, at, result(t, op, idx, executor.NewTensorValue(x), two(k), two(s), two(p), two(d), executor.NewBool(ceil), executor.NewTensorValue(y)))
		require.Equal(t, fmt.Sprint(want), fmt.Sprint(logical(y))) // NaN equals NaN
	}
}

// A kernel of one element is a matrix product, of tensors where they lie unless they are 16-bit floats. The numbers are
// small enough for all types to give the same.
func TestConvolutionsByOneElement(t *testing.T) {
	op := executor.Ops{}.Add(nn.Ops()...)["aten::convolution.out"]
	v := executor.NewTensorValue
	for _, groups := range []int{1, 4, 12} {
		for _, constant := range []bool{false, true} {
			for _, order := range [][]uint8{{0, 1, 2, 3}, {0, 2, 3, 1}} {
				var want []float64
				for _, d := range []executor.DType{arg.F64, arg.F32, arg.F16, arg.BF16} {
					x, w := executor.NewTensorOrder(d, []int{2, 12, 3, 5}, order, nil), executor.NewTensor(d, []int{24, 12 / groups, 1, 1}, nil)
					b, y := executor.NewTensor(d, []int{24}, nil), executor.NewTensorOrder(d, []int{2, 24, 3, 5}, order, nil)
					fillWhole(x, 1)
					fillWhole(w, 2)
					fillWhole(b, 3)
					if constant {
						w.MarkConstant()
						b.MarkConstant()
					} else { // as in a program before it has memory
						x.Data, y.Data, w.Data, b.Data = nil, nil, nil, nil
					}
					args := []*executor.Value{v(x), v(w), v(b), executor.NewInts(1, 1), executor.NewInts(0, 0), executor.NewInts(1, 1), executor.NewBool(false), executor.NewInts(0, 0), executor.NewInt(int64(groups)), v(y)}
					state, needs, err := op.Prepare(args)
					require.NoError(t, err)
					for _, t := range []*executor.Tensor{x, w, b, y} {
						if t.Data == nil {
							t.Data = make([]byte, t.NBytes())
						}
					}
					fillWhole(x, 1)
					fillWhole(w, 2)
					fillWhole(b, 3)
					require.NoError(t, op.Run(executor.ScopeFor(nil, needs), state, args), "%v, %d groups", d, groups)
					if d == arg.F64 {
						want = logical(y)
					}
					require.Equal(t, want, logical(y), "%v, %d groups", d, groups)
				}
			}
		}
	}
}

// fillWhole gives a tensor small whole numbers.
func fillWhole(t *executor.Tensor, seed uint64) {
	if t.Data == nil {
		return
	}
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range t.NumElements() {
		x, at := float32(r.IntN(5)-2), offset(t, i)
		switch t.DType {
		case arg.F32:
			executor.Slice[float32](t)[at] = x
		case arg.F64:
			executor.Slice[float64](t)[at] = float64(x)
		case arg.F16:
			executor.Slice[uint16](t)[at] = walk.F32ToF16(x)
		case arg.BF16:
			executor.Slice[uint16](t)[at] = walk.F32ToBF16(x)
		}
	}
}

// Antialiasing leaves a dimension alone that keeps its size: an infinity does not spread along it.
func TestAntialiasingKeepsSizes(t *testing.T) {
	op := executor.Ops{}.Add(nn.Ops()...)["aten::_upsample_bilinear2d_aa.out"]
	inf := float32(math.Inf(1))
	for _, align := range []bool{false, true} {
		x, y := executor.NewTensor(arg.F32, []int{1, 1, 2, 3}, nil), executor.NewTensor(arg.F32, []int{1, 1, 1, 3}, nil)
		copy(executor.Slice[float32](x), []float32{1, inf, 2, 1, inf, 2})
		want := []float64{1, float64(inf), 2}
		require.Equal(t, want, result(t, op, y, executor.NewTensorValue(x), executor.NewInts(1, 3), executor.NewBool(align), executor.NewNone(), executor.NewNone()))
		x, y = executor.NewTensor(arg.F32, []int{1, 1, 3, 2}, nil), executor.NewTensor(arg.F32, []int{1, 1, 3, 1}, nil)
		copy(executor.Slice[float32](x), []float32{1, 1, inf, inf, 2, 2})
		require.Equal(t, want, result(t, op, y, executor.NewTensorValue(x), executor.NewInts(3, 1), executor.NewBool(align), executor.NewNone(), executor.NewNone()))
	}
}

// Windows that average into nothing do nothing, and windows of small and large planes give what single windows give.
func TestAdaptivePools(t *testing.T) {
	ops := executor.Ops{}.Add(nn.Ops()...)
	v := executor.NewTensorValue
	for _, d := range []executor.DType{arg.F32, arg.F64, arg.I64} {
		for _, n := range []int{1, 4, 7, 15, 16, 17, 40} {
			x := executor.NewTensor(d, []int{1, 2, n, n}, nil)
			fill(x, 1)
			elements := logical(x)
			for _, m := range []int{0, 1, 3, n} {
				got := result(t, ops["aten::_adaptive_avg_pool2d.out"], executor.NewTensor(d, []int{1, 2, m, m}, nil), v(x), executor.NewInts(int64(m), int64(m)))
				require.Len(t, got, 2*m*m)
				for i, y := range got {
					c, oy, ox := i/(m*m), i/m%m, i%m
					y0, y1, x0, x1 := oy*n/m, ((oy+1)*n+m-1)/m, ox*n/m, ((ox+1)*n+m-1)/m
					sum := 0.0
					for r := y0; r < y1; r++ {
						for _, e := range elements[c*n*n+r*n+x0 : c*n*n+r*n+x1] {
							sum += e
						}
					}
					want := sum / float64((y1-y0)*(x1-x0))
					if d == arg.I64 {
						want = math.Trunc(want)
					}
					require.InDelta(t, want, y, 1e-5*max(1, math.Abs(want)), "%v %d to %d", d, n, m)
				}
			}
		}
	}
}
