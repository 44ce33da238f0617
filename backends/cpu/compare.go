package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// comparisons give bools, stored in whatever type the output has.
func comparisons() []executor.Op {
	var ops []executor.Op
	for _, f := range []struct {
		name  string
		table *walk.Table
	}{
		{"eq", compareTable(equal[uint8], equal[int8], equal[int16], equal[int32], equal[int64], relate(fmath.Equal), equal[float64])},
		{"ne", compareTable(unequal[uint8], unequal[int8], unequal[int16], unequal[int32], unequal[int64], relate(fmath.Unequal), unequal[float64])},
		{"lt", compareTable(less[uint8], less[int8], less[int16], less[int32], less[int64], relate(fmath.Less), less[float64])},
		{"le", compareTable(lessEqual[uint8], lessEqual[int8], lessEqual[int16], lessEqual[int32], lessEqual[int64], relate(fmath.LessEqual), lessEqual[float64])},
		{"gt", swapped(compareTable(less[uint8], less[int8], less[int16], less[int32], less[int64], relate(fmath.Less), less[float64]))},
		{"ge", swapped(compareTable(lessEqual[uint8], lessEqual[int8], lessEqual[int16], lessEqual[int32], lessEqual[int64], relate(fmath.LessEqual), lessEqual[float64]))},
	} {
		for overload, kind := range map[string]operandKind{"Tensor": tensor, "Scalar": number} {
			op := binary("aten::"+f.name+"."+overload+"_out", kind, arg.RealBool, f.table)
			op.toBool, op.anyOut = true, true
			ops = append(ops, op.make())
		}
	}
	return ops
}

func compareTable(u8, i8, i16, i32, i64, f32, f64 walk.Kernel) *walk.Table {
	return &walk.Table{arg.Bool: u8, arg.U8: u8, arg.I8: i8, arg.I16: i16, arg.I32: i32, arg.I64: i64, arg.F32: f32, arg.F64: f64}
}

// relate makes a kernel of a relation between float32 slices.
func relate(f func(dst []uint8, a, b []float32)) walk.Kernel {
	return func(_ *walk.Params, dst, a, b, _ []byte) {
		f(dst, executor.SliceBytes[float32](a), executor.SliceBytes[float32](b))
	}
}

func equal[T arith](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[bool, T](dst, a, b)
	for i := range y {
		y[i] = x[i] == z[i]
	}
}

func unequal[T arith](_ *walk.Params, dst, a, b, _ []byte) {
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
