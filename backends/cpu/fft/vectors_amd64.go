package fft

import "golang.org/x/sys/cpu"

//go:generate go run vectors_gen.go

// fastest gives the kernels in assembly for rows side by side, and for a row alone; nil if this machine does not run them.
func fastest[T Float]() (several, alone *kernels[T]) {
	if !cpu.X86.HasAVX2 {
		return nil, nil
	}
	if k, ok := any(&vectors32).(*kernels[T]); ok {
		alone, _ = any(&alone32).(*kernels[T])
		return k, alone
	}
	several, _ = any(&vectors64).(*kernels[T])
	alone, _ = any(&alone64).(*kernels[T])
	return several, alone
}

var vectors32 = kernels[float32]{
	lanes: 8,
	pass2: func(_ int, to, from []float32, stride, rest int, w []float32) {
		pass2x32(&to[0], &from[0], stride, rest, &w[0])
	},
	pass4: func(_ int, to, from []float32, stride, rest int, w []float32) {
		pass4x32(&to[0], &from[0], stride, rest, &w[0])
	},
	passOdd: func(_ int, to, from []float32, stride, rest int, w, roots []float32, half int) {
		var tmp [largest / 2 * 4 * 8]float32
		passOddx32(&to[0], &from[0], stride, rest, &w[0], half, &roots[0], &tmp[0])
	},
	turn: func(_ int, dst, src, w []float32, n int, swap bool) {
		re, im := &dst[0], &dst[8]
		if swap {
			re, im = im, re
		}
		turnx32(re, im, &src[0], &w[0], n)
	},
	twist: func(_ int, x, w []float32, n int) {
		twistx32(&x[0], &w[0], n)
	},
	scale: scaleVectors32,
	split: func(_ int, x []float32, m int, w []float32) {
		if m > 1 {
			splitx32(&x[16], &x[(m-1)*16], &w[2], m/2)
		}
	},
	merge: func(_ int, x []float32, m int, w []float32) {
		if m > 1 {
			mergex32(&x[16], &x[(m-1)*16], &w[2], m/2)
		}
	},
	gather: func(dst []float32, s slots, src []float32, off *[most]int, count int) {
		gatherx32(&dst[s.even], &dst[s.odd], s.step, &src[0], off, count)
	},
	scatter: func(dst []float32, off *[most]int, src []float32, s slots, count int, scale float32) {
		scatterx32(&dst[0], off, &src[s.even], &src[s.odd], s.step, count, &scale)
	},
	gatherColumns: func(dst []float32, s slots, src []float32, pitch, count int) {
		gatherColumnsx32(&dst[s.even], &dst[s.odd], s.step, &src[0], pitch, count)
	},
	scatterColumns: func(dst []float32, pitch int, src []float32, s slots, count int, scale float32) {
		scatterColumnsx32(&dst[0], pitch, &src[s.even], &src[s.odd], s.step, count, &scale)
	},
}

// alone32 are the kernels for one row: what is portable, but for what goes through all of a row.
var alone32 = func() kernels[float32] {
	k := *portable[float32](1)
	k.scale = scaleVectors32
	k.split = func(_ int, x []float32, m int, w []float32) {
		n := (m - 1) / 8
		if n > 0 {
			splitRowx32(&x[2], &x[2*m-8], &w[2], n)
		}
		splitFrom(1+4*n, 1, x, m, w)
	}
	k.merge = func(_ int, x []float32, m int, w []float32) {
		n := (m - 1) / 8
		if n > 0 {
			mergeRowx32(&x[2], &x[2*m-8], &w[2], n)
		}
		mergeFrom(1+4*n, 1, x, m, w)
	}
	return k
}()

func scaleVectors32(dst, src []float32, by float32) {
	n := len(src) / 8 * 8
	if n > 0 {
		scalex32(&dst[0], &src[0], n, &by)
	}
	scale(dst[n:], src[n:], by)
}

//go:noescape
func splitRowx32(low, high, w *float32, n int)

//go:noescape
func mergeRowx32(low, high, w *float32, n int)

//go:noescape
func scalex32(dst, src *float32, n int, by *float32)

//go:noescape
func pass2x32(to, from *float32, stride, rest int, w *float32)

//go:noescape
func pass4x32(to, from *float32, stride, rest int, w *float32)

//go:noescape
func passOddx32(to, from *float32, stride, rest int, w *float32, half int, roots, tmp *float32)

//go:noescape
func turnx32(re, im, src, w *float32, n int)

//go:noescape
func twistx32(x, w *float32, n int)

//go:noescape
func splitx32(low, high, w *float32, n int)

//go:noescape
func mergex32(low, high, w *float32, n int)

//go:noescape
func gatherx32(even, odd *float32, step int, src *float32, off *[most]int, count int)

