#include "textflag.h"

// EXTREME folds n numbers, at least eight, with an instruction, four vectors at a time while they last; the last vector may
// take in what another did before. Y8 is all ones, which is NaN, where
// a lane has met NaN.
#define EXTREME(op) \
	MOVQ n+0(FP), CX; \
	MOVQ src+8(FP), SI; \
	LEAQ (SI)(CX*4), CX; \
	LEAQ -128(CX), R8; \
	LEAQ -32(CX), R9; \
	VMOVUPS (SI), Y0; \
	VMOVAPS Y0, Y1; \
	VMOVAPS Y0, Y2; \
	VMOVAPS Y0, Y3; \
	VXORPS Y8, Y8, Y8; \
	VXORPS Y9, Y9, Y9; \
	JMP test; \
wide: \
	VMOVUPS (SI), Y4; \
	VMOVUPS 32(SI), Y5; \
	VMOVUPS 64(SI), Y6; \
	VMOVUPS 96(SI), Y7; \
	VCMPPS $3, Y4, Y5, Y10; \
	VCMPPS $3, Y6, Y7, Y11; \
	VORPS Y10, Y8, Y8; \
	VORPS Y11, Y9, Y9; \
	op Y4, Y0, Y0; \
	op Y5, Y1, Y1; \
	op Y6, Y2, Y2; \
	op Y7, Y3, Y3; \
	ADDQ $128, SI; \
test: \
	CMPQ SI, R8; \
	JLE wide; \
	JMP more; \
tail: \
	VMOVUPS (SI), Y4; \
	VCMPPS $3, Y4, Y4, Y10; \
	VORPS Y10, Y8, Y8; \
	op Y4, Y0, Y0; \
	ADDQ $32, SI; \
more: \
	CMPQ SI, R9; \
	JLT tail; \
	VMOVUPS (R9), Y4; \
	VCMPPS $3, Y4, Y4, Y10; \
	VORPS Y10, Y8, Y8; \
	op Y4, Y0, Y0; \
	VORPS Y9, Y8, Y8; \
	VMOVMSKPS Y8, AX; \
	op Y2, Y0, Y0; \
	op Y3, Y1, Y1; \
	op Y1, Y0, Y0; \
	VEXTRACTF128 $1, Y0, X1; \
	op X1, X0, X0; \
	VPERMILPS $0x4e, X0, X1; \
	op X1, X0, X0; \
	VPERMILPS $0xb1, X0, X1; \
	op X1, X0, X0; \
	TESTL AX, AX; \
	JZ number; \
	VPCMPEQD X0, X0, X0; \
number: \
	VMOVSS X0, ret+16(FP); \
	VZEROUPPER; \
	RET

// func avxMaxOf(n int, src *float32) float32
TEXT ·avxMaxOf(SB), NOSPLIT, $0-20
	EXTREME(VMAXPS)

// func avxMinOf(n int, src *float32) float32
TEXT ·avxMinOf(SB), NOSPLIT, $0-20
	EXTREME(VMINPS)
