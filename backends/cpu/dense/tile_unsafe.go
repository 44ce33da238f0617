package dense

import "unsafe"

// as gives the slice as one of E if T is E.
func as[E, T Number](s []T) ([]E, bool) {
	var z T
	if _, ok := any(z).(E); !ok {
		return nil, false
	}
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(s))), len(s)), true
}

// asF32 gives the slice as float32 if T is float32.
func asF32[T Number](s []T) ([]float32, bool) { return as[float32](s) }

// parts gives complex numbers as their parts, which are of type F.
func parts[F float32 | float64, T Number](s []T) []F {
	return unsafe.Slice((*F)(unsafe.Pointer(unsafe.SliceData(s))), 2*len(s))
}

// asInt8 gives the slice as int8 if T is a byte of either sign.
func asInt8[T Number](s []T) ([]int8, bool) {
	if u, ok := as[uint8](s); ok {
		return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(u))), len(u)), true
	}
	return as[int8](s)
}

func first[T any](s []T) *T { return unsafe.SliceData(s) }

// pointers gives what a tile in assembly takes, if T is E.
func pointers[E, T Number](a, b, c, start []T) (ae, be, ce, se *E, ok bool) {
	x, ok := as[E](c)
	if !ok {
		return nil, nil, nil, nil, false
	}
	y, _ := as[E](a)
	z, _ := as[E](b)
	s, _ := as[E](start)
	return first(y), first(z), first(x), first(s), true
}

// tile computes rows×16 of C = start + A·B; start nil means C + A·B. rows is what rowsOf gives. Row i of A begins at
// a[i*lda], row k of B at b[off[k]], row i of C at c[i*ldc].
func tile[T Number](t Tier, rows, k int, a []T, lda int, b []T, off []int32, c []T, ldc int, start []T) {
	if t == Generic {
		genericTile(rows, tileCols, k, a, lda, b, off, c, ldc, start)
		return
	}
	if af, bf, cf, sf, ok := pointers[float32](a, b, c, start); ok {
		switch rows {
		case 6:
			tile6(k, af, lda, bf, first(off), cf, ldc, sf)
		case 4:
			tile4(k, af, lda, bf, first(off), cf, ldc, sf)
		case 2:
			tile2(k, af, lda, bf, first(off), cf, ldc, sf)
		default:
			tileRow(tileCols, k, af, bf, first(off), cf, sf)
		}
		return
	}
	if hasNarrow[T](t) {
		narrow(rows, k, a, lda, b, off, c, ldc, start)
		narrow(rows, k, a, lda, b[min(tileCols/2, len(b)):], off, c[tileCols/2:], ldc, start)
		return
	}
	if moreTiles {
		if af, bf, cf, sf, ok := pointers[int32](a, b, c, start); ok {
			tileI32(rows, k, af, lda, bf, first(off), cf, ldc, sf)
			return
		}
	}
	genericTile(rows, tileCols, k, a, lda, b, off, c, ldc, start)
}

// hasNarrow says whether there is a tile of half as many columns, in which a narrow matrix wastes less.
func hasNarrow[T Number](t Tier) bool {
	var z T
	switch any(z).(type) {
	case float32, float64, int64:
		return moreTiles && t != Generic
	}
	return false
}

// narrow is tile for rows×8, where hasNarrow.
func narrow[T Number](rows, k int, a []T, lda int, b []T, off []int32, c []T, ldc int, start []T) {
	if af, bf, cf, sf, ok := pointers[float32](a, b, c, start); ok {
		narrowF32(rows, k, af, lda, bf, first(off), cf, ldc, sf)
		return
	}
	if af, bf, cf, sf, ok := pointers[float64](a, b, c, start); ok {
		tileF64(rows, k, af, lda, bf, first(off), cf, ldc, sf)
		return
	}
	for r := 0; r < rows; r += 2 {
		af, bf, cf, sf, _ := pointers[int64](a[min(r*lda, len(a)):], b, c[r*ldc:], start[min(r, len(start)):])
		tileI64(min(2, rows-r), k, af, lda, bf, first(off), cf, ldc, sf)
	}
}

// row computes one row of n columns: c = start + a·B, or c + a·B where start is nil.
func row[T Number](t Tier, n, k int, a []T, b []T, off []int32, c []T, start []T) {
	var z T
	if t != Generic {
		switch any(z).(type) {
		case float32:
			af, bf, cf, sf, _ := pointers[float32](a, b, c, start)
			tileRow(n, k, af, bf, first(off), cf, sf)
			return
		case float64:
			if moreTiles {
				af, bf, cf, sf, _ := pointers[float64](a, b, c, start)
				tileRowF64(n, k, af, bf, first(off), cf, sf)
				return
			}
		case int32:
			if moreTiles {
				af, bf, cf, sf, _ := pointers[int32](a, b, c, start)
				tileRowI32(n, k, af, bf, first(off), cf, sf)
				return
			}
		case int64:
			for ; moreTiles && k > 4 && n >= tileCols/2; n -= tileCols / 2 {
				narrow(1, k, a, k, b, off, c, n, start)
				b, c = b[min(tileCols/2, len(b)):], c[tileCols/2:]
			}
		}
	}
	genericRow(n, k, a, b, off, c, start)
}

