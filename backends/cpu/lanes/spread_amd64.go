package lanes

import "golang.org/x/sys/cpu"

// Spread writes rows of width elements of size bytes, each row of one element: those of src from element off on, stride
// apart. It says how many whole rows of dst it wrote, not the last ones, and leaves those unspecified.
func Spread(dst, src []byte, off, stride, size, width int) int {
	// A row may fill up its last vector.
	rows := (len(dst) - 31) / (width * size)
	if rows <= 0 || size > 8 || !cpu.X86.HasAVX2 {
		return 0
	}
	n, to, from := width*size, &dst[0], &src[off*size]
	_ = src[(off+(rows-1)*stride)*size]
	switch size {
	case 1:
		avxSpread8(rows, n, to, from, stride)
	case 2:
		avxSpread16(rows, n, to, from, 2*stride)
	case 4:
		avxSpread32(rows, n, to, from, 4*stride)
	case 8:
		avxSpread64(rows, n, to, from, 8*stride)
	}
	return rows
}

//go:noescape
func avxSpread8(rows, n int, dst, src *byte, stride int)

//go:noescape
func avxSpread16(rows, n int, dst, src *byte, stride int)

//go:noescape
func avxSpread32(rows, n int, dst, src *byte, stride int)

//go:noescape
func avxSpread64(rows, n int, dst, src *byte, stride int)
