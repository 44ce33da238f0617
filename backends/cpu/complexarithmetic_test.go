package cpu_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

var negZero = math.Copysign(0, -1)

// Operands, a real and an imaginary part each, and what eager PyTorch 2.15 gives for them: its products have no rules for
// infinities, its sums multiply by alpha in full, its quotients are fused.
var (
	complexLeft  = []float64{0.5, 0.25, 1.1, -2.3, -3.3, 0.1, 1, 0, 1, 2, inf, 1, 1, nan, inf, inf, 1, 2, -1, 0, 0, 0, inf, -1, 3e38, 3e38, 1, 1, 1e-30, 1e-30, nan, 0, 2, -3, 5, 6}
	complexRight = []float64{-1.75, 3.125, 0.7, 0.9, 1e-3, -7.7, 0, inf, inf, 1, 2, 3, 2, 3, inf, inf, 0, 0, negZero, 0, 0, 0, 0, negZero, 2, -2, 3e38, 3e38, 1e-30, 1e-30, 1, 1, 4, 0, 0, -2}

	complexSums = map[executor.DType]map[string][]float64{
		arg.C64: {
			"add.out":        {-1.25, 3.375, 1.8, -1.4, -3.299, -7.6, nan, inf, inf, nan, inf, 4.0, 3.0, nan, nan, nan, 1.0, 2.0, -1.0, 0.0, 0.0, 0.0, inf, -1.0, 3e+38, 3e+38, 3e+38, 3e+38, 2e-30, 2e-30, nan, 1.0, 6.0, -3.0, 5.0, 4.0},
			"sub.out":        {4.0, -6.0, -0.29999995, -4.1, -3.302, 15.5, nan, -inf, -inf, nan, inf, -5.0, -3.0, nan, nan, nan, 1.0, 2.0, -1.0, 0.0, 0.0, 0.0, inf, -1.0, 3e+38, 3e+38, -inf, -inf, -1e-30, -1e-30, nan, -2.0, -6.0, -3.0, 5.0, 10.0},
			"mul.out":        {-1.65625, 1.125, 2.84, -0.6199999, 0.76669997, 25.410099, nan, inf, inf, inf, inf, inf, nan, nan, nan, inf, 0.0, 0.0, 0.0, negZero, 0.0, 0.0, nan, nan, inf, nan, 0.0, inf, 0.0, 0.0, nan, nan, 8.0, -12.0, 12.0, -10.0},
			"div.out":        {-0.007308161, -0.15590742, -1.0, -2.0, -0.013042673, -0.42856976, 0.0, negZero, 0.0, 0.0, inf, -inf, nan, nan, nan, nan, inf, inf, -inf, nan, nan, nan, inf, -inf, 0.0, inf, 0.0, 0.0, 1.0, 0.0, nan, nan, 0.5, -0.75, -3.0, 2.5},
			"reciprocal.out": {-0.136419, -0.24360536, 0.53846157, -0.6923077, 1.6866252e-05, 0.12987013, 0.0, negZero, 0.0, 0.0, 0.15384614, -0.23076922, 0.15384614, -0.23076922, nan, nan, inf, nan, inf, nan, inf, nan, inf, nan, 0.25, 0.25, 0.0, negZero, 5e+29, -5e+29, 0.5, -0.5, 0.25, 0.0, negZero, 0.5},
		},
		arg.C128: {
			"add.out":        {-1.25, 3.375, 1.8, -1.4, -3.299, -7.6000000000000005, nan, inf, inf, nan, inf, 4.0, 3.0, nan, nan, nan, 1.0, 2.0, -1.0, 0.0, 0.0, 0.0, inf, -1.0, 3e+38, 3e+38, 3e+38, 3e+38, 2e-30, 2e-30, nan, 1.0, 6.0, -3.0, 5.0, 4.0},
			"sub.out":        {4.0, -6.0, -0.2999999999999998, -4.1, -3.3019999999999996, 15.5, nan, -inf, -inf, nan, inf, -5.0, -3.0, nan, nan, nan, 1.0, 2.0, -1.0, 0.0, 0.0, 0.0, inf, -1.0, 3e+38, 3e+38, -6e+38, -6e+38, -1e-30, -1e-30, nan, -2.0, -6.0, -3.0, 5.0, 10.0},
			"mul.out":        {-1.65625, 1.125, 2.84, -0.6199999999999998, 0.7667, 25.4101, nan, inf, inf, inf, inf, inf, nan, nan, nan, inf, 0.0, 0.0, 0.0, negZero, 0.0, 0.0, nan, nan, 1.2e+39, 0.0, 0.0, 6e+38, 0.0, 2.0000000000000002e-60, nan, nan, 8.0, -12.0, 12.0, -10.0},
			"div.out":        {-0.0073081607795371555, -0.1559074299634592, -0.9999999999999998, -1.9999999999999996, -0.01304267139411922, -0.42856973471800075, 0.0, negZero, 0.0, 0.0, inf, -inf, nan, nan, nan, nan, inf, inf, -inf, nan, nan, nan, inf, -inf, 0.0, 1.5e+38, 3.3333333333333334e-39, 0.0, 1.0, 0.0, nan, nan, 0.5, -0.75, -3.0, 2.5},
			"reciprocal.out": {-0.1364190012180268, -0.24360535931790497, 0.5384615384615383, -0.6923076923076923, 1.686625034801399e-05, 0.12987012767970774, 0.0, negZero, 0.0, 0.0, 0.15384615384615385, -0.23076923076923078, 0.15384615384615385, -0.23076923076923078, nan, nan, inf, nan, inf, nan, inf, nan, inf, nan, 0.25, 0.25, 1.6666666666666667e-39, -1.6666666666666667e-39, 4.9999999999999994e+29, -4.9999999999999994e+29, 0.5, -0.5, 0.25, 0.0, negZero, 0.5},
		},
	}
)

