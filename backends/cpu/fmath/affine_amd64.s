#include "textflag.h"
#include "loops_amd64.h"

// Shifting and scaling of runs. Every operation is that of the portable loop.

// Of eight numbers in Y2 and Y3, CENTRED is (x − mean)·scale, for a mean in Y8 and a scale in Y9, SHIFTED adds Y6 to that,
// and WEIGHTED is that times the weights of Y4 and Y5 plus the biases of Y6 and Y7.
#define CENTRED \
	VSUBPD Y8, Y2, Y2; \
	VSUBPD Y8, Y3, Y3; \
	VMULPD Y9, Y2, Y2; \
	VMULPD Y9, Y3, Y3

#define SHIFTED \
	VADDPD Y6, Y2, Y2; \
	VADDPD Y6, Y3, Y3

#define WEIGHTED \
	VMULPD Y4, Y2, Y2; \
	VMULPD Y5, Y3, Y3; \
	VADDPD Y6, Y2, Y2; \
	VADDPD Y7, Y3, Y3

// FETCH reads eight numbers as float64, WEIGHTS the weights and biases of eight.
#define FETCH(p, lo, hi) \
	VCVTPS2PD (p)(AX*4), lo; \
	VCVTPS2PD 16(p)(AX*4), hi

#define WEIGHTS \
	FETCH(DX, Y4, Y5); \
	FETCH(BX, Y6, Y7)

// These leave eight codes from SI on in Y2 and Y3, as float64.
#define SIGNEDBYTES \
	VPMOVSXBD (SI)(AX*1), X2; \
	VPMOVSXBD 4(SI)(AX*1), X3; \
	VCVTDQ2PD X2, Y2; \
	VCVTDQ2PD X3, Y3

#define UNSIGNEDBYTES \
	VPMOVZXBD (SI)(AX*1), X2; \
	VPMOVZXBD 4(SI)(AX*1), X3; \
	VCVTDQ2PD X2, Y2; \
	VCVTDQ2PD X3, Y3

#define SHIFTSCALE(load) \
	ONE; \
	VBROADCASTSD shift+24(FP), Y8; \
	VBROADCASTSD scale+32(FP), Y9; \
	LOOP; \
	load; \
	CENTRED; \
	ROUND; \
	END(8)

// INVERSEROOTS gives 1/√(x + eps) of what load leaves.
#define INVERSEROOTS(load) \
	ONE; \
	VBROADCASTSD eps+24(FP), Y6; \
	MOVQ $0x3ff0000000000000, BX; \
	VMOVQ BX, X7; \
	VPBROADCASTQ X7, Y7; \
	LOOP; \
	load; \
	VADDPD Y6, Y2, Y2; \
	VADDPD Y6, Y3, Y3; \
	VSQRTPD Y2, Y2; \
	VSQRTPD Y3, Y3; \
	VDIVPD Y2, Y7, Y2; \
	VDIVPD Y3, Y7, Y3; \
	VMOVUPD Y2, (DI)(AX*8); \
	VMOVUPD Y3, 32(DI)(AX*8); \
	END(8)

// SCALEROUND scales, shifts and rounds to whole numbers what load leaves.
#define SCALEROUND(load) \
	ONE; \
	VBROADCASTSD scale+24(FP), Y14; \
	VBROADCASTSD shift+32(FP), Y6; \
	LOOP; \
	load; \
	VMULPD Y14, Y2, Y2; \
	VMULPD Y14, Y3, Y3; \
	SHIFTED; \
	VROUNDPD $0, Y2, Y2; \
	VROUNDPD $0, Y3, Y3; \
	ROUND; \
	END(8)

// func avxStandardise(n int, dst, src *float32, mean, scale, shift float64)
TEXT ·avxStandardise(SB), NOSPLIT, $0-48
	ONE
	VBROADCASTSD mean+24(FP), Y8
	VBROADCASTSD scale+32(FP), Y9
	VBROADCASTSD shift+40(FP), Y6
	LOOP
	SINGLE
	CENTRED
	SHIFTED
	ROUND
	END(8)

