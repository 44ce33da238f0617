#include "textflag.h"

// func moveString(dst, src *byte, n int) bool
TEXT ·moveString(SB), NOSPLIT, $0-25
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ DI, AX
	ORQ  SI, AX
	TESTQ $31, AX
	JNZ  askew
	CLD
	REP; MOVSB
	MOVB $1, ret+24(FP)
	RET
askew:
	MOVB $0, ret+24(FP)
	RET
