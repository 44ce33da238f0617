package ethosu

import (
	"encoding/binary"
	"fmt"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// Element types that pass through an NPU; the numbers are ExecuTorch's (runtime/core/portable_type/scalar_type.h).
const (
	typeU8   executor.DType = 0
	typeI8   executor.DType = 1
	typeI16  executor.DType = 2
	typeI32  executor.DType = 3
	typeBool executor.DType = 11
)

var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// port is an input or output of the blob and how its bytes relate to the tensor's.
//
//	plain    the same bytes
//	padded   rows of the NPU are longer than the tensor's: the rest is dropped    (outputs only)
//	packed   two 4-bit elements a byte, the low half first; expanded to one byte  (outputs only)
//
// Source: pytorch/executorch backends/arm/runtime/EthosUBackend_Cortex_M.cpp, EthosUBackend_Internal.h at cff6f4dd.
type port struct {
	Tensor
	layout   layout
	rows     int // padded and packed: rows of the NPU's tensor
	rowBytes int // of the tensor
	padBytes int // of the NPU's rows
	signed   bool
}

type layout uint8

const (
	plain layout = iota
	padded
	packed
)

// newPort checks a tensor against what the blob says of it.
func newPort(b Tensor, v *executor.Value, output bool) (port, error) {
	p := port{Tensor: b}
	t := v.Tensor()
	if t == nil {
		return p, &fault.Error{Rule: "io_kind", Want: "a tensor", Found: v.Kind().String(), Code: fault.InvalidProgram}
	}
	if err := acceptType(t.DType, b.ElemBytes); err != nil {
		return p, err
	}
	if t.Dynamism != 0 { // anything but static
		return p, &fault.Error{Rule: "io_shape", Want: "a static shape", Found: fmt.Sprintf("up to %v", t.Sizes), Code: fault.InvalidProgram}
	}
	have, npu := t.NBytes(), int(b.Bytes())
	p.signed = t.DType == typeI8
	bad := func() error {
		return &fault.Error{Rule: "io_size", Want: fmt.Sprintf("%d elements of %d B (shape %v)", b.Elements(), b.ElemBytes, b.Shape),
			Found: fmt.Sprintf("%d of %d B (sizes %v)", t.NumElements(), t.DType.Size(), t.Sizes), Code: fault.InvalidProgram}
	}
	if have == npu {
		return p, nil
	}
	p.padBytes = b.Shape[5] * b.ElemBytes
	p.rows = npu / max(p.padBytes, 1)
	if !output || p.rows == 0 || have%p.rows != 0 {
		return p, bad()
	}
	p.rowBytes = have / p.rows
	switch {
	case p.rowBytes < p.padBytes && p.rowBytes%b.ElemBytes == 0:
		p.layout = padded
	case p.rowBytes == 2*p.padBytes && b.ElemBytes == 1 && t.DType.Size() == 1:
		p.layout = packed
	default:
		return p, bad()
	}
	return p, nil
}

// acceptType says which element types pass: integers of the blob's size, and bool as bytes.
func acceptType(d executor.DType, elemBytes int) error {
	switch d {
	case typeI8, typeU8, typeBool, typeI16, typeI32:
		if d.Size() == elemBytes {
			return nil
		}
	}
	want := map[int]string{1: "int8, uint8 or bool", 2: "int16", 4: "int32"}[elemBytes]
	if want == "" {
		want = "no type that a program has"
	}
	return &fault.Error{Rule: "io_dtype", Want: fmt.Sprintf("%s (elements of %d B)", want, elemBytes), Found: d.String(), Code: fault.InvalidProgram}
}

// inPlace says whether the tensor's bytes may serve as the NPU's without a copy, once they lie at the same address.
func (p *port) inPlace() bool { return p.layout == plain && (!bigEndian || p.ElemBytes == 1) }

// copyIn brings a tensor to its place in a region.
func (p *port) copyIn(dst, src []byte) {
	if sameBytes(dst, src) {
		return
	}
	copy(dst, src)
	p.swap(dst)
}

// copyOut brings the NPU's output to a tensor.
func (p *port) copyOut(dst, src []byte) {
	switch p.layout {
	case plain:
		if sameBytes(dst, src) {
			return
		}
		copy(dst, src)
	case padded:
		for r := range p.rows {
			copy(dst[r*p.rowBytes:(r+1)*p.rowBytes], src[r*p.padBytes:])
		}
	case packed:
		for i, b := range src[:len(dst)/2] {
			dst[2*i], dst[2*i+1] = b&15, b>>4
			if p.signed {
				dst[2*i], dst[2*i+1] = byte(int8(b<<4)>>4), byte(int8(b)>>4)
			}
		}
	}
	p.swap(dst)
}

// swap turns little-endian elements into the host's, or back, in place.
func (p *port) swap(b []byte) {
	if !bigEndian || p.ElemBytes == 1 {
		return
	}
	for at := 0; at+p.ElemBytes <= len(b); at += p.ElemBytes {
		for i, j := at, at+p.ElemBytes-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
}

// sameBytes says whether two windows begin at the same byte of memory.
func sameBytes(a, b []byte) bool { return len(a) > 0 && len(b) > 0 && &a[0] == &b[0] }
