package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// bitwise are the operators on the bits of integers and on bools, and the logical operators on anything.
func bitwise() []executor.Op {
	var ops []executor.Op
	for _, f := range []struct {
		name   string
		scalar string // overload of the form with a number
		types  arg.Set
		table  *walk.Table
	}{
		{"bitwise_and", "Scalar_out", arg.IntBool, &walk.Table{
			arg.Bool: boolAnd, arg.U8: vector(lanes.And, bitAnd[uint8]), arg.I8: vector(lanes.And, bitAnd[int8]),
			arg.I16: vector(lanes.And, bitAnd[int16]), arg.I32: vector(lanes.And, bitAnd[int32]), arg.I64: vector(lanes.And, bitAnd[int64]),
		}},
		{"bitwise_or", "Scalar_out", arg.IntBool, &walk.Table{
			arg.Bool: boolOr, arg.U8: vector(lanes.Or, bitOr[uint8]), arg.I8: vector(lanes.Or, bitOr[int8]),
			arg.I16: vector(lanes.Or, bitOr[int16]), arg.I32: vector(lanes.Or, bitOr[int32]), arg.I64: vector(lanes.Or, bitOr[int64]),
		}},
		{"bitwise_xor", "Scalar_out", arg.IntBool, &walk.Table{
			arg.Bool: boolXor, arg.U8: vector(lanes.Xor, bitXor[uint8]), arg.I8: vector(lanes.Xor, bitXor[int8]),
			arg.I16: vector(lanes.Xor, bitXor[int16]), arg.I32: vector(lanes.Xor, bitXor[int32]), arg.I64: vector(lanes.Xor, bitXor[int64]),
		}},
		{"bitwise_left_shift", "Tensor_Scalar_out", arg.Integers, &walk.Table{
			arg.U8: vector(lanes.ShiftLeft8, shiftLeft[uint8]), arg.I8: vector(lanes.ShiftLeft8, shiftLeft[int8]),
			arg.I16: vector(lanes.ShiftLeft16, shiftLeft[int16]), arg.I32: vector(lanes.ShiftLeft32, shiftLeft[int32]), arg.I64: vector(lanes.ShiftLeft64, shiftLeft[int64]),
		}},
		{"bitwise_right_shift", "Tensor_Scalar_out", arg.Integers, &walk.Table{
			arg.U8: vector(lanes.ShiftRightU8, shiftRight[uint8]), arg.I8: vector(lanes.ShiftRightI8, shiftRight[int8]),
			arg.I16: vector(lanes.ShiftRight16, shiftRight[int16]), arg.I32: vector(lanes.ShiftRight32, shiftRight[int32]), arg.I64: vector(lanes.ShiftRight64, shiftRight[int64]),
		}},
	} {
		ops = append(ops,
			binary("aten::"+f.name+".Tensor_out", tensor, f.types, f.table).make(),
			binary("aten::"+f.name+"."+f.scalar, number, f.types, f.table).make())
	}
	for name, k := range map[string]walk.Kernel{"and": boolAnd, "or": boolOr, "xor": boolXor} {
		ops = append(ops, (&pointwise{
			sig: arg.Sign("aten::logical_"+name+".out", "self other out"), ins: []operand{{0, mask}, {1, mask}},
			types: arg.Any, toBool: true, anyOut: true, table: &walk.Table{arg.U8: k},
		}).make())
	}
	return ops
}

func bitAnd[T integer](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i := range y {
		y[i] = x[i] & z[i]
	}
}

func bitOr[T integer](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i := range y {
		y[i] = x[i] | z[i]
	}
}

func bitXor[T integer](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i := range y {
		y[i] = x[i] ^ z[i]
	}
}

var boolXor = vector(lanes.BoolXor, xorBool)

func xorBool(_ *walk.Params, dst, a, b, _ []byte) {
	for i := range dst {
		dst[i] = truth((a[i] != 0) != (b[i] != 0))
	}
}

// shiftLeft gives 0 for a shift by less than nothing, which is a very large one without its sign, or by the width and more,
// as PyTorch does.
func shiftLeft[T integer](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i, n := range z {
		y[i] = x[i] << uint64(n)
	}
}

// shiftRight fills with the sign for such shifts.
func shiftRight[T integer](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i, n := range z {
		y[i] = x[i] >> uint64(n)
	}
}
