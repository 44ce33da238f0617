#include "textflag.h"
#include "loops_amd64.h"
#include "affine_amd64.h"

// Shifting and scaling of many rows, whose last numbers may fill no vector. Every operation is that of the portable loop.

// LAST is FETCH for an incomplete vector, whose numbers Y15 masks, or Y14 and Y13 where they are float64.
#define LAST(p, lo, lox, hi, hix) \
	VMASKMOVPS (p)(AX*4), Y15, lo; \
	VEXTRACTF128 $1, lo, hix; \
	VCVTPS2PD hix, hi; \
	VCVTPS2PD lox, lo

#define LASTDOUBLE(p, lo, lox, hi, hix) \
	VMASKMOVPD (p)(AX*8), Y14, lo; \
	VMASKMOVPD 32(p)(AX*8), Y13, hi

// PUT writes the first R9 of eight float32 numbers in Y2: masked stores take some machines long.
#define PUT(two, one, done) \
	TESTQ $4, R9; \
	JZ two; \
	VMOVUPS X2, (DI)(AX*4); \
	VEXTRACTF128 $1, Y2, X2; \
	ADDQ $4, AX; \
two: \
	TESTQ $2, R9; \
	JZ one; \
	VMOVLPS X2, (DI)(AX*4); \
	VPSRLDQ $8, X2, X2; \
	ADDQ $2, AX; \
one: \
	TESTQ $1, R9; \
	JZ done; \
	VMOVSS X2, (DI)(AX*4); \
done:

// ROUNDLAST is ROUND for an incomplete vector. ROUNDDOUBLE and ROUNDLASTDOUBLE write numbers as they are.
#define ROUNDLAST(two, one, done) \
	VCVTPD2PSY Y2, X2; \
	VCVTPD2PSY Y3, X3; \
	VINSERTF128 $1, X3, Y2, Y2; \
	PUT(two, one, done)

#define ROUNDDOUBLE \
	VMOVUPD Y2, (DI)(AX*8); \
	VMOVUPD Y3, 32(DI)(AX*8)

#define ROUNDLASTDOUBLE(two, one, done) \
	TESTQ $4, R9; \
	JZ two; \
	VMOVUPD Y2, (DI)(AX*8); \
	VMOVAPD Y3, Y2; \
	ADDQ $4, AX; \
two: \
	TESTQ $2, R9; \
	JZ one; \
	VMOVUPD X2, (DI)(AX*8); \
	VEXTRACTF128 $1, Y2, X2; \
	ADDQ $2, AX; \
one: \
	TESTQ $1, R9; \
	JZ done; \
	VMOVSD X2, (DI)(AX*8); \
done:

// PASS goes over a row: the CX elements that whole vectors have, and the R9 that are left.
#define PASS(each, loop, last, tail, done) \
	XORQ AX, AX; \
	TESTQ CX, CX; \
	JZ tail; \
loop: \
	each; \
	ADDQ $8, AX; \
	CMPQ AX, CX; \
	JLT loop; \
tail: \
	TESTQ R9, R9; \
	JZ done; \
	last; \
done:

// What the passes do with whole vectors, and with an incomplete one: sum, sum the squares of distances, write.
#define ADDS(fetch) \
	fetch(SI, Y2, Y3); \
	GATHER

#define ADDSLAST(last) \
	last(SI, Y2, X2, Y3, X3); \
	GATHER

#define DISTANCES \
	VSUBPD Y8, Y2, Y2; \
	VSUBPD Y8, Y3, Y3

#define SQUARES \
	VMULPD Y2, Y2, Y2; \
	VMULPD Y3, Y3, Y3; \
	GATHER

#define SPREADS(fetch) \
	fetch(SI, Y2, Y3); \
	DISTANCES; \
	SQUARES

#define SPREADSLAST(last) \
	last(SI, Y2, X2, Y3, X3); \
	DISTANCES; \
	VANDPD Y14, Y2, Y2; \
	VANDPD Y13, Y3, Y3; \
	SQUARES

#define WRITES(fetch, round) \
	fetch(SI, Y2, Y3); \
	CENTRED; \
	SHIFTED; \
	round

#define WRITESLAST(last, round) \
	last(SI, Y2, X2, Y3, X3); \
	CENTRED; \
	SHIFTED; \
	round(two, one, written)

#define WEIGHS(fetch, round) \
	fetch(SI, Y2, Y3); \
	WEIGHTS(fetch); \
	CENTRED; \
	WEIGHTED; \
	round

#define WEIGHSLAST(last, round) \
	last(SI, Y2, X2, Y3, X3); \
	last(DX, Y4, X4, Y5, X5); \
	last(BX, Y6, X6, Y7, X7); \
	CENTRED; \
	WEIGHTED; \
	round(weightedtwo, weightedone, weighted)

// MEAN divides the sum of Y0 and Y1 by the length of a row.
#define MEAN \
	TREE; \
	VDIVSD X12, X0, X0

// LENGTHS takes the n elements of a row apart for PASS. R12 is the bytes of a row.
#define LENGTHS(size) \
	MOVQ CX, R9; \
	ANDQ $7, R9; \
	MOVQ CX, R12; \
	IMULQ $size, R12; \
	ANDQ $-8, CX

