#include "textflag.h"

// Every vector operation here is the operation of the portable loop, in its order; nothing is fused.

// V4 makes a constant of four equal float64 numbers, B4 one of four equal bit patterns.
#define V4(name, value) \
DATA name<>+0(SB)/8, $(value); \
DATA name<>+8(SB)/8, $(value); \
DATA name<>+16(SB)/8, $(value); \
DATA name<>+24(SB)/8, $(value); \
GLOBL name<>(SB), RODATA|NOPTR, $32

V4(log2e, 1.44269504088896340735992468100189214)
V4(ln2, 0.693147180559945309417232121458176568)
V4(shift, 6755399441055744.0)
V4(q6, 0.000198996096309075572)
V4(q5, 0.00139414107227665454)
V4(q4, 0.00833329807943064649)
V4(q3, 0.0416663492556988533)
V4(q2, 0.166666667199106263)
V4(q1, 0.500000004794003021)
V4(one, 1.0)
V4(two, 2.0)
V4(half, 0.5)
V4(expLo, -110.0)
V4(expHi, 90.0)
V4(sigHi, 110.0)
V4(tanhLo, -40.0)
V4(tanhHi, 40.0)
V4(rsqrt2, 0.70710678118654752440084436210484903928483593768847)
V4(erfcHi, 10.2)
V4(geluLo, -14.4)
V4(e11, 0.0000831847184669166445)
V4(e10, 0.00017648319724405168)
V4(e9, -0.000401831043671407768)
V4(e8, -0.00142878094912465959)
V4(e7, 0.00125105660130948296)
V4(e6, 0.00871228862936051415)
V4(e5, -0.00802997729946496459)
V4(e4, -0.054218362076159781)
V4(e3, 0.164050906198671111)
V4(e2, -0.166030489129621772)
V4(e1, -0.0927638157478581717)
V4(e0, 1.27697838234730864)

DATA bias<>+0(SB)/8, $0x3ff0000000000000
DATA bias<>+8(SB)/8, $0x3ff0000000000000
DATA bias<>+16(SB)/8, $0x3ff0000000000000
DATA bias<>+24(SB)/8, $0x3ff0000000000000
GLOBL bias<>(SB), RODATA|NOPTR, $32

DATA sign<>+0(SB)/8, $0x8000000000000000
DATA sign<>+8(SB)/8, $0x8000000000000000
DATA sign<>+16(SB)/8, $0x8000000000000000
DATA sign<>+24(SB)/8, $0x8000000000000000
GLOBL sign<>(SB), RODATA|NOPTR, $32

// SPLIT: e^Y0 = Y1·(1 + Y2); see split. Uses Y3.
#define SPLIT \
VMULPD log2e<>(SB), Y0, Y1; \
VADDPD shift<>(SB), Y1, Y1; \
VSUBPD shift<>(SB), Y1, Y2; \
VMULPD ln2<>(SB), Y2, Y2; \
VSUBPD Y2, Y0, Y3; \
VMULPD q6<>(SB), Y3, Y2; \
VADDPD q5<>(SB), Y2, Y2; \
VMULPD Y3, Y2, Y2; \
VADDPD q4<>(SB), Y2, Y2; \
VMULPD Y3, Y2, Y2; \
VADDPD q3<>(SB), Y2, Y2; \
VMULPD Y3, Y2, Y2; \
VADDPD q2<>(SB), Y2, Y2; \
VMULPD Y3, Y2, Y2; \
VADDPD q1<>(SB), Y2, Y2; \
VMULPD Y3, Y2, Y2; \
VADDPD one<>(SB), Y2, Y2; \
VMULPD Y3, Y2, Y2; \
VPSLLQ $52, Y1, Y1; \
VPADDQ bias<>(SB), Y1, Y1

// LIMIT: Y0 to the bounds in Y14 and Y15; NaN passes, as the second source of the comparison.
#define LIMIT \
VMAXPD Y0, Y14, Y0; \
VMINPD Y0, Y15, Y0

#define POLY(c) \
VMULPD Y8, Y9, Y9; \
VADDPD c<>(SB), Y9, Y9