// dots computes c[i*ldc+j] = a[i*lda:] · b[j*ldb:] for m rows of A and n of B, all contiguous in k.
func dots[T Number](t Tier, m, n, k int, a []T, lda int, b []T, ldb int, c []T, ldc int) {
	if byteDots(t, m, n, k, a, lda, b, ldb, c, ldc) {
		return
	}
	if t != Generic && n >= 4 && dotTiles(t, m, n, k, a, lda, b, ldb, c, ldc) {
		if k&7 != 0 {
			dotRest(m, n, k, a, lda, b, ldb, c, ldc)
		}
		return
	}
	for i := range m {
		ar, cr := a[i*lda:][:k], c[i*ldc:][:n]
		for j := range cr {
			if k == 1 {
				cr[j] = 0 + ar[0]*b[j*ldb] // a sum, which is never -0
			} else {
				cr[j] = genericDot(ar, b[j*ldb:])
			}
		}
	}
}

// dotRest adds what dotTiles leaves of k, for at least four columns.
func dotRest[T Number](m, n, k int, a []T, lda int, b []T, ldb int, c []T, ldc int) {
	done := k &^ 7
	for i := range m {
		rest, cr := a[i*lda+done:][:k-done], c[i*ldc:][:n]
		j := 0
		for ; j+4 <= n; j += 4 {
			b0, b1, b2, b3 := b[j*ldb+done:][:len(rest)], b[(j+1)*ldb+done:][:len(rest)], b[(j+2)*ldb+done:][:len(rest)], b[(j+3)*ldb+done:][:len(rest)]
			s0, s1, s2, s3 := cr[j], cr[j+1], cr[j+2], cr[j+3]
			for x, v := range rest {
				s0 += v * b0[x]
				s1 += v * b1[x]
				s2 += v * b2[x]
				s3 += v * b3[x]
			}
			cr[j], cr[j+1], cr[j+2], cr[j+3] = s0, s1, s2, s3
		}
		for ; j < n; j++ {
			row, sum := b[j*ldb+done:][:len(rest)], cr[j]
			for x, v := range rest {
				sum += v * row[x]
			}
			cr[j] = sum
		}
	}
}

// dotTiles computes dots but for what is left of k after eights, and says whether it did; n is at least four.
func dotTiles[T Number](t Tier, m, n, k int, a []T, lda int, b []T, ldb int, c []T, ldc int) bool {
	if k < 8 {
		return false
	}
	whole, last := k&^7, n-4 // the last columns go once more where they do not make four
	if cf, ok := as[float32](c); ok {
		af, _ := as[float32](a)
		bf, _ := as[float32](b)
		for i := range m {
			for j := 0; j < n; j += 4 {
				at := min(j, last)
				dot4(whole, &af[i*lda], &bf[at*ldb], ldb, &cf[i*ldc+at])
			}
		}
		return true
	}
	if cf, ok := as[float64](c); ok && moreTiles {
		af, _ := as[float64](a)
		bf, _ := as[float64](b)
		for i := range m {
			for j := 0; j < n; j += 4 {
				at := min(j, last)
				dot4F64(whole, &af[i*lda], &bf[at*ldb], ldb, &cf[i*ldc+at])
			}
		}
		return true
	}
	return false
}

// byteDots is dots for bytes of either sign, where the machine has tiles of those.
func byteDots[T Number](t Tier, m, n, k int, a []T, lda int, b []T, ldb int, c []T, ldc int) bool {
	cb, ok := asInt8(c)
	if !ok || t == Generic || !int8Tiles || k < 16 || n < 4 {
		return false
	}
	ab, _ := asInt8(a)
	bb, _ := asInt8(b)
	var sums [dotCols]int32 // their lowest bytes are the sums of bytes
	for i := range m {
		for j := 0; j < n; j += dotCols {
			part := cb[i*ldc:][j:min(j+dotCols, n)]
			DotsInt8(t, ab[i*lda:][:k], bb[j*ldb:], ldb, sums[:len(part)])
			for x := range part {
				part[x] = int8(sums[x])
			}
		}
	}
	return true
}

// DotsInt8 computes c[j] = a · b[j*ldb:] for every j of c, over the elements of a. Sums wrap around like int32.
func DotsInt8(t Tier, a, b []int8, ldb int, c []int32) {
	if len(c) == 0 {
		return
	}
	k := len(a)
	if len(b) < (len(c)-1)*ldb+k {
		panic("BUG: dense: a matrix is shorter than the product needs")
	}
	j, whole := 0, k&^15
	if t != Generic && int8Tiles && whole > 0 {
		for ; j+4 <= len(c); j += 4 {
			dotInt8x4(whole, first(a), &b[j*ldb], ldb, &c[j])
			for d := range 4 {
				row := b[(j+d)*ldb:][:k]
				for i := whole; i < k; i++ {
					c[j+d] += int32(a[i]) * int32(row[i])
				}
			}
		}
	}
	for ; j < len(c); j++ {
		row := b[j*ldb:][:k]
		var sum int32
		for i, x := range a {
			sum += int32(x) * int32(row[i])
		}
		c[j] = sum
	}
}

// DepthInt8 computes acc[c] = Σ x[t][c]·w[t][c] over taps t, for every c of acc; both lie tap after tap.
func DepthInt8(t Tier, taps int, x, w []int8, acc []int32) {
	n, whole := len(acc), 0
	if len(x) < taps*n || len(w) < taps*n {
		panic("BUG: dense: a window is shorter than its taps")
	}
	if t != Generic && int8Tiles && taps > 0 && n >= 16 {
		whole = n &^ 15
		depthInt8x16(whole, taps, first(x), n, first(w), n, first(acc))
	}
	rest := acc[whole:]
	if len(rest) == 0 {
		return
	}
	clear(rest)
	for k := range taps {
		xs, ws := x[k*n+whole:][:len(rest)], w[k*n+whole:][:len(rest)]
		for c := range rest {
			rest[c] += int32(xs[c]) * int32(ws[c])
		}
	}
}
