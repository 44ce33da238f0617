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
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), DX
	BINARY(VADDPS)

// func avxSub(n int, dst, a, b *float32)
TEXT ·avxSub(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), DX
	BINARY(VSUBPS)

// func avxMul(n int, dst, a, b *float32)
TEXT ·avxMul(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), DX
	BINARY(VMULPS)

// func avxDiv(n int, dst, a, b *float32)
TEXT ·avxDiv(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), DX
	BINARY(VDIVPS)

// func avxAffine(n int, dst, x, scale, shift *float32)
TEXT ·avxAffine(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ x+16(FP), SI
	MOVQ scale+24(FP), DX
	MOVQ shift+32(FP), BX
	XORQ AX, AX
	SHLQ $2, CX
affineloop:
	VMOVUPS (SI)(AX*1), Y0
	VMULPS (DX)(AX*1), Y0, Y0
	VADDPS (BX)(AX*1), Y0, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT affineloop
	VZEROUPPER
	RET

// func avxClamp(n int, dst, src *float32, lo, hi float32)
TEXT ·avxClamp(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSS lo+24(FP), Y14
	VBROADCASTSS hi+28(FP), Y15
	XORQ AX, AX
	SHLQ $2, CX
clamploop:
	VMOVUPS (SI)(AX*1), Y0
	VMAXPS Y0, Y14, Y0
	VMINPS Y0, Y15, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT clamploop
	VZEROUPPER
	RET

// func avxSqrt(n int, dst, src *float32)
TEXT ·avxSqrt(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	XORQ AX, AX
	SHLQ $2, CX
sqrtloop:
	VSQRTPS (SI)(AX*1), Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT sqrtloop
	VZEROUPPER
	RET

// func avxSum(n int, lanes *[8]float64, src *float32)
TEXT ·avxSum(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ lanes+8(FP), DI
	MOVQ src+16(FP), SI
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
sumloop:
	VCVTPS2PD (SI), Y2
	VCVTPS2PD 16(SI), Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ sumloop
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
spreadloop:
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
	JNZ spreadloop
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VZEROUPPER
	RET

// func avxAbs(n int, dst, src *float32)
TEXT ·avxAbs(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSS signs<>(SB), Y15
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VANDNPS (SI)(AX*1), Y15, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxNeg(n int, dst, src *float32)
TEXT ·avxNeg(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSS signs<>(SB), Y15
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VXORPS (SI)(AX*1), Y15, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxSign(n int, dst, src *float32)
TEXT ·avxSign(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSS ones<>(SB), Y15
	VXORPS Y14, Y14, Y14
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VMOVUPS (SI)(AX*1), Y0
	VCMPPS $0x1e, Y14, Y0, Y1
	VCMPPS $0x11, Y14, Y0, Y2
	VANDPS Y15, Y1, Y1
	VANDPS Y15, Y2, Y2
	VSUBPS Y2, Y1, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxReciprocal(n int, dst, src *float32)
TEXT ·avxReciprocal(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSS ones<>(SB), Y15
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VDIVPS (SI)(AX*1), Y15, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxRsqrt(n int, dst, src *float32)
TEXT ·avxRsqrt(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSS ones<>(SB), Y15
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VSQRTPS (SI)(AX*1), Y0
	VDIVPS Y0, Y15, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxFloor(n int, dst, src *float32)
TEXT ·avxFloor(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VROUNDPS $9, (SI)(AX*1), Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxCeil(n int, dst, src *float32)
TEXT ·avxCeil(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VROUNDPS $10, (SI)(AX*1), Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxTrunc(n int, dst, src *float32)
TEXT ·avxTrunc(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VROUNDPS $11, (SI)(AX*1), Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxRound(n int, dst, src *float32)
TEXT ·avxRound(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VROUNDPS $8, (SI)(AX*1), Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxLeaky(n int, dst, src *float32, slope float32)
TEXT ·avxLeaky(SB), NOSPLIT, $0-28
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSS slope+24(FP), Y15
	VXORPS Y14, Y14, Y14
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VMOVUPS (SI)(AX*1), Y0
	VMULPS Y15, Y0, Y1
	VCMPPS $0x1e, Y14, Y0, Y2
	VBLENDVPS Y2, Y0, Y1, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxMax(n int, dst, a, b *float32)
TEXT ·avxMax(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), DX
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VMOVUPS (SI)(AX*1), Y1
	VMOVUPS (DX)(AX*1), Y2
	VMAXPS Y2, Y1, Y0
	VCMPPS $3, Y1, Y1, Y3
	VBLENDVPS Y3, Y1, Y0, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxMin(n int, dst, a, b *float32)
TEXT ·avxMin(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), DX
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VMOVUPS (SI)(AX*1), Y1
	VMOVUPS (DX)(AX*1), Y2
	VMINPS Y2, Y1, Y0
	VCMPPS $3, Y1, Y1, Y3
	VBLENDVPS Y3, Y1, Y0, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxAddScaled(n int, dst, a, b *float32, alpha float32)
TEXT ·avxAddScaled(SB), NOSPLIT, $0-36
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), DX
	VBROADCASTSS alpha+32(FP), Y15
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VMULPS (DX)(AX*1), Y15, Y0
	VADDPS (SI)(AX*1), Y0, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

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
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), DX
	COMPARE($0)

// func avxUnequal(n int, dst *uint8, a, b *float32)
TEXT ·avxUnequal(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), DX
	COMPARE($4)

// func avxLess(n int, dst *uint8, a, b *float32)
TEXT ·avxLess(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), DX
	COMPARE($0x11)

// func avxLessEqual(n int, dst *uint8, a, b *float32)
TEXT ·avxLessEqual(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), DX
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
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
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
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
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
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSS x+24(FP), Y15
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VMOVUPS (SI)(AX*1), Y0
	VSUBPS Y15, Y0, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxDivNumber(n int, dst, src *float32, x float32)
TEXT ·avxDivNumber(SB), NOSPLIT, $0-28
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSS x+24(FP), Y15
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VMOVUPS (SI)(AX*1), Y0
	VDIVPS Y15, Y0, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxTruncate(n int, dst *int32, src *float32)
TEXT ·avxTruncate(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VCVTTPS2DQ (SI)(AX*1), Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxMaxOf(n int, lanes *[8]float32, src *float32)
TEXT ·avxMaxOf(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ lanes+8(FP), DI
	MOVQ src+16(FP), SI
	VMOVUPS (DI), Y0
	VXORPS Y3, Y3, Y3
loop:
	VMOVUPS (SI), Y1
	VCMPPS $3, Y1, Y1, Y2
	VORPS Y2, Y3, Y3             // all ones, which is NaN, where a lane has met NaN
	VMAXPS Y1, Y0, Y0
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ loop
	VORPS Y3, Y0, Y0
	VMOVUPS Y0, (DI)
	VZEROUPPER
	RET
