package lanes

import "golang.org/x/sys/cpu"

func scaled(f func(n int, dst, a, b *byte, s uint64)) Scaled {
	if !cpu.X86.HasAVX2 {
		return nil
	}
	return func(dst, a, b []byte, s uint64) int {
		n := len(dst) &^ 31
		if n > 0 {
			f(n, &dst[0], &a[0], &b[0], s)
		}
		return n
	}
}

// Sums with a multiple. ScaledF64 rounds the product.
var (
	Scaled8   = scaled(avxScaled8)
	Scaled16  = scaled(avxScaled16)
	Scaled32  = scaled(avxScaled32)
	Scaled64  = scaled(avxScaled64)
	ScaledF64 = scaled(avxScaledF64)
)

//go:noescape
func avxScaled8(n int, dst, a, b *byte, s uint64)

//go:noescape
func avxScaled16(n int, dst, a, b *byte, s uint64)

//go:noescape
func avxScaled32(n int, dst, a, b *byte, s uint64)

//go:noescape
func avxScaled64(n int, dst, a, b *byte, s uint64)

//go:noescape
func avxScaledF64(n int, dst, a, b *byte, s uint64)
