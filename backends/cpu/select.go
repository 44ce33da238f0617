package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// selections choose between elements by a mask at the same place.
func selections() []executor.Op {
	every := arg.RealBool | arg.Complex
	return []executor.Op{
		(&pointwise{
			sig: arg.Sign("aten::where.self_out", "condition self other out"), ins: []operand{{0, mask}, {1, tensor}, {2, tensor}}, types: every,
			table: bySize(choose[uint8], choose[uint16], choose32, choose[uint64], choose[complex128]),
		}).make(),
		(&pointwise{
			sig: arg.Sign("aten::masked_fill.Scalar_out", "self mask value out"), ins: []operand{{0, tensor}, {1, mask}, {2, constant}}, types: every,
			table: bySize(replace[uint8], replace[uint16], replace32, replace[uint64], replace[complex128]),
		}).make(),
	}
}

// bySize makes a table of kernels that only move elements.
func bySize(b1, b2, b4, b8, b16 walk.Kernel) *walk.Table {
	return &walk.Table{
		arg.Bool: b1, arg.U8: b1, arg.I8: b1, arg.I16: b2, arg.I32: b4, arg.I64: b8,
		arg.F32: b4, arg.F64: b8, arg.C64: b8, arg.C128: b16,
	}
}

func choose[T executor.Element](_ *walk.Params, dst, a, b, c []byte) {
	y, x, z := two[T, T](dst, b, c)
	for i, m := range a[:len(y)] {
		v := x[i]
		if m == 0 {
			v = z[i]
		}
		y[i] = v
	}
}

func choose32(_ *walk.Params, dst, a, b, c []byte) {
	y, x, z := two[float32, float32](dst, b, c)
	fmath.Choose(y, a, x, z)
}

func replace[T executor.Element](_ *walk.Params, dst, a, b, c []byte) {
	y, x, z := two[T, T](dst, a, c)
	for i, m := range b[:len(y)] {
		v := x[i]
		if m != 0 {
			v = z[i]
		}
		y[i] = v
	}
}

func replace32(p *walk.Params, dst, a, b, c []byte) { choose32(p, dst, b, c, a) }
