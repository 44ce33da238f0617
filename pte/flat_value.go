package pte

import "github.com/ptero-rt/ptero/pte/schema/program"

func (w *flatWriter) value(v *Value) ref {
	var val ref
	switch v.Kind {
	case KindNull:
		program.NullStart(w.Builder)
		val = program.NullEnd(w.Builder)
	case KindInt:
		program.IntStart(w.Builder)
		program.IntAddIntVal(w.Builder, v.Int)
		val = program.IntEnd(w.Builder)
	case KindBool:
		program.BoolStart(w.Builder)
		program.BoolAddBoolVal(w.Builder, v.Bool)
		val = program.BoolEnd(w.Builder)
	case KindDouble:
		program.DoubleStart(w.Builder)
		w.PrependFloat64(v.Double) // the generated setter would lose the sign of -0
		w.Slot(0)
		val = program.DoubleEnd(w.Builder)
	case KindTensor:
		val = w.tensor(v.Tensor)
	case KindString:
		text := w.CreateString(v.List.String)
		program.StringStart(w.Builder)
		program.StringAddStringVal(w.Builder, text)
		val = program.StringEnd(w.Builder)
	case KindIntList:
		items := w.vector64(len(v.List.Items), func(i int) { w.PrependInt64(int64(v.List.Items[i])) })
		program.IntListStart(w.Builder)
		program.IntListAddItems(w.Builder, items)
		val = program.IntListEnd(w.Builder)
	case KindDoubleList:
		items := w.vector64(len(v.List.Doubles), func(i int) { w.PrependFloat64(v.List.Doubles[i]) })
		program.DoubleListStart(w.Builder)
		program.DoubleListAddItems(w.Builder, items)
		val = program.DoubleListEnd(w.Builder)
	case KindBoolList:
		w.StartVector(1, len(v.List.Bools), 1)
		for i := len(v.List.Bools) - 1; i >= 0; i-- {
			w.PrependBool(v.List.Bools[i])
		}
		items := w.EndVector(len(v.List.Bools))
		program.BoolListStart(w.Builder)
		program.BoolListAddItems(w.Builder, items)
		val = program.BoolListEnd(w.Builder)
	case KindTensorList:
		items := w.int32s(v.List.Items)
		program.TensorListStart(w.Builder)
		program.TensorListAddItems(w.Builder, items)
		val = program.TensorListEnd(w.Builder)
	case KindOptionalTensorList:
		items := w.int32s(v.List.Items)
		program.OptionalTensorListStart(w.Builder)
		program.OptionalTensorListAddItems(w.Builder, items)
		val = program.OptionalTensorListEnd(w.Builder)
	}
	program.EValueStart(w.Builder)
	program.EValueAddValType(w.Builder, program.KernelTypes(v.Kind))
	program.EValueAddVal(w.Builder, val)
	return program.EValueEnd(w.Builder)
}

func (w *flatWriter) tensor(t *Tensor) ref {
	sizes := w.int32s(t.Sizes)
	order := w.CreateByteVector(t.DimOrder)
	var alloc, extra, name ref
	if t.Alloc != nil {
		program.AllocationDetailsStart(w.Builder)
		program.AllocationDetailsAddMemoryId(w.Builder, t.Alloc.MemID)
		program.AllocationDetailsAddMemoryOffsetLow(w.Builder, uint32(t.Alloc.Offset))
		program.AllocationDetailsAddMemoryOffsetHigh(w.Builder, uint32(t.Alloc.Offset>>32))
		alloc = program.AllocationDetailsEnd(w.Builder)
	}
	if t.HasExtra || t.FQN != "" || t.Location != InSegment || t.Device != (Device{}) || t.StateSegment != 0 {
		if t.FQN != "" {
			name = w.CreateString(t.FQN)
		}
		program.ExtraTensorInfoStart(w.Builder)
		program.ExtraTensorInfoAddMutableDataSegmentsIdx(w.Builder, t.StateSegment)
		program.ExtraTensorInfoAddFullyQualifiedName(w.Builder, name)
		program.ExtraTensorInfoAddLocation(w.Builder, int8(t.Location))
		program.ExtraTensorInfoAddDeviceType(w.Builder, int8(t.Device.Type))
		program.ExtraTensorInfoAddDeviceIndex(w.Builder, t.Device.Index)
		extra = program.ExtraTensorInfoEnd(w.Builder)
	}
	program.TensorStart(w.Builder)
	program.TensorAddScalarType(w.Builder, int8(t.DType))
	program.TensorAddSizes(w.Builder, sizes)
	program.TensorAddDimOrder(w.Builder, order)
	program.TensorAddRequiresGrad(w.Builder, t.RequiresGrad)
	program.TensorAddDataBufferIdx(w.Builder, t.DataIndex)
	program.TensorAddAllocationInfo(w.Builder, alloc)
	program.TensorAddLayout(w.Builder, t.Layout)
	program.TensorAddShapeDynamism(w.Builder, int8(t.Dynamism))
	program.TensorAddExtraTensorInfo(w.Builder, extra)
	return program.TensorEnd(w.Builder)
}
