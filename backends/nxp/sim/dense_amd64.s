#include "textflag.h"

// TIMES multiplies sixteen alternating int16, two source bytes, with 16
// channels' weights in Y8 and Y9.
#define TIMES(lo, hi) \
	VPMADDWD Y8, Y10, Y11; \
	VPADDD   Y11, lo, lo;  \
	VPMADDWD Y9, Y10, Y12; \
	VPADDD   Y12, hi, hi

// One pair of taps of one position.
#define POSITION(in, lo, hi) \
	VPBROADCASTW (in)(BX*1), X10; \
	VPMOVSXBW    X10, Y10;        \
	TIMES(lo, hi)

// The last tap alone; the other half of its weights is 0.
#define LAST(in, lo, hi) \
	MOVBQSX      (in)(BX*1), AX; \
	MOVQ         AX, X10;        \
	VPBROADCASTW X10, Y10;       \
	TIMES(lo, hi)

// func dot4x16(acc *[4][16]int32, in *byte, step int, weights *int16, taps int)
TEXT ·dot4x16(SB), NOSPLIT, $0-40
	MOVQ acc+0(FP), DI
	MOVQ in+8(FP), SI
	MOVQ step+16(FP), R8
	MOVQ weights+24(FP), DX
	MOVQ taps+32(FP), CX
	LEAQ (SI)(R8*1), R9
	LEAQ (SI)(R8*2), R10
	LEAQ (R9)(R8*2), R11
	XORQ BX, BX

	VMOVDQU 0(DI), Y0
	VMOVDQU 32(DI), Y1
	VMOVDQU 64(DI), Y2
	VMOVDQU 96(DI), Y3
	VMOVDQU 128(DI), Y4
	VMOVDQU 160(DI), Y5
	VMOVDQU 192(DI), Y6
	VMOVDQU 224(DI), Y7

	SUBQ $2, CX
	JL   odd

loop:
	VMOVDQU (DX), Y8
	VMOVDQU 32(DX), Y9
	POSITION(SI, Y0, Y1)
	POSITION(R9, Y2, Y3)
	POSITION(R10, Y4, Y5)
	POSITION(R11, Y6, Y7)
	ADDQ $2, BX
	ADDQ $64, DX
	SUBQ $2, CX
	JGE  loop

odd:
	ADDQ $2, CX
	JZ   done
	VMOVDQU (DX), Y8
	VMOVDQU 32(DX), Y9
	LAST(SI, Y0, Y1)
	LAST(R9, Y2, Y3)
	LAST(R10, Y4, Y5)
	LAST(R11, Y6, Y7)

done:
	VMOVDQU Y0, 0(DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	VMOVDQU Y4, 128(DI)
	VMOVDQU Y5, 160(DI)
	VMOVDQU Y6, 192(DI)
	VMOVDQU Y7, 224(DI)
	VZEROUPPER
	RET
