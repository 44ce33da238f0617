#include "textflag.h"
#include "loops_amd64.h"

DATA one<>+0(SB)/1, $1
GLOBL one<>(SB), RODATA|NOPTR, $1

DATA sign<>+0(SB)/8, $0x8000000000000000
GLOBL sign<>(SB), RODATA|NOPTR, $8

DATA unit<>+0(SB)/8, $0x3ff0000000000000
GLOBL unit<>(SB), RODATA|NOPTR, $8

// func avxAnd(n int, dst, a, b *byte)
TEXT ·avxAnd(SB), NOSPLIT, $0-32
	BINARY(VPAND)

// func avxOr(n int, dst, a, b *byte)
TEXT ·avxOr(SB), NOSPLIT, $0-32
	BINARY(VPOR)

// func avxXor(n int, dst, a, b *byte)
TEXT ·avxXor(SB), NOSPLIT, $0-32
	BINARY(VPXOR)

// func avxAdd8(n int, dst, a, b *byte)
TEXT ·avxAdd8(SB), NOSPLIT, $0-32
	BINARY(VPADDB)

// func avxSub8(n int, dst, a, b *byte)
TEXT ·avxSub8(SB), NOSPLIT, $0-32
	BINARY(VPSUBB)

// func avxAdd16(n int, dst, a, b *byte)
TEXT ·avxAdd16(SB), NOSPLIT, $0-32
	BINARY(VPADDW)

// func avxSub16(n int, dst, a, b *byte)
TEXT ·avxSub16(SB), NOSPLIT, $0-32
	BINARY(VPSUBW)

// func avxAdd32(n int, dst, a, b *byte)
TEXT ·avxAdd32(SB), NOSPLIT, $0-32
	BINARY(VPADDD)

// func avxSub32(n int, dst, a, b *byte)
TEXT ·avxSub32(SB), NOSPLIT, $0-32
	BINARY(VPSUBD)

// func avxAdd64(n int, dst, a, b *byte)
TEXT ·avxAdd64(SB), NOSPLIT, $0-32
	BINARY(VPADDQ)

// func avxSub64(n int, dst, a, b *byte)
TEXT ·avxSub64(SB), NOSPLIT, $0-32
	BINARY(VPSUBQ)

// func avxMul16(n int, dst, a, b *byte)
TEXT ·avxMul16(SB), NOSPLIT, $0-32
	BINARY(VPMULLW)

// func avxMul32(n int, dst, a, b *byte)
TEXT ·avxMul32(SB), NOSPLIT, $0-32
	BINARY(VPMULLD)

// func avxMaxU8(n int, dst, a, b *byte)
TEXT ·avxMaxU8(SB), NOSPLIT, $0-32
	BINARY(VPMAXUB)

// func avxMaxI8(n int, dst, a, b *byte)
TEXT ·avxMaxI8(SB), NOSPLIT, $0-32
	BINARY(VPMAXSB)

// func avxMaxI16(n int, dst, a, b *byte)
TEXT ·avxMaxI16(SB), NOSPLIT, $0-32
	BINARY(VPMAXSW)

// func avxMaxI32(n int, dst, a, b *byte)
TEXT ·avxMaxI32(SB), NOSPLIT, $0-32
	BINARY(VPMAXSD)

// func avxMinU8(n int, dst, a, b *byte)
TEXT ·avxMinU8(SB), NOSPLIT, $0-32
	BINARY(VPMINUB)

// func avxMinI8(n int, dst, a, b *byte)
TEXT ·avxMinI8(SB), NOSPLIT, $0-32
	BINARY(VPMINSB)

// func avxMinI16(n int, dst, a, b *byte)
TEXT ·avxMinI16(SB), NOSPLIT, $0-32
	BINARY(VPMINSW)

// func avxMinI32(n int, dst, a, b *byte)
TEXT ·avxMinI32(SB), NOSPLIT, $0-32
	BINARY(VPMINSD)

// func avxShiftLeft32(n int, dst, a, b *byte)
TEXT ·avxShiftLeft32(SB), NOSPLIT, $0-32
	BINARY(VPSLLVD)

// func avxShiftRight32(n int, dst, a, b *byte)
TEXT ·avxShiftRight32(SB), NOSPLIT, $0-32
	BINARY(VPSRAVD)

// func avxShiftLeft64(n int, dst, a, b *byte)
TEXT ·avxShiftLeft64(SB), NOSPLIT, $0-32
	BINARY(VPSLLVQ)

// func avxAddF64(n int, dst, a, b *byte)
TEXT ·avxAddF64(SB), NOSPLIT, $0-32
	BINARY(VADDPD)

// func avxSubF64(n int, dst, a, b *byte)
TEXT ·avxSubF64(SB), NOSPLIT, $0-32
	BINARY(VSUBPD)

// func avxMulF64(n int, dst, a, b *byte)
TEXT ·avxMulF64(SB), NOSPLIT, $0-32
	BINARY(VMULPD)

// func avxDivF64(n int, dst, a, b *byte)
TEXT ·avxDivF64(SB), NOSPLIT, $0-32
	BINARY(VDIVPD)

