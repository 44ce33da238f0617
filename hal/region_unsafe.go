package hal

import "unsafe"

// Locate gives the part of r that b is, false where b lies elsewhere. Both are compared by where they lie in this process.
func (r Region) Locate(b []byte) (Region, bool) {
	whole, at := uintptr(unsafe.Pointer(unsafe.SliceData(r.Bytes))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	if len(b) == 0 || at < whole || at-whole > uintptr(len(r.Bytes)) || uintptr(len(b)) > uintptr(len(r.Bytes))-(at-whole) {
		return Region{}, false
	}
	return Region{Bytes: b, Addr: r.Addr + uint64(at-whole), Pool: r.Pool}, true
}
