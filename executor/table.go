package executor

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

const (
	maxRank  = 16      // kTensorDimensionLimit of runtime/core/exec_aten/util/tensor_dimension_limit.h at cff6f4dd
	maxGrown = 1 << 30 // bytes of one tensor whose shape the file does not bound
)

// planned is a tensor with a place in an arena.
type planned struct {
	tensor *Tensor
	value  int32
	arena  int32 // index into Linked.arenas
	offset uint64
	bytes  int // up to the bound
}

// arena is one planned buffer of the plan that is not empty.
type arena struct {
	memID uint32
	bytes uint64
}

// buildTable makes the value table. Storage of all slots comes from few allocations, counted first.
func (l *linker) buildTable() {
	p := l.plan
	var tensors, lists, items, dims int
	for i := range p.Values {
		switch v := &p.Values[i]; v.Kind {
		case pte.KindTensor:
			tensors++
			dims += len(v.Tensor.Sizes)
		case pte.KindIntList, pte.KindTensorList, pte.KindOptionalTensorList:
			lists++
			items += len(v.Items)
		case pte.KindString, pte.KindDoubleList, pte.KindBoolList:
			lists++
		}
	}
	l.values = make([]Value, len(p.Values))
	l.tensors = make([]Tensor, tensors)
	l.planned = make([]planned, 0, tensors)
	l.dims = make([]int, 2*dims)
	lst, slots := make([]list, lists), make([]*Value, items)
	nt, nl := 0, 0
	for i := range p.Values {
		v, out := &p.Values[i], &l.values[i]
		switch v.Kind {
		case pte.KindInt:
			out.SetInt(v.Int)
		case pte.KindBool:
			out.SetBool(v.Bool)
		case pte.KindDouble:
			out.SetDouble(v.Double)
		case pte.KindTensor:
			out.kind, out.tensor = KindTensor, &l.tensors[nt]
			nt++
			l.buildTensor(i, v.Tensor, out.tensor)
		case pte.KindString, pte.KindDoubleList, pte.KindBoolList, pte.KindIntList, pte.KindTensorList, pte.KindOptionalTensorList:
			out.list = &lst[nl]
			nl++
			slots = l.buildList(i, v, out, slots)
		}
	}
}

func (l *linker) buildList(i int, v *pte.Value, out *Value, slots []*Value) []*Value {
	switch v.Kind {
	case pte.KindString:
		out.kind, out.list.text = KindString, v.String
		return slots
	case pte.KindDoubleList:
		out.kind, out.list.doubles = KindDoubleList, v.Doubles
		return slots
	case pte.KindBoolList:
		out.kind, out.list.bools = KindBoolList, v.Bools
		return slots
	case pte.KindIntList:
		out.kind = KindIntList
	case pte.KindTensorList:
		out.kind = KindTensorList
	case pte.KindOptionalTensorList:
		out.kind = KindOptionalTensorList
	}
	n := len(v.Items)
	out.list.items = slots[:n:n]
	for k, item := range v.Items {
		if item < 0 {
			continue
		}
		out.list.items[k] = &l.values[item]
		if kind := l.plan.Values[item].Kind; !fitsList(v.Kind, kind) {
			l.addf(fault.InvalidType, fmt.Sprintf("%s.items[%d]", l.valuePath(i), k), "", "a value that the list can hold", fmt.Sprintf("value %d of kind %d", item, kind))
		}
	}
	return slots[n:]
}

func fitsList(list, item pte.Kind) bool {
	switch list {
	case pte.KindTensorList:
		return item == pte.KindTensor
	case pte.KindOptionalTensorList:
		return item == pte.KindTensor || item == pte.KindNull
	}
	return item == pte.KindInt || item == pte.KindBool
}

