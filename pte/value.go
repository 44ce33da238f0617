package pte

import (
	"encoding/binary"
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
	table := viewer{buf: d.file.flat}
	values := viewer{buf: d.file.flat}
	list := table.table(int(in.Table().Pos)).references(2)
	out.Values = make([]Value, list.n)
	for i := range out.Values {
		if len(d.tensors) == 0 {
			d.tensors = make([]placedTensor, min(len(out.Values)-i, 512))
		}
		d.value(plan, i, values.table(list.at(i)), &out.Values[i])
	}
}

func (d *decoder) value(plan, at int, in view, out *Value) {
	val := in.follow(1)
	if val == 0 {
		return // check reports the value that is not there
	}
	out.Kind = Kind(in.byte(0))
	if out.Kind == KindTensor {
		t := &d.tensors[0]
		out.Tensor, d.tensors = &t.Tensor, d.tensors[1:]
		d.tensor(plan, at, d.tensorTable.table(val), t)
		return
	}
	u := flatTable{Bytes: in.buf, Pos: flatbuffers.UOffsetT(val)}
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
	case KindString:
		var v program.String
		v.Init(u.Bytes, u.Pos)
		d.present(&u, "string", "string_val", plan, at)
		out.List = d.newList(List{String: string(v.StringVal())})
	case KindIntList:
		var v program.IntList
		v.Init(u.Bytes, u.Pos)
		d.present(&u, "int_list", "items", plan, at)
		items := d.ints.take(v.ItemsLength())
		out.List = d.newList(List{Items: items})
		for i := range items {
			item := v.Items(i)
			if item < math.MinInt32 || item > math.MaxInt32 {
				d.add(invalid, "an index of a value", fmt.Sprint(item), "plan[%d].values[%d].int_list.items[%d]", plan, at, i)
				continue
			}
			items[i] = int32(item)
		}
	case KindDoubleList:
		var v program.DoubleList
		v.Init(u.Bytes, u.Pos)
		d.present(&u, "double_list", "items", plan, at)
		out.List = d.newList(List{Doubles: make([]float64, v.ItemsLength())})
		for i := range out.List.Doubles {
			out.List.Doubles[i] = v.Items(i)
		}
	case KindBoolList:
		var v program.BoolList
		v.Init(u.Bytes, u.Pos)
		d.present(&u, "bool_list", "items", plan, at)
		out.List = d.newList(List{Bools: make([]bool, v.ItemsLength())})
		for i := range out.List.Bools {
			out.List.Bools[i] = v.Items(i)
		}
	case KindTensorList:
		d.present(&u, "tensor_list", "items", plan, at)
		out.List = d.newList(List{Items: d.list(u, 0)})
	case KindOptionalTensorList:
		d.present(&u, "optional_tensor_list", "items", plan, at)
		out.List = d.newList(List{Items: d.list(u, 0)})
	}
}

func (d *decoder) newList(l List) *List {
	out := &d.lists.take(1)[0]
	*out = l
	return out
}

// present reports a value whose only field is missing.
func (d *decoder) present(u *flatTable, kind, name string, plan, at int) {
	if !has(*u, 0) {
		d.add(invalid, "a list or text", "none", "plan[%d].values[%d].%s.%s", plan, at, kind, name)
	}
}

// placedTensor is a tensor and its place beside it, since nearly all have one.
type placedTensor struct {
	Tensor
	place Alloc
}

func (d *decoder) tensor(plan, at int, in view, out *placedTensor) {
	out.DType = DType(in.byte(0))
	if off := in.int32(1); off != 0 {
		d.add(fault.NotSupported, "0", fmt.Sprint(off), "plan[%d].values[%d].tensor.storage_offset", plan, at)
	}
	sizes, ok := in.vector(2, 4)
	if !ok {
		d.add(invalid, "a list", "none", "plan[%d].values[%d].tensor.sizes", plan, at)
	}
	order, ok := in.vector(3, 1)
	if !ok {
		d.add(invalid, "a list", "none", "plan[%d].values[%d].tensor.dim_order", plan, at)
	}
	out.Sizes = d.int32s(sizes)
	out.DimOrder = d.dimOrder(order)
	out.RequiresGrad = in.byte(4) != 0
	out.DataIndex = in.uint32(5)
	if at := in.follow(6); at != 0 {
		alloc := d.allocTable.table(at)
		out.Alloc = &out.place
		out.Alloc.MemID = alloc.uint32(0)
		out.Alloc.Offset = uint64(alloc.uint32(1)) | uint64(alloc.uint32(2))<<32
	}
	out.Layout = int8(in.byte(7))
	out.Dynamism = Dynamism(in.byte(8))
	if at := in.follow(9); at != 0 {
		var extra program.ExtraTensorInfo
		extra.Init(in.buf, flatbuffers.UOffsetT(at))
		out.HasExtra = true
		out.FQN = string(extra.FullyQualifiedName())
		out.Location = Location(extra.Location())
		out.Device = Device{DeviceType(extra.DeviceType()), extra.DeviceIndex()}
		out.StateSegment = extra.MutableDataSegmentsIdx()
	}
}

func rowsFirst() []uint8 {
	out := make([]uint8, maxRank)
	for i := range out {
		out[i] = uint8(i)
	}
	return out
}

// dimOrder copies a dim order. Nearly all are rows first, and share one array: a Program does not change.
func (d *decoder) dimOrder(order []byte) []uint8 {
	if n := len(order); n <= len(d.rows) && string(order) == string(d.rows[:n]) {
		return d.rows[:n:n]
	}
	out := d.bytes.take(len(order))
	copy(out, order)
	return out
}

// int32s decodes a list of 32-bit elements.
func (d *decoder) int32s(list []byte) []int32 {
	out := d.ints.take(len(list) / 4)
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint32(list[4*i:]))
	}
	return out
}
