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
	if t != Generic {
		if af, bf, cf, sf, ok := pointers[float32](a, b, c, start); ok {
			tileRow(n, k, af, bf, first(off), cf, sf)
			return
		}
	}
	if t != Generic && moreTiles {
		if af, bf, cf, sf, ok := pointers[float64](a, b, c, start); ok {
			tileRowF64(n, k, af, bf, first(off), cf, sf)
			return
		}
		if af, bf, cf, sf, ok := pointers[int32](a, b, c, start); ok {
			tileRowI32(n, k, af, bf, first(off), cf, sf)
			return
		}
	}
	if _, ok := as[int64](c); ok && hasNarrow[T](t) && k > 4 {
		for ; n >= tileCols/2; n -= tileCols / 2 {
			narrow(1, k, a, k, b, off, c, n, start)
			b, c = b[min(tileCols/2, len(b)):], c[tileCols/2:]
		}
	}
	if n >= tileCols {
		genericRow(n, k, a, b, off, c, start)
	} else {
		genericTile(1, n, k, a, k, b, off, c, n, start)
	}
}

// dots computes c[i*ldc+j] = a[i*lda:] · b[j*ldb:] for m rows of A and n of B, all contiguous in k.
func dots[T Number](t Tier, m, n, k int, a []T, lda int, b []T, ldb int, c []T, ldc int) {
	if byteDots(t, m, n, k, a, lda, b, ldb, c, ldc) {
		return
	}
	j := 0
	if t != Generic && n >= 4 {
		if j = dotTiles(t, m, n, k, a, lda, b, ldb, c, ldc); j == n && k&7 == 0 {
			return
		}
	}
	for i := range m {
		ar, cr := a[i*lda:][:k], c[i*ldc:][:n]
		if rest := ar[k&^7:]; len(rest) > 0 {
			for d, sum := range cr[:j] {
				row := b[d*ldb+k&^7:][:len(rest)]
				for x, v := range rest {
					sum += v * row[x]
				}
				cr[d] = sum
			}
		}
		for d := j; d < n; d++ {
			if k == 1 {
				cr[d] = 0 + ar[0]*b[d*ldb] // a sum, which is never -0
			} else {
				cr[d] = genericDot(ar, b[d*ldb:])
			}
		}
	}
}

// dotTiles computes the first columns of dots, but for what is left of k after eights, and says how many columns.
func dotTiles[T Number](t Tier, m, n, k int, a []T, lda int, b []T, ldb int, c []T, ldc int) int {
	if k < 8 {
		return 0
	}
	whole, cols := k&^7, n&^3
	if cf, ok := as[float32](c); ok {
		af, _ := as[float32](a)
		bf, _ := as[float32](b)
		for i := range m {
			for j := 0; j < cols; j += 4 {
				dot4(whole, &af[i*lda], &bf[j*ldb], ldb, &cf[i*ldc+j])
			}
		}
		return cols
	}
	if cf, ok := as[float64](c); ok && moreTiles {
		af, _ := as[float64](a)
		bf, _ := as[float64](b)
		for i := range m {
			for j := 0; j < cols; j += 4 {
				dot4F64(whole, &af[i*lda], &bf[j*ldb], ldb, &cf[i*ldc+j])
			}
		}
		return cols
	}
	return 0
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
