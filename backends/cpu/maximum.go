package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
)

var (
	maximumTable = &walk.Table{
		arg.Bool: boolOr, arg.U8: vector(lanes.MaxU8, maximum[uint8]), arg.I8: vector(lanes.MaxI8, maximum[int8]),
		arg.I16: vector(lanes.MaxI16, maximum[int16]), arg.I32: vector(lanes.MaxI32, maximum[int32]), arg.I64: vector(lanes.MaxI64, maximum[int64]),
		arg.F32: pair32(fmath.Max), arg.F64: vector(lanes.TakeMaxF64, maximumF64),
	}
	minimumTable = &walk.Table{
		arg.Bool: vector(lanes.BoolAnd, andBool), arg.U8: vector(lanes.MinU8, minimum[uint8]), arg.I8: vector(lanes.MinI8, minimum[int8]),
		arg.I16: vector(lanes.MinI16, minimum[int16]), arg.I32: vector(lanes.MinI32, minimum[int32]), arg.I64: vector(lanes.MinI64, minimum[int64]),
		arg.F32: pair32(fmath.Min), arg.F64: vector(lanes.TakeMinF64, minimumF64),
	}
)

func maximum[T integer](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i, v := range x {
		y[i] = max(v, z[i])
	}
}

func minimum[T integer](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i, v := range x {
		y[i] = min(v, z[i])
	}
}

// Floats give NaN if either is, and the second of two zeros.

func maximumF64(_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[float64, float64](dst, a, b)
	for i, v := range z {
		if w := x[i]; w > v || w != w {
			v = w
		}
		y[i] = v
	}
}

func minimumF64(_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[float64, float64](dst, a, b)
	for i, v := range z {
		if w := x[i]; w < v || w != w {
			v = w
		}
		y[i] = v
	}
}
