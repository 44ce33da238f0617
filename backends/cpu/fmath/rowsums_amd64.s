#include "textflag.h"
#include "loops_amd64.h"

// Masks of w numbers begin 4·w, or 8·w, bytes before the end of the ones.
DATA masks<>+0(SB)/8, $0xffffffffffffffff
DATA masks<>+8(SB)/8, $0xffffffffffffffff
DATA masks<>+16(SB)/8, $0xffffffffffffffff
DATA masks<>+24(SB)/8, $0xffffffffffffffff
DATA masks<>+32(SB)/8, $0xffffffffffffffff
DATA masks<>+40(SB)/8, $0xffffffffffffffff
DATA masks<>+48(SB)/8, $0xffffffffffffffff
DATA masks<>+56(SB)/8, $0xffffffffffffffff
GLOBL masks<>(SB), RODATA|NOPTR, $128

// These bytes from w on move a vector w bytes down, and fill up with 0.
DATA down<>+0(SB)/8, $0x0706050403020100
DATA down<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA down<>+16(SB)/8, $0x8080808080808080
DATA down<>+24(SB)/8, $0x8080808080808080
GLOBL down<>(SB), RODATA|NOPTR, $32

// ROWARGUMENTS fetches the arguments for elements of size bytes: R8 elements of a row in whole vectors and R10 that are left.
#define ROWARGUMENTS(size) \
	MOVQ rows+0(FP), CX; \
	MOVQ n+8(FP), R8; \
	MOVQ sums+16(FP), DI; \
	MOVQ x+24(FP), SI; \
	MOVQ next+32(FP), R9; \
	IMULQ $size, R9; \
	MOVQ R8, R10; \
	ANDQ $7, R10; \
	SUBQ R10, R8

// MASK is where the mask begins of the elements that are left, in a table.
#define MASK(ones, size) \
	MOVQ R10, R11; \
	IMULQ $-size, R11; \
	LEAQ ones, R12; \
	ADDQ R12, R11

// ROWS sums the rows: whole vectors, then, if any is left, the rest as tail leaves it in Y2 and Y3. What is added beyond
// the end of a row is 0.
#define ROWS(load, tail) \
row: \
	VXORPD Y0, Y0, Y0; \
	VXORPD Y1, Y1, Y1; \
	XORQ AX, AX; \
	JMP test; \
loop: \
	load; \
	GATHER; \
	ADDQ $8, AX; \
test: \
	CMPQ AX, R8; \
	JLT loop; \
	TESTQ R10, R10; \
	JZ tree; \
	tail; \
	GATHER; \
tree: \
	TREE; \
	VMOVSD X0, (DI); \
	ADDQ $8, DI; \
	ADDQ R9, SI; \
	DECQ CX; \
	JNZ row; \
	VZEROUPPER; \
	RET

#define TAILSINGLE \
	VMASKMOVPS (SI)(AX*4), Y14, Y4; \
	WIDE

#define TAILDOUBLE \
	VMASKMOVPD (SI)(AX*8), Y13, Y2; \
	VMASKMOVPD 32(SI)(AX*8), Y14, Y3

// The last eight of a row, less those that were summed.
#define LASTEIGHT \
	ADDQ R10, AX; \
	VMOVDQU -16(SI)(AX*2), X4; \
	VPSHUFB X14, X4, X4

#define TAILHALF \
	LASTEIGHT; \
	VCVTPH2PS X4, Y4; \
	WIDE

#define TAILBRAIN \
	LASTEIGHT; \
	VPMOVZXWD X4, Y4; \
	VPSLLD $16, Y4, Y4; \
	WIDE

// func avxSumRows(rows, n int, sums *float64, x *float32, next int)
TEXT ·avxSumRows(SB), NOSPLIT, $0-40
	ROWARGUMENTS(4)
	MASK(masks<>+64(SB), 4)
	VMOVUPS (R11), Y14
	ROWS(SINGLE, TAILSINGLE)

// func avxSumHalfRows(rows, n int, sums *float64, x *uint16, next int)
TEXT ·avxSumHalfRows(SB), NOSPLIT, $0-40
	ROWARGUMENTS(2)
	MASK(down<>+16(SB), 2)
	VMOVDQU (R11), X14
	ROWS(HALF, TAILHALF)

// func avxSumBrainRows(rows, n int, sums *float64, x *uint16, next int)
TEXT ·avxSumBrainRows(SB), NOSPLIT, $0-40
	ROWARGUMENTS(2)
	MASK(down<>+16(SB), 2)
	VMOVDQU (R11), X14
	ROWS(BRAIN, TAILBRAIN)

// func avxSumDoubleRows(rows, n int, sums *float64, x *float64, next int)
TEXT ·avxSumDoubleRows(SB), NOSPLIT, $0-40
	ROWARGUMENTS(8)
	MASK(masks<>+64(SB), 8)
	VMOVUPD (R11), Y13
	VMOVUPD 32(R11), Y14
	ROWS(DOUBLE, TAILDOUBLE)

// func avxJoinLanes(n int, sums *float64, pitch int)
TEXT ·avxJoinLanes(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ sums+8(FP), DI
	MOVQ pitch+16(FP), R8
	LEAQ (R8)(R8*2), R9
	LEAQ (DI)(R8*4), SI
loop:
	VMOVUPD (DI), Y0
	VMOVUPD (DI)(R8*1), Y1
	VMOVUPD (DI)(R8*2), Y2
	VMOVUPD (DI)(R9*1), Y3
	VADDPD (SI), Y0, Y0
	VADDPD (SI)(R8*1), Y1, Y1
	VADDPD (SI)(R8*2), Y2, Y2
	VADDPD (SI)(R9*1), Y3, Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VADDPD Y1, Y0, Y0
	VMOVUPD Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	SUBQ $4, CX
	JNZ loop
	VZEROUPPER
	RET
