package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
)

var (
	maximumTable = &walk.Table{
		arg.Bool: boolOr, arg.U8: vector(lanes.MaxU8, largerOf[uint8]), arg.I8: vector(lanes.MaxI8, largerOf[int8]),
		arg.I16: vector(lanes.MaxI16, largerOf[int16]), arg.I32: vector(lanes.MaxI32, largerOf[int32]), arg.I64: vector(lanes.MaxI64, largerOf[int64]),
		arg.F32: paired(fmath.Max), arg.F64: vector(lanes.TakeMaxF64, largerOf[float64]),
	}
	minimumTable = &walk.Table{
		arg.Bool: boolAnd, arg.U8: vector(lanes.MinU8, smallerOf[uint8]), arg.I8: vector(lanes.MinI8, smallerOf[int8]),
		arg.I16: vector(lanes.MinI16, smallerOf[int16]), arg.I32: vector(lanes.MinI32, smallerOf[int32]), arg.I64: vector(lanes.MinI64, smallerOf[int64]),
		arg.F32: paired(fmath.Min), arg.F64: vector(lanes.TakeMinF64, smallerOf[float64]),
	}
)

// largerOf is the first operand where it is larger than the second or NaN, else the second: of two zeros, too.
func largerOf[T arith](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i, v := range z {
		if w := x[i]; w > v || w != w {
			v = w
		}
		y[i] = v
	}
}

func smallerOf[T arith](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i, v := range z {
		if w := x[i]; w < v || w != w {
			v = w
		}
		y[i] = v
	}
}
