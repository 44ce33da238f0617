package ptero

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// Method is a method that can run, with the layout of its memory. See executor.Method for Run, Step, Input and Output.
type Method struct {
	*executor.Method
	Layout *memory.Layout

	plan *pte.Plan
}

// Set gives input i its value: a *executor.Tensor, a slice of numbers in logical order with the input's own shape, an int,
// int64, float64, bool or string, or nil for an absent optional. The bytes of tensors are kept by reference, slices are
// copied.
func (m *Method) Set(i int, x any) error {
	if i < 0 || i >= m.NumInputs() {
		return fault.New(fault.InvalidArgument, "inputs", fmt.Sprintf("an input below %d", m.NumInputs()), strconv.Itoa(i))
	}
	v, err := valueOf(x, m.Input(i).Tensor())
	if err != nil {
		return fault.Under(fmt.Sprintf("inputs[%d]", i), err)
	}
	return m.SetInput(i, v)
}

// SetNamed is Set by the name that InputIndex takes.
func (m *Method) SetNamed(name string, x any) error {
	i, err := m.InputIndex(name)
	if err != nil {
		return err
	}
	return m.Set(i, x)
}

// InputIndex finds an input by its fully qualified name, where the exporter kept one, or by its number.
func (m *Method) InputIndex(name string) (int, error) {
	for i, v := range m.plan.Inputs {
		if t := m.plan.Values[v].Tensor; t != nil && t.FQN != "" && t.FQN == name {
			return i, nil
		}
	}
	i, err := strconv.Atoi(name)
	if err != nil || i < 0 || i >= m.NumInputs() {
		return 0, fault.New(fault.InvalidArgument, "inputs", fmt.Sprintf("a name, or a number below %d", m.NumInputs()), strconv.Quote(name))
	}
	return i, nil
}

// PlannedBuffers gives the bytes of the file's arenas, mem_id 1 first.
func (m *Method) PlannedBuffers() []uint64 {
	if len(m.plan.BufferBytes) < 2 {
		return nil
	}
	return m.plan.BufferBytes[1:]
}

// HasDelegates says whether the method calls any.
func (m *Method) HasDelegates() bool { return len(m.plan.Delegates) > 0 }

func valueOf(x any, want *executor.Tensor) (*executor.Value, error) {
	switch x := x.(type) {
	case nil:
		return executor.NewNone(), nil
	case *executor.Value:
		return x, nil
	case *executor.Tensor:
		return executor.NewTensorValue(x), nil
	case int:
		return executor.NewInt(int64(x)), nil
	case int64:
		return executor.NewInt(x), nil
	case float64:
		return executor.NewDouble(x), nil
	case bool:
		return executor.NewBool(x), nil
	case string:
		return executor.NewString(x), nil
	case []float32:
		return fromSlice(x, want, pte.Float)
	case []float64:
		return fromSlice(x, want, pte.Double)
	case []int8:
		return fromSlice(x, want, pte.Char)
	case []uint8:
		return fromSlice(x, want, pte.Byte)
	case []int16:
		return fromSlice(x, want, pte.Short)
	case []int32:
		return fromSlice(x, want, pte.Int)
	case []int64:
		return fromSlice(x, want, pte.Long)
	case []bool:
		return fromSlice(x, want, pte.Bool)
	}
	return nil, fault.New(fault.InvalidArgument, "", "a tensor, a slice of numbers, a number, bool, string or nil", fmt.Sprintf("%T", x))
}

// fromSlice lays numbers in logical order out as the program wants them.
func fromSlice[T executor.Element](x []T, want *executor.Tensor, d executor.DType) (*executor.Value, error) {
	if want == nil || want.DType != d {
		found := "no tensor"
		if want != nil {
			found = want.DType.String()
		}
		return nil, fault.New(fault.InvalidType, "", found, d.String())
	}
	if len(x) != want.NumElements() {
		return nil, fault.New(fault.InvalidArgument, "", fmt.Sprintf("%d elements for sizes %v (give a tensor for another shape)", want.NumElements(), want.Sizes), strconv.Itoa(len(x)))
	}
	t := executor.NewTensorOrder(d, want.Sizes, want.DimOrder, nil)
	logical := executor.NewTensor(d, want.Sizes, nil)
	copy(executor.Slice[T](logical), x)
	t.SetLogical(logical.Data)
	return executor.NewTensorValue(t), nil
}

// TensorOf makes a tensor of its own from numbers in logical order, for inputs with a shape of the caller's choice.
func TensorOf[T executor.Element](d executor.DType, x []T, sizes ...int) (*executor.Tensor, error) {
	n := 1
	for _, s := range sizes {
		n *= max(s, 0)
	}
	var z T
	if slices.ContainsFunc(sizes, func(s int) bool { return s < 0 }) || n != len(x) || d.Size() == 0 || len(executor.SliceBytes[T](make([]byte, d.Size()))) != 1 {
		return nil, fault.New(fault.InvalidArgument, "", fmt.Sprintf("%d elements of %v for sizes %v", n, d, sizes), fmt.Sprintf("%d of %T", len(x), z))
	}
	t := executor.NewTensor(d, sizes, nil)
	copy(executor.Slice[T](t), x)
	return t, nil
}

// Output copies the elements of output i in logical order. T must be the Go type of its dtype: float32 for float32; uint16,
// the bits, for the halves. Numbers and bools come as one element of int64, float64 or bool.
func Output[T executor.Element](m *Method, i int) ([]T, error) {
	path := fmt.Sprintf("outputs[%d]", i)
	if i < 0 || i >= m.NumOutputs() {
		return nil, fault.New(fault.InvalidArgument, path, fmt.Sprintf("an output below %d", m.NumOutputs()), strconv.Itoa(i))
	}
	var one any
	v := m.Output(i)
	switch v.Kind() {
	case executor.KindInt:
		one = v.Int()
	case executor.KindDouble:
		one = v.Double()
	case executor.KindBool:
		one = v.Bool()
	case executor.KindTensor:
		if t := v.Tensor(); elementOf(t.DType) == reflect.TypeFor[T]().Kind() {
			return Values[T](t), nil
		}
	}
	if x, ok := one.(T); ok {
		return []T{x}, nil
	}
	found := v.Kind().String()
	if t := v.Tensor(); t != nil {
		found = "a tensor of " + t.DType.String()
	}
	return nil, fault.New(fault.InvalidType, path, reflect.TypeFor[T]().String(), found)
}

// elementOf is the kind of Go type that holds an element of a dtype; Invalid where there is none.
func elementOf(d executor.DType) reflect.Kind {
	switch d {
	case pte.Byte:
		return reflect.Uint8
	case pte.Char:
		return reflect.Int8
	case pte.Short:
		return reflect.Int16
	case pte.Int:
		return reflect.Int32
	case pte.Long:
		return reflect.Int64
	case pte.UInt16, pte.Half, pte.BFloat16, pte.Bits16:
		return reflect.Uint16
	case pte.UInt32:
		return reflect.Uint32
	case pte.UInt64:
		return reflect.Uint64
	case pte.Float:
		return reflect.Float32
	case pte.Double:
		return reflect.Float64
	case pte.Bool:
		return reflect.Bool
	case pte.ComplexFloat:
		return reflect.Complex64
	case pte.ComplexDouble:
		return reflect.Complex128
	}
	return reflect.Invalid
}

// Values copies a tensor's elements in logical order. T must have the size of the dtype.
func Values[T executor.Element](t *executor.Tensor) []T {
	return executor.SliceBytes[T](t.Logical())
}
