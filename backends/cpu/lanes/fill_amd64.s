#include "textflag.h"

// func avxFill(n int, dst *byte, pattern uint64)
TEXT ·avxFill(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	VPBROADCASTQ pattern+16(FP), Y0
loop:
	VMOVDQU Y0, (DI)
	ADDQ $32, DI
	SUBQ $32, CX
	JNZ loop
	VZEROUPPER
	RET
