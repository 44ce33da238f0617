#include "textflag.h"

// Plain arithmetic, eight numbers at a time. Every operation is that of the portable loop.

DATA ones<>+0(SB)/4, $0x3f800000
GLOBL ones<>(SB), RODATA|NOPTR, $4

DATA signs<>+0(SB)/4, $0x80000000
GLOBL signs<>(SB), RODATA|NOPTR, $4

DATA bytes<>+0(SB)/4, $0x01010101
GLOBL bytes<>(SB), RODATA|NOPTR, $4

// interleaved undoes the order in which two packs of vectors leave 32 results.
DATA interleaved<>+0(SB)/4, $0
DATA interleaved<>+4(SB)/4, $4
DATA interleaved<>+8(SB)/4, $1
DATA interleaved<>+12(SB)/4, $5
DATA interleaved<>+16(SB)/4, $2
DATA interleaved<>+20(SB)/4, $6
DATA interleaved<>+24(SB)/4, $3
DATA interleaved<>+28(SB)/4, $7
GLOBL interleaved<>(SB), RODATA|NOPTR, $32

// ONE and TWO fetch the arguments. A loop between BEGIN and END leaves eight results in Y0, AX bytes from the start.
#define ONE \
MOVQ n+0(FP), CX; \
MOVQ dst+8(FP), DI; \
MOVQ src+16(FP), SI

#define TWO \
MOVQ n+0(FP), CX; \
MOVQ dst+8(FP), DI; \
MOVQ a+16(FP), SI; \
MOVQ b+24(FP), DX

#define BEGIN \
XORQ AX, AX; \
SHLQ $2, CX; \
loop:

#define END \
VMOVUPS Y0, (DI)(AX*1); \
ADDQ $32, AX; \
CMPQ AX, CX; \
JLT loop; \
VZEROUPPER; \
RET

// BINARY is a loop over eight elements at a time, four times that while they last.
#define BINARY(op) \
	XORQ AX, AX; \
	SHLQ $2, CX; \
	MOVQ CX, R8; \
	ANDQ $-128, R8; \
	JZ tail; \
wide: \
	VMOVUPS (SI)(AX*1), Y0; \
	VMOVUPS 32(SI)(AX*1), Y1; \
	VMOVUPS 64(SI)(AX*1), Y2; \
	VMOVUPS 96(SI)(AX*1), Y3; \
	op (DX)(AX*1), Y0, Y0; \
	op 32(DX)(AX*1), Y1, Y1; \
	op 64(DX)(AX*1), Y2, Y2; \
	op 96(DX)(AX*1), Y3, Y3; \
	VMOVUPS Y0, (DI)(AX*1); \
	VMOVUPS Y1, 32(DI)(AX*1); \
	VMOVUPS Y2, 64(DI)(AX*1); \
	VMOVUPS Y3, 96(DI)(AX*1); \
	ADDQ $128, AX; \
	CMPQ AX, R8; \
	JLT wide; \
tail: \
	CMPQ AX, CX; \
	JGE done; \
	VMOVUPS (SI)(AX*1), Y0; \
	op (DX)(AX*1), Y0, Y0; \
	VMOVUPS Y0, (DI)(AX*1); \
	ADDQ $32, AX; \
	JMP tail; \
done: \
	VZEROUPPER; \
	RET

// func avxAdd(n int, dst, a, b *float32)
TEXT ·avxAdd(SB), NOSPLIT, $0-32
	TWO
	BINARY(VADDPS)

// func avxSub(n int, dst, a, b *float32)
TEXT ·avxSub(SB), NOSPLIT, $0-32
	TWO
	BINARY(VSUBPS)

// func avxMul(n int, dst, a, b *float32)
TEXT ·avxMul(SB), NOSPLIT, $0-32
	TWO
	BINARY(VMULPS)

// func avxDiv(n int, dst, a, b *float32)
TEXT ·avxDiv(SB), NOSPLIT, $0-32
	TWO
	BINARY(VDIVPS)

