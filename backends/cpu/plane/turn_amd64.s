#include "textflag.h"

// Each function makes columns of lines rows of width elements, which begin dj apart: column x goes to dst + x·di. It does
// blocks of 8 rows, or 4 of 64 bits, and 4 columns; the last columns are done again with those before them, if they are
// not four. Of rows of less than four elements, what follows is read as well but not written.
//
// TURN loops over blocks: fetch leaves columns of (R12), R12 + R8, … and of R13 = R12 + 4·R8, … in four registers, which
// put writes. R10 and R11 are 3·dj and 3·di, R15 is where the last block of a row begins.
#define TURN(size, shift, side, fetch, put, r0, r1, r2, r3) \
	MOVQ dst+0(FP), DI; \
	MOVQ src+8(FP), SI; \
	MOVQ di+16(FP), R9; \
	MOVQ dj+24(FP), R8; \
	MOVQ lines+32(FP), CX; \
	MOVQ width+40(FP), R15; \
	LEAQ (R8)(R8*2), R10; \
	LEAQ (R9)(R9*2), R11; \
	SHLQ $shift, R15; \
	SUBQ $(4*size), R15; \
rows: \
	XORQ AX, AX; \
	MOVQ DI, BX; \
columns: \
	LEAQ (SI)(AX*1), R12; \
	LEAQ (R12)(R8*4), R13; \
	fetch; \
	put r0, (BX); \
	CMPQ R15, $(-3*size); \
	JEQ next; \
	put r1, (BX)(R9*1); \
	CMPQ R15, $(-2*size); \
	JEQ next; \
	put r2, (BX)(R9*2); \
	TESTQ R15, R15; \
	JLT next; \
	put r3, (BX)(R11*1); \
	CMPQ AX, R15; \
	JGE next; \
	LEAQ (BX)(R9*4), BX; \
	ADDQ $(4*size), AX; \
	CMPQ AX, R15; \
	JLE columns; \
	MOVQ AX, DX; \
	SUBQ R15, DX; \
	IMULQ R9, DX; \
	SARQ $shift, DX; \
	SUBQ DX, BX; \
	MOVQ R15, AX; \
	JMP columns; \
next: \
	LEAQ (SI)(R8*side), SI; \
	ADDQ $(side*size), DI; \
	SUBQ $side, CX; \
	JNZ rows; \
	VZEROUPPER; \
	RET

#define FETCH8 \
	VMOVD (R12), X0; \
	VPINSRD $1, (R12)(R8*1), X0, X0; \
	VPINSRD $2, (R12)(R8*2), X0, X0; \
	VPINSRD $3, (R12)(R10*1), X0, X0; \
	VMOVD (R13), X1; \
	VPINSRD $1, (R13)(R8*1), X1, X1; \
	VPINSRD $2, (R13)(R8*2), X1, X1; \
	VPINSRD $3, (R13)(R10*1), X1, X1; \
	VPSHUFB X15, X0, X0; \
	VPSHUFB X15, X1, X1; \
	VPUNPCKHDQ X1, X0, X2; \
	VPUNPCKLDQ X1, X0, X0; \
	VPSRLDQ $8, X0, X1; \
	VPSRLDQ $8, X2, X3

#define FETCH16 \
	VMOVQ (R12), X0; \
	VPINSRQ $1, (R12)(R8*1), X0, X0; \
	VMOVQ (R12)(R8*2), X1; \
	VPINSRQ $1, (R12)(R10*1), X1, X1; \
	VMOVQ (R13), X2; \
	VPINSRQ $1, (R13)(R8*1), X2, X2; \
	VMOVQ (R13)(R8*2), X3; \
	VPINSRQ $1, (R13)(R10*1), X3, X3; \
	VPSHUFB X15, X0, X0; \
	VPSHUFB X15, X1, X1; \
	VPSHUFB X15, X2, X2; \
	VPSHUFB X15, X3, X3; \
	VPUNPCKLDQ X1, X0, X4; \
	VPUNPCKHDQ X1, X0, X5; \
	VPUNPCKLDQ X3, X2, X6; \
	VPUNPCKHDQ X3, X2, X7; \
	VPUNPCKLQDQ X6, X4, X0; \
	VPUNPCKHQDQ X6, X4, X1; \
	VPUNPCKLQDQ X7, X5, X2; \
	VPUNPCKHQDQ X7, X5, X3

#define FETCH32 \
	VMOVUPS (R12), X0; \
	VMOVUPS (R12)(R8*1), X1; \
	VMOVUPS (R12)(R8*2), X2; \
	VMOVUPS (R12)(R10*1), X3; \
	VINSERTF128 $1, (R13), Y0, Y0; \
	VINSERTF128 $1, (R13)(R8*1), Y1, Y1; \
	VINSERTF128 $1, (R13)(R8*2), Y2, Y2; \
	VINSERTF128 $1, (R13)(R10*1), Y3, Y3; \
	VUNPCKLPS Y1, Y0, Y4; \
	VUNPCKHPS Y1, Y0, Y5; \
	VUNPCKLPS Y3, Y2, Y6; \
	VUNPCKHPS Y3, Y2, Y7; \
	VUNPCKLPD Y6, Y4, Y0; \
	VUNPCKHPD Y6, Y4, Y1; \
	VUNPCKLPD Y7, Y5, Y2; \
	VUNPCKHPD Y7, Y5, Y3

#define FETCH64 \
	VMOVUPD (R12), X0; \
	VMOVUPD (R12)(R8*1), X1; \
	VMOVUPD 16(R12), X2; \
	VMOVUPD 16(R12)(R8*1), X3; \
	VINSERTF128 $1, (R12)(R8*2), Y0, Y0; \
	VINSERTF128 $1, (R12)(R10*1), Y1, Y1; \
	VINSERTF128 $1, 16(R12)(R8*2), Y2, Y2; \
	VINSERTF128 $1, 16(R12)(R10*1), Y3, Y3; \
	VUNPCKHPD Y1, Y0, Y4; \
	VUNPCKLPD Y1, Y0, Y0; \
	VUNPCKHPD Y3, Y2, Y5; \
	VUNPCKLPD Y3, Y2, Y2

DATA octets<>+0(SB)/8, $0x0d0905010c080400
DATA octets<>+8(SB)/8, $0x0f0b07030e0a0602
GLOBL octets<>(SB), RODATA|NOPTR, $16

DATA words<>+0(SB)/8, $0x0b0a030209080100
DATA words<>+8(SB)/8, $0x0f0e07060d0c0504
GLOBL words<>(SB), RODATA|NOPTR, $16

// func avxTurn8(dst, src *byte, di, dj, lines, width int)
TEXT ·avxTurn8(SB), NOSPLIT, $0-48
	VMOVDQU octets<>(SB), X15
	TURN(1, 0, 8, FETCH8, VMOVQ, X0, X1, X2, X3)

// func avxTurn16(dst, src *byte, di, dj, lines, width int)
TEXT ·avxTurn16(SB), NOSPLIT, $0-48
	VMOVDQU words<>(SB), X15
	TURN(2, 1, 8, FETCH16, VMOVDQU, X0, X1, X2, X3)

// func avxTurn32(dst, src *byte, di, dj, lines, width int)
TEXT ·avxTurn32(SB), NOSPLIT, $0-48
	TURN(4, 2, 8, FETCH32, VMOVUPS, Y0, Y1, Y2, Y3)

// func avxTurn64(dst, src *byte, di, dj, lines, width int)
TEXT ·avxTurn64(SB), NOSPLIT, $0-48
	TURN(8, 3, 4, FETCH64, VMOVUPD, Y0, Y4, Y2, Y5)
