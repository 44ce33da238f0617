#include "textflag.h"
#include "strips_amd64.h"

// Masks of w numbers begin 4·w, or 8·w, bytes before the end of the ones.
DATA single<>+0(SB)/8, $0xffffffffffffffff
DATA single<>+8(SB)/8, $0xffffffffffffffff
DATA single<>+16(SB)/8, $0xffffffffffffffff
DATA single<>+24(SB)/8, $0xffffffffffffffff
DATA single<>+32(SB)/8, $0
DATA single<>+40(SB)/8, $0
DATA single<>+48(SB)/8, $0
DATA single<>+56(SB)/8, $0
GLOBL single<>(SB), RODATA|NOPTR, $64

DATA double<>+0(SB)/8, $0xffffffffffffffff
DATA double<>+8(SB)/8, $0xffffffffffffffff
DATA double<>+16(SB)/8, $0xffffffffffffffff
DATA double<>+24(SB)/8, $0xffffffffffffffff
DATA double<>+32(SB)/8, $0xffffffffffffffff
DATA double<>+40(SB)/8, $0xffffffffffffffff
DATA double<>+48(SB)/8, $0xffffffffffffffff
DATA double<>+56(SB)/8, $0xffffffffffffffff
DATA double<>+64(SB)/8, $0
DATA double<>+72(SB)/8, $0
DATA double<>+80(SB)/8, $0
DATA double<>+88(SB)/8, $0
DATA double<>+96(SB)/8, $0
DATA double<>+104(SB)/8, $0
DATA double<>+112(SB)/8, $0
DATA double<>+120(SB)/8, $0
GLOBL double<>(SB), RODATA|NOPTR, $128

// These bytes from w on move a vector w bytes down, and fill up with 0.
DATA down<>+0(SB)/8, $0x0706050403020100
DATA down<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA down<>+16(SB)/8, $0x8080808080808080
DATA down<>+24(SB)/8, $0x8080808080808080
GLOBL down<>(SB), RODATA|NOPTR, $32

// ROWS sums CX rows: R8 bytes of each in vectors, then, if R10 is not 0, the rest as tail leaves it in Y2 and Y3. What is
// added beyond the end of a row is 0.
#define ROWS(load, size, tail) \
	VXORPD Y0, Y0, Y0; \
	VXORPD Y1, Y1, Y1; \
	XORQ AX, AX; \
	JMP test; \
loop: \
	load; \
	VADDPD Y2, Y0, Y0; \
	VADDPD Y3, Y1, Y1; \
	ADDQ $(8*size), AX; \
test: \
	CMPQ AX, R8; \
	JLT loop; \
	TESTQ R10, R10; \
	JZ tree; \
	tail; \
	VADDPD Y2, Y0, Y0; \
	VADDPD Y3, Y1, Y1; \
tree: \
	VADDPD Y1, Y0, Y0; \
	VEXTRACTF128 $1, Y0, X1; \
	VADDPD X1, X0, X0; \
	VUNPCKHPD X0, X0, X1; \
	VADDSD X1, X0, X0; \
	VMOVSD X0, (DI); \
	ADDQ $8, DI; \
	ADDQ R9, SI; \
	DECQ CX; \
	JNZ row; \
	VZEROUPPER; \
	RET

#define ROWARGUMENTS(size) \
	MOVQ rows+0(FP), CX; \
	MOVQ n+8(FP), R8; \
	MOVQ sums+16(FP), DI; \
	MOVQ x+24(FP), SI; \
	MOVQ next+32(FP), R9; \
	MOVQ R8, R10; \
	ANDQ $7, R10; \
	SUBQ R10, R8; \
	IMULQ $size, R8; \
	IMULQ $size, R9; \
	IMULQ $size, R10

#define TAILSINGLE \
	VMASKMOVPS (SI)(AX*1), Y14, Y4; \
	WIDE

#define TAILDOUBLE \
	VMASKMOVPD (SI)(AX*1), Y13, Y2; \
	VMASKMOVPD 32(SI)(AX*1), Y14, Y3

// The last eight of a row, less those that were summed.
#define TAILHALF \
	ADDQ R10, AX; \
	VMOVDQU -16(SI)(AX*1), X4; \
	VPSHUFB X14, X4, X4; \
	VCVTPH2PS X4, Y4; \
	WIDE

#define TAILBRAIN \
	ADDQ R10, AX; \
	VMOVDQU -16(SI)(AX*1), X4; \
	VPSHUFB X14, X4, X4; \
	VPMOVZXWD X4, Y4; \
	VPSLLD $16, Y4, Y4; \
	WIDE

// func avxSumRows(rows, n int, sums *float64, x *float32, next int)
TEXT ·avxSumRows(SB), NOSPLIT, $0-40
	ROWARGUMENTS(4)
	LEAQ single<>+32(SB), R11
	SUBQ R10, R11
	VMOVUPS (R11), Y14
row:
	ROWS(SINGLE, 4, TAILSINGLE)

// func avxSumHalfRows(rows, n int, sums *float64, x *uint16, next int)
TEXT ·avxSumHalfRows(SB), NOSPLIT, $0-40
	ROWARGUMENTS(2)
	LEAQ down<>+16(SB), R11
	SUBQ R10, R11
	VMOVDQU (R11), X14
row:
	ROWS(HALF, 2, TAILHALF)

// func avxSumBrainRows(rows, n int, sums *float64, x *uint16, next int)
TEXT ·avxSumBrainRows(SB), NOSPLIT, $0-40
	ROWARGUMENTS(2)
	LEAQ down<>+16(SB), R11
	SUBQ R10, R11
	VMOVDQU (R11), X14
row:
	ROWS(BRAIN, 2, TAILBRAIN)

// func avxSumDoubleRows(rows, n int, sums *float64, x *float64, next int)
TEXT ·avxSumDoubleRows(SB), NOSPLIT, $0-40
	ROWARGUMENTS(8)
	LEAQ double<>+64(SB), R11
	SUBQ R10, R11
	VMOVUPD (R11), Y13
	VMOVUPD 32(R11), Y14
row:
	ROWS(DOUBLE, 8, TAILDOUBLE)

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
