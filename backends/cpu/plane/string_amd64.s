#include "textflag.h"

// STRING copies the first of n bytes, 64 or more, up to where less than 32 are left, and gives how many. It writes to
// aligned places, past the first 32 bytes, and reads in halves, which costs nothing where they are near and a fortieth less
// time where they are far (Zen 4: less is asked for at once).
#define STRING(store) \
	MOVQ dst+0(FP), DI; \
	MOVQ src+8(FP), SI; \
	MOVQ n+16(FP), CX; \
	VMOVDQU (SI), Y0; \
	VMOVDQU Y0, (DI); \
	MOVQ DI, AX; \
	ANDQ $31, AX; \
	NEGQ AX; \
	ADDQ $32, AX; \
	SUBQ $31, CX; \
	PCALIGN $32; \
loop: \
	VMOVDQU (SI)(AX*1), X0; \
	VINSERTI128 $1, 16(SI)(AX*1), Y0, Y0; \
	store Y0, (DI)(AX*1); \
	ADDQ $32, AX; \
	CMPQ AX, CX; \
	JLT loop; \
	VZEROUPPER

// func avxString(dst, src *byte, n int) int
TEXT ·avxString(SB), NOSPLIT, $0-32
	STRING(VMOVDQA)
	MOVQ AX, ret+24(FP)
	RET

// func avxStringPast(dst, src *byte, n int) int
TEXT ·avxStringPast(SB), NOSPLIT, $0-32
	STRING(VMOVNTDQ)
	SFENCE
	MOVQ AX, ret+24(FP)
	RET
