package pte

import (
	"encoding/binary"
	"fmt"

	"github.com/ptero-rt/ptero/internal/fault"
)

// FileKind is one of the file formats that ExecuTorch writes.
type FileKind uint8

// Kinds of file.
const (
	UnknownFile    FileKind = iota
	ProgramFile             // .pte
	TensorDataFile          // .ptd
	BundleFile              // .bpte
)

// String gives the extension that such files usually have.
func (k FileKind) String() string {
	switch k {
	case ProgramFile:
		return ".pte"
	case TensorDataFile:
		return ".ptd"
	case BundleFile:
		return ".bpte"
	}
	return "unknown"
}

// Identifiers at byte 4 of the file.
const (
	programIdent    = "ET12"
	tensorDataIdent = "FT01"
	bundleIdent     = "BP08"
)

// Sniff tells the kind of a file from its first eight bytes.
func Sniff(data []byte) FileKind {
	if len(data) >= 8 {
		switch string(data[4:8]) {
		case programIdent:
			return ProgramFile
		case tensorDataIdent:
			return TensorDataFile
		case bundleIdent:
			return BundleFile
		}
	}
	return UnknownFile
}

// wantIdent checks the identifier of a file: another number of the same format is a version, anything else another format.
func wantIdent(data []byte, ident string, code fault.Code) error {
	if len(data) < 8 {
		return &fault.Error{Want: "at least 8 B", Found: fault.Bytes(uint64(len(data))), Code: code, Err: ErrFormat}
	}
	got := string(data[4:8])
	if got == ident {
		return nil
	}
	cause := ErrFormat
	if got[:2] == ident[:2] && digits(got[2:]) {
		cause = ErrVersion
	}
	return &fault.Error{Path: "identifier", Want: fmt.Sprintf("%q", ident), Found: fmt.Sprintf("%q", got), Code: code, Err: cause}
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// container is where the parts of a .pte or .ptd file lie.
type container struct {
	flat     []byte // the flatbuffer; root offsets count from the start of the file in all formats
	segments []byte // from the segment base on; nil if there is none
	base     uint64
	unknown  []string
}

// Extended header of a .pte file, from byte 8. The last word came with the 32-byte form.
//
//	eh00 | length u32 | program size u64 | segment base u64 | segment bytes u64
//
// Source: pytorch/executorch schema/extended_header.cpp at cff6f4dd.
func programContainer(data []byte) (container, error) {
	const code = fault.InvalidProgram
	size := uint64(len(data))
	if len(data) < 16 || string(data[8:12]) != "eh00" {
		return container{flat: data}, nil
	}
	length := uint64(binary.LittleEndian.Uint32(data[12:]))
	if length < 24 || length > size-8 {
		return container{}, fault.New(code, "extended_header.length", fmt.Sprintf("24 … %d", size-8), fmt.Sprint(length))
	}
	header := data[8 : 8+length]
	program := binary.LittleEndian.Uint64(header[8:])
	base := binary.LittleEndian.Uint64(header[16:])
	var bytes uint64
	if length >= 32 {
		bytes = binary.LittleEndian.Uint64(header[24:])
	}
	c, err := cut(data, program, base, bytes, length >= 32, "extended_header", code)
	if length > 32 {
		for _, b := range header[32:] {
			if b != 0 {
				c.unknown = append(c.unknown, "extended_header[32:]")
				break
			}
		}
	}
	return c, err
}

// Header of a .ptd file, from byte 8; always present.
//
//	FH01 | length u32 | flatbuffer offset u64 | flatbuffer bytes u64 | segment base u64 | segment bytes u64
//
// Source: pytorch/executorch extension/flat_tensor/serialize/flat_tensor_header.cpp at cff6f4dd.
func tensorDataContainer(data []byte) (container, error) {
	const code = fault.InvalidExternalData
	size := uint64(len(data))
	if len(data) < 48 || string(data[8:12]) != "FH01" {
		return container{}, &fault.Error{Path: "header", Want: "FH01 and 40 B at byte 8", Found: fmt.Sprintf("%q", data[8:min(12, len(data))]), Code: code, Err: ErrFormat}
	}
	length := uint64(binary.LittleEndian.Uint32(data[12:]))
	if length < 40 || length > size-8 {
		return container{}, fault.New(code, "header.length", fmt.Sprintf("40 … %d", size-8), fmt.Sprint(length))
	}
	offset := binary.LittleEndian.Uint64(data[16:])
	bytes := binary.LittleEndian.Uint64(data[24:])
	if offset > size || bytes > size-offset {
		return container{}, fault.New(code, "header.flatbuffer", fmt.Sprintf("a range inside the file of %d B", size), fmt.Sprintf("%d B at %d", bytes, offset))
	}
	return cut(data, offset+bytes, binary.LittleEndian.Uint64(data[32:]), binary.LittleEndian.Uint64(data[40:]), true, "header", code)
}

// cut bounds the flatbuffer and the segments. A base of 0 means that there are no segments.
func cut(data []byte, flat, base, bytes uint64, sized bool, where string, code fault.Code) (container, error) {
	size := uint64(len(data))
	var p problems
	if flat > size {
		p.add(code, fmt.Sprintf("at most the file's %d B", size), fault.Bytes(flat), "%s.program_size", where)
	}
	if base != 0 && (base > size || base < flat) {
		p.add(code, fmt.Sprintf("0 or an offset in [%d, %d]", min(flat, size), size), fmt.Sprint(base), "%s.segment_base_offset", where)
	}
	if err := p.err(); err != nil {
		return container{}, err
	}
	c := container{flat: data[:flat], base: base}
	if base == 0 {
		return c, nil
	}
	c.segments = data[base:]
	if sized && bytes > 0 { // 0 with a base: written before the word had a meaning
		if bytes > uint64(len(c.segments)) {
			return container{}, fault.New(code, where+".segment_data_size", fmt.Sprintf("at most the %d B that follow the segment base", len(c.segments)), fault.Bytes(bytes))
		}
		c.segments = c.segments[:bytes]
	}
	return c, nil
}

// segment cuts one segment, given relative to the base.
func (c *container) segment(offset, size uint64) ([]byte, bool) {
	if offset > uint64(len(c.segments)) || size > uint64(len(c.segments))-offset {
		return nil, false
	}
	return c.segments[offset : offset+size : offset+size], true
}
