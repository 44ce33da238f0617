package sim

import "unsafe"

// Outside gives the byte at an offset from b, in bounds or not.
func Outside(b []byte, off int) *byte {
	return (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), off))
}
