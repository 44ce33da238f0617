package pte

import (
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/flatverify"
	"github.com/ptero-rt/ptero/pte/schema/tensordata"
)

// TensorData is a decoded `.ptd` file: tensors and blobs by name, for programs that keep their weights apart. It is
// immutable after ParseTensorData; byte slices are windows into the input.
type TensorData struct {
	Version uint32
	Entries []Entry
	Unknown []string // paths of fields that this reader does not know

	byKey map[string]int
}

// Entry is one named run of bytes. Several entries may share bytes.
type Entry struct {
	Key    string
	Layout *Layout // nil for a blob without a shape
	Bytes  []byte
}

// Layout says how to read an entry's bytes as a tensor: little-endian elements, outermost dimension of DimOrder first.
type Layout struct {
	DType    DType
	Sizes    []int32
	DimOrder []uint8
}

// Find gives the entry with exactly this key.
func (d *TensorData) Find(key string) (*Entry, bool) {
	i, ok := d.byKey[key]
	if !ok {
		return nil, false
	}
	return &d.Entries[i], true
}

// ParseTensorData decodes a `.ptd` file and checks structure, ranges, and that every tensor has as many bytes as its shape
// needs. Data and errors are as with Parse; ExecuTorch's number is InvalidExternalData.
func ParseTensorData(data []byte) (*TensorData, error) {
	const code = fault.InvalidExternalData
	if err := wantIdent(data, tensorDataIdent, code); err != nil {
		return nil, err
	}
	file, err := tensorDataContainer(data)
	if err != nil {
		return nil, err
	}
	unknown, err := flatverify.Verify(file.flat, tensorDataLayout, code)
	if err != nil {
		return nil, err
	}
	root := tensordata.GetRootAsFlatTensor(file.flat, 0)
	out := &TensorData{Version: root.Version(), Unknown: append(file.unknown, unknown...), byKey: map[string]int{}}
	if err := checkVersion(out.Version, code); err != nil {
		return nil, err
	}
	var d problems
	for i, name := range []string{"segments", "named_data"} {
		if !has(root.Table(), i+1) {
			d.add(code, "a list", "none", "%s", name)
		}
	}
	out.Entries = make([]Entry, root.NamedDataLength())
	var nd tensordata.NamedData
	var seg tensordata.DataSegment
	for i := range out.Entries {
		root.NamedData(&nd, i)
		e := &out.Entries[i]
		e.Key = string(nd.Key())
		if first, ok := out.byKey[e.Key]; ok {
			d.add(code, "a key of its own", fmt.Sprintf("%q, as named_data[%d]", e.Key, first), "named_data[%d].key", i)
		}
		out.byKey[e.Key] = i
		n := root.SegmentsLength()
		if uint64(nd.SegmentIndex()) >= uint64(n) {
			d.add(code, below(n), fmt.Sprint(nd.SegmentIndex()), "named_data[%d].segment_index", i)
			continue
		}
		root.Segments(&seg, int(nd.SegmentIndex()))
		bytes, ok := file.segment(seg.Offset(), seg.Size())
		if !ok {
			d.add(code, fmt.Sprintf("a range inside the %d B of segments", len(file.segments)), fmt.Sprintf("%d B at %d", seg.Size(), seg.Offset()), "segments[%d]", nd.SegmentIndex())
			continue
		}
		e.Bytes = bytes
		if err := e.layout(&nd, code); err != nil {
			d.keep(fault.Under(fmt.Sprintf("named_data[%d]", i), err))
		}
	}
	if err := d.err(); err != nil {
		return nil, err
	}
	return out, nil
}

func (e *Entry) layout(nd *tensordata.NamedData, code fault.Code) error {
	var in tensordata.TensorLayout
	if nd.TensorLayout(&in) == nil {
		return nil
	}
	l := &Layout{DType: DType(in.ScalarType()), Sizes: make([]int32, in.SizesLength()), DimOrder: slices.Clone(in.DimOrderBytes())}
	for i := range l.Sizes {
		l.Sizes[i] = in.Sizes(i)
	}
	e.Layout = l
	n, err := checkLayout(l.DType, l.Sizes, l.DimOrder, code)
	if err != nil {
		return fault.Under("tensor_layout", err)
	}
	if have := uint64(len(e.Bytes)); have < n {
		return fault.New(code, "segment_index", fmt.Sprintf("a segment of at least %d B", n), fault.Bytes(have))
	}
	return nil
}
