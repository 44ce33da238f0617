package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// selections choose between elements by a mask at the same place.
func selections() []executor.Op {
	every := arg.RealBool | arg.Complex
	b1, b2, b8, b16 := choose[uint8](lanes.Choose8), choose[uint16](lanes.Choose16), choose[uint64](lanes.Choose64), choose[complex128](nil)
	return []executor.Op{
		(&pointwise{
			sig: arg.Sign("aten::where.self_out", "condition self other out"), ins: []operand{{0, mask}, {1, tensor}, {2, tensor}}, types: every,
			table: bySize(b1, b2, choose32, b8, b16),
		}).make(),
		(&pointwise{
			sig: arg.Sign("aten::masked_fill.Scalar_out", "self mask value out"), ins: []operand{{0, tensor}, {1, mask}, {2, constant}}, types: every,
			table: bySize(replaced(b1), replaced(b2), replaced(choose32), replaced(b8), replaced(b16)), choose: fittingFill,
		}).make(),
	}
}

// fittingFill wants the number that masked_fill writes to fit the elements.
func fittingFill(c *pointCall, args []*executor.Value) (*walk.Table, error) {
	r := c.op.sig.Read(args)
	fitting(&r, 2, c.common)
	return c.op.table, r.Err
}

// bySize makes a table of kernels that only move elements.
func bySize(b1, b2, b4, b8, b16 walk.Kernel) *walk.Table {
	return &walk.Table{
		arg.Bool: b1, arg.U8: b1, arg.I8: b1, arg.I16: b2, arg.F16: b2, arg.BF16: b2, arg.I32: b4, arg.I64: b8,
		arg.F32: b4, arg.F64: b8, arg.C64: b8, arg.C128: b16,
	}
}

// choose takes the second operand where the first, a mask, is not 0, and the third elsewhere.
func choose[T executor.Element](f lanes.Choice) walk.Kernel {
	return func(_ *walk.Params, dst, a, b, c []byte) {
		y, x, z := two[T, T](dst, b, c)
		n := 0
		if f != nil {
			n = f(dst, a[:len(y)], b, c)
		}
		for i, m := range a[n:len(y)] {
			v := x[n+i]
			if m == 0 {
				v = z[n+i]
			}
			y[n+i] = v
		}
	}
}

func choose32(_ *walk.Params, dst, a, b, c []byte) {
	y, x, z := two[float32, float32](dst, b, c)
	fmath.Choose(y, a, x, z)
}

// replaced is choose for a first operand that the third replaces where the second is not 0.
func replaced(choose walk.Kernel) walk.Kernel {
	return func(p *walk.Params, dst, a, b, c []byte) { choose(p, dst, b, c, a) }
}
