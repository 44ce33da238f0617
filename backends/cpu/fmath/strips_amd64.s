#include "textflag.h"
#include "loops_amd64.h"

// Sums of rows and of columns, in float64. Each takes its additions in the order of the portable loop.

// FOLD adds elements to eight sums, after a change.
#define FOLD(load, change) \
	MOVQ n+0(FP), CX; \
	MOVQ lanes+8(FP), DI; \
	MOVQ src+16(FP), SI; \
	VMOVUPD (DI), Y0; \
	VMOVUPD 32(DI), Y1; \
	LOOP; \
	load; \
	change; \
	GATHER; \
	AGAIN(8); \
	VMOVUPD Y0, (DI); \
	VMOVUPD Y1, 32(DI); \
	VZEROUPPER; \
	RET

#define SQUARES \
	VSUBPD Y8, Y2, Y2; \
	VSUBPD Y8, Y3, Y3; \
	VMULPD Y2, Y2, Y2; \
	VMULPD Y3, Y3, Y3

#define NOTHING

// SQUARESOF are those of the distances from numbers at R11.
#define SQUARESOF(load) \
	load; \
	VSUBPD (R11)(AX*8), Y2, Y2; \
	VSUBPD 32(R11)(AX*8), Y3, Y3; \
	VMULPD Y2, Y2, Y2; \
	VMULPD Y3, Y3, Y3

// ADDSUMS adds eight numbers to sums.
#define ADDSUMS \
	VADDPD (DI)(AX*8), Y2, Y2; \
	VADDPD 32(DI)(AX*8), Y3, Y3; \
	VMOVUPD Y2, (DI)(AX*8); \
	VMOVUPD Y3, 32(DI)(AX*8)

// LINES adds line after line to the sums that are its turn, DX of eight. In the first turn, lines from R14 on begin their
// sums, at 0 in Y15.
#define LINES(load, size) \
	MOVQ n+0(FP), CX; \
	MOVQ width+8(FP), R8; \
	MOVQ sums+16(FP), R9; \
	MOVQ pitch+24(FP), R10; \
	MOVQ x+32(FP), SI; \
	MOVQ step+40(FP), R12; \
	MOVQ used+48(FP), R14; \
	IMULQ $size, R12; \
	MOVQ $8, BX; \
	XORQ DX, DX; \
	VXORPD Y15, Y15, Y15; \
	MOVQ R9, DI; \
line: \
	XORQ AX, AX; \
	CMPQ DX, R14; \
	JGE fresh; \
columns: \
	load; \
	ADDSUMS; \
	ADDQ $8, AX; \
	CMPQ AX, R8; \
	JLT columns; \
next: \
	ADDQ R12, SI; \
	ADDQ R10, DI; \
	INCQ DX; \
	ANDQ $7, DX; \
	CMOVQEQ R9, DI; \
	CMOVQEQ BX, R14; \
	DECQ CX; \
	JNZ line; \
	VZEROUPPER; \
	RET; \
fresh: \
	load; \
	VADDPD Y15, Y2, Y2; \
	VADDPD Y15, Y3, Y3; \
	VMOVUPD Y2, (DI)(AX*8); \
	VMOVUPD Y3, 32(DI)(AX*8); \
	ADDQ $8, AX; \
	CMPQ AX, R8; \
	JLT fresh; \
	JMP next

#define DIVISION(op) \
	ONE; \
	VBROADCASTSD by+24(FP), Y1; \
	LOOP; \
	VMOVUPD (SI)(AX*8), Y0; \
	op Y1, Y0, Y0

#define WHOLE \
	VMOVUPD Y0, (DI)(AX*8); \
	END(4)

#define NARROW \
	VCVTPD2PSY Y0, X0; \
	VMOVUPS X0, (DI)(AX*4); \
	END(4)

// FOUR sums four lines of elements of size bytes, or two if c is nil. Lanes begin with 0, so that the sum of -0 is 0.
#define FOUR(load, size) \
	MOVQ n+0(FP), CX; \
	MOVQ sums+8(FP), DI; \
	MOVQ a+16(FP), R8; \
	MOVQ b+24(FP), R9; \
	MOVQ c+32(FP), R10; \
	MOVQ d+40(FP), R11; \
	VXORPD Y15, Y15, Y15; \
	TESTQ R10, R10; \
	JZ two; \
	LOOP; \
	load((R8)(AX*size), Y0); \
	load((R9)(AX*size), Y1); \
	load((R10)(AX*size), Y2); \
	load((R11)(AX*size), Y3); \
	VADDPD Y2, Y0, Y0; \
	VADDPD Y3, Y1, Y1; \
	VADDPD Y1, Y0, Y0; \
	VADDPD Y15, Y0, Y0; \
	VMOVUPD Y0, (DI)(AX*8); \
	END(4); \
