package dense

import "golang.org/x/sys/cpu"

//go:generate go run tiles_gen.go

//go:noescape
func tile6(k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32)

//go:noescape
func tile4(k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32)

//go:noescape
func tile2(k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32)

//go:noescape
func tileRow(n, k int, a, b *float32, off *int32, c, start *float32)

//go:noescape
func tile6F64(k int, a *float64, lda int, b *float64, off *int32, c *float64, ldc int, start *float64)

//go:noescape
func tile4F64(k int, a *float64, lda int, b *float64, off *int32, c *float64, ldc int, start *float64)

//go:noescape
func tile2F64(k int, a *float64, lda int, b *float64, off *int32, c *float64, ldc int, start *float64)

//go:noescape
func tileRowF64(n, k int, a, b *float64, off *int32, c, start *float64)

//go:noescape
func tile6I32(k int, a *int32, lda int, b *int32, off *int32, c *int32, ldc int, start *int32)

//go:noescape
func tile4I32(k int, a *int32, lda int, b *int32, off *int32, c *int32, ldc int, start *int32)

//go:noescape
func tile2I32(k int, a *int32, lda int, b *int32, off *int32, c *int32, ldc int, start *int32)

//go:noescape
func tileRowI32(n, k int, a, b *int32, off *int32, c, start *int32)

//go:noescape
func tile2I64(k int, a *int64, lda int, b *int64, off *int32, c *int64, ldc int, start *int64)

//go:noescape
func tile1I64(k int, a *int64, lda int, b *int64, off *int32, c *int64, ldc int, start *int64)

//go:noescape
func narrow6(k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32)

//go:noescape
func narrow4(k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32)

//go:noescape
func narrow2(k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32)

//go:noescape
func narrow1(k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32)

//go:noescape
func dot4(k int, a, b *float32, ldb int, c *float32)

//go:noescape
func dot4F64(k int, a, b *float64, ldb int, c *float64)

//go:noescape
func dotInt8x4(k int, a, b *int8, ldb int, c *int32)

//go:noescape
func depthInt8x16(n, taps int, x *int8, xs int, w *int8, ws int, acc *int32)

// vector is the fastest tier of this machine.
func vector() Tier {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return AVX2
	}
	return Generic
}

const (
	int8Tiles = true // there are tiles for int8
	moreTiles = true // and for float64, int32, int64 and for eight columns
)

func tileF64(rows, k int, a *float64, lda int, b *float64, off *int32, c *float64, ldc int, start *float64) {
	switch rows {
	case 6:
		tile6F64(k, a, lda, b, off, c, ldc, start)
	case 4:
		tile4F64(k, a, lda, b, off, c, ldc, start)
	case 2:
		tile2F64(k, a, lda, b, off, c, ldc, start)
	default:
		tileRowF64(tileCols/2, k, a, b, off, c, start)
	}
}

func tileI32(rows, k int, a *int32, lda int, b *int32, off *int32, c *int32, ldc int, start *int32) {
	switch rows {
	case 6:
		tile6I32(k, a, lda, b, off, c, ldc, start)
	case 4:
		tile4I32(k, a, lda, b, off, c, ldc, start)
	case 2:
		tile2I32(k, a, lda, b, off, c, ldc, start)
	default:
		tileRowI32(tileCols, k, a, b, off, c, start)
	}
}

func tileI64(rows, k int, a *int64, lda int, b *int64, off *int32, c *int64, ldc int, start *int64) {
	if rows == 2 {
		tile2I64(k, a, lda, b, off, c, ldc, start)
	} else {
		tile1I64(k, a, lda, b, off, c, ldc, start)
	}
}

func narrowF32(rows, k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32) {
	switch rows {
	case 6:
		narrow6(k, a, lda, b, off, c, ldc, start)
	case 4:
		narrow4(k, a, lda, b, off, c, ldc, start)
	case 2:
		narrow2(k, a, lda, b, off, c, ldc, start)
	default:
		narrow1(k, a, lda, b, off, c, ldc, start)
	}
}