// complexes makes a tensor of parts.
func complexes(d executor.DType, parts []float64, sizes ...int) *executor.Tensor {
	t := executor.NewTensor(d, sizes, nil)
	for i, x := range parts {
		setPart(t, i, x)
	}
	return t
}

func setPart(t *executor.Tensor, i int, x float64) {
	size := t.DType.Size() / 2
	walk.Put(t.Data[i*size:], walk.PartOf(t.DType), arg.Scalar{Kind: executor.KindDouble, F: x})
}

func partAt(t *executor.Tensor, i int) float64 {
	return walk.Get(t.Data, walk.PartOf(t.DType), i).Float()
}

// The results are eager's to the bit, sign of zeros included, for one number by itself and for many in vectors.
func TestComplexArithmeticAsEager(t *testing.T) {
	for d, ops := range complexSums {
		for name, want := range ops {
			run := func(from, n int) *executor.Tensor {
				x, y := complexes(d, complexLeft[2*from:2*(from+n)], n), complexes(d, complexRight[2*from:2*(from+n)], n)
				args := []*executor.Value{val(x), val(y)}
				switch name {
				case "reciprocal.out":
					args = args[1:]
				case "add.out":
					args = append(args, executor.NewInt(1))
				case "sub.out":
					args = append(args, executor.NewInt(2))
				}
				out := executor.NewTensor(d, []int{n}, nil)
				require.NoError(t, call(t, nil, "aten::"+name, append(args, val(out))...))
				return out
			}
			agree := func(out *executor.Tensor, from, n int) {
				for i, w := range want[2*from : 2*(from+n)] {
					got := partAt(out, i)
					if d == arg.C64 {
						w = float64(float32(w))
					}
					require.True(t, got == w && math.Signbit(got) == math.Signbit(w) || got != got && w != w,
						"%s of %v: part %d is %v, want %v", name, d, 2*from+i, got, w)
				}
			}
			n := len(want) / 2
			agree(run(0, n), 0, n)
			for i := range n {
				agree(run(i, 1), i, 1)
			}
		}
	}
}

