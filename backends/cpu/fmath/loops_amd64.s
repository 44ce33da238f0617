#include "textflag.h"
#include "loops_amd64.h"

// Plain arithmetic of float32 numbers. Every operation is that of the portable loop.

DATA ones<>+0(SB)/4, $0x3f800000
GLOBL ones<>(SB), RODATA|NOPTR, $4

DATA signs<>+0(SB)/4, $0x80000000
GLOBL signs<>(SB), RODATA|NOPTR, $4

DATA bytes<>+0(SB)/4, $0x01010101
GLOBL bytes<>(SB), RODATA|NOPTR, $4

// BINARY is a loop over eight elements at a time, four times that while they last.
#define BINARY(op) \
	TWO; \
	XORQ AX, AX; \
	MOVQ CX, R8; \
	ANDQ $-32, R8; \
	JZ tail; \
	PCALIGN $32; \
wide: \
	VMOVUPS (SI)(AX*4), Y0; \
	VMOVUPS 32(SI)(AX*4), Y1; \
	VMOVUPS 64(SI)(AX*4), Y2; \
	VMOVUPS 96(SI)(AX*4), Y3; \
	op (DX)(AX*4), Y0, Y0; \
	op 32(DX)(AX*4), Y1, Y1; \
	op 64(DX)(AX*4), Y2, Y2; \
	op 96(DX)(AX*4), Y3, Y3; \
	STORE; \
	VMOVUPS Y1, 32(DI)(AX*4); \
	VMOVUPS Y2, 64(DI)(AX*4); \
	VMOVUPS Y3, 96(DI)(AX*4); \
	ADDQ $32, AX; \
	CMPQ AX, R8; \
	JLT wide; \
tail: \
	CMPQ AX, CX; \
	JGE done; \
	VMOVUPS (SI)(AX*4), Y0; \
	op (DX)(AX*4), Y0, Y0; \
	STORE; \
	ADDQ $8, AX; \
	JMP tail; \
done: \
	VZEROUPPER; \
	RET

// func avxAdd(n int, dst, a, b *float32)
TEXT ·avxAdd(SB), NOSPLIT, $0-32
	BINARY(VADDPS)

// func avxSub(n int, dst, a, b *float32)
TEXT ·avxSub(SB), NOSPLIT, $0-32
	BINARY(VSUBPS)

// func avxMul(n int, dst, a, b *float32)
TEXT ·avxMul(SB), NOSPLIT, $0-32
	BINARY(VMULPS)

// func avxDiv(n int, dst, a, b *float32)
TEXT ·avxDiv(SB), NOSPLIT, $0-32
	BINARY(VDIVPS)

// LARGER gives the second operand unless op prefers the first, or the first is NaN.
#define LARGER(op) \
	TWO; \
	LOOP; \
	VMOVUPS (SI)(AX*4), Y1; \
	op (DX)(AX*4), Y1, Y0; \
	VCMPPS $3, Y1, Y1, Y3; \
	VBLENDVPS Y3, Y1, Y0, Y0; \
	STORE; \
	END(8)

// func avxMax(n int, dst, a, b *float32)
TEXT ·avxMax(SB), NOSPLIT, $0-32
	LARGER(VMAXPS)

// func avxMin(n int, dst, a, b *float32)
TEXT ·avxMin(SB), NOSPLIT, $0-32
	LARGER(VMINPS)

// func avxAddScaled(n int, dst, a, b *float32, alpha float32)
TEXT ·avxAddScaled(SB), NOSPLIT, $0-36
	TWO
	VBROADCASTSS alpha+32(FP), Y15
	LOOP
	VMULPS (DX)(AX*4), Y15, Y0
	VADDPS (SI)(AX*4), Y0, Y0
	STORE
	END(8)

