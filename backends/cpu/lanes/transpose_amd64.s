#include "textflag.h"

// The mask of w elements begins 4·w bytes before the end of the ones, which are sixteen bytes.
DATA masks<>+0(SB)/8, $0xffffffffffffffff
DATA masks<>+8(SB)/8, $0xffffffffffffffff
DATA masks<>+16(SB)/8, $0
DATA masks<>+24(SB)/8, $0
GLOBL masks<>(SB), RODATA|NOPTR, $32

// TURN makes columns of four rows, of two times four elements each, in Y0 to Y3.
#define TURN \
	VUNPCKLPS Y1, Y0, Y4; \
	VUNPCKHPS Y1, Y0, Y5; \
	VUNPCKLPS Y3, Y2, Y6; \
	VUNPCKHPS Y3, Y2, Y7; \
	VUNPCKLPD Y6, Y4, Y0; \
	VUNPCKHPD Y6, Y4, Y1; \
	VUNPCKLPD Y7, Y5, Y2; \
	VUNPCKHPD Y7, Y5, Y3

DATA words<>+0(SB)/8, $0x0b0a030209080100
DATA words<>+8(SB)/8, $0x0f0e07060d0c0504
GLOBL words<>(SB), RODATA|NOPTR, $16

DATA octets<>+0(SB)/8, $0x0d0905010c080400
DATA octets<>+8(SB)/8, $0x0f0b07030e0a0602
GLOBL octets<>(SB), RODATA|NOPTR, $16

// NARROW turns elements of less than 32 bits, eight rows and four columns at a time: fetch leaves the columns in X0 to X3,
// and put writes column x. Of rows of less than four elements, what follows is read as well but not written.
#define NARROW(size, fetch, put) \
	MOVQ rows+0(FP), CX; \
	MOVQ dst+16(FP), DI; \
	MOVQ src+24(FP), SI; \
	MOVQ from+32(FP), R8; \
	MOVQ to+40(FP), R9; \
	LEAQ (R8)(R8*2), R10; \
	LEAQ (R9)(R9*2), R11; \
	MOVQ width+8(FP), R15; \
	IMULQ $size, R15; \
	SUBQ $(4*size), R15; \
rows: \
	XORQ AX, AX; \
	MOVQ DI, BX; \
columns: \
	LEAQ (SI)(AX*1), R12; \
	LEAQ (R12)(R8*4), R13; \
	fetch; \
	put(X0, (BX)); \
	CMPQ R15, $(-3*size); \
	JEQ next; \
	put(X1, (BX)(R9*1)); \
	CMPQ R15, $(-2*size); \
	JEQ next; \
	put(X2, (BX)(R9*2)); \
	TESTQ R15, R15; \
	JLT next; \
	put(X3, (BX)(R11*1)); \
	CMPQ AX, R15; \
	JGE next; \
	LEAQ (BX)(R9*4), BX; \
	ADDQ $(4*size), AX; \
	CMPQ AX, R15; \
	JLE columns; \
	MOVQ AX, R13; \
	SUBQ R15, R13; \
	SHRQ $(size-1), R13; \
	IMULQ R9, R13; \
	SUBQ R13, BX; \
	MOVQ R15, AX; \
	JMP columns; \
next: \
	LEAQ (SI)(R8*8), SI; \
	ADDQ $(8*size), DI; \
	SUBQ $8, CX; \
	JNZ rows; \
	RET

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

#define PUT16(x, to) VMOVDQU x, to

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

#define PUT8(x, to) VMOVQ x, to

// Blocks of eight rows and four columns; the last columns of a row are done again with those before them, if they are not
// four.

// func avxTranspose32(rows, width int, dst, src *uint32, from, to int)
TEXT ·avxTranspose32(SB), NOSPLIT, $0-48
	MOVQ rows+0(FP), CX
	MOVQ dst+16(FP), DI
	MOVQ src+24(FP), SI
	MOVQ from+32(FP), R8
	MOVQ to+40(FP), R9
	LEAQ (R8)(R8*2), R10        // three rows
	LEAQ (R9)(R9*2), R11        // three lines
	MOVQ width+8(FP), R15
	SHLQ $2, R15
	SUBQ $16, R15               // where the last block of a row begins
	JLT narrow
rows:
	XORQ AX, AX                 // bytes into the row
	MOVQ DI, BX                 // where the column goes
