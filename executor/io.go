package executor

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// input is one input of a method. The caller's bytes are kept by reference and copied (planned inputs) or aliased, so that
// a run does not depend on what an earlier one left in the arena: at the start of each run, or once where no run changes
// what the slot shows.
type input struct {
	value   *Value
	tensor  *Tensor // of the slot in the file; nil for other kinds
	planned bool
	once    bool
	set     bool
	limit   int // elements the file allows
	bytes   []byte
	count   int // elements in bytes
	sizes   []int
}

// output is one output of a method.
type output struct {
	value   *Value
	tensor  *Tensor // of the slot in the file; nil for other kinds
	storage []byte  // ours, where the file plans none
	grows   bool
}

// SetInput gives input i its value, for all runs until it is set again. A tensor's bytes are not copied: they are read at
// the start of every run, or during it where the program does not plan the input, and must stay unchanged meanwhile.
//
// Kind, dtype and layout must be the program's; sizes may differ where it declares them dynamic, within the bound.
// Numbers, bools and strings were traced into the program: they must equal what it was exported with.
func (m *Method) SetInput(i int, v *Value) error {
	if !m.mu.TryLock() {
		return m.busy()
	}
	defer m.mu.Unlock()
	if i < 0 || i >= len(m.inputs) {
		return fault.New(fault.InvalidArgument, m.linked.path()+".inputs", fmt.Sprintf("an input below %d", len(m.inputs)), fmt.Sprint(i))
	}
	if m.entered {
		return fault.New(fault.InvalidState, m.linked.path(), "a method at its start", "a stepped run")
	}
	in := &m.inputs[i]
	if err := in.accept(v, &m.linked.plan.Values[m.linked.plan.Inputs[i]]); err != nil {
		return fault.Under(fmt.Sprintf("%s.inputs[%d]", m.linked.path(), i), err)
	}
	if in.once {
		in.copyIn()
	}
	if !in.set {
		in.set = true
		m.unset--
	}
	return nil
}

// SetInputTensor is SetInput for a tensor.
func (m *Method) SetInputTensor(i int, t *Tensor) error { return m.SetInput(i, NewTensorValue(t)) }

func (in *input) accept(v *Value, file *pte.Value) error {
	if v == nil {
		return fault.New(fault.InvalidArgument, "", "a value", "nil")
	}
	wrong := func(want string) error { return fault.New(fault.InvalidArgument, "", want, v.describe()) }
	switch file.Kind {
	case pte.KindTensor:
		if v.Tensor() == nil {
			return wrong("a tensor")
		}
		return in.acceptTensor(v.tensor)
	case pte.KindInt:
		if v.kind != KindInt || v.Int() != file.Int {
			return wrong(fmt.Sprintf("int %d, as exported", file.Int))
		}
	case pte.KindBool:
		if v.kind != KindBool || v.Bool() != file.Bool {
			return wrong(fmt.Sprintf("bool %v, as exported", file.Bool))
		}
	case pte.KindDouble:
		if v.kind != KindDouble || !close(v.Double(), file.Double) {
			return wrong(fmt.Sprintf("double %v, as exported", file.Double))
		}
	case pte.KindString:
		if v.kind != KindString || v.String() != file.List.String {
			return wrong(fmt.Sprintf("string %q, as exported", file.List.String))
		}
	default:
		if !v.IsNone() {
			return wrong("none")
		}
	}
	return nil
}

// close is ExecuTorch's comparison of a double input with the exported one (rtol 1e-5, atol 1e-4).
func close(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-4+math.Abs(1e-5*b)
}

func (in *input) acceptTensor(t *Tensor) error {
	own := in.tensor
	if t.DType != own.DType {
		return fault.New(fault.InvalidArgument, "", own.DType.String(), t.DType.String())
	}
	if len(t.Sizes) != len(own.Sizes) {
		return fault.New(fault.NotSupported, "", fmt.Sprintf("rank %d", len(own.Sizes)), fmt.Sprintf("rank %d (sizes %v)", len(t.Sizes), t.Sizes))
	}
	if own.Dynamism == pte.Static {
		for d, s := range own.Sizes {
			if t.Sizes[d] != s {
				return fault.New(fault.NotSupported, fmt.Sprintf("sizes[%d]", d), fmt.Sprintf("%d (static sizes %v)", s, own.Sizes), fmt.Sprintf("%d (sizes %v)", t.Sizes[d], t.Sizes))
			}
		}
	}
	n, fits := numElements(t.Sizes, in.limit)
	if !fits {
		return fault.New(fault.NotSupported, "", fmt.Sprintf("at most %d elements", in.limit), fmt.Sprintf("sizes %v", t.Sizes))
	}
	if len(t.Data) != n*t.DType.Size() {
		return fault.New(fault.InvalidArgument, "", fmt.Sprintf("%d B of data", n*t.DType.Size()), fault.Bytes(uint64(len(t.Data))))
	}
	if n > 0 && !sameOrder(own.DimOrder, t) {
		return fault.New(fault.InvalidArgument, "", fmt.Sprintf("elements in dim order %v", own.DimOrder), fmt.Sprintf("dim order %v", t.DimOrder))
	}
	copy(in.sizes, t.Sizes)
	in.bytes, in.count = t.Data, n
	return nil
}

