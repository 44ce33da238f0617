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
		name               string
		loop, bools        lanes.Loop
		number, boolNumber lanes.Loop // with a number
		ofBools, b8, b16   walk.Kernel
		b32, b64           walk.Kernel
	}{
		{"and", lanes.And, lanes.BoolAnd, lanes.AndNumber, lanes.BoolAndNumber, andBool, bitAnd[uint8], bitAnd[int16], bitAnd[int32], bitAnd[int64]},
		{"or", lanes.Or, lanes.BoolOr, lanes.OrNumber, lanes.BoolOrNumber, orBool, bitOr[uint8], bitOr[int16], bitOr[int32], bitOr[int64]},
		{"xor", lanes.Xor, lanes.BoolXor, lanes.XorNumber, lanes.BoolXorNumber, xorBool, bitXor[uint8], bitXor[int16], bitXor[int32], bitXor[int64]},
	} {
		table := func(with func(lanes.Loop, walk.Kernel) walk.Kernel, loop, bools lanes.Loop) *walk.Table {
			b8 := with(loop, f.b8)
			return &walk.Table{
				arg.Bool: with(bools, f.ofBools), arg.U8: b8, arg.I8: b8, arg.I16: with(loop, f.b16), arg.I32: with(loop, f.b32), arg.I64: with(loop, f.b64),
			}
		}
		withNumber := binary("aten::bitwise_"+f.name+".Scalar_out", number, arg.IntBool, table(numbered, f.number, f.boolNumber))
		withNumber.once = true
		ops = append(ops, withNumber.make(),
			binary("aten::bitwise_"+f.name+".Tensor_out", tensor, arg.IntBool, table(vector, f.loop, f.bools)).make(),
			(&pointwise{
				sig: arg.Sign("aten::logical_"+f.name+".out", "self other out"), ins: []operand{{0, tensor}, {1, tensor}},
				types: arg.Any, logical: true, toBool: true, anyOut: true, table: &walk.Table{arg.Bool: vector(f.bools, f.ofBools)},
			}).make())
	}
	for _, f := range []struct {
		name  string
		table *walk.Table
	}{
		{"left", &walk.Table{
			arg.U8: vector(lanes.ShiftLeft8, shiftLeft[uint8]), arg.I8: vector(lanes.ShiftLeft8, shiftLeft[int8]),
			arg.I16: vector(lanes.ShiftLeft16, shiftLeft[int16]), arg.I32: vector(lanes.ShiftLeft32, shiftLeft[int32]), arg.I64: vector(lanes.ShiftLeft64, shiftLeft[int64]),
		}},
		{"right", &walk.Table{
			arg.U8: vector(lanes.ShiftRightU8, shiftRight[uint8]), arg.I8: vector(lanes.ShiftRightI8, shiftRight[int8]),
			arg.I16: vector(lanes.ShiftRight16, shiftRight[int16]), arg.I32: vector(lanes.ShiftRight32, shiftRight[int32]), arg.I64: vector(lanes.ShiftRight64, shiftRight[int64]),
		}},
	} {
		ops = append(ops,
			binary("aten::bitwise_"+f.name+"_shift.Tensor_out", tensor, arg.Integers, f.table).make(),
			binary("aten::bitwise_"+f.name+"_shift.Tensor_Scalar_out", number, arg.Integers, f.table).make())
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
