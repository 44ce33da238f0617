package lanes

import "golang.org/x/sys/cpu"

func vectors(f func(n int, dst, a, b *byte)) Loop {
	if !cpu.X86.HasAVX2 {
		return nil
	}
	return func(dst, a, b []byte) int {
		n := len(dst) &^ 31
		if n > 0 {
			f(n, &dst[0], &a[0], &b[0])
		}
		return n
	}
}

// The loops, named by what they do and the elements' width; U, I and F say which kind of numbers where it matters. Those
// of one operand look at a alone.
var (
	And           = vectors(avxAnd)
	Or            = vectors(avxOr)
	Xor           = vectors(avxXor)
	Add8          = vectors(avxAdd8)
	Sub8          = vectors(avxSub8)
	Add16         = vectors(avxAdd16)
	Sub16         = vectors(avxSub16)
	Add32         = vectors(avxAdd32)
	Sub32         = vectors(avxSub32)
	Add64         = vectors(avxAdd64)
	Sub64         = vectors(avxSub64)
	Mul16         = vectors(avxMul16)
	Mul32         = vectors(avxMul32)
	MaxU8         = vectors(avxMaxU8)
	MaxI8         = vectors(avxMaxI8)
	MaxI16        = vectors(avxMaxI16)
	MaxI32        = vectors(avxMaxI32)
	MinU8         = vectors(avxMinU8)
	MinI8         = vectors(avxMinI8)
	MinI16        = vectors(avxMinI16)
	MinI32        = vectors(avxMinI32)
	ShiftLeft32   = vectors(avxShiftLeft32)
	ShiftRight32  = vectors(avxShiftRight32)
	ShiftLeft64   = vectors(avxShiftLeft64)
	AddF64        = vectors(avxAddF64)
	SubF64        = vectors(avxSubF64)
	MulF64        = vectors(avxMulF64)
	DivF64        = vectors(avxDivF64)
	ShiftRight64  = vectors(avxShiftRight64)
	BoolAnd       = vectors(avxBoolAnd)
	BoolOr        = vectors(avxBoolOr)
	BoolXor       = vectors(avxBoolXor)
	BoolNot       = vectors(avxBoolNot)
	Not           = vectors(avxNot)
	Neg8          = vectors(avxNeg8)
	Neg16         = vectors(avxNeg16)
	Neg32         = vectors(avxNeg32)
	Neg64         = vectors(avxNeg64)
	Abs8          = vectors(avxAbs8)
	Abs16         = vectors(avxAbs16)
	Abs32         = vectors(avxAbs32)
	AbsF64        = vectors(avxAbsF64)
	NegF64        = vectors(avxNegF64)
	SqrtF64       = vectors(avxSqrtF64)
	FloorF64      = vectors(avxFloorF64)
	CeilF64       = vectors(avxCeilF64)
	TruncF64      = vectors(avxTruncF64)
	RoundF64      = vectors(avxRoundF64)
	ReciprocalF64 = vectors(avxReciprocalF64)
	RsqrtF64      = vectors(avxRsqrtF64)
)

//go:noescape
func avxAnd(n int, dst, a, b *byte)

//go:noescape
func avxOr(n int, dst, a, b *byte)

//go:noescape
func avxXor(n int, dst, a, b *byte)

//go:noescape
func avxAdd8(n int, dst, a, b *byte)

//go:noescape
func avxSub8(n int, dst, a, b *byte)

//go:noescape
func avxAdd16(n int, dst, a, b *byte)

//go:noescape
func avxSub16(n int, dst, a, b *byte)

//go:noescape
func avxAdd32(n int, dst, a, b *byte)

//go:noescape
func avxSub32(n int, dst, a, b *byte)

//go:noescape
func avxAdd64(n int, dst, a, b *byte)

//go:noescape
func avxSub64(n int, dst, a, b *byte)

//go:noescape
func avxMul16(n int, dst, a, b *byte)

//go:noescape
func avxMul32(n int, dst, a, b *byte)

//go:noescape
func avxMaxU8(n int, dst, a, b *byte)

//go:noescape
func avxMaxI8(n int, dst, a, b *byte)

//go:noescape
func avxMaxI16(n int, dst, a, b *byte)

//go:noescape
func avxMaxI32(n int, dst, a, b *byte)

//go:noescape
func avxMinU8(n int, dst, a, b *byte)

//go:noescape
func avxMinI8(n int, dst, a, b *byte)

//go:noescape
func avxMinI16(n int, dst, a, b *byte)

//go:noescape
func avxMinI32(n int, dst, a, b *byte)

//go:noescape
func avxShiftLeft32(n int, dst, a, b *byte)

//go:noescape
func avxShiftRight32(n int, dst, a, b *byte)

//go:noescape
func avxShiftLeft64(n int, dst, a, b *byte)

//go:noescape
func avxAddF64(n int, dst, a, b *byte)

//go:noescape
func avxSubF64(n int, dst, a, b *byte)

//go:noescape
func avxMulF64(n int, dst, a, b *byte)

//go:noescape
func avxDivF64(n int, dst, a, b *byte)

//go:noescape
func avxShiftRight64(n int, dst, a, b *byte)

//go:noescape
func avxBoolAnd(n int, dst, a, b *byte)

//go:noescape
func avxBoolOr(n int, dst, a, b *byte)

//go:noescape
func avxBoolXor(n int, dst, a, b *byte)

//go:noescape
func avxBoolNot(n int, dst, a, b *byte)

//go:noescape
func avxNot(n int, dst, a, b *byte)

//go:noescape
func avxNeg8(n int, dst, a, b *byte)

//go:noescape
func avxNeg16(n int, dst, a, b *byte)

//go:noescape
func avxNeg32(n int, dst, a, b *byte)

//go:noescape
func avxNeg64(n int, dst, a, b *byte)

//go:noescape
func avxAbs8(n int, dst, a, b *byte)

//go:noescape
func avxAbs16(n int, dst, a, b *byte)

//go:noescape
func avxAbs32(n int, dst, a, b *byte)

//go:noescape
func avxAbsF64(n int, dst, a, b *byte)

//go:noescape
func avxNegF64(n int, dst, a, b *byte)

//go:noescape
func avxSqrtF64(n int, dst, a, b *byte)

//go:noescape
func avxFloorF64(n int, dst, a, b *byte)

//go:noescape
func avxCeilF64(n int, dst, a, b *byte)

//go:noescape
func avxTruncF64(n int, dst, a, b *byte)

//go:noescape
func avxRoundF64(n int, dst, a, b *byte)

//go:noescape
func avxReciprocalF64(n int, dst, a, b *byte)

//go:noescape
func avxRsqrtF64(n int, dst, a, b *byte)
