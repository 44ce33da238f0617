package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// comparisons give bools, stored in whatever type the output has.
func comparisons() []executor.Op {
	var ops []executor.Op
	less, lessEqual := lessTable(), lessEqualTable()
	for _, f := range []struct {
		name  string
		table *walk.Table
	}{
		{"eq", equalTable()}, {"ne", unequalTable()}, {"lt", less}, {"le", lessEqual}, {"gt", swapped(less)}, {"ge", swapped(lessEqual)},
	} {
		for overload, kind := range map[string]operandKind{"Tensor": tensor, "Scalar": number} {
			types := arg.RealBool
			if f.table[arg.C64] != nil {
				types |= arg.Complex
			}
			op := binary("aten::"+f.name+"."+overload+"_out", kind, types, f.table)
			op.toBool, op.anyOut = true, true
			ops = append(ops, op.make())
		}
	}
	return ops
}

func equalTable() *walk.Table {
	u8 := related(lanes.Equal8, 1, equal[uint8])
	return &walk.Table{
		arg.Bool: u8, arg.U8: u8, arg.I8: u8, arg.I16: related(lanes.Equal16, 2, equal[int16]), arg.I32: related(lanes.Equal32, 4, equal[int32]),
		arg.I64: related(lanes.Equal64, 8, equal[int64]), arg.F32: relate(fmath.Equal), arg.F64: related(lanes.EqualF64, 8, equal[float64]),
		arg.C64: equal[complex64], arg.C128: equal[complex128],
	}
}

func unequalTable() *walk.Table {
	u8 := related(lanes.Unequal8, 1, unequal[uint8])
	return &walk.Table{
		arg.Bool: u8, arg.U8: u8, arg.I8: u8, arg.I16: related(lanes.Unequal16, 2, unequal[int16]), arg.I32: related(lanes.Unequal32, 4, unequal[int32]),
		arg.I64: related(lanes.Unequal64, 8, unequal[int64]), arg.F32: relate(fmath.Unequal), arg.F64: related(lanes.UnequalF64, 8, unequal[float64]),
		arg.C64: unequal[complex64], arg.C128: unequal[complex128],
	}
}

func lessTable() *walk.Table {
	u8 := related(lanes.LessU8, 1, less[uint8])
	return &walk.Table{
		arg.Bool: u8, arg.U8: u8, arg.I8: related(lanes.LessI8, 1, less[int8]), arg.I16: related(lanes.LessI16, 2, less[int16]),
		arg.I32: related(lanes.LessI32, 4, less[int32]),
		arg.I64: related(lanes.LessI64, 8, less[int64]), arg.F32: relate(fmath.Less), arg.F64: related(lanes.LessF64, 8, less[float64]),
	}
}

func lessEqualTable() *walk.Table {
	u8 := related(lanes.LessEqualU8, 1, lessEqual[uint8])
	return &walk.Table{
		arg.Bool: u8, arg.U8: u8, arg.I8: related(lanes.LessEqualI8, 1, lessEqual[int8]),
		arg.I16: related(lanes.LessEqualI16, 2, lessEqual[int16]), arg.I32: related(lanes.LessEqualI32, 4, lessEqual[int32]),
		arg.I64: related(lanes.LessEqualI64, 8, lessEqual[int64]), arg.F32: relate(fmath.LessEqual),
		arg.F64: related(lanes.LessEqualF64, 8, lessEqual[float64]),
	}
}

// relate makes a kernel of a relation between float32 slices.
func relate(f func(dst []uint8, a, b []float32)) walk.Kernel {
	return func(_ *walk.Params, dst, a, b, _ []byte) {
		f(dst, executor.SliceBytes[float32](a), executor.SliceBytes[float32](b))
	}
}

func equal[T arith | complexN](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[bool, T](dst, a, b)
	for i := range y {
		y[i] = x[i] == z[i]
	}
}

func unequal[T arith | complexN](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[bool, T](dst, a, b)
	for i := range y {
		y[i] = x[i] != z[i]
	}
}

func less[T arith](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[bool, T](dst, a, b)
	for i := range y {
		y[i] = x[i] < z[i]
	}
}

func lessEqual[T arith](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[bool, T](dst, a, b)
	for i := range y {
		y[i] = x[i] <= z[i]
	}
}
