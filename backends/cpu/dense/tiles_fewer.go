//go:build !amd64

package dense

const moreTiles = false

func tileF64(rows, k int, a *float64, lda int, b *float64, off *int32, c *float64, ldc int, start *float64) {
}
func tileI32(rows, k int, a *int32, lda int, b *int32, off *int32, c *int32, ldc int, start *int32) {
}
func tileI64(rows, k int, a *int64, lda int, b *int64, off *int32, c *int64, ldc int, start *int64) {
}
func narrowF32(rows, k int, a *float32, lda int, b *float32, off *int32, c *float32, ldc int, start *float32) {
}
func tileRowF64(n, k int, a, b *float64, off *int32, c, start *float64) {}
func tileRowI32(n, k int, a, b *int32, off *int32, c, start *int32)     {}
func dot4F64(k int, a, b *float64, ldb int, c *float64)                 {}

func distance[T float32 | float64](n Norm, k int, a []T, at [DistanceRows]int, panel []T, c *[DistanceRows * DistanceColumns]T) bool {
	return false
}
