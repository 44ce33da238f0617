#include "textflag.h"
#include "loops_amd64.h"

// Bytes are shifted in 32 bits each, by counts without a sign: large ones leave nothing, or the sign.

// EIGHT shifts the eight bytes at an offset and leaves the low byte of each result.
#define EIGHT(widen, op, at, y) \
	widen at(SI)(AX*1), y; \
	VPMOVZXBD at(DX)(AX*1), Y4; \
	op Y4, y, y; \
	VPAND Y14, y, y

#define SHIFT8(widen, op) \
	ARGUMENTS; \
	VPCMPEQD Y14, Y14, Y14; \
	VPSRLD $24, Y14, Y14; \
	VMOVDQU woven<>(SB), Y13; \
	BEGIN; \
	EIGHT(widen, op, 0, Y0); \
	EIGHT(widen, op, 8, Y1); \
	EIGHT(widen, op, 16, Y2); \
	EIGHT(widen, op, 24, Y3); \
	VPACKUSDW Y1, Y0, Y0; \
	VPACKUSDW Y3, Y2, Y2; \
	VPACKUSWB Y2, Y0, Y0; \
	VPERMD Y0, Y13, Y0; \
	END

WOVEN(woven)

// func avxShiftLeft8(n int, dst, a, b *byte)
TEXT ·avxShiftLeft8(SB), NOSPLIT, $0-32
	SHIFT8(VPMOVZXBD, VPSLLVD)

// func avxShiftRightU8(n int, dst, a, b *byte)
TEXT ·avxShiftRightU8(SB), NOSPLIT, $0-32
	SHIFT8(VPMOVZXBD, VPSRLVD)

// func avxShiftRightI8(n int, dst, a, b *byte)
TEXT ·avxShiftRightI8(SB), NOSPLIT, $0-32
	SHIFT8(VPMOVSXBD, VPSRAVD)
