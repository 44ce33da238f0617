package executor

import "unsafe"

// Element is a Go type that stands for a dtype's bytes: f16 and bf16 are uint16, bool is bool or uint8.
type Element interface {
	~uint8 | ~int8 | ~uint16 | ~int16 | ~uint32 | ~int32 | ~uint64 | ~int64 | ~float32 | ~float64 | ~bool | ~complex64 | ~complex128
}

// Slice gives the elements of t as Go values, in memory order. The caller chose T by DType; the size must match, and Data
// is aligned by construction. The slice shares Data's bytes.
func Slice[T Element](t *Tensor) []T { return SliceBytes[T](t.Data) }

// SliceBytes gives bytes as Go values; the bytes must be aligned for T.
func SliceBytes[T Element](b []byte) []T {
	var z T
	n := len(b) / int(unsafe.Sizeof(z))
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// alignedBytes allocates n zeroed bytes aligned to 64.
func alignedBytes(n int) []byte {
	if n == 0 {
		return []byte{}
	}
	b := make([]byte, n+63)
	off := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) & 63)
	return b[off : off+n : off+n]
}

// aligned says whether b starts at a multiple of n.
func aligned(b []byte, n int) bool {
	return len(b) == 0 || uintptr(unsafe.Pointer(unsafe.SliceData(b)))%uintptr(n) == 0
}
