package arg_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

var sig = arg.Sign("aten::some.out", "self dim list out")

func args() []*executor.Value {
	return []*executor.Value{
		executor.NewTensorValue(executor.NewTensor(arg.F32, []int{2, 3}, nil)), executor.NewInt(-1), executor.NewInts(0, -1), executor.NewNone(),
	}
}

func TestErrorsNameOperatorAndArgument(t *testing.T) {
	a := args()
	one := func(_ any, err error) error { return err }
	for want, err := range map[string]error{
		"aten::some.out(dim): want tensor, found int":                                 one(sig.Tensor(a, 1)),
		"aten::some.out(self): want int, found tensor":                                one(sig.Int(a, 0)),
		"aten::some.out(dim): want 0…5, found -1":                                     one(sig.IntIn(a, 1, 0, 5)),
		"aten::some.out(out): want number, found none":                                one(sig.Scalar(a, 3)),
		"aten::some.out(dim): want dimension in -2…1, found 7":                        one(sig.Wrap(1, 7, 2)),
		"aten::some.out(list): want each dimension once, found -1 twice":              one(sig.DimSet(a, 2, 1)),
		"aten::some.out(dim): want tensor list, found int":                            one(sig.Tensors(a, 1)),
		"aten::some.out(self): want int32, bool, found float32":                       sig.DType(0, a[0].Tensor(), arg.Of(arg.I32, arg.Bool)),
		"aten::some.out: arg_count: want 4 arguments (self, dim, list, out), found 2": sig.Check(a[:2]),
		"aten::some.out(self): want static sizes [2 3], found [3 3]":                  sig.Resize(0, a[0].Tensor(), 3, 3),
	} {
		require.EqualError(t, err, want)
	}
	require.Equal(t, fault.InvalidProgram, fault.CodeOf(sig.Check(a[:2])))
	require.Equal(t, fault.InvalidType, fault.CodeOf(one(sig.Tensor(a, 1))))
}

func TestReading(t *testing.T) {
	a := args()
	require.NoError(t, sig.Check(a))
	require.NoError(t, sig.Check(append(a, executor.NewNone())), "with the return slot")
	d, err := sig.Dim(a, 1, 2)
	require.NoError(t, err)
	require.Equal(t, 1, d)
	d, err = sig.Dim(a, 1, 0)
	require.NoError(t, err)
	require.Zero(t, d, "rank 0 counts as rank 1")
	m, err := sig.DimSet(a, 2, 3)
	require.NoError(t, err)
	require.Equal(t, arg.Dims(0b101), m)
	m, err = sig.DimSet(a, 3, 3)
	require.NoError(t, err)
	require.Equal(t, arg.Dims(0b111), m, "absent means all")
	x, err := sig.Optional(a, 3)
	require.NoError(t, err)
	require.Nil(t, x)
	require.Zero(t, testing.AllocsPerRun(5, func() {
		var buf [4]int
		_, _ = sig.Ints(a, 2, buf[:0])
		_, _ = sig.DimSet(a, 2, 3)
		_, _ = sig.Scalar(a, 1)
	}))
}

func TestTruncate(t *testing.T) {
	for f, want := range map[float64]int64{
		1.9: 1, -1.9: -1, 1e300: math.MinInt64, -1e300: math.MinInt64, math.Inf(1): math.MinInt64,
		9223372036854775807: math.MinInt64, -9223372036854775808: math.MinInt64, 9223372036854774784: 9223372036854774784,
	} {
		require.Equal(t, want, arg.Truncate(f), "%g", f)
	}
	require.Equal(t, int64(math.MinInt64), arg.Truncate(math.NaN()))
}

// TestReaderKeepsTheFirstError: what is read after it is nil or zero, and what is wrong after it is not told.
func TestReaderKeepsTheFirstError(t *testing.T) {
	a := args()
	good := func() {
		r := sig.Read(a)
		var buf [4]int
		x, d, list := r.Of(0, arg.Floats), r.IntIn(1, -2, 5), r.Ints(2, buf[:0])
		r.Like(0, x)
		r.Rank(0, x, 2)
		r.Resize(0, x, 2, 3)
		if r.Err != nil || d != -1 || len(list) != 2 || r.Optional(3) != nil || !r.None(3) || r.DoubleOr(3, 0.5) != 0.5 || r.Dim(1, x) != 1 {
			t.Fatal(r.Err)
		}
	}
	require.Zero(t, testing.AllocsPerRun(5, good))
	for want, read := range map[string]func(r *arg.Reader){
		"aten::some.out(self): want int32, found float32":            func(r *arg.Reader) { r.Of(0, arg.Of(arg.I32)) },
		"aten::some.out(dim): want tensor, found int":                func(r *arg.Reader) { r.Tensor(1) },
		"aten::some.out(self): want 3 dimensions, found sizes [2 3]": func(r *arg.Reader) { r.Rank(0, r.Tensor(0), 3) },
		"aten::some.out(self): want float64, found float32": func(r *arg.Reader) {
			r.Like(0, executor.NewTensor(arg.F64, nil, nil))
		},
		"aten::some.out(self): want static sizes [2 3], found [3 3]": func(r *arg.Reader) { r.Resize(0, r.Tensor(0), 3, 3) },
		"aten::some.out(dim): want more, found less":                 func(r *arg.Reader) { r.Bad(1, "more", "less") },
	} {
		r := sig.Read(a)
		read(&r)
		x := r.Tensor(0)
		r.Like(0, x)
		r.Rank(0, x, 7)
		r.Resize(0, x, 7)
		r.Bad(2, "this", "that")
		require.Nil(t, x)
		require.Zero(t, r.Dim(1, x))
		require.Zero(t, r.Int(1))
		require.EqualError(t, r.Err, want)
	}
}