// sameOrder says whether t keeps its elements in the order of memory that order asks for.
func sameOrder(order []uint8, t *Tensor) bool {
	want := 1
	for i := len(order) - 1; i >= 0; i-- {
		d := order[i]
		if t.Sizes[d] != 1 && t.Strides[d] != want {
			return false
		}
		want *= t.Sizes[d]
	}
	return true
}

// copyIn puts the input where the program expects it.
func (in *input) copyIn() {
	t := in.tensor
	if t == nil {
		return
	}
	in.value.kind, in.value.tensor = KindTensor, t
	if t.Dynamism != pte.Static {
		copy(t.Sizes, in.sizes)
		t.restride()
	}
	if in.planned {
		t.Data = t.full[:len(in.bytes)]
		copy(t.Data, in.bytes)
		return
	}
	t.full, t.Data, t.limit = in.bytes, in.bytes, in.count
}

// Input is the slot of input i: its kind, dtype and present shape.
func (m *Method) Input(i int) *Value { return m.inputs[i].value }

// Output is the slot of output i. Its tensor's bytes stay valid until the next run, or Close.
func (m *Method) Output(i int) *Value { return m.outputs[i].value }

// NumInputs is the number of inputs.
func (m *Method) NumInputs() int { return len(m.inputs) }

// NumOutputs is the number of outputs.
func (m *Method) NumOutputs() int { return len(m.outputs) }

// SetOutput makes later runs write output i to b, which must hold the output's upper bound and be aligned for its dtype.
// Only tensors that the program does not plan can be moved; nil goes back to storage of the method's own.
func (m *Method) SetOutput(i int, b []byte) error {
	if !m.mu.TryLock() {
		return m.busy()
	}
	defer m.mu.Unlock()
	if i < 0 || i >= len(m.outputs) {
		return fault.New(fault.InvalidArgument, m.linked.path()+".outputs", fmt.Sprintf("an output below %d", len(m.outputs)), fmt.Sprint(i))
	}
	path := fmt.Sprintf("%s.outputs[%d]", m.linked.path(), i)
	out := &m.outputs[i]
	t := out.tensor
	switch {
	case t == nil:
		return fault.New(fault.InvalidArgument, path, "a tensor", out.value.kind.String())
	case out.storage == nil && !out.grows:
		return fault.New(fault.InvalidState, path, "an output that the program does not plan", "a planned one")
	case m.entered:
		return fault.New(fault.InvalidState, m.linked.path(), "a method at its start", "a stepped run")
	case b == nil:
		t.grows, b = out.grows, out.storage
	case !aligned(b, componentSize(t.DType)):
		return fault.New(fault.InvalidArgument, path, fmt.Sprintf("bytes aligned to %d", componentSize(t.DType)), "others")
	case !out.grows && len(b) < t.limit*t.DType.Size():
		return fault.New(fault.InvalidArgument, path, fmt.Sprintf("at least %d B", t.limit*t.DType.Size()), fault.Bytes(uint64(len(b))))
	default:
		t.grows = false
	}
	if out.grows {
		if t.limit = maxGrown / t.DType.Size(); !t.grows {
			t.limit = len(b) / t.DType.Size()
		}
		clear(t.Sizes)
		t.restride()
	}
	t.setStorage(hal.Region{Bytes: b, Pool: hal.NoPool})
	return nil
}

// Attribute is the tensor with a fully qualified name: a parameter or a buffer. Its bytes are the method's own.
func (m *Method) Attribute(fqn string) (*Tensor, bool) {
	for i := range m.linked.tensors {
		if t := &m.linked.tensors[i]; fqn != "" && t.Name() == fqn {
			return t, true
		}
	}
	return nil, false
}

// describe says what a value is, for errors.
func (v *Value) describe() string {
	switch v.kind {
	case KindInt:
		return fmt.Sprintf("int %d", v.Int())
	case KindBool:
		return fmt.Sprintf("bool %v", v.Bool())
	case KindDouble:
		return fmt.Sprintf("double %v", v.Double())
	case KindString:
		return fmt.Sprintf("string %q", v.String())
	case KindTensor:
		return fmt.Sprintf("%v tensor %v", v.tensor.DType, v.tensor.Sizes)
	}
	return v.kind.String()
}
