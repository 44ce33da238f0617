package executor

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// maxGrown is the most bytes that one tensor may take whose shape the file does not bound.
const maxGrown = 1 << 30

// maxElements of the widest dtype are as many bytes as an int can count.
const maxElements = math.MaxInt / 16

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
			items += len(v.Items())
		case pte.KindString, pte.KindDoubleList, pte.KindBoolList:
			lists++
		}
	}
	l.values = make([]Value, len(p.Values))
	l.tensors = make([]Tensor, tensors)
	l.planned, l.plannedAt = make([]planned, 0, tensors), make([]int32, len(p.Values))
	for i := range l.plannedAt {
		l.plannedAt[i] = -1
	}
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
		out.kind, out.list.text = KindString, v.List.String
		return slots
	case pte.KindDoubleList:
		out.kind, out.list.doubles = KindDoubleList, v.List.Doubles
		return slots
	case pte.KindBoolList:
		out.kind, out.list.bools = KindBoolList, v.List.Bools
		return slots
	case pte.KindIntList:
		out.kind = KindIntList
	case pte.KindTensorList:
		out.kind = KindTensorList
	case pte.KindOptionalTensorList:
		out.kind = KindOptionalTensorList
	}
	n := len(v.Items())
	out.list.items = slots[:n:n]
	for k, item := range v.Items() {
		if item < 0 {
			continue
		}
		out.list.items[k] = &l.values[item]
	}
	return slots[n:]
}

// buildTensor fills one tensor and notes where its bytes come from.
func (l *linker) buildTensor(i int, d *pte.Tensor, t *Tensor) {
	rank := len(d.Sizes)
	t.DType, t.Dynamism, t.DimOrder, t.Pool, t.file = d.DType, d.Dynamism, d.DimOrder, hal.NoPool, d
	t.Sizes, t.Strides = l.dims[:rank:rank], l.dims[rank:2*rank:2*rank]
	l.dims = l.dims[2*rank:]
	for k, s := range d.Sizes {
		t.Sizes[k] = int(s)
	}
	n, fits := numElements(t.Sizes, maxElements)
	t.limit = n
	if !fits {
		t.limit = maxElements // a bound that no memory can hold is only a bound: Parse allows it where the caller brings the bytes
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

// planTensor notes the place in the arena.
func (l *linker) planTensor(i int, d *pte.Tensor, t *Tensor) {
	n := t.limit * t.DType.Size()
	if a := uint64(componentSize(d.DType)); n > 0 && d.Alloc.Offset&(a-1) != 0 { // a power of two
		l.addf(fault.InvalidProgram, l.valuePath(i)+".tensor.allocation_info.memory_offset", "", fmt.Sprintf("a multiple of %d, for %v", a, d.DType), fmt.Sprint(d.Alloc.Offset))
		return
	}
	if n == 0 {
		t.full, t.Data = []byte{}, []byte{}
		return
	}
	at := len(l.planned)
	l.plannedAt[i], l.planned = int32(at), l.planned[:at+1] // there is room for all tensors
	p := &l.planned[at]
	p.tensor, p.value, p.arena, p.offset, p.bytes = t, int32(i), l.arenaOf[d.Alloc.MemID], d.Alloc.Offset, n
}
