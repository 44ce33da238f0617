package lanes

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

//go:noescape
func avxTranspose32(rows, width int, dst, src *uint32, from, to int)

//go:noescape
func avxTranspose64(rows, width int, dst, src *uint64, from, to int)
