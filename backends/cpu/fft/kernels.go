package fft

// Float is what transforms compute with.
type Float interface{ float32 | float64 }

// most is how many rows lie side by side at most.
const most = 8

// kernels are the loops over numbers that hold the rows side by side: a complex number takes 2·lanes floats, real parts
// first. Every product is rounded before it is added, so that all kernels give the same bits.
type kernels[T Float] struct {
	lanes int
	// A pass turns stride interleaved transforms into factor times as many; see Plan.
	pass2, pass4 func(lanes int, to, from []T, stride, rest int, w []T)
	passOdd      func(lanes int, to, from []T, stride, rest int, w, roots []T, half int)
	// turn multiplies n numbers by complex factors, and exchanges real and imaginary parts of the products if swap is set.
	turn func(lanes int, dst, src, w []T, n int, swap bool)
	// twist multiplies n numbers by factors that lie side by side like them.
	twist func(lanes int, x, w []T, n int)
	// scale multiplies numbers.
	scale func(dst, src []T, by T)
	// split and merge are the steps behind a forward transform of reals and before a backward one; see halves.
	split, merge func(lanes int, x []T, m int, w []T)
	// gather and scatter move count numbers, a multiple of lanes, of rows that are contiguous; the columns, count complex
	// numbers, pitch apart, of which those of all lanes lie side by side. nil: there is only the portable loop.
	gather         func(dst []T, s slots, src []T, off *[most]int, count int)
	scatter        func(dst []T, off *[most]int, src []T, s slots, count int, scale T)
	gatherColumns  func(dst []T, s slots, src []T, pitch, count int)
	scatterColumns func(dst []T, pitch int, src []T, s slots, count int, scale T)
}

// portable are the kernels for every machine and any number of lanes.
func portable[T Float](lanes int) *kernels[T] {
	return &kernels[T]{lanes: lanes, pass2: pass2[T], pass4: pass4[T], passOdd: passOdd[T], turn: turn[T], twist: twist[T], scale: scale[T], split: split[T], merge: merge[T]}
}

// times is the product of two complex numbers.
func times[T Float](re, im, wr, wi T) (T, T) {
	return T(re*wr) - T(im*wi), T(re*wi) + T(im*wr)
}

func pass2[T Float](lanes int, to, from []T, stride, rest int, w []T) {
	size := 2 * lanes
	d, s := rest*stride*size, stride*size
	for j := range rest {
		wr, wi := w[2*j], w[2*j+1]
		for range stride {
			a, b := from[:size], from[d:][:size]
			x, y := to[:size], to[s:][:size]
			for l := range lanes {
				i := lanes + l
				re, im := a[l]-b[l], a[i]-b[i]
				x[l], x[i] = a[l]+b[l], a[i]+b[i]
				if j > 0 {
					re, im = times(re, im, wr, wi)
				}
				y[l], y[i] = re, im
			}
			from, to = from[size:], to[size:]
		}
		to = to[min(s, len(to)):]
	}
}

func pass4[T Float](lanes int, to, from []T, stride, rest int, w []T) {
	size := 2 * lanes
	d, s := rest*stride*size, stride*size
	for j := range rest {
		f := w[6*j:][:6]
		for range stride {
			a, b, c, e := from[:size], from[d:][:size], from[2*d:][:size], from[3*d:][:size]
			y0, y1, y2, y3 := to[:size], to[s:][:size], to[2*s:][:size], to[3*s:][:size]
			for l := range lanes {
				i := lanes + l
				sr, si, tr, ti := a[l]+c[l], a[i]+c[i], a[l]-c[l], a[i]-c[i]
				ur, ui, vr, vi := b[l]+e[l], b[i]+e[i], b[l]-e[l], b[i]-e[i]
				y0[l], y0[i] = sr+ur, si+ui
				r1, i1 := tr+vi, ti-vr
				r2, i2 := sr-ur, si-ui
				r3, i3 := tr-vi, ti+vr
				if j > 0 {
					r1, i1 = times(r1, i1, f[0], f[1])
					r2, i2 = times(r2, i2, f[2], f[3])
					r3, i3 = times(r3, i3, f[4], f[5])
				}
				y1[l], y1[i], y2[l], y2[i], y3[l], y3[i] = r1, i1, r2, i2, r3, i3
			}
			from, to = from[size:], to[size:]
		}
		to = to[min(3*s, len(to)):]
	}
}

