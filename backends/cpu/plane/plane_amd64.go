package plane

import "golang.org/x/sys/cpu"

func vectors() bool { return cpu.X86.HasAVX2 }

func vectorRuns(dst []byte, i, di int, src []byte, j, dj, width, n int) bool {
	if !vectors() {
		return false
	}
	avxRuns(&dst[i], &src[j], di, dj, width, n)
	return true
}

// vectorFill repeats 64 bytes, and says how many it wrote.
func vectorFill(dst, pattern []byte) int {
	n := len(dst) &^ 63
	if n == 0 || !vectors() {
		return 0
	}
	avxFill(&dst[0], &pattern[0], n)
	return n
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

// turnBlocks transposes what fills whole blocks: dst[i+r*di+c*size] = src[j+c*dj+r*size] for r < rows, c < columns.
func turnBlocks(dst []byte, i, di int, src []byte, j, dj, size, rows, columns int) (int, int) {
	turn, side := avxTurn64, 4
	switch size {
	case 1:
		turn, side = avxTurn8, 8
	case 2:
		turn, side = avxTurn16, 8
	case 4:
		turn, side = avxTurn32, 8
	case 16:
		return 0, 0
	}
	if rows < side || columns < side {
		return 0, 0
	}
	rows -= rows % side
	columns -= columns % side
	const strip = 16 // columns that are written together: a line of the cache
	for c := 0; c < columns; c += strip {
		for r := 0; r < rows; r += side {
			turn(&dst[i+r*di+c*size], &src[j+c*dj+r*size], di, dj, min(strip, columns-c)/side)
		}
	}
	return rows, columns
}

//go:noescape
func avxRuns(dst, src *byte, di, dj, width, n int)

//go:noescape
func avxFill(dst, pattern *byte, n int)

//go:noescape
func avxFetch(dst, src *byte, di int, at *int64, size, width, n int)

//go:noescape
func avxStore(dst, src *byte, dj int, at *int64, size, width, n int)

//go:noescape
func avxTurn8(dst, src *byte, di, dj, n int)

//go:noescape
func avxTurn16(dst, src *byte, di, dj, n int)

//go:noescape
func avxTurn32(dst, src *byte, di, dj, n int)

//go:noescape
func avxTurn64(dst, src *byte, di, dj, n int)