//go:noescape
func scatterx32(dst *float32, off *[most]int, even, odd *float32, step, count int, scale *float32)

//go:noescape
func gatherColumnsx32(even, odd *float32, step int, src *float32, pitch, count int)

//go:noescape
func scatterColumnsx32(dst *float32, pitch int, even, odd *float32, step, count int, scale *float32)

var vectors64 = kernels[float64]{
	lanes: 4,
	pass2: func(_ int, to, from []float64, stride, rest int, w []float64) {
		pass2x64(&to[0], &from[0], stride, rest, &w[0])
	},
	pass4: func(_ int, to, from []float64, stride, rest int, w []float64) {
		pass4x64(&to[0], &from[0], stride, rest, &w[0])
	},
	passOdd: func(_ int, to, from []float64, stride, rest int, w, roots []float64, half int) {
		var tmp [largest / 2 * 4 * 4]float64
		passOddx64(&to[0], &from[0], stride, rest, &w[0], half, &roots[0], &tmp[0])
	},
	turn: func(_ int, dst, src, w []float64, n int, swap bool) {
		re, im := &dst[0], &dst[4]
		if swap {
			re, im = im, re
		}
		turnx64(re, im, &src[0], &w[0], n)
	},
	twist: func(_ int, x, w []float64, n int) {
		twistx64(&x[0], &w[0], n)
	},
	scale: scaleVectors64,
	split: func(_ int, x []float64, m int, w []float64) {
		if m > 1 {
			splitx64(&x[8], &x[(m-1)*8], &w[2], m/2)
		}
	},
	merge: func(_ int, x []float64, m int, w []float64) {
		if m > 1 {
			mergex64(&x[8], &x[(m-1)*8], &w[2], m/2)
		}
	},
	gather: func(dst []float64, s slots, src []float64, off *[most]int, count int) {
		gatherx64(&dst[s.even], &dst[s.odd], s.step, &src[0], off, count)
	},
	scatter: func(dst []float64, off *[most]int, src []float64, s slots, count int, scale float64) {
		scatterx64(&dst[0], off, &src[s.even], &src[s.odd], s.step, count, &scale)
	},
	gatherColumns: func(dst []float64, s slots, src []float64, pitch, count int) {
		gatherColumnsx64(&dst[s.even], &dst[s.odd], s.step, &src[0], pitch, count)
	},
	scatterColumns: func(dst []float64, pitch int, src []float64, s slots, count int, scale float64) {
		scatterColumnsx64(&dst[0], pitch, &src[s.even], &src[s.odd], s.step, count, &scale)
	},
}

// alone64 are the kernels for one row: what is portable, but for what goes through all of a row.
var alone64 = func() kernels[float64] {
	k := *portable[float64](1)
	k.scale = scaleVectors64
	k.split = func(_ int, x []float64, m int, w []float64) {
		n := (m - 1) / 4
		if n > 0 {
			splitRowx64(&x[2], &x[2*m-4], &w[2], n)
		}
		splitFrom(1+2*n, 1, x, m, w)
	}
	k.merge = func(_ int, x []float64, m int, w []float64) {
		n := (m - 1) / 4
		if n > 0 {
			mergeRowx64(&x[2], &x[2*m-4], &w[2], n)
		}
		mergeFrom(1+2*n, 1, x, m, w)
	}
	return k
}()

func scaleVectors64(dst, src []float64, by float64) {
	n := len(src) / 4 * 4
	if n > 0 {
		scalex64(&dst[0], &src[0], n, &by)
	}
	scale(dst[n:], src[n:], by)
}

//go:noescape
func splitRowx64(low, high, w *float64, n int)

//go:noescape
func mergeRowx64(low, high, w *float64, n int)

//go:noescape
func scalex64(dst, src *float64, n int, by *float64)

//go:noescape
func pass2x64(to, from *float64, stride, rest int, w *float64)

//go:noescape
func pass4x64(to, from *float64, stride, rest int, w *float64)

//go:noescape
func passOddx64(to, from *float64, stride, rest int, w *float64, half int, roots, tmp *float64)

//go:noescape
func turnx64(re, im, src, w *float64, n int)

//go:noescape
func twistx64(x, w *float64, n int)

//go:noescape
func splitx64(low, high, w *float64, n int)

//go:noescape
func mergex64(low, high, w *float64, n int)

//go:noescape
func gatherx64(even, odd *float64, step int, src *float64, off *[most]int, count int)

//go:noescape
func scatterx64(dst *float64, off *[most]int, even, odd *float64, step, count int, scale *float64)

//go:noescape
func gatherColumnsx64(even, odd *float64, step int, src *float64, pitch, count int)

//go:noescape
func scatterColumnsx64(dst *float64, pitch int, even, odd *float64, step, count int, scale *float64)
