#include "textflag.h"
#include "loops_amd64.h"

// func avxMul8(n int, dst, a, b *byte)
TEXT ·avxMul8(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPCMPEQW Y15, Y15, Y15
	VPSRLW $8, Y15, Y15          // 0x00ff
	BEGIN
	VMOVDQU (SI)(AX*1), Y0
	VMOVDQU (DX)(AX*1), Y1
	VPMULLW Y1, Y0, Y2           // even bytes are right in their low half
	VPSRLW $8, Y0, Y0
	VPSRLW $8, Y1, Y1
	VPMULLW Y1, Y0, Y0
	VPSLLW $8, Y0, Y0
	VPAND Y15, Y2, Y2
	VPOR Y2, Y0, Y0
	END

// func avxMul64(n int, dst, a, b *byte)
TEXT ·avxMul64(SB), NOSPLIT, $0-32
	ARGUMENTS
	BEGIN
	VMOVDQU (SI)(AX*1), Y1
	VMOVDQU (DX)(AX*1), Y2
	VPSHUFD $0xb1, Y2, Y3
	VPMULLD Y3, Y1, Y3           // both products of a low and a high half
	VPSLLQ $32, Y3, Y4
	VPADDD Y4, Y3, Y3
	VPSRLQ $32, Y3, Y3
	VPSLLQ $32, Y3, Y3
	VPMULUDQ Y2, Y1, Y0
	VPADDQ Y3, Y0, Y0
	END

// func avxSign8(n int, dst, a, b *byte)
TEXT ·avxSign8(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPCMPEQB Y15, Y15, Y15
	VPABSB Y15, Y15
	UNARY(VPSIGNB)

// func avxSign16(n int, dst, a, b *byte)
TEXT ·avxSign16(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPCMPEQB Y15, Y15, Y15
	VPABSW Y15, Y15
	UNARY(VPSIGNW)

// func avxSign32(n int, dst, a, b *byte)
TEXT ·avxSign32(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPCMPEQB Y15, Y15, Y15
	VPABSD Y15, Y15
	UNARY(VPSIGND)

// func avxSign64(n int, dst, a, b *byte)
TEXT ·avxSign64(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	BEGIN
	VMOVDQU (SI)(AX*1), Y1
	VPCMPGTQ Y15, Y1, Y2
	VPCMPGTQ Y1, Y15, Y0
	VPSUBQ Y2, Y0, Y0
	END

// func avxSignU8(n int, dst, a, b *byte)
TEXT ·avxSignU8(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPCMPEQB Y15, Y15, Y15
	VPABSB Y15, Y15
	UNARY(VPMINUB)

// func avxAbs64(n int, dst, a, b *byte)
TEXT ·avxAbs64(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	BEGIN
	VMOVDQU (SI)(AX*1), Y1
	VPCMPGTQ Y1, Y15, Y2
	VPXOR Y2, Y1, Y1
	VPSUBQ Y2, Y1, Y0
	END

// func avxPositive8(n int, dst, a, b *byte)
TEXT ·avxPositive8(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	UNARY(VPMAXSB)

// func avxPositive16(n int, dst, a, b *byte)
TEXT ·avxPositive16(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	UNARY(VPMAXSW)

// func avxPositive32(n int, dst, a, b *byte)
TEXT ·avxPositive32(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	UNARY(VPMAXSD)

// func avxPositive64(n int, dst, a, b *byte)
TEXT ·avxPositive64(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	BEGIN
	VMOVDQU (SI)(AX*1), Y1
	VPCMPGTQ Y15, Y1, Y2
	VPAND Y2, Y1, Y0
	END

// func avxShiftLeft16(n int, dst, a, b *byte)
TEXT ·avxShiftLeft16(SB), NOSPLIT, $0-32
	ARGUMENTS
	BEGIN
	VMOVDQU (SI)(AX*1), Y1
	VMOVDQU (DX)(AX*1), Y2
	VPSRLD $16, Y1, Y3
	VPSRLD $16, Y2, Y4
	VPSLLVD Y4, Y3, Y3           // odd words
	VPSLLD $16, Y3, Y3
	VPSLLD $16, Y2, Y2
	VPSRLD $16, Y2, Y2
	VPSLLVD Y2, Y1, Y1           // even words
	VPBLENDW $0xaa, Y3, Y1, Y0
	END

// func avxShiftRight16(n int, dst, a, b *byte)
TEXT ·avxShiftRight16(SB), NOSPLIT, $0-32
	ARGUMENTS
	BEGIN
	VMOVDQU (SI)(AX*1), Y1
	VMOVDQU (DX)(AX*1), Y2
	VPSRLD $16, Y2, Y4
	VPSRAVD Y4, Y1, Y3           // odd words
	VPSLLD $16, Y1, Y1
	VPSRAD $16, Y1, Y1
	VPSLLD $16, Y2, Y2
	VPSRLD $16, Y2, Y2
	VPSRAVD Y2, Y1, Y1           // even words
	VPBLENDW $0xaa, Y3, Y1, Y0
	END