// passOdd adds up pairs of numbers that lie mirrored, k and f−k, of which the roots of unity are conjugate.
func passOdd[T Float](lanes int, to, from []T, stride, rest int, w, roots []T, half int) {
	size := 2 * lanes
	d, s, f := rest*stride*size, stride*size, 2*half+1
	var tmp [4 * (largest / 2)]T
	for j := range rest {
		turns := w[2*(f-1)*j:][:2*(f-1)]
		for range stride {
			for l := range lanes {
				i := lanes + l
				re, im := from[l], from[i]
				for r := 1; r <= half; r++ {
					a, b := from[r*d:][:size], from[(f-r)*d:][:size]
					t := tmp[4*(r-1):][:4]
					t[0], t[1], t[2], t[3] = a[l]+b[l], a[i]+b[i], a[l]-b[l], a[i]-b[i]
					re, im = re+t[0], im+t[1]
				}
				to[l], to[i] = re, im
				for k := 1; k <= half; k++ {
					pr, pi := from[l], from[i]
					var qr, qi T
					root := roots[2*half*(k-1):][:2*half]
					for r := range half {
						t, c, sin := tmp[4*r:][:4], root[2*r], root[2*r+1]
						pr += T(c * t[0])
						pi += T(c * t[1])
						qr += T(sin * t[2])
						qi += T(sin * t[3])
					}
					turn := turns[4*(k-1):][:4]
					x, y := to[k*s:][:size], to[(f-k)*s:][:size]
					x[l], x[i] = times(pr+qi, pi-qr, turn[0], turn[1])
					y[l], y[i] = times(pr-qi, pi+qr, turn[2], turn[3])
				}
			}
			from, to = from[size:], to[size:]
		}
		to = to[min((f-1)*s, len(to)):]
	}
}

func turn[T Float](lanes int, dst, src, w []T, n int, swap bool) {
	size := 2 * lanes
	for k := range n {
		x, y := src[k*size:][:size], dst[k*size:][:size]
		for l := range lanes {
			re, im := times(x[l], x[lanes+l], w[2*k], w[2*k+1])
			if swap {
				re, im = im, re
			}
			y[l], y[lanes+l] = re, im
		}
	}
}

func twist[T Float](lanes int, x, w []T, n int) {
	size := 2 * lanes
	for k := range n {
		x, w := x[k*size:][:size], w[k*size:][:size]
		for l := range lanes {
			i := lanes + l
			x[l], x[i] = times(x[l], x[i], w[l], w[i])
		}
	}
}

func scale[T Float](dst, src []T, by T) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = v * by
	}
}

func split[T Float](lanes int, x []T, m int, w []T) { splitFrom(1, lanes, x, m, w) }

func merge[T Float](lanes int, x []T, m int, w []T) { mergeFrom(1, lanes, x, m, w) }

// splitFrom and mergeFrom begin at number k.
func splitFrom[T Float](k, lanes int, x []T, m int, w []T) {
	size := 2 * lanes
	for ; k <= m/2; k++ {
		a, b := x[k*size:][:size], x[(m-k)*size:][:size]
		for l := range lanes {
			i := lanes + l
			er, ei := a[l]+b[l], a[i]-b[i]
			or, oi := times(a[i]+b[i], b[l]-a[l], w[2*k], w[2*k+1])
			a[l], a[i] = er+or, ei+oi
			b[l], b[i] = er-or, oi-ei
		}
	}
}

func mergeFrom[T Float](k, lanes int, x []T, m int, w []T) {
	size := 2 * lanes
	for ; k <= m/2; k++ {
		a, b := x[k*size:][:size], x[(m-k)*size:][:size]
		wr, wi := w[2*k], w[2*k+1]
		for l := range lanes {
			i := lanes + l
			er, ei := a[l]+b[l], a[i]-b[i]
			dr, di := a[l]-b[l], a[i]+b[i]
			or, oi := T(dr*wr)+T(di*wi), T(di*wr)-T(dr*wi)
			a[l], a[i] = ei+or, er-oi
			b[l], b[i] = or-ei, er+oi
		}
	}
}
