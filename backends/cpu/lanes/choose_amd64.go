package lanes

import "golang.org/x/sys/cpu"

func choice(f func(n int, dst, mask, a, b *byte)) Choice {
	if !cpu.X86.HasAVX2 {
		return nil
	}
	return func(dst, mask, a, b []byte) int {
		n := len(mask) &^ 31
		if n > 0 {
			f(n, &dst[0], &mask[0], &a[0], &b[0])
		}
		return n
	}
}

// The choices, by the width of the elements.
var (
	Choose8  = choice(avxChoose8)
	Choose16 = choice(avxChoose16)
	Choose64 = choice(avxChoose64)
)

//go:noescape
func avxChoose8(n int, dst, mask, a, b *byte)

//go:noescape
func avxChoose16(n int, dst, mask, a, b *byte)

//go:noescape
func avxChoose64(n int, dst, mask, a, b *byte)
