package dense

import "github.com/ptero-rt/ptero/backends/cpu/fmath"

// View is the storage of a tensor, read and written as T: T itself, or a 16-bit float where T is float32.
type View[T Number] struct {
	Same   []T
	Half   []uint16 // used instead of Same, by its format
	Format HalfFormat
}

// HalfFormat is the format of 16-bit floats. Functions in its place would move the buffers of those who call them to the heap.
type HalfFormat uint8

// Formats: no 16-bit floats, IEEE halves, bfloat16.
const (
	NotHalf HalfFormat = iota
	IEEE
	Brain
)

func (h HalfFormat) widen(dst []float32, src []uint16) {
	if h == IEEE {
		fmath.FromHalf(dst, src)
	} else {
		fmath.FromBrain(dst, src)
	}
}

func (h HalfFormat) narrow(dst []uint16, src []float32) {
	if h == IEEE {
		fmath.ToHalf(dst, src)
	} else {
		fmath.ToBrain(dst, src)
	}
}

// gathered is how many 16-bit floats that lie apart are brought together to be converted in vectors.
const gathered = 32

// half says whether the elements are 16-bit floats, also while they have no storage.
func (v View[T]) half() bool { return v.Format != NotHalf }

// Load reads n elements from off on, step apart, into dst.
func (v View[T]) Load(dst []T, off, step, n int) {
	switch {
	case n <= 0:
	case v.Half != nil:
		f, _ := asF32(dst[:n])
		if step == 1 {
			v.Format.widen(f, v.Half[off:off+n])
			return
		}
		var buf [gathered]uint16
		for len(f) > 0 {
			part := buf[:min(len(f), gathered)]
			for i := range part {
				part[i] = v.Half[off]
				off += step
			}
			v.Format.widen(f[:len(part)], part)
			f = f[len(part):]
		}
	case step == 1:
		copy(dst[:n], v.Same[off:])
	default:
		src := v.Same[off:]
		for i := range dst[:n] {
			dst[i] = src[i*step]
		}
	}
}

// Store writes src from off on, step apart.
func (v View[T]) Store(src []T, off, step int) {
	switch {
	case len(src) == 0:
	case v.Half != nil:
		f, _ := asF32(src)
		if step == 1 {
			v.Format.narrow(v.Half[off:off+len(f)], f)
			return
		}
		var buf [gathered]uint16
		for len(f) > 0 {
			part := buf[:min(len(f), gathered)]
			v.Format.narrow(part, f[:len(part)])
			for _, h := range part {
				v.Half[off] = h
				off += step
			}
			f = f[len(part):]
		}
	case step == 1:
		copy(v.Same[off:off+len(src)], src)
	default:
		dst := v.Same[off:]
		for i, x := range src {
			dst[i*step] = x
		}
	}
}

// At reads one element.
func (v View[T]) At(i int) T {
	if v.Half == nil {
		return v.Same[i]
	}
	var one [1]T
	v.Load(one[:], i, 1, 1)
	return one[0]
}

// Set writes one element.
func (v View[T]) Set(i int, x T) {
	if v.Half == nil {
		v.Same[i] = x
		return
	}
	one := [1]T{x}
	v.Store(one[:], i, 1)
}
