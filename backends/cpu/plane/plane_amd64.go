package plane

import "golang.org/x/sys/cpu"

func vectors() bool { return cpu.X86.HasAVX2 }

// Strings from longString bytes on, which lie in the second-level cache at best, are copied by a loop of our own: at most
// longestString at a time, since it cannot be interrupted.
const (
	longString    = 1 << 17
	longestString = 1 << 23
)

// copyString copies the first bytes of a long string and says how many. Where it is past the caches, what is written does
// not go there.
func copyString(dst, src []byte, past bool) int {
	n := min(len(dst), longestString)
	switch {
	case n < longString || !vectors():
		return 0
	case past:
		return avxStringPast(&dst[0], &src[0], n)
	}
	return avxString(&dst[0], &src[0], n)
}

func vectorRuns(dst []byte, i, di int, src []byte, j, dj, width, n int) bool {
	if !vectors() {
		return false
	}
	avxRuns(&dst[i], &src[j], di, dj, width, n)
	return true
}

// vectorSpread writes rows of n bytes, and over up to 31 behind them.
func vectorSpread(dst []byte, i int, src []byte, j, dj, size, n, rows int) bool {
	if !vectors() {
		return false
	}
	spread := avxSpread128
	switch size {
	case 1:
		spread = avxSpread8
	case 2:
		spread = avxSpread16
	case 4:
		spread = avxSpread32
	case 8:
		spread = avxSpread64
	}
	spread(&dst[i], &src[j], dj, n, rows)
	return true
}

func vectorFetch(dst []byte, i, di int, src []byte, at []int64, size, width int) bool {
	if !vectors() {
		return false
	}
	avxFetch(&dst[i], &src[0], di, &at[0], size, width, len(at))
	return true
}

func vectorStore(dst []byte, at []int64, size int, src []byte, j, dj, width int) bool {
	if !vectors() {
		return false
	}
	avxStore(&dst[0], &src[j], dj, &at[0], size, width, len(at))
	return true
}

// turnBlocks transposes what fills blocks, some columns of all rows: dst[i+r*di+c*size] = src[j+c*dj+r*size] for r < rows
// and all c below what it returns.
func turnBlocks(dst []byte, i, di int, src []byte, j, dj, size, rows, columns int) int {
	turn, side := avxTurn64, 4
	switch size {
	case 1:
		turn, side = avxTurn8, 8
	case 2:
		turn, side = avxTurn16, 8
	case 4:
		turn, side = avxTurn32, 8
	case 16:
		return 0
	}
	const read = 4 // elements, even where there are fewer rows
	for columns >= side && max(j, j+(columns-1)*dj)+max(read, rows)*size > len(src) {
		columns--
	}
	if columns < side {
		return 0
	}
	strip, deep := 16, 8 // columns that are written together, a line of the cache, and rows that are read together
	if rows <= deep || rows*columns*size <= chunk {
		strip, deep = columns, rows
	}
	for c := 0; c < columns; {
		n := min(strip, columns-c) &^ (side - 1)
		if n == 0 { // once more with those before
			c, n = columns-side, side
		}
		for r := 0; r < rows; {
			w := rows - r
			if w >= deep+read {
				w = deep
			}
			turn(&dst[i+r*di+c*size], &src[j+c*dj+r*size], di, dj, n, w)
			r += w
		}
		c += n
	}
	return columns
}

//go:noescape
func avxString(dst, src *byte, n int) int

//go:noescape
func avxStringPast(dst, src *byte, n int) int

//go:noescape
func avxRuns(dst, src *byte, di, dj, width, n int)

//go:noescape
func avxSpread8(dst, src *byte, dj, n, rows int)

//go:noescape
func avxSpread16(dst, src *byte, dj, n, rows int)

//go:noescape
func avxSpread32(dst, src *byte, dj, n, rows int)

//go:noescape
func avxSpread64(dst, src *byte, dj, n, rows int)

//go:noescape
func avxSpread128(dst, src *byte, dj, n, rows int)

//go:noescape
func avxFetch(dst, src *byte, di int, at *int64, size, width, n int)

//go:noescape
func avxStore(dst, src *byte, dj int, at *int64, size, width, n int)

//go:noescape
func avxTurn8(dst, src *byte, di, dj, lines, width int)

//go:noescape
func avxTurn16(dst, src *byte, di, dj, lines, width int)

//go:noescape
func avxTurn32(dst, src *byte, di, dj, lines, width int)

//go:noescape
func avxTurn64(dst, src *byte, di, dj, lines, width int)
