package sim

import "unsafe"

// address is where b lies in this process.
func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// inside gives the offset of b in whole, false where it lies elsewhere.
func inside(whole, b []byte) (uint64, bool) {
	w, a := address(whole), address(b)
	if len(b) == 0 || a < w || a-w > uintptr(len(whole)) || uintptr(len(b)) > uintptr(len(whole))-(a-w) {
		return 0, false
	}
	return uint64(a - w), true
}
