//go:build !amd64 && !arm64

package dense

func vector() Tier { return Generic }

const int8Tiles = false

func tile6(k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32) {
}
func tile4(k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32) {
}
func tile2(k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32) {
}
func tileRow(n, k int, a, b *float32, off *int32, c, start *float32) {}
func dot4(k int, a, b *float32, ldb int, c *float32)                 {}
func dotInt8x4(k int, a, b *int8, ldb int, c *int32)                 {}

func depthInt8x16(n, taps int, x *int8, xs int, w *int8, ws int, acc *int32) {}
