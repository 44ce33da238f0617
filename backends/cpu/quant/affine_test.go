package quant

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/optest"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/workers"
)

func call(t *testing.T, op executor.Op, args ...*executor.Value) {
	t.Helper()
	w := workers.New(3)
	defer w.Close()
	require.NoError(t, optest.Call(t, w, op, args...))
}

func floats(r *rand.Rand, n int) (*executor.Tensor, []float32) {
	t := executor.NewTensor(arg.F32, []int{n}, nil)
	x := executor.Slice[float32](t)
	for i := range x {
		x[i] = float32(r.NormFloat64() * 40)
		switch r.IntN(12) {
		case 0:
			x[i] = float32(r.IntN(200)-100) / 4 // many ties at a scale of ½
		case 1:
			x[i] = [...]float32{float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1e30, -1e30, 0}[r.IntN(6)]
		}
	}
	return t, x
}

// TestQuantiseAgreesWithItsDefinition checks the loops for small codes against round and clamp in f64, NaN, infinities,
// ties and far zero points included, and that dequantising gives back what the codes mean.
func TestQuantiseAgreesWithItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tensor := executor.NewTensorValue
	for _, d := range []executor.DType{arg.U8, arg.I8, arg.I16, arg.U16, arg.I32} {
		for range 30 {
			n := 1 + r.IntN(300)
			if r.IntN(10) == 0 {
				n = 1 << 17 // several parts
			}
			x, xs := floats(r, n)
			lo, hi := codeRange(d)
			if r.IntN(2) == 0 {
				lo, hi = max(lo, -7), min(hi, 100)
			}
			scale := []float64{0.5, 0.1, 3, 1e-3}[r.IntN(4)]
			zero := []int64{0, 3, -5, 127, 1 << 19, -1 << 22}[r.IntN(6)]
			q := executor.NewTensor(d, []int{n}, nil)
			call(t, QuantizePerTensor("q"), tensor(x), executor.NewDouble(scale), executor.NewInt(zero), executor.NewInt(lo), executor.NewInt(hi), executor.NewInt(int64(d)), tensor(q))
			back := executor.NewTensor(arg.F32, []int{n}, nil)
			call(t, DequantizePerTensor("d"), tensor(q), executor.NewDouble(scale), executor.NewInt(zero), executor.NewInt(lo), executor.NewInt(hi), executor.NewInt(int64(d)), executor.NewNone(), tensor(back))
			old := executor.NewTensor(arg.F32, []int{n}, nil)
			call(t, DequantizePerTensor("d"), tensor(q), executor.NewDouble(scale), executor.NewInt(zero), executor.NewInt(lo), executor.NewInt(hi), executor.NewInt(int64(d)), tensor(old), tensor(old))
			require.Equal(t, back.Data, old.Data, "the schema without out_dtype")
			for i, v := range xs {
				got := int64(element16(q, i))
				if v != v {
					continue // what an integer NaN is differs by width
				}
				want := math.RoundToEven(float64(v*float32(1/scale))) + float64(zero)
				want = max(float64(lo), min(float64(hi), want))
				if int64(want) != got {
					t.Fatalf("%v of %v: scale %v, zero %d, %d…%d: got %d, want %v", v, d, scale, zero, lo, hi, got, want)
				}
				if meant := (float32(got) - float32(zero)) * float32(scale); meant != executor.Slice[float32](back)[i] {
					t.Fatalf("%d of %v: scale %v, zero %d: got %v, want %v", got, d, scale, zero, executor.Slice[float32](back)[i], meant)
				}
			}
		}
	}
}

func element16(t *executor.Tensor, i int) float64 {
	if t.DType == arg.U16 {
		return float64(executor.Slice[uint16](t)[i])
	}
	return walk.Float(t, i)
}

func TestEmbeddingRefusesRowsOutside(t *testing.T) {
	op := embedding("e", "", 4)
	w := executor.NewTensor(arg.U8, []int{3, 4}, nil)
	s := executor.NewTensor(arg.F32, []int{3}, nil)
	i := executor.NewTensor(arg.I64, []int{1}, nil)
	y := executor.NewTensor(arg.F32, []int{1, 8}, nil)
	v := executor.NewTensorValue
	args := []*executor.Value{v(w), v(s), executor.NewNone(), executor.NewInt(-8), executor.NewInt(7), v(i), v(y)}
	state, _, err := op.Prepare(args)
	require.NoError(t, err)
	for _, x := range []int64{-1, 3, math.MaxInt64} {
		executor.Slice[int64](i)[0] = x
		require.ErrorContains(t, op.Run(executor.NewScope(nil, 0), state, args), "indices")
	}
}

// TestDoubleScalesByChannelAreNotRounded puts inputs at the boundaries between codes, where a scale that was rounded to f32
// gives the neighbour, along rows, columns and long runs of one channel.
func TestDoubleScalesByChannelAreNotRounded(t *testing.T) {
	ops := executor.Ops{}.Add(Ops()...)
	r := rand.New(rand.NewPCG(3, 4))
	tensor := executor.NewTensorValue
	for _, c := range []struct{ rows, cols, axis int }{{5, 3, 1}, {40, 33, 1}, {40, 33, 0}, {3, 1000, 0}, {3, 1000, 1}} {
		n := [2]int{c.rows, c.cols}[c.axis]
		scales, points := executor.NewTensor(arg.F64, []int{n}, nil), executor.NewTensor(arg.I64, []int{n}, nil)
		for i := range n {
			executor.Slice[float64](scales)[i] = 0.01 + r.Float64()/20
			executor.Slice[int64](points)[i] = int64(r.IntN(11) - 5)
		}
		x := executor.NewTensor(arg.F32, []int{c.rows, c.cols}, nil)
		channel := func(i int) int { return [2]int{i / c.cols, i % c.cols}[c.axis] }
		for i := range executor.Slice[float32](x) {
			executor.Slice[float32](x)[i] = float32((float64(r.IntN(20000)-10000) + 0.5) * executor.Slice[float64](scales)[channel(i)])
		}
		q, back := executor.NewTensor(arg.I16, x.Sizes, nil), executor.NewTensor(arg.F32, x.Sizes, nil)
		lo, hi, axis, d := executor.NewInt(-32768), executor.NewInt(32767), executor.NewInt(int64(c.axis)), executor.NewInt(int64(arg.I16))
		call(t, ops["quantized_decomposed::quantize_per_channel.out"], tensor(x), tensor(scales), tensor(points), axis, lo, hi, d, tensor(q))
		call(t, ops["quantized_decomposed::dequantize_per_channel.out"], tensor(q), tensor(scales), tensor(points), axis, lo, hi, d, executor.NewNone(), tensor(back))
		for i, v := range executor.Slice[float32](x) {
			scale, zero := executor.Slice[float64](scales)[channel(i)], float64(executor.Slice[int64](points)[channel(i)])
			code := math.RoundToEven(float64(v)*(1/scale)) + zero
			require.EqualValues(t, code, executor.Slice[int16](q)[i], "%v by %v, %v", v, scale, c)
			require.Equal(t, float32((code-zero)*scale), executor.Slice[float32](back)[i], "%v by %v, %v", code, scale, c)
		}
	}
}