two: \
	XORQ AX, AX; \
	PCALIGN $32; \
pair: \
	load((R8)(AX*size), Y0); \
	load((R9)(AX*size), Y1); \
	VADDPD Y1, Y0, Y0; \
	VADDPD Y15, Y0, Y0; \
	VMOVUPD Y0, (DI)(AX*8); \
	ADDQ $4, AX; \
	CMPQ AX, CX; \
	JLT pair; \
	VZEROUPPER; \
	RET

// func avxSum(n int, lanes *[8]float64, src *float32)
TEXT ·avxSum(SB), NOSPLIT, $0-24
	FOLD(SINGLE, NOTHING)

// func avxSpread(n int, lanes *[8]float64, src *float32, mean float64)
TEXT ·avxSpread(SB), NOSPLIT, $0-32
	VBROADCASTSD mean+24(FP), Y8
	FOLD(SINGLE, SQUARES)

// func avxAccumulate(n int, sums *float64, src *float32)
TEXT ·avxAccumulate(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ sums+8(FP), DI
	MOVQ src+16(FP), SI
	LOOP
	SINGLE
	ADDSUMS
	END(8)

// func avxSumHalf(n int, lanes *[8]float64, src *uint16)
TEXT ·avxSumHalf(SB), NOSPLIT, $0-24
	FOLD(HALF, NOTHING)

// func avxSumBrain(n int, lanes *[8]float64, src *uint16)
TEXT ·avxSumBrain(SB), NOSPLIT, $0-24
	FOLD(BRAIN, NOTHING)

// func avxAccumulateLines(n, width int, sums *float64, pitch int, x *float32, step, used int)
TEXT ·avxAccumulateLines(SB), NOSPLIT, $0-56
	LINES(SINGLE, 4)

// func avxSumFourSingle(n int, sums *float64, a, b, c, d *float32)
TEXT ·avxSumFourSingle(SB), NOSPLIT, $0-48
	FOUR(SINGLE4, 4)

// func avxAccumulateHalfLines(n, width int, sums *float64, pitch int, x *uint16, step, used int)
TEXT ·avxAccumulateHalfLines(SB), NOSPLIT, $0-56
	LINES(HALF, 2)

// func avxSumFourHalf(n int, sums *float64, a, b, c, d *uint16)
TEXT ·avxSumFourHalf(SB), NOSPLIT, $0-48
	FOUR(HALF4, 2)

// func avxAccumulateBrainLines(n, width int, sums *float64, pitch int, x *uint16, step, used int)
TEXT ·avxAccumulateBrainLines(SB), NOSPLIT, $0-56
	LINES(BRAIN, 2)

// func avxSumFourBrain(n int, sums *float64, a, b, c, d *uint16)
TEXT ·avxSumFourBrain(SB), NOSPLIT, $0-48
	FOUR(BRAIN4, 2)

// func avxAccumulateDoubleLines(n, width int, sums *float64, pitch int, x *float64, step, used int)
TEXT ·avxAccumulateDoubleLines(SB), NOSPLIT, $0-56
	LINES(DOUBLE, 8)

// func avxSpreadLines(n, width int, sums *float64, pitch int, x *float32, step, used int, means *float64)
TEXT ·avxSpreadLines(SB), NOSPLIT, $0-64
	MOVQ means+56(FP), R11
	LINES(SQUARESOF(SINGLE), 4)

// func avxSpreadDoubleLines(n, width int, sums *float64, pitch int, x *float64, step, used int, means *float64)
TEXT ·avxSpreadDoubleLines(SB), NOSPLIT, $0-64
	MOVQ means+56(FP), R11
	LINES(SQUARESOF(DOUBLE), 8)

// func avxSumFourDouble(n int, sums *float64, a, b, c, d *float64)
TEXT ·avxSumFourDouble(SB), NOSPLIT, $0-48
	FOUR(DOUBLE4, 8)

// func avxScale(n int, dst, src *float64, by float64)
TEXT ·avxScale(SB), NOSPLIT, $0-32
	DIVISION(VMULPD)
	WHOLE

// func avxDivide(n int, dst, src *float64, by float64)
TEXT ·avxDivide(SB), NOSPLIT, $0-32
	DIVISION(VDIVPD)
	WHOLE

// func avxScaleNarrow(n int, dst *float32, src *float64, by float64)
TEXT ·avxScaleNarrow(SB), NOSPLIT, $0-32
	DIVISION(VMULPD)
	NARROW

// func avxDivideNarrow(n int, dst *float32, src *float64, by float64)
TEXT ·avxDivideNarrow(SB), NOSPLIT, $0-32
	DIVISION(VDIVPD)
	NARROW
