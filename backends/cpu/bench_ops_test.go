package cpu_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// BenchmarkOps is one call of each operator on about a million elements, one worker, beside a copy of as many float32
// numbers. MB/s counts all tensors of the call once.
func BenchmarkOps(b *testing.B) {
	b.Run("memory_copy", func(b *testing.B) {
		x, y := make([]byte, 4*million), make([]byte, 4*million)
		b.SetBytes(int64(2 * len(x)))
		for b.Loop() {
			copy(y, x)
		}
	})
	for _, c := range benchCalls() {
		b.Run(c.name, func(b *testing.B) {
			op, ok := all[c.op]
			require.True(b, ok, c.op)
			state, needs, err := op.Prepare(c.args)
			require.NoError(b, err)
			temp, bytes := 0, 0
			for _, n := range needs {
				temp += int(n.Bytes) + 64
			}
			for _, v := range c.args[:len(c.args)-1] {
				if t := v.Tensor(); t != nil {
					bytes += t.NBytes()
				}
				for _, item := range v.Items() {
					if t := item.Tensor(); t != nil {
						bytes += t.NBytes()
					}
				}
			}
			s := executor.NewScope(nil, temp)
			b.SetBytes(int64(bytes))
			b.ReportAllocs()
			for b.Loop() {
				if err := op.Run(s, state, c.args); err != nil {
					b.Fatal(err)
				}
				s.Reset()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/million, "ns/element")
		})
	}
}

const million = 1 << 20

type benchCall struct {
	name, op string
	args     []*executor.Value
}