// func avxExp(n int, dst, src *float32)
TEXT ·avxExp(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VMOVUPD expLo<>(SB), Y14
	VMOVUPD expHi<>(SB), Y15
exploop:
	VCVTPS2PD (SI), Y0
	LIMIT
	SPLIT
	VMULPD Y1, Y2, Y2
	VADDPD Y1, Y2, Y0
	VCVTPD2PSY Y0, X0
	VMOVUPS X0, (DI)
	ADDQ $16, SI
	ADDQ $16, DI
	SUBQ $4, CX
	JNZ exploop
	VZEROUPPER
	RET

// func avxSigmoid(n int, dst, src *float32)
TEXT ·avxSigmoid(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VMOVUPD expLo<>(SB), Y14
	VMOVUPD sigHi<>(SB), Y15
	VMOVUPD one<>(SB), Y13
	VMOVUPD sign<>(SB), Y12
sigmoidloop:
	VCVTPS2PD (SI), Y0
	VXORPD Y12, Y0, Y0
	LIMIT
	SPLIT
	VMULPD Y1, Y2, Y2
	VADDPD Y1, Y2, Y0
	VADDPD Y13, Y0, Y0
	VDIVPD Y0, Y13, Y0
	VCVTPD2PSY Y0, X0
	VMOVUPS X0, (DI)
	ADDQ $16, SI
	ADDQ $16, DI
	SUBQ $4, CX
	JNZ sigmoidloop
	VZEROUPPER
	RET

// func avxTanh(n int, dst, src *float32)
TEXT ·avxTanh(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VMOVUPD tanhLo<>(SB), Y14
	VMOVUPD tanhHi<>(SB), Y15
	VMOVUPD one<>(SB), Y13
	VMOVUPD two<>(SB), Y12
tanhloop:
	VCVTPS2PD (SI), Y0
	VADDPD Y0, Y0, Y0
	LIMIT
	SPLIT
	VMULPD Y1, Y2, Y2
	VSUBPD Y13, Y1, Y1
	VADDPD Y2, Y1, Y0
	VADDPD Y12, Y0, Y1
	VDIVPD Y1, Y0, Y0
	VCVTPD2PSY Y0, X0
	VMOVUPS X0, (DI)
	ADDQ $16, SI
	ADDQ $16, DI
	SUBQ $4, CX
	JNZ tanhloop
	VZEROUPPER
	RET

// func avxGelu(n int, dst, src *float32)
TEXT ·avxGelu(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VMOVUPD sign<>(SB), Y12
	VMOVUPD one<>(SB), Y13
	VMOVUPD two<>(SB), Y14
	VMOVUPD erfcHi<>(SB), Y15
	VXORPD Y11, Y11, Y11
geluloop:
	VCVTPS2PD (SI), Y10
	VANDNPD Y10, Y12, Y4         // |x|
	VMULPD rsqrt2<>(SB), Y4, Y4
	VMINPD Y4, Y15, Y4
	VADDPD Y14, Y4, Y5           // a + 2
	VADDPD Y4, Y4, Y6
	VADDPD Y13, Y6, Y6           // 1 + 2a
	VMULPD Y5, Y6, Y7
	VDIVPD Y7, Y13, Y7           // d
	VSUBPD Y14, Y4, Y8
	VMULPD Y6, Y8, Y8
	VMULPD Y7, Y8, Y8            // t
	VMULPD e11<>(SB), Y8, Y9
	VADDPD e10<>(SB), Y9, Y9
	POLY(e9)
	POLY(e8)
	POLY(e7)
	POLY(e6)
	POLY(e5)
	POLY(e4)
	POLY(e3)
	POLY(e2)
	POLY(e1)
	POLY(e0)
	VMULPD Y7, Y5, Y5            // (a + 2)·d
	VMULPD Y4, Y4, Y0
	VXORPD Y12, Y0, Y0
	SPLIT
	VMULPD Y1, Y2, Y2
	VADDPD Y1, Y2, Y0
	VMULPD Y5, Y0, Y0
	VMULPD Y9, Y0, Y0            // erfc(a)
	VSUBPD Y0, Y14, Y1           // 2 - erfc(a)
	VCMPPD $0x1e, Y11, Y10, Y2   // x > 0
	VBLENDVPD Y2, Y1, Y0, Y0
	VMULPD half<>(SB), Y10, Y1
	VMULPD Y0, Y1, Y0
	VCMPPD $0x11, geluLo<>(SB), Y10, Y2 // x < -14.4
	VMULPD Y11, Y10, Y1
	VBLENDVPD Y2, Y1, Y0, Y0
	VCVTPD2PSY Y0, X0
	VMOVUPS X0, (DI)
	ADDQ $16, SI
	ADDQ $16, DI
	SUBQ $4, CX
	JNZ geluloop
	VZEROUPPER
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
