//go:build !amd64

package sim

const hasAVX2 = false

func dot4x16(*[4][16]int32, *byte, int, *int16, int) { panic("BUG: no AVX2") }
