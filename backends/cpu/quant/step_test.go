package quant

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// With one scale, codes and differences are rounded to the type of the output before they are scaled; with scales of f32 for
// channels and rows, products are rounded to that. Expected values were written down from PyTorch.
func TestDequantisingRoundsEachStep(t *testing.T) {
	tensor := executor.NewTensorValue
	inf := math.Inf(1)
	filled := func(d executor.DType, xs []int64) *executor.Tensor {
		x := executor.NewTensor(d, []int{len(xs)}, nil)
		for i, v := range xs {
			walk.Put(x.Data[i*d.Size():][:d.Size()], d, arg.Scalar{Kind: executor.KindInt, I: v})
		}
		return x
	}
	for _, c := range []struct {
		from executor.DType
		xs   []int64
		to   executor.DType
		zero int64
		want []float64
	}{
		{arg.I16, []int64{-32768, -2049, 300, 2051, 32767}, arg.F16, 0, []float64{-1638, -102.375, 15, 102.625, 1638}},
		{arg.I16, []int64{-32768, -2049, 300, 2051, 32767}, arg.F16, -5, []float64{-1638, -102.125, 15.25, 102.8125, 1638}},
		{arg.I16, []int64{-32768, -2049, 300, 2051, 32767}, arg.F16, 100, []float64{-1643, -107.375, 10, 97.625, 1634}},
		{arg.I16, []int64{-32768, -2049, 300, 2051, 32767}, arg.BF16, 0, []float64{-1640, -102.5, 15, 102.5, 1640}},
		{arg.I16, []int64{-32768, -2049, 300, 2051, 32767}, arg.BF16, -5, []float64{-1640, -102, 15.1875, 102.5, 1640}},
		{arg.I16, []int64{-32768, -2049, 300, 2051, 32767}, arg.BF16, 100, []float64{-1640, -107, 10, 97.5, 1632}},
		{arg.I16, []int64{-32768, -2049, 300, 2051, 32767}, arg.F32, 0, []float64{-1638.4000244140625, -102.45000457763672, 15, 102.55000305175781, 1638.3499755859375}},
		{arg.I16, []int64{-32768, -2049, 300, 2051, 32767}, arg.F32, -5, []float64{-1638.1500244140625, -102.20000457763672, 15.25, 102.80000305175781, 1638.5999755859375}},
		{arg.I16, []int64{-32768, -2049, 300, 2051, 32767}, arg.F32, 100, []float64{-1643.4000244140625, -107.45000457763672, 10, 97.55000305175781, 1633.3499755859375}},
		{arg.I32, []int64{-2147483648, -16777217, 259, 16777219, 2147483647}, arg.F16, -5, []float64{-inf, -inf, 13.203125, inf, inf}},
		{arg.I32, []int64{-2147483648, -16777217, 259, 16777219, 2147483647}, arg.F16, 100, []float64{-inf, -inf, 7.94921875, inf, inf}},
		{arg.I32, []int64{-2147483648, -16777217, 259, 16777219, 2147483647}, arg.BF16, -5, []float64{-107479040, -839680, 13.1875, 839680, 107479040}},
		{arg.I32, []int64{-2147483648, -16777217, 259, 16777219, 2147483647}, arg.BF16, 100, []float64{-107479040, -839680, 8, 839680, 107479040}},
		{arg.I32, []int64{-2147483648, -16777217, 259, 16777219, 2147483647}, arg.F32, -5, []float64{-107374184, -838860.5625, 13.199999809265137, 838861.1875, 107374184}},
		{arg.I32, []int64{-2147483648, -16777217, 259, 16777219, 2147483647}, arg.F32, 100, []float64{-107374184, -838865.8125, 7.950000286102295, 838856, 107374176}},
		{arg.I32, []int64{-2147483648, -16777217, 259, 16777219, 2147483647}, arg.F64, -5, []float64{-107374182.15, -838860.6000000001, 13.200000000000001, 838861.2000000001, 107374182.60000001}},
		{arg.U8, []int64{0, 129, 253, 255, 7}, arg.BF16, 0, []float64{0, 6.4375, 12.625, 12.75, 0.349609375}},
		{arg.U8, []int64{0, 129, 253, 255, 7}, arg.BF16, -5, []float64{0.25, 6.6875, 12.875, 13, 0.6015625}},
		{arg.U8, []int64{0, 129, 253, 255, 7}, arg.BF16, 100, []float64{-5, 1.453125, 7.65625, 7.75, -4.65625}},
	} {
		x, y := filled(c.from, c.xs), executor.NewTensor(c.to, []int{len(c.xs)}, nil)
		lo, hi := codeRange(c.from)
		call(t, DequantizePerTensor("d"), tensor(x), executor.NewDouble(0.05), executor.NewInt(c.zero), executor.NewInt(lo), executor.NewInt(hi), executor.NewInt(int64(c.from)), executor.NewInt(int64(c.to)), tensor(y))
		for i, want := range c.want {
			require.Equal(t, want, walk.Float(y, i), "%v, element %d", c, i)
		}
	}
	ops := executor.Ops{}.Add(Ops()...)
	codes := filled(arg.I8, []int64{-100, 7, 99})
	scales, zeros := executor.NewTensor(arg.F32, []int{3}, nil), filled(arg.I64, []int64{3, -2, 0})
	for i := range 3 {
		executor.Slice[float32](scales)[i] = float32(i+1) * 0.013
	}
	y := executor.NewTensor(arg.F64, []int{3}, nil)
	lo, hi, from, to := executor.NewInt(-128), executor.NewInt(127), executor.NewInt(int64(arg.I8)), executor.NewInt(int64(arg.F64))
	call(t, ops["quantized_decomposed::dequantize_per_channel.out"], tensor(codes), tensor(scales), tensor(zeros), executor.NewInt(0), lo, hi, from, to, tensor(y))
	for i := range 3 {
		v := float32(int64(executor.Slice[int8](codes)[i]) - executor.Slice[int64](zeros)[i])
		require.Equal(t, float64(v*executor.Slice[float32](scales)[i]), executor.Slice[float64](y)[i])
	}
}