// func avxStandardiseEach(n int, dst, src, weight, bias *float32, mean, scale float64)
TEXT ·avxStandardiseEach(SB), NOSPLIT, $0-56
	ONE
	MOVQ weight+24(FP), DX
	MOVQ bias+32(FP), BX
	VBROADCASTSD mean+40(FP), Y8
	VBROADCASTSD scale+48(FP), Y9
	LOOP
	SINGLE
	WEIGHTS
	CENTRED
	WEIGHTED
	ROUND
	END(8)

// func avxShiftScale(n int, dst, src *float32, shift, scale float64)
TEXT ·avxShiftScale(SB), NOSPLIT, $0-40
	SHIFTSCALE(SINGLE)

// func avxShiftScaleI8(n int, dst *float32, src *int8, shift, scale float64)
TEXT ·avxShiftScaleI8(SB), NOSPLIT, $0-40
	SHIFTSCALE(SIGNEDBYTES)

// func avxShiftScaleU8(n int, dst *float32, src *uint8, shift, scale float64)
TEXT ·avxShiftScaleU8(SB), NOSPLIT, $0-40
	SHIFTSCALE(UNSIGNEDBYTES)

// func avxScaleRound(n int, dst, src *float32, scale, shift float64)
TEXT ·avxScaleRound(SB), NOSPLIT, $0-40
	SCALEROUND(SINGLE)

// func avxScaleRoundF64(n int, dst *float32, src *float64, scale, shift float64)
TEXT ·avxScaleRoundF64(SB), NOSPLIT, $0-40
	SCALEROUND(DOUBLE)

// func avxLineF64(n int, dst, src *float64, scale, shift float64)
TEXT ·avxLineF64(SB), NOSPLIT, $0-40
	ONE
	VBROADCASTSD scale+24(FP), Y14
	VBROADCASTSD shift+32(FP), Y15
	LOOP
	VMULPD (SI)(AX*8), Y14, Y0
	VADDPD Y15, Y0, Y0
	VMOVUPD Y0, (DI)(AX*8)
	END(4)

// LAST is FETCH for an incomplete vector, whose numbers Y15 masks.
#define LAST(p, lo, lox, hi, hix) \
	VMASKMOVPS (p)(AX*4), Y15, lo; \
	VEXTRACTF128 $1, lo, hix; \
	VCVTPS2PD hix, hi; \
	VCVTPS2PD lox, lo

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

// ROUNDLAST is ROUND for an incomplete vector.
#define ROUNDLAST(two, one, done) \
	VCVTPD2PSY Y2, X2; \
	VCVTPD2PSY Y3, X3; \
	VINSERTF128 $1, X3, Y2, Y2; \
	PUT(two, one, done)

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
#define ADDS \
	FETCH(SI, Y2, Y3); \
	GATHER

#define ADDSLAST \
	LAST(SI, Y2, X2, Y3, X3); \
	GATHER

#define DISTANCES \
	VSUBPD Y8, Y2, Y2; \
	VSUBPD Y8, Y3, Y3

#define SQUARES \
	VMULPD Y2, Y2, Y2; \
	VMULPD Y3, Y3, Y3; \
	GATHER

#define SPREADS \
	FETCH(SI, Y2, Y3); \
	DISTANCES; \
	SQUARES

#define SPREADSLAST \
	LAST(SI, Y2, X2, Y3, X3); \
	DISTANCES; \
	VANDPD Y14, Y2, Y2; \
	VANDPD Y13, Y3, Y3; \
	SQUARES

#define WRITES \
	FETCH(SI, Y2, Y3); \
	CENTRED; \
	SHIFTED; \
	ROUND

