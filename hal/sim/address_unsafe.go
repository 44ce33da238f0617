package sim

import "unsafe"

// address is where b lies in this process.
func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
