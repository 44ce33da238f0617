package nn

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// typeOf is the dtype that T stands for.
func typeOf[T dense.Number]() executor.DType {
	var z T
	switch any(z).(type) {
	case uint8:
		return arg.U8
	case int8:
		return arg.I8
	case int16:
		return arg.I16
	case int32:
		return arg.I32
	case int64:
		return arg.I64
	case float32:
		return arg.F32
	case float64:
		return arg.F64
	case complex64:
		return arg.C64
	}
	return arg.C128
}

func sizeOf[T dense.Number]() int { return typeOf[T]().Size() }

// loadAs converts the elements of a one-dimensional tensor of any type.
func loadAs[T dense.Number](dst []T, t *executor.Tensor) error {
	if t.DType == typeOf[T]() || arg.IsHalf(t.DType) && typeOf[T]() == arg.F32 {
		view[T](t).Load(dst, 0, 1, len(dst))
		return nil
	}
	load := walk.Loader(t.DType, typeOf[T]())
	if load == nil {
		return fault.New(fault.InvalidArgument, "", typeOf[T]().String(), t.DType.String())
	}
	load(bytesOf(dst), t.Data, 0, 1, len(dst))
	return nil
}

// temp gives n elements of the call's temp memory.
func temp[T dense.Number](s *executor.Scope, n int) ([]T, error) {
	if n == 0 {
		return nil, nil
	}
	b, err := s.TempBytes(n * sizeOf[T]())
	if err != nil {
		return nil, err
	}
	return executor.SliceBytes[T](b), nil
}

// numbers are the types with arithmetic here.
var numbers = arg.Floats | arg.Of(arg.U8, arg.I8, arg.I16, arg.I32, arg.I64)