// Vectors divide like the portable loop, for numbers of all sizes.
func TestComplexQuotientsOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n = 1000
	for _, d := range []executor.DType{arg.C64, arg.C128} {
		for _, name := range []string{"div.out", "mul.out"} {
			a, b, y := executor.NewTensor(d, []int{n}, nil), executor.NewTensor(d, []int{n}, nil), executor.NewTensor(d, []int{n}, nil)
			for i := range 2 * n {
				setPart(a, i, math.Ldexp(r.NormFloat64(), r.IntN(200)-100))
				setPart(b, i, math.Ldexp(r.NormFloat64(), r.IntN(200)-100))
			}
			require.NoError(t, call(t, nil, "aten::"+name, val(a), val(b), val(y)))
			size := d.Size()
			for i := range n {
				one := func(t *executor.Tensor) *executor.Value {
					return val(executor.NewTensor(d, []int{1}, t.Data[i*size:(i+1)*size]))
				}
				alone := executor.NewTensor(d, []int{1}, nil)
				require.NoError(t, call(t, nil, "aten::"+name, one(a), one(b), val(alone)))
				require.Equal(t, y.Data[i*size:(i+1)*size], alone.Data, "%s of %v, %v", name, a.Data[i*size:(i+1)*size], b.Data[i*size:(i+1)*size])
			}
		}
	}
}

// gaussian makes a tensor of a random dim order with small whole parts, of which sums and few products are exact.
func gaussian(r *rand.Rand, d executor.DType, sizes ...int) *executor.Tensor {
	order := make([]uint8, len(sizes))
	for i, p := range r.Perm(len(sizes)) {
		order[i] = uint8(p)
	}
	t := executor.NewTensorOrder(d, sizes, order, nil)
	for i := range 2 * t.NumElements() {
		setPart(t, i, float64(r.IntN(7)-3))
	}
	return t
}

// numberAt reads a number by its logical index, right-aligned and broadcast.
func numberAt(t *executor.Tensor, index []int) complex128 {
	off, lead := 0, len(index)-t.Rank()
	for d, n := range t.Sizes {
		if n > 1 {
			off += index[d+lead] * t.Strides[d]
		}
	}
	if !arg.Complex.Has(t.DType) {
		return complex(walk.Get(t.Data, t.DType, off).Float(), 0)
	}
	return complex(partAt(t, 2*off), partAt(t, 2*off+1))
}

// As in PyTorch, a complex number becomes a real one without its imaginary part, and true if either part is not 0.
func TestComplexCasts(t *testing.T) {
	parts := []float64{0, 0, negZero, 0, 0, 0.5, 1.5, -2, -3.75, 0, nan, 0, 0, nan, 300, 1}
	n := len(parts) / 2
	for _, from := range []executor.DType{arg.C32, arg.C64, arg.C128} {
		x := complexes(from, parts, n)
		for _, to := range []executor.DType{arg.Bool, arg.I32, arg.F16, arg.BF16, arg.F32, arg.F64, arg.C32, arg.C64, arg.C128} {
			y := executor.NewTensor(to, []int{n}, nil)
			require.NoError(t, call(t, nil, "aten::copy.out", val(y), val(x), executor.NewBool(false), val(y)))
			for i := range n {
				re, im := parts[2*i], parts[2*i+1]
				switch got := numberAt(y, []int{i}); {
				case to == arg.Bool:
					require.Equal(t, re != 0 || im != 0, real(got) != 0, "%v to bool, %v%+vi", from, re, im)
				case to == arg.I32 && re != re:
				case to == arg.I32:
					require.Equal(t, math.Trunc(re), real(got), "%v to %v", from, to)
				case arg.Complex.Has(to):
					require.True(t, (real(got) == re || re != re && real(got) != real(got)) && (imag(got) == im || im != im && imag(got) != imag(got)), "%v to %v: %v", from, to, got)
				default:
					require.True(t, real(got) == re || re != re && real(got) != real(got), "%v to %v: %v", from, to, got)
				}
			}
		}
		for _, real := range []executor.DType{arg.Bool, arg.U8, arg.I64, arg.F16, arg.BF16, arg.F32, arg.F64} {
			y := executor.NewTensor(from, []int{3}, nil)
			z := executor.NewTensor(real, []int{3}, nil)
			walk.Put(z.Data[real.Size():], real, arg.Scalar{Kind: executor.KindInt, I: 1})
			require.NoError(t, call(t, nil, "aten::copy.out", val(y), val(z), executor.NewBool(false), val(y)))
			require.Equal(t, []complex128{0, 1, 0}, []complex128{numberAt(y, []int{0}), numberAt(y, []int{1}), numberAt(y, []int{2})}, "%v to %v", real, from)
		}
	}
}