// func avxShiftRight64(n int, dst, a, b *byte)
TEXT ·avxShiftRight64(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	BEGIN
	VMOVDQU (SI)(AX*1), Y1
	VPCMPGTQ Y1, Y15, Y2
	VPXOR Y2, Y1, Y1
	VPSRLVQ (DX)(AX*1), Y1, Y1
	VPXOR Y2, Y1, Y0
	END

// func avxBoolAnd(n int, dst, a, b *byte)
TEXT ·avxBoolAnd(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	VPBROADCASTB one<>(SB), Y14
	BEGIN
	VPCMPEQB (SI)(AX*1), Y15, Y0
	VPCMPEQB (DX)(AX*1), Y15, Y1
	VPOR Y1, Y0, Y0
	VPANDN Y14, Y0, Y0
	END

// func avxBoolOr(n int, dst, a, b *byte)
TEXT ·avxBoolOr(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	VPBROADCASTB one<>(SB), Y14
	BEGIN
	VMOVDQU (SI)(AX*1), Y0
	VPOR (DX)(AX*1), Y0, Y0
	VPCMPEQB Y15, Y0, Y0
	VPANDN Y14, Y0, Y0
	END

// func avxBoolXor(n int, dst, a, b *byte)
TEXT ·avxBoolXor(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	VPBROADCASTB one<>(SB), Y14
	BEGIN
	VPCMPEQB (SI)(AX*1), Y15, Y0
	VPCMPEQB (DX)(AX*1), Y15, Y1
	VPXOR Y1, Y0, Y0
	VPAND Y14, Y0, Y0
	END

// func avxBoolNot(n int, dst, a, b *byte)
TEXT ·avxBoolNot(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	VPBROADCASTB one<>(SB), Y14
	BEGIN
	VPCMPEQB (SI)(AX*1), Y15, Y0
	VPAND Y14, Y0, Y0
	END

// func avxNot(n int, dst, a, b *byte)
TEXT ·avxNot(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPCMPEQB Y15, Y15, Y15
	UNARY(VPXOR)

// func avxNeg8(n int, dst, a, b *byte)
TEXT ·avxNeg8(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	UNARY(VPSUBB)

// func avxNeg16(n int, dst, a, b *byte)
TEXT ·avxNeg16(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	UNARY(VPSUBW)

// func avxNeg32(n int, dst, a, b *byte)
TEXT ·avxNeg32(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	UNARY(VPSUBD)

// func avxNeg64(n int, dst, a, b *byte)
TEXT ·avxNeg64(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	UNARY(VPSUBQ)

// func avxAbs8(n int, dst, a, b *byte)
TEXT ·avxAbs8(SB), NOSPLIT, $0-32
	ARGUMENTS
	BEGIN
	VPABSB (SI)(AX*1), Y0
	END

// func avxAbs16(n int, dst, a, b *byte)
TEXT ·avxAbs16(SB), NOSPLIT, $0-32
	ARGUMENTS
	BEGIN
	VPABSW (SI)(AX*1), Y0
	END

// func avxAbs32(n int, dst, a, b *byte)
TEXT ·avxAbs32(SB), NOSPLIT, $0-32
	ARGUMENTS
	BEGIN
	VPABSD (SI)(AX*1), Y0
	END

// func avxAbsF64(n int, dst, a, b *byte)
TEXT ·avxAbsF64(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPBROADCASTQ sign<>(SB), Y15
	UNARY(VANDNPD)

// func avxNegF64(n int, dst, a, b *byte)
TEXT ·avxNegF64(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPBROADCASTQ sign<>(SB), Y15
	UNARY(VXORPD)

// func avxSqrtF64(n int, dst, a, b *byte)
TEXT ·avxSqrtF64(SB), NOSPLIT, $0-32
	ARGUMENTS
	BEGIN
	VSQRTPD (SI)(AX*1), Y0
	END

// func avxFloorF64(n int, dst, a, b *byte)
TEXT ·avxFloorF64(SB), NOSPLIT, $0-32
	ARGUMENTS
	BEGIN
	VROUNDPD $9, (SI)(AX*1), Y0
	END

// func avxCeilF64(n int, dst, a, b *byte)
TEXT ·avxCeilF64(SB), NOSPLIT, $0-32
	ARGUMENTS
	BEGIN
	VROUNDPD $10, (SI)(AX*1), Y0
	END

// func avxTruncF64(n int, dst, a, b *byte)
TEXT ·avxTruncF64(SB), NOSPLIT, $0-32
	ARGUMENTS
	BEGIN
	VROUNDPD $11, (SI)(AX*1), Y0
	END

// func avxRoundF64(n int, dst, a, b *byte)
TEXT ·avxRoundF64(SB), NOSPLIT, $0-32
	ARGUMENTS
	BEGIN
	VROUNDPD $8, (SI)(AX*1), Y0
	END

// func avxReciprocalF64(n int, dst, a, b *byte)
TEXT ·avxReciprocalF64(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPBROADCASTQ unit<>(SB), Y15
	UNARY(VDIVPD)

// func avxRsqrtF64(n int, dst, a, b *byte)
TEXT ·avxRsqrtF64(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPBROADCASTQ unit<>(SB), Y15
	BEGIN
	VSQRTPD (SI)(AX*1), Y0
	VDIVPD Y0, Y15, Y0
	END
