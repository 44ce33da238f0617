package ptebuild

import "github.com/ptero-rt/ptero/pte"

// Tensor is the description behind a tensor value, for any change.
func (v Value) Tensor() *pte.Tensor { return v.method.plan.Values[v.Index].Tensor }

// Arena moves the tensor to the end of a planned buffer, at a multiple of 16.
func (v Value) Arena(memID uint32) Value {
	v.method.grow(memID, 0)
	return v.At(memID, (v.method.plan.BufferBytes[memID]+15)&^15)
}

// At plans the tensor at an offset of a planned buffer, which grows to hold it.
func (v Value) At(memID uint32, offset uint64) Value {
	v.Tensor().Alloc = &pte.Alloc{MemID: memID, Offset: offset}
	n, _ := v.Tensor().NBytes()
	v.method.grow(memID, offset+n)
	return v
}

func (m *Method) grow(memID uint32, size uint64) {
	if int(memID) >= len(m.plan.BufferBytes) || m.plan.BufferBytes[memID] < size {
		m.BufferBytes(memID, size)
	}
}

// Unplanned takes the tensor's place away: the caller, a delegate or a kernel provides the bytes.
func (v Value) Unplanned() Value { v.Tensor().Alloc = nil; return v }

// Bounded makes the sizes upper bounds.
func (v Value) Bounded() Value { v.Tensor().Dynamism = pte.DynamicBound; return v }

// Unbounded makes the shape free.
func (v Value) Unbounded() Value { v.Tensor().Dynamism = pte.DynamicUnbound; return v }

// Order sets the dim order, outermost dimension first.
func (v Value) Order(dims ...uint8) Value { v.Tensor().DimOrder = dims; return v }

// Named gives the tensor a fully qualified name.
func (v Value) Named(name string) Value {
	v.Tensor().FQN, v.Tensor().HasExtra = name, true
	return v
}

// External takes the tensor's data from a .ptd file, by name.
func (v Value) External(name string) Value {
	v.Tensor().Location = pte.External
	return v.Named(name)
}
