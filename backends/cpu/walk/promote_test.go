package walk

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// PyTorch's table (torch.promote_types), upper triangle.
func TestPromote(t *testing.T) {
	types := []executor.DType{arg.U8, arg.I8, arg.I16, arg.I32, arg.I64, arg.F16, arg.F32, arg.F64, arg.C64, arg.C128, arg.Bool, arg.BF16}
	table := [][]executor.DType{
		{arg.U8, arg.I16, arg.I16, arg.I32, arg.I64, arg.F16, arg.F32, arg.F64, arg.C64, arg.C128, arg.U8, arg.BF16},
		{arg.I8, arg.I16, arg.I32, arg.I64, arg.F16, arg.F32, arg.F64, arg.C64, arg.C128, arg.I8, arg.BF16},
		{arg.I16, arg.I32, arg.I64, arg.F16, arg.F32, arg.F64, arg.C64, arg.C128, arg.I16, arg.BF16},
		{arg.I32, arg.I64, arg.F16, arg.F32, arg.F64, arg.C64, arg.C128, arg.I32, arg.BF16},
		{arg.I64, arg.F16, arg.F32, arg.F64, arg.C64, arg.C128, arg.I64, arg.BF16},
		{arg.F16, arg.F32, arg.F64, arg.C64, arg.C128, arg.F16, arg.F32},
		{arg.F32, arg.F64, arg.C64, arg.C128, arg.F32, arg.F32},
		{arg.F64, arg.C128, arg.C128, arg.F64, arg.F64},
		{arg.C64, arg.C128, arg.C64, arg.C64},
		{arg.C128, arg.C128, arg.C128},
		{arg.Bool, arg.BF16},
		{arg.BF16},
	}
	for i, row := range table {
		for k, want := range row {
			a, b := types[i], types[i+k]
			require.Equal(t, want, Promote(a, b), "%v, %v", a, b)
			require.Equal(t, want, Promote(b, a), "%v, %v", b, a)
		}
	}
}

func TestMix(t *testing.T) {
	integer, double := arg.Scalar{Kind: executor.KindInt, I: 1}, arg.Scalar{Kind: executor.KindDouble, F: 0.5}
	result := func(f func(m *Mix)) executor.DType {
		var m Mix
		f(&m)
		return m.Result()
	}
	require.Equal(t, arg.F16, result(func(m *Mix) { m.Tensor(arg.F16, 2); m.Tensor(arg.F32, 0) }), "rank 0 of the same category")
	require.Equal(t, arg.F32, result(func(m *Mix) { m.Tensor(arg.I32, 2); m.Tensor(arg.F32, 0) }), "rank 0 of a higher category")
	require.Equal(t, arg.I32, result(func(m *Mix) { m.Tensor(arg.I32, 2); m.Tensor(arg.I64, 0) }))
	require.Equal(t, arg.U8, result(func(m *Mix) { m.Tensor(arg.U8, 1); m.Number(integer) }))
	require.Equal(t, arg.F32, result(func(m *Mix) { m.Tensor(arg.U8, 1); m.Number(double) }), "the default float")
	require.Equal(t, arg.BF16, result(func(m *Mix) { m.Tensor(arg.BF16, 1); m.Number(double) }))
	require.Equal(t, arg.I64, result(func(m *Mix) { m.Tensor(arg.Bool, 1); m.Number(integer) }))
	require.Equal(t, arg.F64, result(func(m *Mix) { m.Tensor(arg.F64, 0); m.Number(integer) }))
	for _, c := range []executor.DType{arg.C32, arg.C64, arg.C128} {
		for of, want := range map[executor.DType]executor.DType{arg.F16: arg.C32, arg.BF16: arg.C64, arg.F32: arg.C64, arg.F64: arg.C128, arg.I64: c, arg.Bool: c} {
			require.Equal(t, want, result(func(m *Mix) { m.Tensor(of, 1); m.Tensor(c, 0) }), "%v and %v", of, c)
			require.Equal(t, c, result(func(m *Mix) { m.Tensor(of, 0); m.Tensor(c, 1) }), "%v and %v", of, c)
		}
	}
}

func TestCanCast(t *testing.T) {
	require.True(t, CanCast(arg.F64, arg.F16))
	require.True(t, CanCast(arg.I64, arg.U8))
	require.True(t, CanCast(arg.Bool, arg.U8))
	require.False(t, CanCast(arg.F32, arg.I64))
	require.False(t, CanCast(arg.U8, arg.Bool))
	require.False(t, CanCast(arg.C64, arg.F64))
}
