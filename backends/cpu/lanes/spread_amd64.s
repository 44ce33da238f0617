#include "textflag.h"

// Each function writes rows of n bytes, each of one element, from src on in steps of stride bytes; it fills up the last
// vector of a row, over what comes next.

#define SPREAD(broadcast) \
	MOVQ rows+0(FP), CX; \
	MOVQ n+8(FP), DX; \
	MOVQ dst+16(FP), DI; \
	MOVQ src+24(FP), SI; \
	MOVQ stride+32(FP), BX; \
row: \
	broadcast (SI), Y0; \
	XORQ AX, AX; \
fill: \
	VMOVDQU Y0, (DI)(AX*1); \
	ADDQ $32, AX; \
	CMPQ AX, DX; \
	JLT fill; \
	ADDQ DX, DI; \
	ADDQ BX, SI; \
	DECQ CX; \
	JNZ row; \
	VZEROUPPER; \
	RET

// func avxSpread8(rows, n int, dst, src *byte, stride int)
TEXT ·avxSpread8(SB), NOSPLIT, $0-40
	SPREAD(VPBROADCASTB)

// func avxSpread16(rows, n int, dst, src *byte, stride int)
TEXT ·avxSpread16(SB), NOSPLIT, $0-40
	SPREAD(VPBROADCASTW)

// func avxSpread32(rows, n int, dst, src *byte, stride int)
TEXT ·avxSpread32(SB), NOSPLIT, $0-40
	SPREAD(VPBROADCASTD)

// func avxSpread64(rows, n int, dst, src *byte, stride int)
TEXT ·avxSpread64(SB), NOSPLIT, $0-40
	SPREAD(VPBROADCASTQ)