// logical_not and its kin, and nonzero, take a number for true if either part is not 0.
func TestComplexTruth(t *testing.T) {
	for _, d := range []executor.DType{arg.C64, arg.C128} {
		x, y := val(complexes(d, []float64{0, negZero, 0, 2, nan, 0, 0, 0}, 4)), val(complexes(d, []float64{1, 0, 0, 1, 0, 0, 0, 0}, 4))
		for name, want := range map[string][]bool{"and": {false, true, false, false}, "or": {true, true, true, false}, "xor": {true, false, true, false}} {
			require.Equal(t, want, like[bool](t, arg.Bool, 4, "aten::logical_"+name+".out", x, y), name)
		}
		require.Equal(t, []bool{true, false, false, true}, like[bool](t, arg.Bool, 4, "aten::logical_not.out", x))
		places := executor.NewTensor(arg.I64, []int{2, 1}, nil)
		require.NoError(t, call(t, nil, "aten::nonzero.out", x, val(places)))
		require.Equal(t, []int64{1, 2}, executor.Slice[int64](places))
	}
}

// A result may not lose its imaginary part; what eager PyTorch refuses is refused with the types that the operator has.
func TestComplexRefusals(t *testing.T) {
	x, none, no := val(complexes(arg.C64, []float64{1, 2, 3, 4}, 2)), executor.NewNone(), executor.NewBool(false)
	one := func(d executor.DType) *executor.Value { return val(executor.NewTensor(d, []int{1}, nil)) }
	two := func(d executor.DType) *executor.Value { return val(executor.NewTensor(d, []int{2}, nil)) }
	for want, err := range map[string]error{
		"aten::sum.IntList_out(out): want complex32, complex64, complex128, found float32":                                                                      call(t, nil, "aten::sum.IntList_out", x, executor.NewInts(0), executor.NewBool(true), none, one(arg.F32)),
		"aten::add.out(out): want a type that complex64 casts to, found float32":                                                                                call(t, nil, "aten::add.out", x, x, executor.NewInt(1), two(arg.F32)),
		"aten::native_dropout.out(out0): want a type that complex64 casts to, found float32":                                                                    call(t, nil, "aten::native_dropout.out", x, executor.NewDouble(0.5), no, two(arg.F32), two(arg.Bool)),
		"aten::amax.out(self): want uint8, int8, int16, int32, int64, float16, float32, float64, bool, bfloat16, uint16, uint32, uint64, found complex64":       call(t, nil, "aten::amax.out", x, executor.NewInts(0), no, one(arg.C64)),
		"aten::lt.Tensor_out(other): want uint8, int8, int16, int32, int64, float16, float32, float64, bool, bfloat16, uint16, uint32, uint64, found complex64": call(t, nil, "aten::lt.Tensor_out", x, x, two(arg.Bool)),
	} {
		require.Equal(t, fault.InvalidArgument, fault.CodeOf(err), want)
		require.EqualError(t, err, want)
	}
}

