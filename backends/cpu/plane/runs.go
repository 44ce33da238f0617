package plane

import "fmt"

// bulk is how many bytes the language copies at a time: larger copies go past the caches, which does not pay while what was
// written is read again. It does for copies of more than any cache holds.
const (
	bulk   = 1 << 18
	beyond = 1 << 24
)

// Copy copies as many bytes as both sides have.
func Copy(dst, src []byte) {
	n := min(len(dst), len(src))
	dst, src = dst[:n], src[:n]
	for past := n >= beyond; len(dst) > 0; {
		n := copyString(dst, src, past)
		if n == 0 {
			n = copy(dst[:min(len(dst), bulk)], src)
		}
		dst, src = dst[n:], src[n:]
	}
}

// Fill writes one element over all of dst, which holds a whole number of them.
func Fill(dst, el []byte) {
	n := len(dst) &^ 31
	if n == 0 || !vectorSpread(dst, 0, el, 0, 0, len(el), n, 1) {
		n = copy(dst, el)
	}
	for n < len(dst) {
		n += copy(dst[n:], dst[:min(n, chunk)])
	}
}

// Spread fills dst with rows of columns elements of a size, each row with one element of src: element j, and those dj on.
func Spread(dst, src []byte, j, dj, size, columns int) {
	if len(dst) == 0 {
		return
	}
	width, rows := size*columns, len(dst)/(size*columns)
	if last := j + (rows-1)*dj; min(j, last) < 0 || (max(j, last)+1)*size > len(src) {
		panic(fmt.Sprintf("BUG: elements %d to %d of %d bytes", j, last, len(src)))
	}
	spreadRows(dst, 0, width, src, j*size, dj*size, size, width, rows)
}

// spreadRows writes rows of width bytes, di apart, of one element each, which lie dj apart.
func spreadRows(dst []byte, i, di int, src []byte, j, dj, size, width, rows int) {
	// What follows a row is written over unless it is the next row.
	if most := (rows*width - 31) / width; di == width && most > 0 && vectorSpread(dst, i, src, j, dj, size, width, most) {
		i, j, rows = i+most*di, j+most*dj, rows-most
	}
	for range rows {
		Fill(dst[i:i+width], src[j:j+size])
		i += di
		j += dj
	}
}

// long is from which length runs are copied one by one.
const long = 1 << 13

// runs copies runs of width bytes: to dst from byte i on, di apart, from byte j of src on, dj apart. All lie inside.
func runs(dst []byte, i, di int, src []byte, j, dj, width, n int) {
	switch {
	case n == 1 || di == width && dj == width:
		Copy(dst[i:i+n*width], src[j:j+n*width])
	case width >= long:
		for range n {
			Copy(dst[i:i+width], src[j:j+width])
			i += di
			j += dj
		}
	case !vectorRuns(dst, i, di, src, j, dj, width, n):
		portableRuns(dst, i, di, src, j, dj, width, n)
	}
}

// elements copies n elements of a size, likewise.
func elements(dst []byte, i, di int, src []byte, j, dj, size, n int) {
	if !vectorRuns(dst, i, di, src, j, dj, size, n) {
		bySize(size).elements(dst, i/size, di/size, src, j/size, dj/size, n)
	}
}

// Fetch copies runs of width bytes from the places at of src, counted in elements of size bytes, to dst from byte i on,
// di apart. All places lie inside: the caller has checked them.
func Fetch(dst []byte, i, di int, src []byte, at []int64, size, width int) {
	if len(at) == 0 {
		return
	}
	inside(dst, i, di, width, len(at))
	switch {
	case width < long && vectorFetch(dst, i, di, src, at, size, width):
	case width == size:
		bySize(size).fetch(dst, i/size, di/size, src, at)
	default:
		for _, p := range at {
			copy(dst[i:i+width], src[int(p)*size:])
			i += di
		}
	}
}

// Store is the opposite: it copies runs of src, from byte j on, dj apart, to the places at of dst, one after the other.
func Store(dst []byte, at []int64, size int, src []byte, j, dj, width int) {
	if len(at) == 0 {
		return
	}
	inside(src, j, dj, width, len(at))
	switch {
	case width < long && vectorStore(dst, at, size, src, j, dj, width):
	case width == size:
		bySize(size).store(dst, at, src, j/size, dj/size)
	default:
		for _, p := range at {
			copy(dst[int(p)*size:][:width], src[j:])
			j += dj
		}
	}
}

// inside wants n runs inside b.
func inside(b []byte, i, di, width, n int) {
	last := i + (n-1)*di
	if min(i, last) < 0 || max(i, last)+width > len(b) {
		panic(fmt.Sprintf("BUG: %d runs of %d bytes from %d on, %d apart, in %d", n, width, i, di, len(b)))
	}
}