columns:
	LEAQ (SI)(AX*1), R12
	LEAQ (R12)(R8*4), R13
	VMOVUPS (R12), X0
	VMOVUPS (R12)(R8*1), X1
	VMOVUPS (R12)(R8*2), X2
	VMOVUPS (R12)(R10*1), X3
	VINSERTF128 $1, (R13), Y0, Y0
	VINSERTF128 $1, (R13)(R8*1), Y1, Y1
	VINSERTF128 $1, (R13)(R8*2), Y2, Y2
	VINSERTF128 $1, (R13)(R10*1), Y3, Y3
	TURN
	VMOVUPS Y0, (BX)
	VMOVUPS Y1, (BX)(R9*1)
	VMOVUPS Y2, (BX)(R9*2)
	VMOVUPS Y3, (BX)(R11*1)
	CMPQ AX, R15
	JGE next
	LEAQ (BX)(R9*4), BX
	ADDQ $16, AX
	CMPQ AX, R15
	JLE columns
	MOVQ AX, R13                // fewer than four columns are left: go back by what they lack
	SUBQ R15, R13
	SHRQ $2, R13
	IMULQ R9, R13
	SUBQ R13, BX
	MOVQ R15, AX
	JMP columns
next:
	LEAQ (SI)(R8*8), SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ rows
	VZEROUPPER
	RET
narrow:                             // less than four columns
	LEAQ masks<>(SB), R12
	SUBQ R15, R12
	VMOVUPS (R12), X12
narrowrows:
	LEAQ (SI)(R8*4), R13
	VMASKMOVPS (SI), X12, X0
	VMASKMOVPS (SI)(R8*1), X12, X1
	VMASKMOVPS (SI)(R8*2), X12, X2
	VMASKMOVPS (SI)(R10*1), X12, X3
	VMASKMOVPS (R13), X12, X4
	VMASKMOVPS (R13)(R8*1), X12, X5
	VMASKMOVPS (R13)(R8*2), X12, X6
	VMASKMOVPS (R13)(R10*1), X12, X7
	VINSERTF128 $1, X4, Y0, Y0
	VINSERTF128 $1, X5, Y1, Y1
	VINSERTF128 $1, X6, Y2, Y2
	VINSERTF128 $1, X7, Y3, Y3
	TURN
	VMOVUPS Y0, (DI)
	CMPQ R15, $-12
	JEQ narrownext
	VMOVUPS Y1, (DI)(R9*1)
	CMPQ R15, $-8
	JEQ narrownext
	VMOVUPS Y2, (DI)(R9*2)
narrownext:
	LEAQ (SI)(R8*8), SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ narrowrows
	VZEROUPPER
	RET

// func avxTranspose64(rows, width int, dst, src *uint64, from, to int)
TEXT ·avxTranspose64(SB), NOSPLIT, $0-48
	MOVQ rows+0(FP), CX
	MOVQ dst+16(FP), DI
	MOVQ src+24(FP), SI
	MOVQ from+32(FP), R8
	MOVQ to+40(FP), R9
	LEAQ (R8)(R8*2), R10
	MOVQ width+8(FP), R15
	SHLQ $3, R15
	SUBQ $16, R15
rows:
	XORQ AX, AX
	MOVQ DI, BX
columns:
	LEAQ (SI)(AX*1), R12
	VMOVUPD (R12), X0
	VMOVUPD (R12)(R8*1), X1
	VINSERTF128 $1, (R12)(R8*2), Y0, Y0
	VINSERTF128 $1, (R12)(R10*1), Y1, Y1
	VUNPCKLPD Y1, Y0, Y2
	VUNPCKHPD Y1, Y0, Y3
	VMOVUPD Y2, (BX)
	VMOVUPD Y3, (BX)(R9*1)
	CMPQ AX, R15
	JGE next
	LEAQ (BX)(R9*2), BX
	ADDQ $16, AX
	CMPQ AX, R15
	JLE columns
	SUBQ R9, BX
	MOVQ R15, AX
	JMP columns
next:
	LEAQ (SI)(R8*4), SI
	ADDQ $32, DI
	SUBQ $4, CX
	JNZ rows
	VZEROUPPER
	RET

// func avxTranspose16(rows, width int, dst, src *uint16, from, to int)
TEXT ·avxTranspose16(SB), NOSPLIT, $0-48
	VMOVDQU words<>(SB), X15
	NARROW(2, FETCH16, PUT16)

// func avxTranspose8(rows, width int, dst, src *uint8, from, to int)
TEXT ·avxTranspose8(SB), NOSPLIT, $0-48
	VMOVDQU octets<>(SB), X15
	NARROW(1, FETCH8, PUT8)
