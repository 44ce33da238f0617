package fft

// slots are where the numbers of rows go in a buffer, in floats: those with even indices from even on, those with odd ones
// from odd on, step apart. Complex numbers are two numbers each.
type slots struct{ even, odd, step int }

// complexSlots are those of complex numbers, or of reals taken as such by twos; swapped if real and imaginary parts are
// exchanged.
func complexSlots(lanes int, swapped bool) slots {
	if swapped {
		return slots{lanes, 0, 2 * lanes}
	}
	return slots{0, lanes, 2 * lanes}
}

// realSlots are the real parts alone, or the imaginary ones.
func realSlots(lanes int, imaginary bool) slots {
	s := slots{0, 2 * lanes, 4 * lanes}
	if imaginary {
		s.even, s.odd = s.even+lanes, s.odd+lanes
	}
	return s
}

func (s slots) at(i int) int {
	if i%2 == 0 {
		return s.even + i/2*s.step
	}
	return s.odd + i/2*s.step
}

// Side is where rows lie in a slice, in floats: odd is from a number with an even index to the next, pair from one such
// number to the next.
type Side[T Float] struct {
	X         []T
	odd, pair int
	off       [most]int // of the present rows
	apart     int       // between those, if even; else 0
}

// Reals makes the side of real numbers, step apart.
func Reals[T Float](x []T, step int) Side[T] { return Side[T]{X: x, odd: step, pair: 2 * step} }

// Complexes makes the side of complex numbers, given as floats, step floats apart.
func Complexes[T Float](x []T, step int) Side[T] { return Side[T]{X: x, odd: 1, pair: step} }

func (s *Side[T]) packed() bool { return s.odd == 1 && s.pair == 2 }

// columns says whether complex numbers of all lanes lie side by side.
func (s *Side[T]) columns() bool { return s.odd == 1 && s.apart == 2 }

// gather copies the first count numbers of the present rows into a buffer.
func (s *Side[T]) gather(k *kernels[T], dst []T, to slots, count int) {
	done := 0
	switch {
	case k.lanes == 1 && s.packed() && to.step == 2:
		src := s.X[s.off[0]:][:count]
		if to.even == 0 {
			copy(dst, src)
			return
		}
		for done = 0; done+1 < count; done += 2 {
			pair := dst[done:][:2]
			pair[to.even], pair[to.odd] = src[done], src[done+1]
		}
	case k.gather != nil && s.packed():
		if done = count / k.lanes * k.lanes; done > 0 {
			k.gather(dst, to, s.X, &s.off, done)
		}
	case k.gatherColumns != nil && s.columns() && count > 1:
		k.gatherColumns(dst, to, s.X[s.off[0]:], s.pair, count/2)
		done = count &^ 1
	case s.apart == 1:
		for i := range count {
			copy(dst[to.at(i):][:k.lanes], s.X[s.off[0]+i/2*s.pair+i%2*s.odd:])
		}
		return
	}
	for l := range k.lanes {
		src := s.X[s.off[l]:]
		for i := done; i < count; i++ {
			dst[to.at(i)+l] = src[i/2*s.pair+i%2*s.odd]
		}
	}
}

// scatter copies the first count numbers of a buffer to the present rows, scaled.
func (s *Side[T]) scatter(k *kernels[T], src []T, from slots, count int, scale T) {
	done := 0
	switch {
	case k.lanes == 1 && s.packed() && from.step == 2:
		dst := s.X[s.off[0]:][:count]
		if from.even == 0 {
			k.scale(dst, src[:count], scale)
			return
		}
		for done = 0; done+1 < count; done += 2 {
			pair := src[done:][:2]
			dst[done], dst[done+1] = pair[from.even]*scale, pair[from.odd]*scale
		}
	case k.scatter != nil && s.packed():
		if done = count / k.lanes * k.lanes; done > 0 {
			k.scatter(s.X, &s.off, src, from, done, scale)
		}
	case k.scatterColumns != nil && s.columns() && count > 1:
		k.scatterColumns(s.X[s.off[0]:], s.pair, src, from, count/2, scale)
		done = count &^ 1
	case s.apart == 1:
		for i := range count {
			dst := s.X[s.off[0]+i/2*s.pair+i%2*s.odd:][:k.lanes]
			for l, v := range src[from.at(i):][:k.lanes] {
				dst[l] = v * scale
			}
		}
		return
	}
	for l := range k.lanes {
		dst := s.X[s.off[l]:]
		for i := done; i < count; i++ {
			dst[i/2*s.pair+i%2*s.odd] = src[from.at(i)+l] * scale
		}
	}
}
