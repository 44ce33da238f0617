// Package npy reads and writes NumPy's `.npy` files, version 1 to 3: the format in which ptero takes inputs and leaves
// outputs.
//
// Source: numpy/lib/format.py (NumPy 2.0), "Format Version 1.0" to "3.0".
package npy

import (
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/ptero-rt/ptero/internal/fault"
)

// Array is a decoded file: a type code without byte order ("f4", "i8", "b1", "u2", "c8"), the shape (empty for rank 0), and
// the elements in C order and little-endian bytes.
type Array struct {
	Type  string
	Shape []int
	Data  []byte
}

const magic = "\x93NUMPY"

var (
	descrField   = regexp.MustCompile(`'descr':\s*'([<>|=]?)([a-z]\d+)'`)
	fortranField = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	shapeField   = regexp.MustCompile(`'shape':\s*\(([^)]*)\)`)
)

// ReadFile reads one array.
func ReadFile(path string) (*Array, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fault.Under(path, &fault.Error{Code: fault.AccessFailed, Err: err})
	}
	a, err := Decode(b)
	return a, fault.Under(path, err)
}

// Decode reads one array from bytes; trailing bytes are an error.
func Decode(b []byte) (*Array, error) {
	bad := func(what, want, found string) error {
		return fault.New(fault.InvalidArgument, what, want, found)
	}
	if len(b) < 10 || string(b[:6]) != magic {
		return nil, bad("magic", `a .npy file ("\x93NUMPY")`, fmt.Sprintf("%q", b[:min(len(b), 6)]))
	}
	head, at := int(binary.LittleEndian.Uint16(b[8:])), 10
	if b[6] >= 2 {
		if len(b) < 12 {
			return nil, bad("header", "12 B", fault.Bytes(uint64(len(b))))
		}
		n := binary.LittleEndian.Uint32(b[8:])
		if uint64(n) > uint64(len(b)) {
			return nil, bad("header", fmt.Sprintf("at most %d B", len(b)), fault.Bytes(uint64(n)))
		}
		head, at = int(n), 12
	}
	if head > len(b)-at {
		return nil, bad("header", fault.Bytes(uint64(head)), fault.Bytes(uint64(len(b)-at)))
	}
	text := string(b[at : at+head])
	data := b[at+head:]
	descr, fortran, shape := descrField.FindStringSubmatch(text), fortranField.FindStringSubmatch(text), shapeField.FindStringSubmatch(text)
	if descr == nil || fortran == nil || shape == nil {
		return nil, bad("header", "descr of one simple type, fortran_order and shape", strings.TrimSpace(text))
	}
	a := &Array{Type: descr[2]}
	size, _ := strconv.Atoi(a.Type[1:])
	n := size
	for _, f := range strings.Split(shape[1], ",") {
		f = strings.TrimSpace(f)
		if f == "" {
			continue
		}
		d, err := strconv.Atoi(f)
		if err != nil || d < 0 {
			return nil, bad("header.shape", "numbers ≥ 0", shape[1])
		}
		if d != 0 && n > len(data)/d {
			return nil, bad("data", fmt.Sprintf("elements for shape (%s)", shape[1]), fault.Bytes(uint64(len(data))))
		}
		n *= d
		a.Shape = append(a.Shape, d)
	}
	if size == 0 || n != len(data) {
		return nil, bad("data", fault.Bytes(uint64(n)), fault.Bytes(uint64(len(data))))
	}
	if fortran[1] == "True" && len(a.Shape) > 1 {
		data = toC(data, a.Shape, size)
	}
	if descr[1] == ">" && size > 1 {
		data = append([]byte{}, data...)
		part := size
		if a.Type[0] == 'c' {
			part /= 2
		}
		Swap(data, part)
	}
	a.Data = data
	return a, nil
}

// toC turns column-major elements into row-major ones.
func toC(src []byte, shape []int, size int) []byte {
	dst := make([]byte, len(src))
	index := make([]int, len(shape))
	for at := 0; at < len(dst); at += size {
		from, stride := 0, 1
		for d, i := range index {
			from += i * stride
			stride *= shape[d]
		}
		copy(dst[at:at+size], src[from*size:])
		for d := len(index) - 1; d >= 0; d-- {
			if index[d]++; index[d] < shape[d] {
				break
			}
			index[d] = 0
		}
	}
	return dst
}

// Swap reverses the bytes of every element of the given size, in place.
func Swap(b []byte, size int) {
	for at := 0; at+size <= len(b); at += size {
		for i, j := at, at+size-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
}

// Encode gives the bytes of a version 1 file, with the data aligned to 64 bytes as NumPy does.
func (a *Array) Encode() []byte {
	shape := make([]string, len(a.Shape))
	for i, d := range a.Shape {
		shape[i] = strconv.Itoa(d)
	}
	list := strings.Join(shape, ", ")
	if len(shape) == 1 {
		list += ","
	}
	order := "<"
	if strings.HasSuffix(a.Type, "1") {
		order = "|"
	}
	head := fmt.Sprintf("{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }", order, a.Type, list)
	for (len(magic)+4+len(head)+1)%64 != 0 {
		head += " "
	}
	head += "\n"
	out := append([]byte(magic), 1, 0)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(head)))
	out = append(out, head...)
	return append(out, a.Data...)
}
