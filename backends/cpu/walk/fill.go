package walk

import "github.com/ptero-rt/ptero/executor"

// fillBlock is how much of what was filled already is copied at a time: it stays in the first-level cache.
const fillBlock = 4096

// Fill writes one element, el, over all of dst, which holds a whole number of them.
func Fill(dst, el []byte) {
	zero := true
	for _, b := range el {
		zero = zero && b == 0
	}
	if zero {
		clear(dst)
		return
	}
	n := copy(dst, el)
	for n < len(dst) {
		n += copy(dst[n:], dst[:min(n, fillBlock)])
	}
}

// Frame writes a row: elements of src, from element from on in steps of stride, at lo to hi, and el around them.
type Frame func(row, el, src []byte, lo, hi, from, stride int)

// Framer gives the Frame for a size of elements.
func Framer(size int) Frame {
	switch size {
	case 1:
		return frame[uint8]
	case 2:
		return frame[uint16]
	case 4:
		return frame[uint32]
	case 8:
		return frame[uint64]
	}
	return frame[complex128]
}

func frame[T executor.Element](row, el, src []byte, lo, hi, from, step int) {
	y, e := executor.SliceBytes[T](row), executor.SliceBytes[T](el)[0]
	for i := range y[:lo] {
		y[i] = e
	}
	for i := range y[hi:] {
		y[hi+i] = e
	}
	if step == 1 {
		copy(y[lo:hi], executor.SliceBytes[T](src)[from:])
		return
	}
	stride[T](row, lo, 1, src, from, step, hi-lo)
}