// These write the number in X0, and read one as float64.
#define PUTONE(at) \
	VCVTSD2SS X0, X0, X1; \
	VMOVSS X1, at

#define PUTONEDOUBLE(at) \
	VMOVSD X0, at

#define ONEOF(at, x) \
	VCVTSS2SD at, x, x

#define ONEOFDOUBLE(at, x) \
	VMOVSD at, x

#define STANDARDISE(fetch, last, round, roundlast, put, widen, size) \
	MOVQ rows+0(FP), R8; \
	MOVQ n+8(FP), CX; \
	MOVQ dst+16(FP), DI; \
	MOVQ src+24(FP), SI; \
	MOVQ weight+32(FP), DX; \
	MOVQ bias+40(FP), BX; \
	MOVQ mean+56(FP), R10; \
	MOVQ rstd+64(FP), R11; \
	VMOVSD eps+72(FP), X11; \
	MOVQ tail+80(FP), AX; \
	VMOVDQU (AX), Y15; \
	VPMOVSXDQ (AX), Y14; \
	VPMOVSXDQ 16(AX), Y13; \
	VCVTSI2SDQ CX, X12, X12; \
	MOVQ $0x3ff0000000000000, AX; \
	VMOVQ AX, X10; \
	LENGTHS(size); \
row: \
	VXORPD Y0, Y0, Y0; \
	VXORPD Y1, Y1, Y1; \
	PASS(ADDS(fetch), add, ADDSLAST(last), addlast, added); \
	MEAN; \
	put((R10)); \
	VBROADCASTSD X0, Y8; \
	VXORPD Y0, Y0, Y0; \
	VXORPD Y1, Y1, Y1; \
	PASS(SPREADS(fetch), spread, SPREADSLAST(last), spreadlast, spreaded); \
	MEAN; \
	VADDSD X11, X0, X0; \
	VSQRTSD X0, X0, X0; \
	VDIVSD X0, X10, X0; \
	put((R11)); \
	VBROADCASTSD X0, Y9; \
	VXORPD Y6, Y6, Y6; \
	TESTQ DX, DX; \
	JZ plain; \
	CMPB single+48(FP), $0; \
	JNE scaled; \
	PASS(WEIGHS(fetch, round), weigh, WEIGHSLAST(last, roundlast), weighlast, weighed); \
	JMP next; \
scaled: \
	widen((DX), X2); \
	VMULSD X2, X0, X0; \
	VBROADCASTSD X0, Y9; \
	widen((BX), X2); \
	VBROADCASTSD X2, Y6; \
	ADDQ $size, DX; \
	ADDQ $size, BX; \
plain: \
	PASS(WRITES(fetch, round), write, WRITESLAST(last, roundlast), writelast, wrote); \
next: \
	ADDQ R12, SI; \
	ADDQ R12, DI; \
	ADDQ $size, R10; \
	ADDQ $size, R11; \
	DECQ R8; \
	JNZ row; \
	VZEROUPPER; \
	RET

#define LINE \
	VMULPS (SI)(AX*4), Y14, Y0; \
	VADDPS Y13, Y0, Y0; \
	STORE

#define LINELAST \
	VMASKMOVPS (SI)(AX*4), Y15, Y2; \
	VMULPS Y2, Y14, Y2; \
	VADDPS Y13, Y2, Y2; \
	PUT(two, one, written)

// func avxStandardiseRows(rows, n int, dst, src, weight, bias *float32, single bool, mean, rstd *float32, eps float64, tail *[8]int32)
TEXT ·avxStandardiseRows(SB), NOSPLIT, $0-88
	STANDARDISE(FETCH, LAST, ROUND, ROUNDLAST, PUTONE, ONEOF, 4)

// func avxStandardiseDoubleRows(rows, n int, dst, src, weight, bias *float64, single bool, mean, rstd *float64, eps float64, tail *[8]int32)
TEXT ·avxStandardiseDoubleRows(SB), NOSPLIT, $0-88
	STANDARDISE(FETCHDOUBLE, LASTDOUBLE, ROUNDDOUBLE, ROUNDLASTDOUBLE, PUTONEDOUBLE, ONEOFDOUBLE, 8)

// func avxLines(runs, n int, dst, src, scale, shift *float32, tail *[8]int32)
TEXT ·avxLines(SB), NOSPLIT, $0-56
	MOVQ runs+0(FP), R8
	MOVQ n+8(FP), CX
	MOVQ dst+16(FP), DI
	MOVQ src+24(FP), SI
	MOVQ scale+32(FP), DX
	MOVQ shift+40(FP), BX
	MOVQ tail+48(FP), AX
	VMOVDQU (AX), Y15
	LENGTHS(4)
run:
	VBROADCASTSS (DX), Y14
	VBROADCASTSS (BX), Y13
	PASS(LINE, loop, LINELAST, tail, done)
	ADDQ R12, SI
	ADDQ R12, DI
	ADDQ $4, DX
	ADDQ $4, BX
	DECQ R8
	JNZ run
	VZEROUPPER
	RET
