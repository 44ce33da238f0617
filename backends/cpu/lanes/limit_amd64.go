package lanes

import "golang.org/x/sys/cpu"

func limit(f func(n int, dst, a *byte, lo, hi uint64)) Limit {
	if !cpu.X86.HasAVX2 {
		return nil
	}
	return func(dst, a []byte, lo, hi uint64) int {
		n := len(dst) &^ 31
		if n > 0 {
			f(n, &dst[0], &a[0], lo, hi)
		}
		return n
	}
}

func between(f func(n int, dst, a, lo, hi *byte)) Between {
	if !cpu.X86.HasAVX2 {
		return nil
	}
	return func(dst, a, lo, hi []byte) int {
		n := len(dst) &^ 31
		if n > 0 {
			f(n, &dst[0], &a[0], &lo[0], &hi[0])
		}
		return n
	}
}

// Numbers within bounds. LimitF64 keeps NaN and, at a bound of zero, the sign of a zero; its bounds are not NaN. The others
// of floats give NaN where anything is, and take +0 for larger than -0.
var (
	LimitU8    = limit(avxLimitU8)
	LimitI8    = limit(avxLimitI8)
	LimitI16   = limit(avxLimitI16)
	LimitI32   = limit(avxLimitI32)
	LimitI64   = limit(avxLimitI64)
	LimitF64   = limit(avxLimitF64)
	BetweenU8  = between(avxBetweenU8)
	BetweenI8  = between(avxBetweenI8)
	BetweenI16 = between(avxBetweenI16)
	BetweenI32 = between(avxBetweenI32)
	BetweenI64 = between(avxBetweenI64)
	BetweenF32 = between(avxBetweenF32)
	BetweenF64 = between(avxBetweenF64)
)

//go:noescape
func avxLimitU8(n int, dst, a *byte, lo, hi uint64)

//go:noescape
func avxLimitI8(n int, dst, a *byte, lo, hi uint64)

//go:noescape
func avxLimitI16(n int, dst, a *byte, lo, hi uint64)

//go:noescape
func avxLimitI32(n int, dst, a *byte, lo, hi uint64)

//go:noescape
func avxLimitI64(n int, dst, a *byte, lo, hi uint64)

//go:noescape
func avxLimitF64(n int, dst, a *byte, lo, hi uint64)

//go:noescape
func avxBetweenU8(n int, dst, a, lo, hi *byte)

//go:noescape
func avxBetweenI8(n int, dst, a, lo, hi *byte)

//go:noescape
func avxBetweenI16(n int, dst, a, lo, hi *byte)

//go:noescape
func avxBetweenI32(n int, dst, a, lo, hi *byte)

//go:noescape
func avxBetweenI64(n int, dst, a, lo, hi *byte)

//go:noescape
func avxBetweenF32(n int, dst, a, lo, hi *byte)

//go:noescape
func avxBetweenF64(n int, dst, a, lo, hi *byte)
