#include "textflag.h"

// Each function writes rows of n bytes, one behind the other, of one element each, which lie dj bytes apart. It fills up
// the last vector of a short row, over what comes next. The vectors of long rows are aligned where rows lie at multiples of
// 16 bytes, and the last one ends with the row.
#define SPREAD(broadcast) \
	MOVQ dst+0(FP), DI; \
	MOVQ src+8(FP), SI; \
	MOVQ dj+16(FP), BX; \
	MOVQ n+24(FP), DX; \
	MOVQ rows+32(FP), CX; \
	LEAQ -32(DX), R8; \
	CMPQ DX, $256; \
	JAE long; \
	PCALIGN $64; \
row: \
	broadcast (SI), Y0; \
	XORQ AX, AX; \
fill: \
	VMOVDQU Y0, (DI)(AX*1); \
	ADDQ $32, AX; \
	CMPQ AX, DX; \
	JLT fill; \
	NEXT(row); \
long: \
	broadcast (SI), Y0; \
	VMOVDQU X0, (DI); \
	MOVQ DI, AX; \
	ANDQ $16, AX; \
	PCALIGN $32; \
along: \
	VMOVDQU Y0, (DI)(AX*1); \
	ADDQ $32, AX; \
	CMPQ AX, R8; \
	JLT along; \
	VMOVDQU Y0, (DI)(R8*1); \
	NEXT(long)

// NEXT goes on with the next row, or returns.
#define NEXT(row) \
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
