package lanes

import "golang.org/x/sys/cpu"

func division(f func(n int, dst, a, b *byte) int) Loop {
	if !cpu.X86.HasAVX2 {
		return nil
	}
	return func(dst, a, b []byte) int {
		n := len(dst) &^ 31
		if n > 0 {
			n = f(n, &dst[0], &a[0], &b[0])
		}
		return n
	}
}

// Divisions of whole numbers, Div and Mod rounded to zero as in C, FloorDiv and FloorMod rounded down as in Python. They
// stop early, before a divisor of 0 and, of 64 bits, before a number of 2^51 or more.
var (
	DivU8       = division(avxDivU8)
	ModU8       = division(avxModU8)
	DivI8       = division(avxDivI8)
	DivI16      = division(avxDivI16)
	DivI32      = division(avxDivI32)
	DivI64      = division(avxDivI64)
	FloorDivI8  = division(avxFloorDivI8)
	FloorDivI16 = division(avxFloorDivI16)
	FloorDivI32 = division(avxFloorDivI32)
	FloorDivI64 = division(avxFloorDivI64)
	ModI8       = division(avxModI8)
	ModI16      = division(avxModI16)
	ModI32      = division(avxModI32)
	ModI64      = division(avxModI64)
	FloorModI8  = division(avxFloorModI8)
	FloorModI16 = division(avxFloorModI16)
	FloorModI32 = division(avxFloorModI32)
	FloorModI64 = division(avxFloorModI64)
)

//go:noescape
func avxDivU8(n int, dst, a, b *byte) int

//go:noescape
func avxModU8(n int, dst, a, b *byte) int

//go:noescape
func avxDivI8(n int, dst, a, b *byte) int

//go:noescape
func avxDivI16(n int, dst, a, b *byte) int

//go:noescape
func avxDivI32(n int, dst, a, b *byte) int

//go:noescape
func avxDivI64(n int, dst, a, b *byte) int

//go:noescape
func avxFloorDivI8(n int, dst, a, b *byte) int

//go:noescape
func avxFloorDivI16(n int, dst, a, b *byte) int

//go:noescape
func avxFloorDivI32(n int, dst, a, b *byte) int

//go:noescape
func avxFloorDivI64(n int, dst, a, b *byte) int

//go:noescape
func avxModI8(n int, dst, a, b *byte) int

//go:noescape
func avxModI16(n int, dst, a, b *byte) int

//go:noescape
func avxModI32(n int, dst, a, b *byte) int

//go:noescape
func avxModI64(n int, dst, a, b *byte) int

//go:noescape
func avxFloorModI8(n int, dst, a, b *byte) int

//go:noescape
func avxFloorModI16(n int, dst, a, b *byte) int

//go:noescape
func avxFloorModI32(n int, dst, a, b *byte) int

//go:noescape
func avxFloorModI64(n int, dst, a, b *byte) int
