//go:build !amd64

package dense

func haveAVX2() bool { return false }

func avx2Tile6(k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32) {
}
func avx2Tile4(k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32) {
}
func avx2Tile2(k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32) {
}
func avx2Row(n, k int, a, b *float32, off *int32, c, start *float32) {}
func avx2Dot4(k int, a, b *float32, ldb int, c *float32)             {}
func avx2DotInt8x4(k int, a, b *int8, ldb int, c *int32)             {}
