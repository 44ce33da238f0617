package dense

// View is the storage of a tensor, read and written as T: T itself, or a 16-bit float behind f32.
type View[T Real] struct {
	Same  []T
	Half  []uint16 // set instead of Same
	Widen func(uint16) float32
	Round func(float32) uint16
}

// load reads n elements from off on, step apart.
func (v View[T]) load(dst []T, off, step, n int) {
	switch {
	case n <= 0:
	case v.Half != nil:
		for i := range dst[:n] {
			dst[i] = T(v.Widen(v.Half[off+i*step]))
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

// store writes src from off on, step apart.
func (v View[T]) store(src []T, off, step int) {
	switch {
	case len(src) == 0:
	case v.Half != nil:
		for i, x := range src {
			v.Half[off+i*step] = v.Round(float32(x))
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

// Load reads n elements from off on, step apart, into dst.
func (v View[T]) Load(dst []T, off, step, n int) { v.load(dst, off, step, n) }

// Store writes src from off on, step apart.
func (v View[T]) Store(src []T, off, step int) { v.store(src, off, step) }