func benchCalls() []benchCall {
	r := rand.New(rand.NewPCG(1, 1))
	tensor := func(d executor.DType, sizes ...int) *executor.Value {
		t := executor.NewTensor(d, sizes, nil)
		if d == arg.F32 {
			for i := range executor.Slice[float32](t) {
				executor.Slice[float32](t)[i] = float32(r.NormFloat64())
			}
		} else if d != arg.F64 {
			for i := range t.Data {
				t.Data[i] = uint8(r.IntN(2))
			}
		}
		return val(t)
	}
	var calls []benchCall
	add := func(name, op string, args ...*executor.Value) {
		calls = append(calls, benchCall{name, op, append(args, args[len(args)-1])})
	}
	whole, no, none := executor.NewInt, executor.NewBool(false), executor.NewNone()
	x, y, out := tensor(arg.F32, million), tensor(arg.F32, million), tensor(arg.F32, million)
	bits, half, halfOut := tensor(arg.Bool, million), tensor(arg.F16, million), tensor(arg.F16, million)
	ints, intOut, long, longOut := tensor(arg.I32, million), tensor(arg.I32, million), tensor(arg.I64, million), tensor(arg.I64, million)
	for _, f := range []string{"abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "exp", "expm1", "floor", "log", "log10", "log1p", "log2",
		"neg", "reciprocal", "relu", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"} {
		add(f, "aten::"+f+".out", x, out)
	}
	for _, f := range []string{"isinf", "isnan", "logical_not"} {
		add(f, "aten::"+f+".out", x, bits)
	}
	add("gelu", "aten::gelu.out", x, executor.NewString("none"), out)
	add("gelu_tanh", "aten::gelu.out", x, executor.NewString("tanh"), out)
	add("hardtanh", "aten::hardtanh.out", x, executor.NewDouble(0), executor.NewDouble(6), out)
	add("leaky_relu", "aten::leaky_relu.out", x, executor.NewDouble(0.1), out)
	add("elu", "aten::elu.out", x, whole(1), whole(1), whole(1), out)
	for _, f := range []string{"add", "sub"} {
		add(f, "aten::"+f+".out", x, y, whole(1), out)
	}
	for _, f := range []string{"mul", "div", "maximum", "minimum", "atan2", "floor_divide"} {
		add(f, "aten::"+f+".out", x, y, out)
	}
	for _, f := range []string{"fmod", "remainder"} {
		add(f, "aten::"+f+".Tensor_out", x, y, out)
	}
	add("pow", "aten::pow.Tensor_Tensor_out", x, y, out)
	add("square", "aten::pow.Tensor_Scalar_out", x, whole(2), out)
	add("mul_number", "aten::mul.Scalar_out", x, executor.NewDouble(3), out)
	add("add_i32", "aten::add.out", ints, ints, whole(1), intOut)
	add("add_i64", "aten::add.out", long, long, whole(1), longOut)
	add("add_f16", "aten::add.out", half, half, whole(1), halfOut)
	add("mul_i32_f32", "aten::mul.out", ints, x, out)
	for _, f := range []string{"eq", "ne", "lt", "le", "gt", "ge"} {
		add(f, "aten::"+f+".Tensor_out", x, y, bits)
	}
	add("where", "aten::where.self_out", bits, x, y, out)
	add("masked_fill", "aten::masked_fill.Scalar_out", x, bits, whole(0), out)
	add("bitwise_and_i32", "aten::bitwise_and.Tensor_out", ints, ints, intOut)
	square, squareOut := tensor(arg.F32, 1024, 1024), tensor(arg.F32, 1024, 1024)
	row, column := tensor(arg.F32, 1024), tensor(arg.F32, 1024, 1)
	add("add_row", "aten::add.out", square, row, whole(1), squareOut)
	add("add_column", "aten::add.out", square, column, whole(1), squareOut)
	sums, which := tensor(arg.F32, 1024), tensor(arg.I64, 1024)
	for d, name := range []string{"_dim0", "_dim1"} {
		dim := executor.NewInts(int64(d))
		add("sum"+name, "aten::sum.IntList_out", square, dim, no, none, sums)
		add("mean"+name, "aten::mean.out", square, dim, no, none, sums)
		add("amax"+name, "aten::amax.out", square, dim, no, sums)
		add("max"+name, "aten::max.dim_max", square, whole(int64(d)), no, sums, which)
		add("var"+name, "aten::var.correction_out", square, dim, whole(1), no, sums)
		add("softmax"+name, "aten::_softmax.out", square, whole(int64(d)), no, squareOut)
		add("log_softmax"+name, "aten::_log_softmax.out", square, whole(int64(d)), no, squareOut)
		add("cumsum"+name, "aten::cumsum.out", square, whole(int64(d)), none, squareOut)
	}
	add("topk", "aten::topk.values", square, whole(5), whole(1), executor.NewBool(true), executor.NewBool(true), tensor(arg.F32, 1024, 5), tensor(arg.I64, 1024, 5))
	add("layer_norm", "aten::native_layer_norm.out", square, executor.NewInts(1024), row, row, executor.NewDouble(1e-5), squareOut, tensor(arg.F32, 1024, 1), tensor(arg.F32, 1024, 1))
	image, flat := tensor(arg.F32, 1, 64, 128, 128), val(executor.NewTensorOrder(arg.F32, []int{1, 64, 128, 128}, []uint8{0, 2, 3, 1}, nil))
	params, empty := tensor(arg.F32, 64), tensor(arg.F32, 0)
	for i := range executor.Slice[float32](params.Tensor()) {
		executor.Slice[float32](params.Tensor())[i] = 1
	}
	add("batch_norm", "aten::_native_batch_norm_legit_no_training.out", image, params, params, params, params, executor.NewDouble(0.1), executor.NewDouble(1e-5), tensor(arg.F32, 1, 64, 128, 128), empty, empty)
	add("to_channels_last", "dim_order_ops::_to_dim_order_copy.out", image, no, none, flat)
	add("permute", "aten::permute_copy.out", square, executor.NewInts(1, 0), squareOut)
	add("clone", "aten::clone.out", x, none, out)
	add("flip", "aten::flip.out", square, executor.NewInts(1), squareOut)
	add("expand", "aten::expand_copy.out", column, executor.NewInts(1024, 1024), no, squareOut)
	add("slice", "aten::slice_copy.Tensor_out", tensor(arg.F32, 1024, 2048), whole(1), whole(0), whole(2048), whole(2), squareOut)
	add("cat", "aten::cat.out", executor.NewTensors(tensor(arg.F32, 1024, 512).Tensor(), tensor(arg.F32, 1024, 512).Tensor()), whole(1), squareOut)
	add("to_f16", "aten::_to_copy.out", x, no, none, halfOut)
	add("to_i32", "aten::_to_copy.out", x, no, none, intOut)
	return calls
}
