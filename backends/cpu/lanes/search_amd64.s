#include "textflag.h"

// Each function goes through n lines of width bytes, a multiple of 32. Y14 is the number of the line, Y13 ones.

DATA unit<>+0(SB)/8, $1
GLOBL unit<>(SB), RODATA|NOPTR, $8

#define SEARCH \
	MOVQ n+0(FP), CX; \
	MOVQ width+8(FP), R8; \
	MOVQ best+16(FP), DI; \
	MOVQ where+24(FP), DX; \
	MOVQ x+32(FP), SI; \
	MOVQ step+40(FP), R9; \
	VPBROADCASTQ first+48(FP), Y14; \
	VPBROADCASTQ unit<>(SB), Y13

#define NEXTLINE \
	ADDQ R9, SI; \
	VPADDQ Y13, Y14, Y14; \
	DECQ CX; \
	JNZ line; \
	VZEROUPPER; \
	RET

// Between FETCH and KEEP, Y2 becomes all ones where Y0 is better than Y1. Where nothing is, nothing is written.
#define FETCH \
line: \
	XORQ AX, AX; \
columns: \
	VMOVUPS (SI)(AX*1), Y0; \
	VMOVUPS (DI)(AX*1), Y1

#define KEEP32 \
	VMOVMSKPS Y2, R10; \
	TESTL R10, R10; \
	JZ skip; \
	VBLENDVPS Y2, Y0, Y1, Y1; \
	VMOVUPS Y1, (DI)(AX*1); \
	VPMOVSXDQ X2, Y3; \
	VEXTRACTI128 $1, Y2, X2; \
	VPMOVSXDQ X2, Y4; \
	VMOVUPD (DX)(AX*2), Y5; \
	VMOVUPD 32(DX)(AX*2), Y6; \
	VBLENDVPD Y3, Y14, Y5, Y5; \
	VBLENDVPD Y4, Y14, Y6, Y6; \
	VMOVUPD Y5, (DX)(AX*2); \
	VMOVUPD Y6, 32(DX)(AX*2); \
skip: \
	ADDQ $32, AX; \
	CMPQ AX, R8; \
	JLT columns; \
	NEXTLINE

#define KEEP64 \
	VMOVMSKPD Y2, R10; \
	TESTL R10, R10; \
	JZ skip; \
	VBLENDVPD Y2, Y0, Y1, Y1; \
	VMOVUPD Y1, (DI)(AX*1); \
	VMOVUPD (DX)(AX*1), Y5; \
	VBLENDVPD Y2, Y14, Y5, Y5; \
	VMOVUPD Y5, (DX)(AX*1); \
skip: \
	ADDQ $32, AX; \
	CMPQ AX, R8; \
	JLT columns; \
	NEXTLINE

// NOT says that a relation does not hold, which is so for NaN, and that Y1 is not NaN.
#define NOT(compare, relation, and) \
	compare $relation, Y1, Y0, Y2; \
	compare $7, Y1, Y1, Y3; \
	and Y3, Y2, Y2

// func avxSearchMaxI32(n, width int, best *int32, where *int64, x *int32, step int, first int64)
TEXT ·avxSearchMaxI32(SB), NOSPLIT, $0-56
	SEARCH
	FETCH
	VPCMPGTD Y1, Y0, Y2
	KEEP32

// func avxSearchMinI32(n, width int, best *int32, where *int64, x *int32, step int, first int64)
TEXT ·avxSearchMinI32(SB), NOSPLIT, $0-56
	SEARCH
	FETCH
	VPCMPGTD Y0, Y1, Y2
	KEEP32

// func avxSearchMaxI64(n, width int, best *int64, where *int64, x *int64, step int, first int64)
TEXT ·avxSearchMaxI64(SB), NOSPLIT, $0-56
	SEARCH
	FETCH
	VPCMPGTQ Y1, Y0, Y2
	KEEP64

// func avxSearchMinI64(n, width int, best *int64, where *int64, x *int64, step int, first int64)
TEXT ·avxSearchMinI64(SB), NOSPLIT, $0-56
	SEARCH
	FETCH
	VPCMPGTQ Y0, Y1, Y2
	KEEP64

// func avxSearchMaxF32(n, width int, best *float32, where *int64, x *float32, step int, first int64)
TEXT ·avxSearchMaxF32(SB), NOSPLIT, $0-56
	SEARCH
	FETCH
	NOT(VCMPPS, 0x16, VANDPS)
	KEEP32

// func avxSearchMinF32(n, width int, best *float32, where *int64, x *float32, step int, first int64)
TEXT ·avxSearchMinF32(SB), NOSPLIT, $0-56
	SEARCH
	FETCH
	NOT(VCMPPS, 0x19, VANDPS)
	KEEP32

// func avxSearchMaxF64(n, width int, best *float64, where *int64, x *float64, step int, first int64)
TEXT ·avxSearchMaxF64(SB), NOSPLIT, $0-56
	SEARCH
	FETCH
	NOT(VCMPPD, 0x16, VANDPD)
	KEEP64

// func avxSearchMinF64(n, width int, best *float64, where *int64, x *float64, step int, first int64)
TEXT ·avxSearchMinF64(SB), NOSPLIT, $0-56
	SEARCH
	FETCH
	NOT(VCMPPD, 0x19, VANDPD)
	KEEP64
