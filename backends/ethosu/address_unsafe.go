package ethosu

import "unsafe"

// past says how many bytes b begins behind a multiple of Alignment in this process.
func past(b []byte) int { return int(uintptr(unsafe.Pointer(unsafe.SliceData(b))) % Alignment) }