// func avxAffine(n int, dst, x, scale, shift *float32)
TEXT ·avxAffine(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ x+16(FP), SI
	MOVQ scale+24(FP), DX
	MOVQ shift+32(FP), BX
	LOOP
	VMOVUPS (SI)(AX*4), Y0
	VMULPS (DX)(AX*4), Y0, Y0
	VADDPS (BX)(AX*4), Y0, Y0
	STORE
	END(8)

// func avxBlend(n int, dst, u0, u1, l0, l1 *float32, vx, wx, vy, wy float32)
TEXT ·avxBlend(SB), NOSPLIT, $0-64
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ u0+16(FP), R8
	MOVQ u1+24(FP), R9
	MOVQ l0+32(FP), R10
	MOVQ l1+40(FP), R11
	VBROADCASTSS vx+48(FP), Y12
	VBROADCASTSS wx+52(FP), Y13
	VBROADCASTSS vy+56(FP), Y14
	VBROADCASTSS wy+60(FP), Y15
	LOOP
	VMULPS (R8)(AX*4), Y12, Y0
	VMULPS (R9)(AX*4), Y13, Y1
	VMULPS (R10)(AX*4), Y12, Y2
	VMULPS (R11)(AX*4), Y13, Y3
	VADDPS Y1, Y0, Y0
	VADDPS Y3, Y2, Y2
	VMULPS Y14, Y0, Y0
	VMULPS Y15, Y2, Y2
	VADDPS Y2, Y0, Y0
	STORE
	END(8)

// func avxClamp(n int, dst, src *float32, lo, hi float32)
TEXT ·avxClamp(SB), NOSPLIT, $0-32
	ONE
	VBROADCASTSS lo+24(FP), Y14
	VBROADCASTSS hi+28(FP), Y15
	LOOP
	HALVES
	VMAXPS Y0, Y14, Y0
	VMINPS Y0, Y15, Y0
	STORE
	END(8)

// func avxLeaky(n int, dst, src *float32, slope float32)
TEXT ·avxLeaky(SB), NOSPLIT, $0-28
	ONE
	VBROADCASTSS slope+24(FP), Y15
	VXORPS Y14, Y14, Y14
	LOOP
	HALVES
	VMULPS Y15, Y0, Y1
	VCMPPS $0x1e, Y14, Y0, Y2
	VBLENDVPS Y2, Y0, Y1, Y0
	STORE
	END(8)

// func avxSubNumber(n int, dst, src *float32, x float32)
TEXT ·avxSubNumber(SB), NOSPLIT, $0-28
	ONE
	VBROADCASTSS x+24(FP), Y15
	LOOP
	HALVES
	VSUBPS Y15, Y0, Y0
	STORE
	END(8)

// func avxDivNumber(n int, dst, src *float32, x float32)
TEXT ·avxDivNumber(SB), NOSPLIT, $0-28
	ONE
	VBROADCASTSS x+24(FP), Y15
	LOOP
	HALVES
	VDIVPS Y15, Y0, Y0
	STORE
	END(8)

// func avxAbs(n int, dst, src *float32)
TEXT ·avxAbs(SB), NOSPLIT, $0-24
	ONE
	VBROADCASTSS signs<>(SB), Y15
	LOOP
	HALVES
	VANDNPS Y0, Y15, Y0
	STORE
	END(8)

// func avxNeg(n int, dst, src *float32)
TEXT ·avxNeg(SB), NOSPLIT, $0-24
	ONE
	VBROADCASTSS signs<>(SB), Y15
	LOOP
	HALVES
	VXORPS Y0, Y15, Y0
	STORE
	END(8)

// func avxSign(n int, dst, src *float32)
TEXT ·avxSign(SB), NOSPLIT, $0-24
	ONE
	VBROADCASTSS ones<>(SB), Y15
	VXORPS Y14, Y14, Y14
	LOOP
	HALVES
	VCMPPS $0x1e, Y14, Y0, Y1
	VCMPPS $0x11, Y14, Y0, Y2
	VANDPS Y15, Y1, Y1
	VANDPS Y15, Y2, Y2
	VSUBPS Y2, Y1, Y0
	STORE
	END(8)

// func avxSqrt(n int, dst, src *float32)
TEXT ·avxSqrt(SB), NOSPLIT, $0-24
	ONE
	LOOP
	VSQRTPS (SI)(AX*4), Y0
	STORE
	END(8)

// func avxReciprocal(n int, dst, src *float32)
TEXT ·avxReciprocal(SB), NOSPLIT, $0-24
	ONE
	VBROADCASTSS ones<>(SB), Y15
	LOOP
	VDIVPS (SI)(AX*4), Y15, Y0
	STORE
	END(8)

// func avxRsqrt(n int, dst, src *float32)
TEXT ·avxRsqrt(SB), NOSPLIT, $0-24
	ONE
	VBROADCASTSS ones<>(SB), Y15
	LOOP
	VSQRTPS (SI)(AX*4), Y0
	VDIVPS Y0, Y15, Y0
	STORE
	END(8)

// WHOLE rounds in a way of the processor's.
#define WHOLE(way) \
	ONE; \
	LOOP; \
	HALVES; \
	VROUNDPS way, Y0, Y0; \
	STORE; \
	END(8)

// func avxFloor(n int, dst, src *float32)
TEXT ·avxFloor(SB), NOSPLIT, $0-24
	WHOLE($9)

// func avxCeil(n int, dst, src *float32)
TEXT ·avxCeil(SB), NOSPLIT, $0-24
	WHOLE($10)

// func avxTrunc(n int, dst, src *float32)
TEXT ·avxTrunc(SB), NOSPLIT, $0-24
	WHOLE($11)

// func avxRound(n int, dst, src *float32)
TEXT ·avxRound(SB), NOSPLIT, $0-24
	WHOLE($8)

// COMPARE relates 32 pairs at a time and leaves a byte for each.
#define COMPARE(relation) \
	TWO; \
	VBROADCASTSS bytes<>(SB), Y15; \
	VMOVDQU interleaved<>(SB), Y14; \
	LOOP; \
	VMOVUPS (SI)(AX*4), Y0; \
	VMOVUPS 32(SI)(AX*4), Y1; \
	VMOVUPS 64(SI)(AX*4), Y2; \
	VMOVUPS 96(SI)(AX*4), Y3; \
	VCMPPS relation, (DX)(AX*4), Y0, Y0; \
	VCMPPS relation, 32(DX)(AX*4), Y1, Y1; \
	VCMPPS relation, 64(DX)(AX*4), Y2, Y2; \
	VCMPPS relation, 96(DX)(AX*4), Y3, Y3; \
	VPACKSSDW Y1, Y0, Y0; \
	VPACKSSDW Y3, Y2, Y2; \
	VPACKSSWB Y2, Y0, Y0; \
	VPERMD Y0, Y14, Y0; \
	VPAND Y15, Y0, Y0; \
	VMOVDQU Y0, (DI)(AX*1); \
	END(32)

// func avxEqual(n int, dst *uint8, a, b *float32)
TEXT ·avxEqual(SB), NOSPLIT, $0-32
	COMPARE($0)

// func avxUnequal(n int, dst *uint8, a, b *float32)
TEXT ·avxUnequal(SB), NOSPLIT, $0-32
	COMPARE($4)

// func avxLess(n int, dst *uint8, a, b *float32)
TEXT ·avxLess(SB), NOSPLIT, $0-32
	COMPARE($0x11)

// func avxLessEqual(n int, dst *uint8, a, b *float32)
TEXT ·avxLessEqual(SB), NOSPLIT, $0-32
	COMPARE($0x12)

// func avxChoose(n int, dst *float32, mask *uint8, a, b *float32)
TEXT ·avxChoose(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ mask+16(FP), BX
	MOVQ a+24(FP), SI
	MOVQ b+32(FP), DX
	VPXOR Y15, Y15, Y15
	LOOP
	VPMOVZXBD (BX)(AX*1), Y1
	VPCMPEQD Y15, Y1, Y1
	VMOVUPS (SI)(AX*4), Y0
	VBLENDVPS Y1, (DX)(AX*4), Y0, Y0
	STORE
	END(8)

// func avxAbsComplex(n int, dst *float32, src *complex64) int
TEXT ·avxAbsComplex(SB), NOSPLIT, $0-32
	ONE
	LOOP
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
	AGAIN(4)
out:
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET
