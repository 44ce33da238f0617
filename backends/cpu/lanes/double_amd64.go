package lanes

// Further loops of doubles. SignF64 is 0 for NaN.
var (
	PositiveF64 = vectors(avxPositiveF64)
	SignF64     = vectors(avxSignF64)
)

//go:noescape
func avxPositiveF64(n int, dst, a, b *byte)

//go:noescape
func avxSignF64(n int, dst, a, b *byte)
