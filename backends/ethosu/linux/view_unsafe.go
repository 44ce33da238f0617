package linux

import "unsafe"

// view gives the bytes of a struct, as the kernel reads and writes them.
func view[T any](p *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(*p)) }

// address gives the address of bytes for a field of a struct. The caller keeps the bytes alive over the call.
func address(b []byte) uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }
