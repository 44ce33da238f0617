#include "textflag.h"

// Extremes of n bytes, at least 32: one number, or a vector of them.

// EXTENT begins a fold of n bytes from src: four vectors may begin up to R8, the last is at R9.
#define EXTENT \
	MOVQ n+0(FP), CX; \
	MOVQ src+8(FP), SI; \
	ADDQ SI, CX; \
	LEAQ -128(CX), R8; \
	LEAQ -32(CX), R9

// EXTREME folds with an instruction that picks one of two; four vectors at a time while they last. The order does not
// matter, nor that the last vector takes in what another did before. It leaves 16 bytes in X0, X1 has room.
#define EXTREME(op) \
	EXTENT; \
	VMOVDQU (SI), Y0; \
	VMOVDQU Y0, Y1; \
	VMOVDQU Y0, Y2; \
	VMOVDQU Y0, Y3; \
	JMP test; \
wide: \
	op (SI), Y0, Y0; \
	op 32(SI), Y1, Y1; \
	op 64(SI), Y2, Y2; \
	op 96(SI), Y3, Y3; \
	ADDQ $128, SI; \
test: \
	CMPQ SI, R8; \
	JLE wide; \
	op Y2, Y0, Y0; \
	op Y3, Y1, Y1; \
	JMP more; \
tail: \
	op (SI), Y1, Y1; \
	ADDQ $32, SI; \
more: \
	CMPQ SI, R9; \
	JLT tail; \
	op (R9), Y0, Y0; \
	op Y1, Y0, Y0; \
	VEXTRACTI128 $1, Y0, X1; \
	op X1, X0, X0

#define HALVE(op, bytes) \
	VPSRLDQ $bytes, X0, X1; \
	op X1, X0, X0

#define ANSWER \
	VMOVD X0, AX; \
	MOVQ AX, ret+16(FP); \
	VZEROUPPER; \
	RET

#define EXTREME8(op) \
	EXTREME(op); \
	HALVE(op, 8); \
	HALVE(op, 4); \
	HALVE(op, 2); \
	HALVE(op, 1); \
	ANSWER

#define EXTREME16(op) \
	EXTREME(op); \
	HALVE(op, 8); \
	HALVE(op, 4); \
	HALVE(op, 2); \
	ANSWER

#define EXTREME32(op) \
	EXTREME(op); \
	HALVE(op, 8); \
	HALVE(op, 4); \
	ANSWER

// LARGER and SMALLER put x into acc where it is more, or less.
#define LARGER(x, acc) \
	VPCMPGTQ acc, x, Y15; \
	VBLENDVPD Y15, x, acc, acc

#define SMALLER(x, acc) \
	VPCMPGTQ x, acc, Y15; \
	VBLENDVPD Y15, x, acc, acc

#define PICK64(op) \
	EXTENT; \
	MOVQ lanes+16(FP), DI; \
	VMOVDQU (DI), Y0; \
	VMOVDQU Y0, Y1; \
	VMOVDQU Y0, Y2; \
	VMOVDQU Y0, Y3; \
	JMP test; \
wide: \
	VMOVDQU (SI), Y4; \
	VMOVDQU 32(SI), Y5; \
	VMOVDQU 64(SI), Y6; \
	VMOVDQU 96(SI), Y7; \
	op(Y4, Y0); \
	op(Y5, Y1); \
	op(Y6, Y2); \
	op(Y7, Y3); \
	ADDQ $128, SI; \
test: \
	CMPQ SI, R8; \
	JLE wide; \
	op(Y2, Y0); \
	op(Y3, Y1); \
	op(Y1, Y0); \
	JMP more; \
tail: \
	VMOVDQU (SI), Y4; \
	op(Y4, Y0); \
	ADDQ $32, SI; \
more: \
	CMPQ SI, R9; \
	JLT tail; \
	VMOVDQU (R9), Y4; \
	op(Y4, Y0); \
	VMOVDQU Y0, (DI); \
	VZEROUPPER; \
	RET

// PICKF64 remembers in Y8 to Y11 where lanes have met NaN: all ones, which is NaN.
#define PICKF64(op) \
	EXTENT; \
	MOVQ lanes+16(FP), DI; \
	VMOVUPD (DI), Y0; \
	VMOVUPD Y0, Y1; \
	VMOVUPD Y0, Y2; \
	VMOVUPD Y0, Y3; \
	VXORPD Y8, Y8, Y8; \
	VXORPD Y9, Y9, Y9; \
	JMP test; \
wide: \
	VMOVUPD (SI), Y4; \
	VMOVUPD 32(SI), Y5; \
	VMOVUPD 64(SI), Y6; \
	VMOVUPD 96(SI), Y7; \
	VCMPPD $3, Y4, Y5, Y12; \
	VCMPPD $3, Y6, Y7, Y13; \
	VORPD Y12, Y8, Y8; \
	VORPD Y13, Y9, Y9; \
	op Y4, Y0, Y0; \
	op Y5, Y1, Y1; \
	op Y6, Y2, Y2; \
	op Y7, Y3, Y3; \
	ADDQ $128, SI; \
test: \
	CMPQ SI, R8; \
	JLE wide; \
	op Y2, Y0, Y0; \
	op Y3, Y1, Y1; \
	op Y1, Y0, Y0; \
	VORPD Y9, Y8, Y8; \
	JMP more; \
tail: \
	VMOVUPD (SI), Y4; \
	VCMPPD $3, Y4, Y4, Y12; \
	VORPD Y12, Y8, Y8; \
	op Y4, Y0, Y0; \
	ADDQ $32, SI; \
more: \
	CMPQ SI, R9; \
	JLT tail; \
	VMOVUPD (R9), Y4; \
	VCMPPD $3, Y4, Y4, Y12; \
	VORPD Y12, Y8, Y8; \
	op Y4, Y0, Y0; \
	VORPD Y8, Y0, Y0; \
	VMOVUPD Y0, (DI); \
	VZEROUPPER; \
	RET

#define PAIRS \
	MOVQ n+0(FP), CX; \
	MOVQ dst+8(FP), DI; \
	MOVQ a+16(FP), SI; \
	MOVQ b+24(FP), DX; \
	XORQ AX, AX

#define EACH \
	VMOVUPD Y0, (DI)(AX*1); \
	ADDQ $32, AX; \
	CMPQ AX, CX; \
	JLT loop; \
	VZEROUPPER; \
	RET

// BETTER is b where the operands are equal or b is NaN, as the instructions have it, and a where that is NaN.
#define BETTER(op) \
	VMOVUPD (SI)(AX*1), Y1; \
	VCMPPD $3, Y1, Y1, Y2; \
	op (DX)(AX*1), Y1, Y0; \
	VBLENDVPD Y2, Y1, Y0, Y0; \
	EACH

// func avxMaxOfU8(n int, src *uint8) int64
TEXT ·avxMaxOfU8(SB), NOSPLIT, $0-24
	EXTREME8(VPMAXUB)

// func avxMinOfU8(n int, src *uint8) int64
TEXT ·avxMinOfU8(SB), NOSPLIT, $0-24
	EXTREME8(VPMINUB)

// func avxMaxOfI8(n int, src *int8) int64
TEXT ·avxMaxOfI8(SB), NOSPLIT, $0-24
	EXTREME8(VPMAXSB)

// func avxMinOfI8(n int, src *int8) int64
TEXT ·avxMinOfI8(SB), NOSPLIT, $0-24
	EXTREME8(VPMINSB)

// func avxMaxOfI16(n int, src *int16) int64
TEXT ·avxMaxOfI16(SB), NOSPLIT, $0-24
	EXTREME16(VPMAXSW)

// func avxMinOfI16(n int, src *int16) int64
TEXT ·avxMinOfI16(SB), NOSPLIT, $0-24
	EXTREME16(VPMINSW)

// func avxMaxOfI32(n int, src *int32) int64
TEXT ·avxMaxOfI32(SB), NOSPLIT, $0-24
	EXTREME32(VPMAXSD)

// func avxMinOfI32(n int, src *int32) int64
TEXT ·avxMinOfI32(SB), NOSPLIT, $0-24
	EXTREME32(VPMINSD)

// func avxMaxOfI64(n int, src *int64, lanes *[4]int64)
TEXT ·avxMaxOfI64(SB), NOSPLIT, $0-24
	PICK64(LARGER)

// func avxMinOfI64(n int, src *int64, lanes *[4]int64)
TEXT ·avxMinOfI64(SB), NOSPLIT, $0-24
	PICK64(SMALLER)

// func avxMaxOfF64(n int, src *float64, lanes *[4]float64)
TEXT ·avxMaxOfF64(SB), NOSPLIT, $0-24
	PICKF64(VMAXPD)

// func avxMinOfF64(n int, src *float64, lanes *[4]float64)
TEXT ·avxMinOfF64(SB), NOSPLIT, $0-24
	PICKF64(VMINPD)

// func avxMaxI64(n int, dst, a, b *byte)
TEXT ·avxMaxI64(SB), NOSPLIT, $0-32
	PAIRS
loop:
	VMOVDQU (SI)(AX*1), Y1
	VMOVDQU (DX)(AX*1), Y0
	LARGER(Y1, Y0)
	EACH

// func avxMinI64(n int, dst, a, b *byte)
TEXT ·avxMinI64(SB), NOSPLIT, $0-32
	PAIRS
loop:
	VMOVDQU (SI)(AX*1), Y1
	VMOVDQU (DX)(AX*1), Y0
	SMALLER(Y1, Y0)
	EACH

// func avxTakeMaxF64(n int, dst, a, b *byte)
TEXT ·avxTakeMaxF64(SB), NOSPLIT, $0-32
	PAIRS
loop:
	BETTER(VMAXPD)

// func avxTakeMinF64(n int, dst, a, b *byte)
TEXT ·avxTakeMinF64(SB), NOSPLIT, $0-32
	PAIRS
loop:
	BETTER(VMINPD)
