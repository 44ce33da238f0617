#include "textflag.h"

// RUNS dispatches on the width CX, at least 1: each class of widths is a loop around one COPY from SI to DI, in two
// overlapping pieces where the width is not that of a register. NEXT moves on to the next run; BX counts.

#define ONE(load, store, register) \
	load (SI), register; \
	store register, (DI)

#define TWO(load, store, bytes, first, second) \
	load (SI), first; \
	load -bytes(SI)(CX*1), second; \
	store first, (DI); \
	store second, -bytes(DI)(CX*1)

#define RUNS \
	CMPQ CX, $4; \
	JB   below4; \
	JE   w4; \
	CMPQ CX, $8; \
	JB   w5; \
	JE   w8; \
	CMPQ CX, $16; \
	JB   w9; \
	JE   w16; \
	CMPQ CX, $32; \
	JB   w17; \
	JE   w32; \
	CMPQ CX, $64; \
	JBE  w33; \
	JMP  w65; \
below4: \
	CMPQ CX, $2; \
	JB   w1; \
	JE   w2; \
w3: \
	MOVWLZX (SI), AX; \
	MOVBLZX 2(SI), DX; \
	MOVW AX, (DI); \
	MOVB DX, 2(DI); \
	NEXT(w3); \
	RET; \
w1: \
	ONE(MOVBLZX, MOVB, AX); \
	NEXT(w1); \
	RET; \
w2: \
	ONE(MOVWLZX, MOVW, AX); \
	NEXT(w2); \
	RET; \
w4: \
	ONE(MOVL, MOVL, AX); \
	NEXT(w4); \
	RET; \
w5: \
	TWO(MOVL, MOVL, 4, AX, DX); \
	NEXT(w5); \
	RET; \
w8: \
	ONE(MOVQ, MOVQ, AX); \
	NEXT(w8); \
	RET; \
w9: \
	TWO(MOVQ, MOVQ, 8, AX, DX); \
	NEXT(w9); \
	RET; \
w16: \
	ONE(VMOVDQU, VMOVDQU, X0); \
	NEXT(w16); \
	VZEROUPPER; \
	RET; \
w17: \
	TWO(VMOVDQU, VMOVDQU, 16, X0, X1); \
	NEXT(w17); \
	VZEROUPPER; \
	RET; \
w32: \
	ONE(VMOVDQU, VMOVDQU, Y0); \
	NEXT(w32); \
	VZEROUPPER; \
	RET; \
w33: \
	TWO(VMOVDQU, VMOVDQU, 32, Y0, Y1); \
	NEXT(w33); \
	VZEROUPPER; \
	RET; \
w65: \
	LEAQ -64(CX), R12; \
	XORQ AX, AX; \
inner: \
	VMOVDQU (SI)(AX*1), Y0; \
	VMOVDQU 32(SI)(AX*1), Y1; \
	VMOVDQU Y0, (DI)(AX*1); \
	VMOVDQU Y1, 32(DI)(AX*1); \
	ADDQ $64, AX; \
	CMPQ AX, R12; \
	JB   inner; \
	VMOVDQU (SI)(R12*1), Y0; \
	VMOVDQU 32(SI)(R12*1), Y1; \
	VMOVDQU Y0, (DI)(R12*1); \
	VMOVDQU Y1, 32(DI)(R12*1); \
	NEXT(w65); \
	VZEROUPPER; \
	RET

// PLACE finds the place of the next run: R11 is the end of the places, BX counts up to 0. R10 is where place 0 lies, R13
// the bytes of an element.
#define PLACE(to) \
	MOVQ  (R11)(BX*8), to; \
	IMULQ R13, to; \
	ADDQ  R10, to

#define PLACES \
	MOVQ at+24(FP), R11; \
	MOVQ size+32(FP), R13; \
	MOVQ width+40(FP), CX; \
	MOVQ n+48(FP), BX; \
	LEAQ (R11)(BX*8), R11; \
	NEGQ BX

#define NEXT(loop) \
	ADDQ R8, DI; \
	ADDQ R9, SI; \
	DECQ BX; \
	JNZ  loop

// FOURS copies four runs of one register at a time while there are as many; R12 and R13 are 3·dj and 3·di.
#define FOURS(loop, load, store, r0, r1, r2, r3) \
loop: \
	load (SI), r0; \
	load (SI)(R9*1), r1; \
	load (SI)(R9*2), r2; \
	load (SI)(R12*1), r3; \
	store r0, (DI); \
	store r1, (DI)(R8*1); \
	store r2, (DI)(R8*2); \
	store r3, (DI)(R13*1); \
	LEAQ (SI)(R9*4), SI; \
	LEAQ (DI)(R8*4), DI; \
	SUBQ $4, BX; \
	CMPQ BX, $4; \
	JAE  loop; \
	TESTQ BX, BX; \
	JNZ  rest; \
	VZEROUPPER; \
	RET

// func avxRuns(dst, src *byte, di, dj, width, n int)
TEXT ·avxRuns(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ di+16(FP), R8
	MOVQ dj+24(FP), R9
	MOVQ width+32(FP), CX
	MOVQ n+40(FP), BX
	CMPQ BX, $4
	JB   rest
	LEAQ (R9)(R9*2), R12
	LEAQ (R8)(R8*2), R13
	CMPQ CX, $4
	JE   fours4
	CMPQ CX, $8
	JE   fours8
	CMPQ CX, $16
	JE   fours16
	CMPQ CX, $2
	JE   fours2
	CMPQ CX, $1
	JNE  rest
	FOURS(fours1, MOVBLZX, MOVB, AX, DX, R10, R11)
	FOURS(fours2, MOVWLZX, MOVW, AX, DX, R10, R11)
	FOURS(fours4, MOVL, MOVL, AX, DX, R10, R11)
	FOURS(fours8, MOVQ, MOVQ, AX, DX, R10, R11)
	FOURS(fours16, VMOVDQU, VMOVDQU, X0, X1, X2, X3)
rest:
	RUNS

#undef NEXT

#define NEXT(loop) \
	ADDQ R8, DI; \
	INCQ BX; \
	JZ   done; \
	PLACE(SI); \
	JMP  loop

// func avxFetch(dst, src *byte, di int, at *int64, size, width, n int)
TEXT ·avxFetch(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), R10
	MOVQ di+16(FP), R8
	PLACES
	PLACE(SI)
	RUNS
done:
	VZEROUPPER
	RET

#undef NEXT
#define NEXT(loop) \
	ADDQ R8, SI; \
	INCQ BX; \
	JZ   done; \
	PLACE(DI); \
	JMP  loop

// func avxStore(dst, src *byte, dj int, at *int64, size, width, n int)
TEXT ·avxStore(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), R10
	MOVQ src+8(FP), SI
	MOVQ dj+16(FP), R8
	PLACES
	PLACE(DI)
	RUNS
done:
	VZEROUPPER
	RET
