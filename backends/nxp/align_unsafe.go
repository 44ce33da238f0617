package nxp

import "unsafe"

// IsAligned says whether b begins at a multiple of [Alignment].
func IsAligned(b []byte) bool {
	return len(b) == 0 || uintptr(unsafe.Pointer(unsafe.SliceData(b)))%Alignment == 0
}

// Aligned returns b, or a copy of it, beginning at a multiple of [Alignment].
func Aligned(b []byte) []byte {
	if IsAligned(b) {
		return b
	}
	c := make([]byte, len(b)+Alignment)
	at := -uintptr(unsafe.Pointer(unsafe.SliceData(c))) % Alignment
	return append(c[at:at:at+uintptr(len(b))], b...)
}
