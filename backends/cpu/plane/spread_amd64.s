#include "textflag.h"

// Each function writes rows of n bytes, one behind the other, of one element each, which lie dj bytes apart. It fills up
// the last vector of a row, over what comes next.
#define SPREAD(broadcast) \
	MOVQ dst+0(FP), DI; \
	MOVQ src+8(FP), SI; \
	MOVQ dj+16(FP), BX; \
	MOVQ n+24(FP), DX; \
	MOVQ rows+32(FP), CX; \
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

// func avxSpread8(dst, src *byte, dj, n, rows int)
TEXT ·avxSpread8(SB), NOSPLIT, $0-40
	SPREAD(VPBROADCASTB)

// func avxSpread16(dst, src *byte, dj, n, rows int)
TEXT ·avxSpread16(SB), NOSPLIT, $0-40
	SPREAD(VPBROADCASTW)

// func avxSpread32(dst, src *byte, dj, n, rows int)
TEXT ·avxSpread32(SB), NOSPLIT, $0-40
	SPREAD(VPBROADCASTD)

// func avxSpread64(dst, src *byte, dj, n, rows int)
TEXT ·avxSpread64(SB), NOSPLIT, $0-40
	SPREAD(VPBROADCASTQ)

// func avxSpread128(dst, src *byte, dj, n, rows int)
TEXT ·avxSpread128(SB), NOSPLIT, $0-40
	SPREAD(VBROADCASTI128)