#define WRITESLAST \
	LAST(SI, Y2, X2, Y3, X3); \
	CENTRED; \
	SHIFTED; \
	ROUNDLAST(two, one, written)

#define WEIGHS \
	FETCH(SI, Y2, Y3); \
	WEIGHTS; \
	CENTRED; \
	WEIGHTED; \
	ROUND

#define WEIGHSLAST \
	LAST(SI, Y2, X2, Y3, X3); \
	LAST(DX, Y4, X4, Y5, X5); \
	LAST(BX, Y6, X6, Y7, X7); \
	CENTRED; \
	WEIGHTED; \
	ROUNDLAST(weightedtwo, weightedone, weighted)

// MEAN divides the sum of Y0 and Y1 by the length of a row.
#define MEAN \
	TREE; \
	VDIVSD X12, X0, X0

// LENGTHS takes the n elements of a row apart for PASS. R12 is the bytes of a row.
#define LENGTHS \
	MOVQ CX, R9; \
	ANDQ $7, R9; \
	MOVQ CX, R12; \
	SHLQ $2, R12; \
	ANDQ $-8, CX

// func avxStandardiseRows(rows, n int, dst, src, weight, bias *float32, single bool, mean, rstd *float32, eps float64, tail *[8]int32)
TEXT ·avxStandardiseRows(SB), NOSPLIT, $0-88
	MOVQ rows+0(FP), R8
	MOVQ n+8(FP), CX
	MOVQ dst+16(FP), DI
	MOVQ src+24(FP), SI
	MOVQ weight+32(FP), DX
	MOVQ bias+40(FP), BX
	MOVQ mean+56(FP), R10
	MOVQ rstd+64(FP), R11
	VMOVSD eps+72(FP), X11
	MOVQ tail+80(FP), AX
	VMOVDQU (AX), Y15
	VPMOVSXDQ (AX), Y14
	VPMOVSXDQ 16(AX), Y13
	VCVTSI2SDQ CX, X12, X12
	MOVQ $0x3ff0000000000000, AX
	VMOVQ AX, X10
	LENGTHS
row:
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	PASS(ADDS, add, ADDSLAST, addlast, added)
	MEAN
	VCVTSD2SS X0, X0, X1
	VMOVSS X1, (R10)
	VBROADCASTSD X0, Y8
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	PASS(SPREADS, spread, SPREADSLAST, spreadlast, spreaded)
	MEAN
	VADDSD X11, X0, X0
	VSQRTSD X0, X0, X0
	VDIVSD X0, X10, X0
	VCVTSD2SS X0, X0, X1
	VMOVSS X1, (R11)
	VBROADCASTSD X0, Y9
	VXORPD Y6, Y6, Y6
	TESTQ DX, DX
	JZ plain
	CMPB single+48(FP), $0
	JNE scaled
	PASS(WEIGHS, weigh, WEIGHSLAST, weighlast, weighed)
	JMP next
scaled:
	VCVTSS2SD (DX), X2, X2
	VMULSD X2, X0, X0
	VBROADCASTSD X0, Y9
	VCVTSS2SD (BX), X2, X2
	VBROADCASTSD X2, Y6
	ADDQ $4, DX
	ADDQ $4, BX
plain:
	PASS(WRITES, write, WRITESLAST, writelast, wrote)
next:
	ADDQ R12, SI
	ADDQ R12, DI
	ADDQ $4, R10
	ADDQ $4, R11
	DECQ R8
	JNZ row
	VZEROUPPER
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
	LENGTHS
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

// func avxInverseRoots(n int, dst *float64, src *float32, eps float64)
TEXT ·avxInverseRoots(SB), NOSPLIT, $0-32
	INVERSEROOTS(SINGLE)

// func avxInverseRootsF64(n int, dst, src *float64, eps float64)
TEXT ·avxInverseRootsF64(SB), NOSPLIT, $0-32
	INVERSEROOTS(DOUBLE)
