package executor

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/pte"
)

// Kind is the tag of a Value.
type Kind uint8

// Kinds of value.
const (
	None Kind = iota
	KindTensor
	KindString
	KindDouble
	KindInt
	KindBool
	KindBoolList
	KindDoubleList
	KindIntList
	KindTensorList
	KindOptionalTensorList
)

var kindNames = [...]string{"none", "tensor", "string", "double", "int", "bool", "bool list", "double list", "int list", "tensor list", "optional tensor list"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Value is one slot of a method's value table. It is small and is copied by Move instructions; what it points to (a
// tensor, a list) is then shared, as in ExecuTorch.
//
// Operators read arguments with the accessors below after checking Kind; an accessor of another kind gives zero.
type Value struct {
	kind   Kind
	fixed  bool
	stays  bool
	bits   uint64
	tensor *Tensor
	list   *list
}

// list holds what does not fit a slot. Lists of ints and tensors point at other slots of the table, so that what those
// hold now is what the list holds.
type list struct {
	text    string
	doubles []float64
	bools   []bool
	items   []*Value // nil entry: absent optional
}

// Kind says what the slot holds now.
func (v *Value) Kind() Kind { return v.kind }

// IsNone says whether an optional argument is absent.
func (v *Value) IsNone() bool { return v.kind == None }

// Fixed says whether the file alone decides the value: no input, and no instruction writes it or (for lists) its items.
// What is fixed may be checked and precomputed in Prepare. For tensors see Tensor.Constant.
func (v *Value) Fixed() bool { return v.fixed }

// Stays says whether the slot, or (for lists) each of its items, holds the same tensor in every run: no instruction
// replaces it. Of a value outside of a method that is not known.
func (v *Value) Stays() bool { return v.stays }

// Int gives an integer, or a bool as 0 or 1.
func (v *Value) Int() int64 {
	if v.kind == KindInt || v.kind == KindBool {
		return int64(v.bits)
	}
	return 0
}

// Bool gives a bool.
func (v *Value) Bool() bool { return v.kind == KindBool && v.bits != 0 }

// Double gives a double; an int is converted.
func (v *Value) Double() float64 {
	switch v.kind {
	case KindDouble:
		return math.Float64frombits(v.bits)
	case KindInt, KindBool:
		return float64(int64(v.bits))
	}
	return 0
}

// Tensor gives the tensor, nil for every other kind.
func (v *Value) Tensor() *Tensor {
	if v.kind != KindTensor {
		return nil
	}
	return v.tensor
}

// String gives a string.
func (v *Value) String() string {
	if v.kind != KindString {
		return ""
	}
	return v.list.text
}

// Doubles gives a double list. The slice belongs to the method.
func (v *Value) Doubles() []float64 {
	if v.kind != KindDoubleList {
		return nil
	}
	return v.list.doubles
}

// Bools gives a bool list. The slice belongs to the method.
func (v *Value) Bools() []bool {
	if v.kind != KindBoolList {
		return nil
	}
	return v.list.bools
}

// Items gives the slots of an int list or a tensor list, nil entries (or entries that are None) for absent optionals.
// The slice belongs to the method.
func (v *Value) Items() []*Value {
	switch v.kind {
	case KindIntList, KindTensorList, KindOptionalTensorList:
		return v.list.items
	}
	return nil
}

// Len is the number of entries of a list of any kind, 0 for everything else.
func (v *Value) Len() int {
	switch v.kind {
	case KindIntList, KindTensorList, KindOptionalTensorList:
		return len(v.list.items)
	case KindDoubleList:
		return len(v.list.doubles)
	case KindBoolList:
		return len(v.list.bools)
	}
	return 0
}

// SetInt makes the slot an int. Kind changes are allowed: results of prim operators land in slots of any kind.
func (v *Value) SetInt(x int64) { v.kind, v.bits = KindInt, uint64(x) }

// SetDouble makes the slot a double.
func (v *Value) SetDouble(x float64) { v.kind, v.bits = KindDouble, math.Float64bits(x) }

// SetBool makes the slot a bool.
func (v *Value) SetBool(x bool) {
	v.kind, v.bits = KindBool, 0
	if x {
		v.bits = 1
	}
}

// The constructors below are for tests of operators and backends, and for callers' inputs; a method makes its own values.

// NewInt makes an int value.
func NewInt(x int64) *Value { return &Value{kind: KindInt, bits: uint64(x), fixed: true} }

// NewDouble makes a double value.
func NewDouble(x float64) *Value {
	return &Value{kind: KindDouble, bits: math.Float64bits(x), fixed: true}
}

// NewBool makes a bool value.
func NewBool(x bool) *Value { v := &Value{fixed: true}; v.SetBool(x); return v }

// NewNone makes an absent value.
func NewNone() *Value { return &Value{fixed: true} }

// NewString makes a string value.
func NewString(s string) *Value { return &Value{kind: KindString, list: &list{text: s}, fixed: true} }

// NewTensorValue makes a value that holds t.
func NewTensorValue(t *Tensor) *Value { return &Value{kind: KindTensor, tensor: t} }

// NewInts makes an int list of fixed numbers.
func NewInts(xs ...int64) *Value {
	l := &list{}
	for _, x := range xs {
		l.items = append(l.items, NewInt(x))
	}
	return &Value{kind: KindIntList, list: l, fixed: true}
}

// NewDoubles makes a double list.
func NewDoubles(xs ...float64) *Value {
	return &Value{kind: KindDoubleList, list: &list{doubles: xs}, fixed: true}
}

// NewBools makes a bool list.
func NewBools(xs ...bool) *Value {
	return &Value{kind: KindBoolList, list: &list{bools: xs}, fixed: true}
}

// NewTensors makes a tensor list; a nil tensor makes it an optional tensor list with an absent entry.
func NewTensors(ts ...*Tensor) *Value {
	v := &Value{kind: KindTensorList, list: &list{}}
	for _, t := range ts {
		if t == nil {
			v.kind = KindOptionalTensorList
			v.list.items = append(v.list.items, NewNone())
			continue
		}
		v.list.items = append(v.list.items, NewTensorValue(t))
	}
	return v
}

// DType is the element type of tensors; backends use this name so that they need not know the file.
type DType = pte.DType
