package lanes

// Further loops of whole numbers. Positive is what is left of a number when negative ones are 0; SignU8 is 1 where there
// is something.
var (
	Mul8         = vectors(avxMul8)
	Mul64        = vectors(avxMul64)
	SignU8       = vectors(avxSignU8)
	Sign8        = vectors(avxSign8)
	Sign16       = vectors(avxSign16)
	Sign32       = vectors(avxSign32)
	Sign64       = vectors(avxSign64)
	Abs64        = vectors(avxAbs64)
	Positive8    = vectors(avxPositive8)
	Positive16   = vectors(avxPositive16)
	Positive32   = vectors(avxPositive32)
	Positive64   = vectors(avxPositive64)
	ShiftLeft8   = vectors(avxShiftLeft8)
	ShiftRightU8 = vectors(avxShiftRightU8)
	ShiftRightI8 = vectors(avxShiftRightI8)
	ShiftLeft16  = vectors(avxShiftLeft16)
	ShiftRight16 = vectors(avxShiftRight16)
)

//go:noescape
func avxMul8(n int, dst, a, b *byte)

//go:noescape
func avxMul64(n int, dst, a, b *byte)

//go:noescape
func avxSignU8(n int, dst, a, b *byte)

//go:noescape
func avxSign8(n int, dst, a, b *byte)

//go:noescape
func avxSign16(n int, dst, a, b *byte)

//go:noescape
func avxSign32(n int, dst, a, b *byte)

//go:noescape
func avxSign64(n int, dst, a, b *byte)

//go:noescape
func avxAbs64(n int, dst, a, b *byte)

//go:noescape
func avxPositive8(n int, dst, a, b *byte)

//go:noescape
func avxPositive16(n int, dst, a, b *byte)

//go:noescape
func avxPositive32(n int, dst, a, b *byte)

//go:noescape
func avxPositive64(n int, dst, a, b *byte)

//go:noescape
func avxShiftLeft16(n int, dst, a, b *byte)

//go:noescape
func avxShiftRight16(n int, dst, a, b *byte)

//go:noescape
func avxShiftLeft8(n int, dst, a, b *byte)

//go:noescape
func avxShiftRightU8(n int, dst, a, b *byte)

//go:noescape
func avxShiftRightI8(n int, dst, a, b *byte)
