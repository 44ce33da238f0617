package dense

// View is the storage of a tensor, read and written as T: T itself, or a 16-bit float where T is float32.
type View[T Number] struct {
	Same  []T
	Half  []uint16 // set instead of Same
	Widen func(uint16) float32
	Round func(float32) uint16
}

// half says whether the elements are 16-bit floats, also while they have no storage.
func (v View[T]) half() bool { return v.Widen != nil }

// Load reads n elements from off on, step apart, into dst.
func (v View[T]) Load(dst []T, off, step, n int) {
	switch {
	case n <= 0:
	case v.Half != nil:
		f, _ := asF32(dst[:n])
		for i := range f {
			f[i] = v.Widen(v.Half[off+i*step])
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
		for i, x := range f {
			v.Half[off+i*step] = v.Round(x)
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
