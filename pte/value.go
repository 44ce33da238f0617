package pte

import (
	"fmt"
	"math"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte/schema/program"
)

type flatTable = flatbuffers.Table

// has says whether a table has its nth field.
func has(t flatTable, n int) bool { return t.Offset(flatbuffers.VOffsetT(4+2*n)) != 0 }

func (d *decoder) values(plan int, in *program.ExecutionPlan, out *Plan) {
	out.Values = make([]Value, in.ValuesLength())
	var one program.EValue
	for i := range out.Values {
		in.Values(&one, i)
		d.value(plan, i, &one, &out.Values[i])
	}
}

func (d *decoder) value(plan, at int, in *program.EValue, out *Value) {
	var u flatTable
	if !in.Val(&u) {
		return // check reports the value that is not there
	}
	out.Kind = Kind(in.ValType())
	switch out.Kind {
	case KindInt:
		var v program.Int
		v.Init(u.Bytes, u.Pos)
		out.Int = v.IntVal()
	case KindBool:
		var v program.Bool
		v.Init(u.Bytes, u.Pos)
		out.Bool = v.BoolVal()
	case KindDouble:
		var v program.Double
		v.Init(u.Bytes, u.Pos)
		out.Double = v.DoubleVal()
	case KindTensor:
		var v program.Tensor
		v.Init(u.Bytes, u.Pos)
		out.Tensor = &d.tensors.take(1)[0]
		d.tensor(plan, at, &v, out.Tensor)
	case KindString:
		var v program.String
		v.Init(u.Bytes, u.Pos)
		d.present(&u, "string", "string_val", plan, at)
		out.String = string(v.StringVal())
	case KindIntList:
		var v program.IntList
		v.Init(u.Bytes, u.Pos)
		d.present(&u, "int_list", "items", plan, at)
		out.Items = d.ints.take(v.ItemsLength())
		for i := range out.Items {
			item := v.Items(i)
			if item < math.MinInt32 || item > math.MaxInt32 {
				d.add(invalid, "an index of a value", fmt.Sprint(item), "plan[%d].values[%d].int_list.items[%d]", plan, at, i)
				continue
			}
			out.Items[i] = int32(item)
		}
	case KindDoubleList:
		var v program.DoubleList
		v.Init(u.Bytes, u.Pos)
		d.present(&u, "double_list", "items", plan, at)
		out.Doubles = make([]float64, v.ItemsLength())
		for i := range out.Doubles {
			out.Doubles[i] = v.Items(i)
		}
	case KindBoolList:
		var v program.BoolList
		v.Init(u.Bytes, u.Pos)
		d.present(&u, "bool_list", "items", plan, at)
		out.Bools = make([]bool, v.ItemsLength())
		for i := range out.Bools {
			out.Bools[i] = v.Items(i)
		}
	case KindTensorList:
		var v program.TensorList
		v.Init(u.Bytes, u.Pos)
		d.present(&u, "tensor_list", "items", plan, at)
		out.Items = d.int32s(v.ItemsLength(), v.Items)
	case KindOptionalTensorList:
		var v program.OptionalTensorList
		v.Init(u.Bytes, u.Pos)
		d.present(&u, "optional_tensor_list", "items", plan, at)
		out.Items = d.int32s(v.ItemsLength(), v.Items)
	}
}

// present reports a value whose only field is missing.
func (d *decoder) present(u *flatTable, kind, name string, plan, at int) {
	if !has(*u, 0) {
		d.add(invalid, "a list or text", "none", "plan[%d].values[%d].%s.%s", plan, at, kind, name)
	}
}

func (d *decoder) tensor(plan, at int, in *program.Tensor, out *Tensor) {
	out.DType = DType(in.ScalarType())
	out.RequiresGrad = in.RequiresGrad()
	out.DataIndex = in.DataBufferIdx()
	out.Layout = in.Layout()
	out.Dynamism = Dynamism(in.ShapeDynamism())
	if off := in.StorageOffset(); off != 0 {
		d.add(fault.NotSupported, "0", fmt.Sprint(off), "plan[%d].values[%d].tensor.storage_offset", plan, at)
	}
	if !has(in.Table(), 2) {
		d.add(invalid, "a list", "none", "plan[%d].values[%d].tensor.sizes", plan, at)
	}
	if !has(in.Table(), 3) {
		d.add(invalid, "a list", "none", "plan[%d].values[%d].tensor.dim_order", plan, at)
	}
	out.Sizes = d.int32s(in.SizesLength(), in.Sizes)
	out.DimOrder = d.bytes.take(in.DimOrderLength())
	copy(out.DimOrder, in.DimOrderBytes())
	var alloc program.AllocationDetails
	if in.AllocationInfo(&alloc) != nil {
		out.Alloc = &d.allocs.take(1)[0]
		out.Alloc.MemID = alloc.MemoryId()
		out.Alloc.Offset = uint64(alloc.MemoryOffsetLow()) | uint64(alloc.MemoryOffsetHigh())<<32
	}
	var extra program.ExtraTensorInfo
	if in.ExtraTensorInfo(&extra) != nil {
		out.HasExtra = true
		out.FQN = string(extra.FullyQualifiedName())
		out.Location = Location(extra.Location())
		out.Device = Device{DeviceType(extra.DeviceType()), extra.DeviceIndex()}
		out.StateSegment = extra.MutableDataSegmentsIdx()
	}
}