// func avxAffine(n int, dst, x, scale, shift *float32)
TEXT ·avxAffine(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ x+16(FP), SI
	MOVQ scale+24(FP), DX
	MOVQ shift+32(FP), BX
	BEGIN
	VMOVUPS (SI)(AX*1), Y0
	VMULPS (DX)(AX*1), Y0, Y0
	VADDPS (BX)(AX*1), Y0, Y0
	END

// func avxClamp(n int, dst, src *float32, lo, hi float32)
TEXT ·avxClamp(SB), NOSPLIT, $0-32
	ONE
	VBROADCASTSS lo+24(FP), Y14
	VBROADCASTSS hi+28(FP), Y15
	BEGIN
	VMOVUPS (SI)(AX*1), Y0
	VMAXPS Y0, Y14, Y0
	VMINPS Y0, Y15, Y0
	END

// func avxSqrt(n int, dst, src *float32)
TEXT ·avxSqrt(SB), NOSPLIT, $0-24
	ONE
	BEGIN
	VSQRTPS (SI)(AX*1), Y0
	END

// func avxSum(n int, lanes *[8]float64, src *float32)
TEXT ·avxSum(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ lanes+8(FP), DI
	MOVQ src+16(FP), SI
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
loop:
	VCVTPS2PD (SI), Y2
	VCVTPS2PD 16(SI), Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ loop
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VZEROUPPER
	RET

// func avxSpread(n int, lanes *[8]float64, src *float32, mean float64)
TEXT ·avxSpread(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ lanes+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSD mean+24(FP), Y4
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
loop:
	VCVTPS2PD (SI), Y2
	VCVTPS2PD 16(SI), Y3
	VSUBPD Y4, Y2, Y2
	VSUBPD Y4, Y3, Y3
	VMULPD Y2, Y2, Y2
	VMULPD Y3, Y3, Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ loop
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VZEROUPPER
	RET

// func avxAbs(n int, dst, src *float32)
TEXT ·avxAbs(SB), NOSPLIT, $0-24
	ONE
	VBROADCASTSS signs<>(SB), Y15
	BEGIN
	VANDNPS (SI)(AX*1), Y15, Y0
	END

// func avxNeg(n int, dst, src *float32)
TEXT ·avxNeg(SB), NOSPLIT, $0-24
	ONE
	VBROADCASTSS signs<>(SB), Y15
	BEGIN
	VXORPS (SI)(AX*1), Y15, Y0
	END

// func avxSign(n int, dst, src *float32)
TEXT ·avxSign(SB), NOSPLIT, $0-24
	ONE
	VBROADCASTSS ones<>(SB), Y15
	VXORPS Y14, Y14, Y14
	BEGIN
	VMOVUPS (SI)(AX*1), Y0
	VCMPPS $0x1e, Y14, Y0, Y1
	VCMPPS $0x11, Y14, Y0, Y2
	VANDPS Y15, Y1, Y1
	VANDPS Y15, Y2, Y2
	VSUBPS Y2, Y1, Y0
	END

// func avxReciprocal(n int, dst, src *float32)
TEXT ·avxReciprocal(SB), NOSPLIT, $0-24
	ONE
	VBROADCASTSS ones<>(SB), Y15
	BEGIN
	VDIVPS (SI)(AX*1), Y15, Y0
	END

// func avxRsqrt(n int, dst, src *float32)
TEXT ·avxRsqrt(SB), NOSPLIT, $0-24
	ONE
	VBROADCASTSS ones<>(SB), Y15
	BEGIN
	VSQRTPS (SI)(AX*1), Y0
	VDIVPS Y0, Y15, Y0
	END

// func avxFloor(n int, dst, src *float32)
TEXT ·avxFloor(SB), NOSPLIT, $0-24
	ONE
	BEGIN
	VROUNDPS $9, (SI)(AX*1), Y0
	END

// func avxCeil(n int, dst, src *float32)
TEXT ·avxCeil(SB), NOSPLIT, $0-24
	ONE
	BEGIN
	VROUNDPS $10, (SI)(AX*1), Y0
	END

// func avxTrunc(n int, dst, src *float32)
TEXT ·avxTrunc(SB), NOSPLIT, $0-24
	ONE
	BEGIN
	VROUNDPS $11, (SI)(AX*1), Y0
	END

// func avxRound(n int, dst, src *float32)
TEXT ·avxRound(SB), NOSPLIT, $0-24
	ONE
	BEGIN
	VROUNDPS $8, (SI)(AX*1), Y0
	END

// func avxLeaky(n int, dst, src *float32, slope float32)
TEXT ·avxLeaky(SB), NOSPLIT, $0-28
	ONE
	VBROADCASTSS slope+24(FP), Y15
	VXORPS Y14, Y14, Y14
	BEGIN
	VMOVUPS (SI)(AX*1), Y0
	VMULPS Y15, Y0, Y1
	VCMPPS $0x1e, Y14, Y0, Y2
	VBLENDVPS Y2, Y0, Y1, Y0
	END

// func avxMax(n int, dst, a, b *float32)
TEXT ·avxMax(SB), NOSPLIT, $0-32
	TWO
	BEGIN
	VMOVUPS (SI)(AX*1), Y1
	VMOVUPS (DX)(AX*1), Y2
	VMAXPS Y2, Y1, Y0
	VCMPPS $3, Y1, Y1, Y3
	VBLENDVPS Y3, Y1, Y0, Y0
	END

// func avxMin(n int, dst, a, b *float32)
TEXT ·avxMin(SB), NOSPLIT, $0-32
	TWO
	BEGIN
	VMOVUPS (SI)(AX*1), Y1
	VMOVUPS (DX)(AX*1), Y2
	VMINPS Y2, Y1, Y0
	VCMPPS $3, Y1, Y1, Y3
	VBLENDVPS Y3, Y1, Y0, Y0
	END

// func avxAddScaled(n int, dst, a, b *float32, alpha float32)
TEXT ·avxAddScaled(SB), NOSPLIT, $0-36
	TWO
	VBROADCASTSS alpha+32(FP), Y15
	BEGIN
	VMULPS (DX)(AX*1), Y15, Y0
	VADDPS (SI)(AX*1), Y0, Y0
	END

// COMPARE relates 32 pairs at a time and leaves a byte for each.
#define COMPARE(relation) \
	VBROADCASTSS bytes<>(SB), Y15; \
	VMOVDQU interleaved<>(SB), Y14; \
loop: \
	VMOVUPS (SI), Y0; \
	VMOVUPS 32(SI), Y1; \
	VMOVUPS 64(SI), Y2; \
	VMOVUPS 96(SI), Y3; \
	VCMPPS relation, (DX), Y0, Y0; \
	VCMPPS relation, 32(DX), Y1, Y1; \
	VCMPPS relation, 64(DX), Y2, Y2; \
	VCMPPS relation, 96(DX), Y3, Y3; \
	VPACKSSDW Y1, Y0, Y0; \
	VPACKSSDW Y3, Y2, Y2; \
	VPACKSSWB Y2, Y0, Y0; \
	VPERMD Y0, Y14, Y0; \
	VPAND Y15, Y0, Y0; \
	VMOVDQU Y0, (DI); \
	ADDQ $128, SI; \
	ADDQ $128, DX; \
	ADDQ $32, DI; \
	SUBQ $32, CX; \
	JNZ loop; \
	VZEROUPPER; \
	RET

// func avxEqual(n int, dst *uint8, a, b *float32)
TEXT ·avxEqual(SB), NOSPLIT, $0-32
	TWO
	COMPARE($0)

// func avxUnequal(n int, dst *uint8, a, b *float32)
TEXT ·avxUnequal(SB), NOSPLIT, $0-32
	TWO
	COMPARE($4)

// func avxLess(n int, dst *uint8, a, b *float32)
TEXT ·avxLess(SB), NOSPLIT, $0-32
	TWO
	COMPARE($0x11)

// func avxLessEqual(n int, dst *uint8, a, b *float32)
TEXT ·avxLessEqual(SB), NOSPLIT, $0-32
	TWO
	COMPARE($0x12)

// func avxChoose(n int, dst *float32, mask *uint8, a, b *float32)
TEXT ·avxChoose(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ mask+16(FP), BX
	MOVQ a+24(FP), SI
	MOVQ b+32(FP), DX
	VPXOR Y15, Y15, Y15
loop:
	VPMOVZXBD (BX), Y0
	VPCMPEQD Y15, Y0, Y0
	VMOVUPS (SI), Y1
	VBLENDVPS Y0, (DX), Y1, Y1
	VMOVUPS Y1, (DI)
	ADDQ $8, BX
	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ loop
	VZEROUPPER
	RET

// func avxFromHalf(n int, dst *float32, src *uint16)
TEXT ·avxFromHalf(SB), NOSPLIT, $0-24
	ONE
loop:
	VCVTPH2PS (SI), Y0
	VMOVUPS Y0, (DI)
	ADDQ $16, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ loop
	VZEROUPPER
	RET

// func avxToHalf(n int, dst *uint16, src *float32)
TEXT ·avxToHalf(SB), NOSPLIT, $0-24
	ONE
loop:
	VMOVUPS (SI), Y0
	VCVTPS2PH $0, Y0, (DI)
	ADDQ $32, SI
	ADDQ $16, DI
	SUBQ $8, CX
	JNZ loop
	VZEROUPPER
	RET

// func avxSubNumber(n int, dst, src *float32, x float32)
TEXT ·avxSubNumber(SB), NOSPLIT, $0-28
	ONE
	VBROADCASTSS x+24(FP), Y15
	BEGIN
	VMOVUPS (SI)(AX*1), Y0
	VSUBPS Y15, Y0, Y0
	END

// func avxDivNumber(n int, dst, src *float32, x float32)
TEXT ·avxDivNumber(SB), NOSPLIT, $0-28
	ONE
	VBROADCASTSS x+24(FP), Y15
	BEGIN
	VMOVUPS (SI)(AX*1), Y0
	VDIVPS Y15, Y0, Y0
	END

// func avxTruncate(n int, dst *int32, src *float32)
TEXT ·avxTruncate(SB), NOSPLIT, $0-24
	ONE
	BEGIN
	VCVTTPS2DQ (SI)(AX*1), Y0
	END

// func avxAccumulate(n int, sums *float64, src *float32)
TEXT ·avxAccumulate(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ sums+8(FP), DI
	MOVQ src+16(FP), SI
loop:
	VCVTPS2PD (SI), Y0
	VCVTPS2PD 16(SI), Y1
	VADDPD (DI), Y0, Y0
	VADDPD 32(DI), Y1, Y1
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	ADDQ $32, SI
	ADDQ $64, DI
	SUBQ $8, CX
	JNZ loop
	VZEROUPPER
	RET

// func avxDecodeI8(n int, dst *float32, src *int8, zero int32, scale float32)
TEXT ·avxDecodeI8(SB), NOSPLIT, $0-32
	ONE
	VBROADCASTSS zero+24(FP), Y14
	VBROADCASTSS scale+28(FP), Y15
loop:
	VPMOVSXBD (SI), Y0
	VPSUBD Y14, Y0, Y0
	VCVTDQ2PS Y0, Y0
	VMULPS Y15, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $8, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ loop
	VZEROUPPER
	RET

// func avxDecodeU8(n int, dst *float32, src *uint8, zero int32, scale float32)
TEXT ·avxDecodeU8(SB), NOSPLIT, $0-32
	ONE
	VBROADCASTSS zero+24(FP), Y14
	VBROADCASTSS scale+28(FP), Y15
loop:
	VPMOVZXBD (SI), Y0
	VPSUBD Y14, Y0, Y0
	VCVTDQ2PS Y0, Y0
	VMULPS Y15, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $8, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ loop
	VZEROUPPER
	RET

// func avxToBrain(n int, dst *uint16, src *float32)
TEXT ·avxToBrain(SB), NOSPLIT, $0-24
	ONE
	VPCMPEQD Y15, Y15, Y15
	VPSRLD $31, Y15, Y14         // 1
	VPSRLD $17, Y15, Y13         // 0x7fff
	VPSLLD $6, Y14, Y12          // 0x40, which makes NaN quiet
	VPXOR Y11, Y11, Y11
loop:
	VMOVUPS (SI), Y0
	VCMPPS $3, Y0, Y0, Y2
	VPSRLD $16, Y0, Y1
	VPOR Y12, Y1, Y3
	VPAND Y14, Y1, Y1
	VPADDD Y1, Y0, Y0
	VPADDD Y13, Y0, Y0
	VPSRLD $16, Y0, Y0
	VPBLENDVB Y2, Y3, Y0, Y0
	VPACKUSDW Y11, Y0, Y0
	VPERMQ $0x08, Y0, Y0
	VMOVDQU X0, (DI)
	ADDQ $32, SI
	ADDQ $16, DI
	SUBQ $8, CX
	JNZ loop
	VZEROUPPER
	RET

// func avxFromBrain(n int, dst *float32, src *uint16)
TEXT ·avxFromBrain(SB), NOSPLIT, $0-24
	ONE
loop:
	VPMOVZXWD (SI), Y0
	VPSLLD $16, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $16, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ loop
	VZEROUPPER
	RET

// func avxAbsComplex(n int, dst *float32, src *complex64) int
TEXT ·avxAbsComplex(SB), NOSPLIT, $0-32
	ONE
	XORQ AX, AX
loop:
	VCVTPS2PD (SI)(AX*8), Y0
	VCVTPS2PD 16(SI)(AX*8), Y1
	VMULPD Y0, Y0, Y0
	VMULPD Y1, Y1, Y1
	VHADDPD Y1, Y0, Y0           // of the first and the third number, the second and the fourth
	VPERMPD $0xd8, Y0, Y0
	VSQRTPD Y0, Y0
	VCMPPD $3, Y0, Y0, Y1
	VMOVMSKPD Y1, R8
	TESTQ R8, R8
	JNZ out
	VCVTPD2PSY Y0, X0
	VMOVUPS X0, (DI)(AX*4)
	ADDQ $4, AX
	CMPQ AX, CX
	JLT loop
out:
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET
