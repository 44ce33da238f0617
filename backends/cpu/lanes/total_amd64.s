#include "textflag.h"

// Sums of whole numbers and doubles.

DATA unity<>+0(SB)/1, $1
GLOBL unity<>(SB), RODATA|NOPTR, $1

// SOURCE begins a fold of n bytes from src, a multiple of 32: up to CX, and four vectors may begin before R8.
#define SOURCE \
	MOVQ n+0(FP), CX; \
	MOVQ src+8(FP), SI; \
	ADDQ SI, CX; \
	LEAQ -96(CX), R8

#define NOTHING \
	VPXOR Y0, Y0, Y0; \
	VPXOR Y1, Y1, Y1; \
	VPXOR Y2, Y2, Y2; \
	VPXOR Y3, Y3, Y3

// TOTAL adds the quadwords of Y0 and Y1.
#define TOTAL \
	VPADDQ Y1, Y0, Y0; \
	VEXTRACTI128 $1, Y0, X1; \
	VPADDQ X1, X0, X0; \
	VPSRLDQ $8, X0, X1; \
	VPADDQ X1, X0, X0; \
	VMOVQ X0, AX; \
	MOVQ AX, ret+16(FP); \
	VZEROUPPER; \
	RET

// WIDEN adds eight numbers at a time, of size bytes; times is how often one goes into a quadword.
#define WIDEN(load, size, times) \
	MOVQ n+0(FP), CX; \
	MOVQ sums+8(FP), DI; \
	MOVQ x+16(FP), SI; \
	IMULQ $size, CX; \
	XORQ AX, AX; \
loop: \
	load; \
	VPADDQ (DI)(AX*times), Y0, Y0; \
	VPADDQ 32(DI)(AX*times), Y1, Y1; \
	VMOVDQU Y0, (DI)(AX*times); \
	VMOVDQU Y1, 32(DI)(AX*times); \
	ADDQ $(8*size), AX; \
	CMPQ AX, CX; \
	JLT loop; \
	VZEROUPPER; \
	RET

#define WIDE(op, size) \
	op (SI)(AX*1), Y0; \
	op (4*size)(SI)(AX*1), Y1

#define WIDEU8 WIDE(VPMOVZXBQ, 1)
#define WIDEI8 WIDE(VPMOVSXBQ, 1)
#define WIDEI16 WIDE(VPMOVSXWQ, 2)
#define WIDEI32 WIDE(VPMOVSXDQ, 4)

#define WIDEBOOL \
	VMOVQ (SI)(AX*1), X0; \
	VPMINUB X2, X0, X0; \
	VPSRLDQ $4, X0, X1; \
	VPMOVZXBQ X0, Y0; \
	VPMOVZXBQ X1, Y1

// func avxSumI64(n int, src *int64) int64
TEXT ·avxSumI64(SB), NOSPLIT, $0-24
	SOURCE
	NOTHING
	JMP test
wide:
	VPADDQ (SI), Y0, Y0
	VPADDQ 32(SI), Y1, Y1
	VPADDQ 64(SI), Y2, Y2
	VPADDQ 96(SI), Y3, Y3
	ADDQ $128, SI
test:
	CMPQ SI, R8
	JLT wide
	JMP more
tail:
	VPADDQ (SI), Y0, Y0
	ADDQ $32, SI
more:
	CMPQ SI, CX
	JLT tail
	VPADDQ Y2, Y0, Y0
	VPADDQ Y3, Y1, Y1
	TOTAL

// func avxSumI32(n int, src *int32) int64
TEXT ·avxSumI32(SB), NOSPLIT, $0-24
	SOURCE
	NOTHING
loop:
	VPMOVSXDQ (SI), Y2
	VPMOVSXDQ 16(SI), Y3
	VPADDQ Y2, Y0, Y0
	VPADDQ Y3, Y1, Y1
	ADDQ $32, SI
	CMPQ SI, CX
	JLT loop
	TOTAL

// func avxSumU8(n int, src *uint8) int64
TEXT ·avxSumU8(SB), NOSPLIT, $0-24
	SOURCE
	NOTHING
loop:
	VPSADBW (SI), Y3, Y2
	VPADDQ Y2, Y0, Y0
	ADDQ $32, SI
	CMPQ SI, CX
	JLT loop
	TOTAL

// func avxCount(n int, src *uint8) int64
TEXT ·avxCount(SB), NOSPLIT, $0-24
	SOURCE
	NOTHING
	VPBROADCASTB unity<>(SB), Y4
loop:
	VPMINUB (SI), Y4, Y2
	VPSADBW Y2, Y3, Y2
	VPADDQ Y2, Y0, Y0
	ADDQ $32, SI
	CMPQ SI, CX
	JLT loop
	TOTAL

// func avxSumOfF64(n int, src *float64, sums *[8]float64)
TEXT ·avxSumOfF64(SB), NOSPLIT, $0-24
	SOURCE
	MOVQ sums+16(FP), DI
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
loop:
	VADDPD (SI), Y0, Y0
	VADDPD 32(SI), Y1, Y1
	ADDQ $64, SI
	CMPQ SI, CX
	JLT loop
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VZEROUPPER
	RET

// func avxWidenU8(n int, sums *int64, x *uint8)
TEXT ·avxWidenU8(SB), NOSPLIT, $0-24
	WIDEN(WIDEU8, 1, 8)

// func avxWidenI8(n int, sums *int64, x *int8)
TEXT ·avxWidenI8(SB), NOSPLIT, $0-24
	WIDEN(WIDEI8, 1, 8)

// func avxWidenI16(n int, sums *int64, x *int16)
TEXT ·avxWidenI16(SB), NOSPLIT, $0-24
	WIDEN(WIDEI16, 2, 4)

// func avxWidenI32(n int, sums *int64, x *int32)
TEXT ·avxWidenI32(SB), NOSPLIT, $0-24
	WIDEN(WIDEI32, 4, 2)

// func avxWidenBool(n int, sums *int64, x *uint8)
TEXT ·avxWidenBool(SB), NOSPLIT, $0-24
	VPBROADCASTB unity<>(SB), X2
	WIDEN(WIDEBOOL, 1, 8)
