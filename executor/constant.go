package executor

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// componentSize is the size of what a byte swap turns round and what addresses must be aligned for: half of a complex.
func componentSize(d DType) int {
	if d == pte.ComplexHalf || d == pte.ComplexFloat || d == pte.ComplexDouble {
		return d.Size() / 2
	}
	return max(d.Size(), 1)
}

// checkData finds keys that are in two data files.
func (l *linker) checkData() {
	if len(l.config.Data) < 2 {
		return
	}
	first := map[string]int{}
	for i, d := range l.config.Data {
		for _, e := range d.Entries {
			if k, ok := first[e.Key]; ok {
				l.addf(fault.InvalidArgument, fmt.Sprintf("data[%d]", i), "", "keys that no other data file has", fmt.Sprintf("%q, as in data[%d]", e.Key, k))
			}
			first[e.Key] = i
		}
	}
}

// bindConstant gives a constant its bytes: a window on the file where it is aligned, else a copy.
func (l *linker) bindConstant(i int, d *pte.Tensor, t *Tensor) {
	t.constant = true
	if d.Dynamism == pte.DynamicUnbound {
		t.Dynamism = pte.DynamicBound
	}
	b, err := l.source(d, t, l.program.Constants)
	if err != nil {
		l.add(fault.Under(l.valuePath(i), err))
		return
	}
	c := native(b, t.DType)
	t.full, t.Data = c, c
	l.constants = append(l.constants, c)
}

// source finds the file's bytes of a constant or of initial state, exactly as many as the tensor has.
func (l *linker) source(d *pte.Tensor, t *Tensor, segment [][]byte) ([]byte, error) {
	n := t.limit * t.DType.Size()
	if d.Location == pte.External {
		return l.external(d, n)
	}
	if int64(d.DataIndex) >= int64(len(segment)) || (segment[d.DataIndex] == nil && n > 0) {
		return nil, fault.New(fault.InvalidProgram, "data_buffer_idx", fmt.Sprintf("one of %d pieces of data", len(segment)), fmt.Sprint(d.DataIndex))
	}
	b := segment[d.DataIndex]
	if len(b) < n {
		return nil, fault.New(fault.InvalidProgram, "data_buffer_idx", fault.Bytes(uint64(n)), fault.Bytes(uint64(len(b))))
	}
	return b[:n:n], nil
}

func (l *linker) external(d *pte.Tensor, n int) ([]byte, error) {
	if d.FQN == "" {
		return nil, fault.New(fault.InvalidExternalData, "", "a name for external data", "none")
	}
	for _, m := range l.config.Data {
		e, ok := m.Find(d.FQN)
		if !ok {
			continue
		}
		if e.Layout == nil || e.Layout.DType != d.DType || !slices.Equal(e.Layout.Sizes, d.Sizes) || !slices.Equal(e.Layout.DimOrder, d.DimOrder) {
			found := "a blob without a layout"
			if e.Layout != nil {
				found = fmt.Sprintf("%v %v in dim order %v", e.Layout.DType, e.Layout.Sizes, e.Layout.DimOrder)
			}
			return nil, fault.New(fault.InvalidExternalData, fmt.Sprintf("data %q", d.FQN), fmt.Sprintf("%v %v in dim order %v", d.DType, d.Sizes, d.DimOrder), found)
		}
		return exactly(e.Bytes, n, d.FQN)
	}
	if b, ok := l.named(d.FQN); ok {
		return exactly(b, n, d.FQN)
	}
	return nil, &fault.Error{Path: fmt.Sprintf("data %q", d.FQN), Code: fault.NotFound, Err: ErrNoData, Found: fmt.Sprintf("%d data files", len(l.config.Data))}
}

func exactly(b []byte, n int, key string) ([]byte, error) {
	if len(b) < n {
		return nil, fault.New(fault.InvalidExternalData, fmt.Sprintf("data %q", key), fault.Bytes(uint64(n)), fault.Bytes(uint64(len(b))))
	}
	return b[:n:n], nil
}

// native gives little-endian file bytes in the host's byte order, aligned for the dtype: the bytes themselves where they are.
func native(b []byte, d DType) []byte {
	size := componentSize(d)
	if aligned(b, size) && (!bigEndian || size == 1) {
		return b
	}
	c := alignedBytes(len(b))
	copy(c, b)
	if bigEndian {
		swap(c, size)
	}
	return c
}

// swap turns every group of size bytes round.
func swap(b []byte, size int) {
	if size < 2 {
		return
	}
	for ; len(b) >= size; b = b[size:] {
		for i, j := 0, size-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
}

// readInitial finds the initial content of mutable buffers.
func (l *linker) readInitial() {
	for _, v := range l.stateful {
		d := l.plan.Values[v].Tensor
		b, err := l.source(d, l.values[v].tensor, l.program.State)
		if err != nil {
			l.add(fault.Under(l.valuePath(int(v)), err))
		}
		l.initial = append(l.initial, b)
	}
}
