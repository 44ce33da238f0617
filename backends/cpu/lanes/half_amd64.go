package lanes

// Floats of 16 bits without arithmetic. Positive keeps NaN and the sign of a zero.
var (
	AbsHalf      = vectors(avxAbsHalf)
	NegHalf      = vectors(avxNegHalf)
	PositiveF16  = vectors(avxPositiveF16)
	PositiveBF16 = vectors(avxPositiveBF16)
	NotHalf      = relation(avxNotHalf) // to zero; of one operand
)

//go:noescape
func avxAbsHalf(n int, dst, a, b *byte)

//go:noescape
func avxNegHalf(n int, dst, a, b *byte)

//go:noescape
func avxPositiveF16(n int, dst, a, b *byte)

//go:noescape
func avxPositiveBF16(n int, dst, a, b *byte)

//go:noescape
func avxNotHalf(n int, dst, a, b *byte)
