package nn

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
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

// widened is what operators keep that work on elements where they lie: the elements of input and output as T in memory
// order, so that a tensor's strides hold for both. 16-bit floats are widened into temp memory and narrowed in the end.
type widened[T dense.Number] struct {
	from, to     *executor.Tensor // input and output
	x, y         []T
	width        int // temp elements; 0: none are widened
	half         executor.DType
	widen, round walk.Load
}

// plan sees whether elements are to be widened.
func (w *widened[T]) plan(x, y *executor.Tensor) {
	w.from, w.to, w.width = x, y, 0
	if !arg.IsHalf(x.DType) {
		return
	}
	w.width = x.NumElements() + y.NumElements()
	if w.widen == nil || w.half != x.DType {
		w.half, w.widen, w.round = x.DType, walk.Loader(x.DType, typeOf[T]()), walk.Loader(typeOf[T](), x.DType)
	}
}

func (w *widened[T]) needs() []memory.Need {
	return site.Need(nil, "widened elements", memory.Temp, w.width*sizeOf[T]())
}

// open gives x the elements of the input and y those of the output.
func (w *widened[T]) open(s *executor.Scope) error {
	x, y := w.from, w.to
	if !arg.IsHalf(x.DType) {
		w.x, w.y = executor.Slice[T](x), executor.Slice[T](y)
		return nil
	}
	tmp, err := temp[T](s, w.width)
	if err != nil {
		return err
	}
	w.x, w.y = tmp[:x.NumElements()], tmp[x.NumElements():]
	w.widen(bytesOf(w.x), x.Data, 0, 1, len(w.x))
	return nil
}

// close writes the output.
func (w *widened[T]) close() {
	if arg.IsHalf(w.to.DType) {
		w.round(w.to.Data, bytesOf(w.y), 0, 1, len(w.y))
	}
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

// factors are the types that are multiplied, summing the products.
var factors = numbers | arg.WideComplex

// numbers are the types with arithmetic here.
var numbers = arg.Floats | arg.Of(arg.U8, arg.I8, arg.I16, arg.I32, arg.I64)
