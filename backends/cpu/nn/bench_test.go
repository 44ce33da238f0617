package nn_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/nn"
	"github.com/ptero-rt/ptero/backends/cpu/quant"
	"github.com/ptero-rt/ptero/executor"
)

// BenchmarkOps runs operators at sizes of about a million outputs, on one core.
func BenchmarkOps(b *testing.B) {
	ops := executor.Ops{}.Add(append(nn.Ops(), quant.Ops()...)...)
	f32 := func(sizes ...int) *executor.Value { return tensor(arg.F32, sizes...) }
	i := executor.NewInt
	two := executor.NewInts
	yes, no, none := executor.NewBool(true), executor.NewBool(false), executor.NewNone()
	for _, c := range []struct {
		op   string
		args []*executor.Value
	}{
		{"aten::max_pool2d_with_indices.out", []*executor.Value{f32(1, 64, 256, 256), two(3, 3), two(2, 2), two(1, 1), two(1, 1), no, f32(1, 64, 128, 128), tensor(arg.I64, 1, 64, 128, 128)}},
		{"aten::avg_pool2d.out", []*executor.Value{f32(1, 64, 256, 256), two(2, 2), two(2, 2), two(0, 0), no, yes, none, f32(1, 64, 128, 128)}},
		{"aten::_adaptive_avg_pool2d.out", []*executor.Value{f32(1, 1024, 32, 32), two(1, 1), f32(1, 1024, 1, 1)}},
		{"aten::upsample_nearest2d.vec_out", []*executor.Value{f32(1, 16, 128, 128), two(256, 256), none, f32(1, 16, 256, 256)}},
		{"aten::upsample_bilinear2d.vec_out", []*executor.Value{f32(1, 16, 128, 128), two(256, 256), no, none, f32(1, 16, 256, 256)}},
		{"aten::_upsample_bilinear2d_aa.out", []*executor.Value{f32(1, 16, 128, 128), two(256, 256), no, none, none, f32(1, 16, 256, 256)}},
		{"aten::grid_sampler_2d.out", []*executor.Value{f32(1, 16, 128, 128), f32(1, 256, 256, 2), i(0), i(0), no, f32(1, 16, 256, 256)}},
		{"aten::pixel_shuffle.out", []*executor.Value{f32(1, 64, 128, 128), i(2), f32(1, 16, 256, 256)}},
		{"quantized_decomposed::quantize_per_tensor.out", []*executor.Value{f32(1 << 20), executor.NewDouble(0.1), i(3), i(-128), i(127), i(1), tensor(arg.I8, 1<<20)}},
		{"quantized_decomposed::dequantize_per_tensor.out", []*executor.Value{tensor(arg.I8, 1<<20), executor.NewDouble(0.1), i(3), i(-128), i(127), i(1), none, f32(1 << 20)}},
		{"quantized_decomposed::choose_qparams.Tensor_out", []*executor.Value{f32(1 << 20), i(-128), i(127), executor.NewDouble(1e-7), i(1), tensor(arg.F64, 1), tensor(arg.I64, 1)}},
		{"quantized_decomposed::mixed_linear.out", []*executor.Value{f32(1, 1024), tensor(arg.I8, 1024, 1024), f32(1024), none, none, f32(1, 1024)}},
		// What a call costs, whatever its size.
		{"aten::linear.out", []*executor.Value{f32(1, 8), f32(8, 8), f32(8), f32(1, 8)}},
		{"aten::mm.out", []*executor.Value{f32(4, 4), f32(4, 4), f32(4, 4)}},
		{"aten::bmm.out", []*executor.Value{f32(64, 8, 8), f32(64, 8, 8), f32(64, 8, 8)}},
		{"aten::addmm.out", []*executor.Value{f32(8), f32(1, 8), f32(8, 8), i(1), i(1), f32(1, 8)}},
	} {
		b.Run(c.op, func(b *testing.B) {
			op := ops[c.op]
			state, needs, err := op.Prepare(c.args)
			require.NoError(b, err)
			s := executor.ScopeFor(nil, needs)
			for b.Loop() {
				s.Reset()
				if err := op.Run(s, state, c.args); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func tensor(d executor.DType, sizes ...int) *executor.Value {
	return executor.NewTensorValue(executor.NewTensor(d, sizes, nil))
}