// Products of matrices of every layout, constant or not, against sums of products.
func TestComplexProductsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	workers := pools(t)
	for range 120 {
		d := []executor.DType{arg.C64, arg.C128}[r.IntN(2)]
		size := func() int { return []int{1, 2, 3, 4, 5, 8, 13, 16, 17, 30, 100}[r.IntN(11)] }
		m, k, n, batch := size(), size(), size(), 1+r.IntN(3)
		if r.IntN(10) == 0 {
			k = 600
		}
		a, b, bias := gaussian(r, d, batch, m, k), gaussian(r, d, batch, k, n), gaussian(r, d, n)
		sum := func(a, b *executor.Tensor, at, bt []int, ka, kb int) (s complex128) {
			for i := range k {
				at[ka], bt[kb] = i, i
				s += numberAt(a, at) * numberAt(b, bt)
			}
			return s
		}
		check := func(name string, sizes []int, want func(index []int) complex128, args ...*executor.Value) {
			var first *executor.Tensor
			for _, w := range workers {
				y := executor.NewTensor(d, sizes, nil)
				require.NoError(t, call(t, w, "aten::"+name, append(args, val(y))...))
				if first == nil {
					first = y
					each(sizes, func(index []int) {
						require.Equal(t, want(index), numberAt(y, index), "%s of %v, %d×%d×%d at %v", name, d, m, k, n, index)
					})
				}
				require.Equal(t, first.Data, y.Data, name)
			}
		}
		check("bmm.out", []int{batch, m, n}, func(x []int) complex128 {
			return sum(a, b, []int{x[0], x[1], 0}, []int{x[0], 0, x[2]}, 2, 1)
		}, val(a), val(b))
		flat, right, weight := gaussian(r, d, m, k), gaussian(r, d, k, n), gaussian(r, d, n, k)
		if r.IntN(2) == 0 {
			right.MarkConstant()
			weight.MarkConstant()
		}
		product := func(x []int) complex128 { return sum(flat, right, []int{x[0], 0}, []int{0, x[1]}, 1, 0) }
		check("mm.out", []int{m, n}, product, val(flat), val(right))
		alpha, beta := r.IntN(3), r.IntN(3)
		check("addmm.out", []int{m, n}, func(x []int) complex128 {
			return complex(float64(beta), 0)*numberAt(bias, x[1:]) + complex(float64(alpha), 0)*product(x)
		}, val(bias), val(flat), val(right), executor.NewInt(int64(beta)), executor.NewDouble(float64(alpha)))
		check("linear.out", []int{batch, m, n}, func(x []int) complex128 {
			return numberAt(bias, x[2:]) + sum(a, weight, []int{x[0], x[1], 0}, []int{x[2], 0}, 2, 1)
		}, val(a), val(weight), val(bias))
	}
}

// Complex numbers of two halves are added where they are told to, and close or not by their distance.
func TestComplexHalvesAndCloseness(t *testing.T) {
	no, yes := executor.NewBool(false), executor.NewBool(true)
	for _, d := range []executor.DType{arg.C32, arg.C64, arg.C128} {
		x, values := val(complexes(d, []float64{1, 2, 3, 4}, 2)), val(complexes(d, []float64{0.5, -1, 8, 16, 0.25, 0}, 3))
		out := executor.NewTensor(d, []int{2}, nil)
		at := executor.NewTensors(of(arg.I64, []int64{1, 0, 1}))
		require.NoError(t, call(t, nil, "aten::index_put.out", x, at, values, yes, val(out)))
		require.Equal(t, []complex128{9 + 18i, 3.75 + 3i}, []complex128{numberAt(out, []int{0}), numberAt(out, []int{1})})
		require.NoError(t, call(t, nil, "aten::mul.Scalar_out", x, executor.NewDouble(0.25), val(out)))
		require.Equal(t, []complex128{0.25 + 0.5i, 0.75 + 1i}, []complex128{numberAt(out, []int{0}), numberAt(out, []int{1})})
		closeTo := func(b []float64, same *executor.Value) bool {
			a := val(complexes(d, []float64{3, 4, inf, 1, nan, 1}, 3))
			return like[bool](t, arg.Bool, 1, "aten::allclose.out", a, val(complexes(d, b, 3)), executor.NewDouble(0.1), executor.NewDouble(0), same, no)[0]
		}
		require.True(t, closeTo([]float64{3.25, 4.25, inf, 1, 0, nan}, yes))
		require.False(t, closeTo([]float64{3.25, 4.25, inf, 1, 0, nan}, no))
		require.False(t, closeTo([]float64{3.5, 4.5, inf, 1, 0, nan}, yes))
		require.False(t, closeTo([]float64{3, 4, inf, 2, 0, nan}, yes))
	}
}
