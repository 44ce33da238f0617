package ptebuild

import (
	"strings"

	"github.com/ptero-rt/ptero/pte"
)

// Method is a plan in the making.
type Method struct {
	program *Program
	plan    *pte.Plan
}

// Value is an entry of a method's value table. Its methods change a tensor and give the value back.
type Value struct {
	Index  int32
	method *Method
}

// Plan is the plan itself, for what the builder has no word for.
func (m *Method) Plan() *pte.Plan { return m.plan }

// Add adds any value.
func (m *Method) Add(v pte.Value) Value {
	m.plan.Values = append(m.plan.Values, v)
	return Value{int32(len(m.plan.Values) - 1), m}
}

// Null, Int, Bool, Double and String add a scalar value.
func (m *Method) Null() Value            { return m.Add(pte.Value{Kind: pte.KindNull}) }
func (m *Method) Int(n int64) Value      { return m.Add(pte.Value{Kind: pte.KindInt, Int: n}) }
func (m *Method) Bool(b bool) Value      { return m.Add(pte.Value{Kind: pte.KindBool, Bool: b}) }
func (m *Method) Double(f float64) Value { return m.Add(pte.Value{Kind: pte.KindDouble, Double: f}) }
func (m *Method) String(s string) Value {
	return m.Add(pte.Value{Kind: pte.KindString, List: &pte.List{String: s}})
}
func (m *Method) Doubles(f []float64) Value {
	return m.Add(pte.Value{Kind: pte.KindDoubleList, List: &pte.List{Doubles: f}})
}
func (m *Method) Bools(b []bool) Value {
	return m.Add(pte.Value{Kind: pte.KindBoolList, List: &pte.List{Bools: b}})
}

// Ints adds an integer list, with a value for each of its items.
func (m *Method) Ints(list ...int64) Value {
	items := make([]Value, len(list))
	for i, n := range list {
		items[i] = m.Int(n)
	}
	return m.IntList(items...)
}

// IntList, Tensors and OptionalTensors add a list of values; Absent stands for a tensor that is not there.
func (m *Method) IntList(items ...Value) Value { return m.list(pte.KindIntList, items) }
func (m *Method) Tensors(items ...Value) Value { return m.list(pte.KindTensorList, items) }
func (m *Method) OptionalTensors(items ...Value) Value {
	return m.list(pte.KindOptionalTensorList, items)
}

// Absent is an item of OptionalTensors without a tensor.
var Absent = Value{Index: -1}

func (m *Method) list(kind pte.Kind, items []Value) Value {
	return m.Add(pte.Value{Kind: kind, List: &pte.List{Items: indices(items)}})
}

func indices(values []Value) []int32 {
	out := make([]int32, len(values))
	for i, v := range values {
		out[i] = v.Index
	}
	return out
}

// Tensor adds a static row-major tensor, planned in buffer 1.
func (m *Method) Tensor(d pte.DType, sizes ...int32) Value {
	v := m.unplanned(d, sizes)
	return v.Arena(1)
}

// Input adds a planned tensor that is the method's next input; Output makes values its next outputs.
func (m *Method) Input(d pte.DType, sizes ...int32) Value {
	v := m.Tensor(d, sizes...)
	m.Inputs(v)
	return v
}

// Inputs makes values the method's next inputs.
func (m *Method) Inputs(values ...Value) {
	m.plan.Inputs = append(m.plan.Inputs, indices(values)...)
	m.plan.Chains[0].Inputs = m.plan.Inputs
}

// Output makes values the method's next outputs.
func (m *Method) Output(values ...Value) {
	m.plan.Outputs = append(m.plan.Outputs, indices(values)...)
	m.plan.Chains[0].Outputs = m.plan.Outputs
}

// Constant adds a tensor whose bytes are in the file.
func (m *Method) Constant(d pte.DType, bytes []byte, sizes ...int32) Value {
	v := m.unplanned(d, sizes)
	v.Tensor().DataIndex = uint32(len(m.program.made.Constants))
	m.program.made.Constants = append(m.program.made.Constants, bytes)
	return v
}

// State adds a mutable buffer, planned in buffer 1, with the bytes that it starts from; nil for none.
func (m *Method) State(name string, d pte.DType, bytes []byte, sizes ...int32) Value {
	v := m.Tensor(d, sizes...).Named(name)
	if bytes != nil {
		made := &m.program.made
		if made.State == nil {
			made.State = [][]byte{nil}
		}
		v.Tensor().DataIndex = uint32(len(made.State))
		made.State = append(made.State, bytes)
	}
	return v
}

// Scratch adds a one-dimensional uint8 tensor in a planned buffer, as the trailing argument of a delegate call.
func (m *Method) Scratch(bytes int32, memID uint32) Value {
	return m.unplanned(pte.Byte, []int32{bytes}).Arena(memID)
}

func (m *Method) unplanned(d pte.DType, sizes []int32) Value {
	t := &pte.Tensor{DType: d, Sizes: append([]int32{}, sizes...), DimOrder: make([]uint8, len(sizes))}
	for i := range t.DimOrder {
		t.DimOrder[i] = uint8(i)
	}
	return m.Add(pte.Value{Kind: pte.KindTensor, Tensor: t})
}

// BufferBytes sets the size of a planned buffer.
func (m *Method) BufferBytes(memID uint32, size uint64) {
	for len(m.plan.BufferBytes) <= int(memID) {
		m.plan.BufferBytes = append(m.plan.BufferBytes, 0)
	}
	m.plan.BufferBytes[memID] = size
}

func operator(full string) pte.Operator {
	name, overload, _ := strings.Cut(full, ".")
	return pte.Operator{Name: name, Overload: overload}
}
