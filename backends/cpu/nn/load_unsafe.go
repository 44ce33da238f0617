package nn

import (
	"unsafe"

	"github.com/ptero-rt/ptero/backends/cpu/dense"
)

// bytesOf gives the bytes of a slice.
func bytesOf[T dense.Number](s []T) []byte {
	var z T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(z)))
}
