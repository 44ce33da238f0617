package lanes

import "golang.org/x/sys/cpu"

func fused(f func(n int, dst, a, b *byte) int) Loop {
	if !cpu.X86.HasFMA {
		return nil
	}
	return division(f)
}

// Divisions of doubles: ModF64 as in C, FloorModF64 and FloorDivF64 as in Python. They stop early, before numbers that are
// not finite, divisors of 0 and quotients of 2^52 or more.
var (
	ModF64      = fused(avxModF64)
	FloorModF64 = fused(avxFloorModF64)
	FloorDivF64 = fused(avxFloorDivF64)
)

//go:noescape
func avxModF64(n int, dst, a, b *byte) int

//go:noescape
func avxFloorModF64(n int, dst, a, b *byte) int

//go:noescape
func avxFloorDivF64(n int, dst, a, b *byte) int