// buildTensor fills one tensor and notes where its bytes come from.
func (l *linker) buildTensor(i int, d *pte.Tensor, t *Tensor) {
	rank := len(d.Sizes)
	t.DType, t.Dynamism, t.DimOrder, t.Pool, t.fqn = d.DType, d.Dynamism, d.DimOrder, hal.NoPool, d.FQN
	t.Sizes, t.Strides = l.dims[:rank:rank], l.dims[rank:2*rank:2*rank]
	l.dims = l.dims[2*rank:]
	if !d.DType.Valid() || rank > maxRank || !validOrder(d.DimOrder, rank) {
		l.addf(fault.InvalidProgram, l.valuePath(i), "", fmt.Sprintf("a dtype, at most %d sizes and a permutation as dim order", maxRank),
			fmt.Sprintf("%v %v %v", d.DType, d.Sizes, d.DimOrder))
		t.DType, t.Sizes, t.Strides, t.DimOrder = pte.Byte, nil, nil, nil
		return
	}
	for k, s := range d.Sizes {
		if s < 0 {
			l.addf(fault.InvalidProgram, l.valuePath(i), "", "sizes ≥ 0", fmt.Sprint(d.Sizes))
			s = 0
		}
		t.Sizes[k] = int(s)
	}
	most := math.MaxInt / d.DType.Size()
	n, fits := numElements(t.Sizes, most)
	t.limit = n
	if !fits {
		// A bound that no memory can hold is only a bound, as long as the caller brings the bytes.
		if t.limit = most; d.Dynamism == pte.Static || d.Alloc != nil || d.DataIndex != 0 {
			l.addf(fault.InvalidProgram, l.valuePath(i), "", "a tensor whose bytes can be counted", fmt.Sprintf("%v %v", d.DType, d.Sizes))
			t.limit = 0
		}
		clear(t.Sizes)
	}
	t.restride()
	switch {
	case d.Alloc != nil:
		l.planTensor(i, d, t)
		if d.DataIndex != 0 || d.Location == pte.External {
			l.stateful = append(l.stateful, int32(i))
		}
	case d.DataIndex != 0 || d.Location == pte.External:
		l.bindConstant(i, d, t)
	case d.Dynamism == pte.DynamicUnbound:
		t.grows, t.limit = true, maxGrown/t.DType.Size()
		l.unbound = append(l.unbound, int32(i))
	default:
		l.homeless = append(l.homeless, int32(i))
	}
}

// planTensor checks the place in the arena against the arena's size.
func (l *linker) planTensor(i int, d *pte.Tensor, t *Tensor) {
	id, n := d.Alloc.MemID, uint64(t.limit*t.DType.Size())
	if id == 0 || int64(id) >= int64(len(l.plan.BufferBytes)) {
		l.addf(fault.InvalidProgram, l.valuePath(i), "arena_id", fmt.Sprintf("a mem_id from 1 to %d", len(l.plan.BufferBytes)-1), fmt.Sprint(id))
		return
	}
	size := l.plan.BufferBytes[id]
	if d.Alloc.Offset > size || n > size-d.Alloc.Offset {
		l.addf(fault.InvalidProgram, l.valuePath(i), "arena_bounds", fmt.Sprintf("%d B within mem_id %d of %d B", n, id, size), fmt.Sprintf("offset %d", d.Alloc.Offset))
		return
	}
	if n > 0 && d.Alloc.Offset%uint64(componentSize(d.DType)) != 0 {
		l.addf(fault.InvalidProgram, l.valuePath(i), "", fmt.Sprintf("an offset aligned to %d for %v", componentSize(d.DType), d.DType), fmt.Sprint(d.Alloc.Offset))
		return
	}
	l.planned = append(l.planned, planned{t, int32(i), l.arenaOf[id], d.Alloc.Offset, int(n)})
}

func validOrder(order []uint8, rank int) bool {
	if len(order) != rank {
		return false
	}
	seen := 0
	for _, d := range order {
		if int(d) >= rank || seen>>d&1 != 0 {
			return false
		}
		seen |= 1 << d
	}
	return true
}
