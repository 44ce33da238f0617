package lanes

import "golang.org/x/sys/cpu"

func transpose32Fast(dst, src []uint32, rows, width, from, to int) int {
	rows = whole(rows, 8)
	if rows == 0 || width == 0 {
		return 0
	}
	_, _ = src[(rows-1)*from+width-1], dst[(width-1)*to+rows-1]
	avxTranspose32(rows, width, &dst[0], &src[0], 4*from, 4*to)
	return rows
}

func transpose64Fast(dst, src []uint64, rows, width, from, to int) int {
	rows = whole(rows, 4)
	if rows == 0 || width < 2 {
		return 0
	}
	_, _ = src[(rows-1)*from+width-1], dst[(width-1)*to+rows-1]
	avxTranspose64(rows, width, &dst[0], &src[0], 8*from, 8*to)
	return rows
}

func transpose16Fast(dst, src []uint16, rows, width, from, to int) int {
	rows = narrowRows(rows, width, from, len(src))
	if rows == 0 {
		return 0
	}
	_, _ = src[(rows-1)*from+width-1], dst[(width-1)*to+rows-1]
	avxTranspose16(rows, width, &dst[0], &src[0], 2*from, 2*to)
	return rows
}

func transpose8Fast(dst, src []uint8, rows, width, from, to int) int {
	rows = narrowRows(rows, width, from, len(src))
	if rows == 0 {
		return 0
	}
	_, _ = src[(rows-1)*from+width-1], dst[(width-1)*to+rows-1]
	avxTranspose8(rows, width, &dst[0], &src[0], from, to)
	return rows
}

// narrowRows is how many rows can be read four elements at a time, of n elements in all.
func narrowRows(rows, width, from, n int) int {
	if rows = whole(rows, 8); width == 0 {
		return 0
	}
	for rows > 0 && (rows-1)*from+4 > n {
		rows -= 8
	}
	return rows
}

//go:noescape
func avxTranspose32(rows, width int, dst, src *uint32, from, to int)

//go:noescape
func avxTranspose64(rows, width int, dst, src *uint64, from, to int)

//go:noescape
func avxTranspose16(rows, width int, dst, src *uint16, from, to int)

//go:noescape
func avxTranspose8(rows, width int, dst, src *uint8, from, to int)

// whole is how many of n elements, step to a vector, the assembly does.
func whole(n, step int) int {
	if !cpu.X86.HasAVX2 {
		return 0
	}
	return n &^ (step - 1)
}
