#include "textflag.h"

// Shifting and scaling of runs. Every operation is that of the portable loop.

// func avxLine(n int, dst, src *float32, scale, shift float32)
TEXT ·avxLine(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSS scale+24(FP), Y14
	VBROADCASTSS shift+28(FP), Y15
	XORQ AX, AX
	SHLQ $2, CX
	MOVQ CX, R8
	ANDQ $-128, R8
	JZ tail
wide:
	VMULPS (SI)(AX*1), Y14, Y0
	VMULPS 32(SI)(AX*1), Y14, Y1
	VMULPS 64(SI)(AX*1), Y14, Y2
	VMULPS 96(SI)(AX*1), Y14, Y3
	VADDPS Y15, Y0, Y0
	VADDPS Y15, Y1, Y1
	VADDPS Y15, Y2, Y2
	VADDPS Y15, Y3, Y3
	VMOVUPS Y0, (DI)(AX*1)
	VMOVUPS Y1, 32(DI)(AX*1)
	VMOVUPS Y2, 64(DI)(AX*1)
	VMOVUPS Y3, 96(DI)(AX*1)
	ADDQ $128, AX
	CMPQ AX, R8
	JLT wide
tail:
	CMPQ AX, CX
	JGE done
	VMULPS (SI)(AX*1), Y14, Y0
	VADDPS Y15, Y0, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	JMP tail
done:
	VZEROUPPER
	RET

// func avxStandardise(n int, dst, src *float32, mean, scale, shift float64)
TEXT ·avxStandardise(SB), NOSPLIT, $0-48
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSD mean+24(FP), Y13
	VBROADCASTSD scale+32(FP), Y14
	VBROADCASTSD shift+40(FP), Y15
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VCVTPS2PD (SI)(AX*1), Y0
	VCVTPS2PD 16(SI)(AX*1), Y1
	VSUBPD Y13, Y0, Y0
	VSUBPD Y13, Y1, Y1
	VMULPD Y14, Y0, Y0
	VMULPD Y14, Y1, Y1
	VADDPD Y15, Y0, Y0
	VADDPD Y15, Y1, Y1
	VCVTPD2PSY Y0, X0
	VCVTPD2PSY Y1, X1
	VMOVUPS X0, (DI)(AX*1)
	VMOVUPS X1, 16(DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxStandardiseEach(n int, dst, src, weight, bias *float32, mean, scale float64)
TEXT ·avxStandardiseEach(SB), NOSPLIT, $0-56
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	MOVQ weight+24(FP), DX
	MOVQ bias+32(FP), BX
	VBROADCASTSD mean+40(FP), Y14
	VBROADCASTSD scale+48(FP), Y15
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VCVTPS2PD (SI)(AX*1), Y0
	VCVTPS2PD 16(SI)(AX*1), Y1
	VCVTPS2PD (DX)(AX*1), Y2
	VCVTPS2PD 16(DX)(AX*1), Y3
	VCVTPS2PD (BX)(AX*1), Y4
	VCVTPS2PD 16(BX)(AX*1), Y5
	VSUBPD Y14, Y0, Y0
	VSUBPD Y14, Y1, Y1
	VMULPD Y15, Y0, Y0
	VMULPD Y15, Y1, Y1
	VMULPD Y2, Y0, Y0
	VMULPD Y3, Y1, Y1
	VADDPD Y4, Y0, Y0
	VADDPD Y5, Y1, Y1
	VCVTPD2PSY Y0, X0
	VCVTPD2PSY Y1, X1
	VMOVUPS X0, (DI)(AX*1)
	VMOVUPS X1, 16(DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// FETCH reads eight numbers as f64, LAST those of an incomplete vector.
#define FETCH(p, lo, hi) \
	VCVTPS2PD (p)(AX*1), lo; \
	VCVTPS2PD 16(p)(AX*1), hi

#define LAST(p, lo, lox, hi, hix) \
	VMASKMOVPS (p)(AX*1), Y15, lo; \
	VEXTRACTF128 $1, lo, hix; \
	VCVTPS2PD hix, hi; \
	VCVTPS2PD lox, lo

// TOTAL adds the eight sums of Y0 and Y1 in the order of the portable total and divides by their number.
#define TOTAL \
	VADDPD Y1, Y0, Y0; \
	VEXTRACTF128 $1, Y0, X1; \
	VADDPD X1, X0, X0; \
	VUNPCKHPD X0, X0, X1; \
	VADDSD X1, X0, X0; \
	VDIVSD X12, X0, X0

#define SQUARES \
	VMULPD Y2, Y2, Y2; \
	VMULPD Y3, Y3, Y3; \
	VADDPD Y2, Y0, Y0; \
	VADDPD Y3, Y1, Y1

// CENTRED is (x − mean)·rstd, WEIGHTED that times weights plus biases, ROUND the eight results as f32 in Y2.
#define CENTRED \
	VSUBPD Y8, Y2, Y2; \
	VSUBPD Y8, Y3, Y3; \
	VMULPD Y9, Y2, Y2; \
	VMULPD Y9, Y3, Y3

#define WEIGHTED \
	VMULPD Y4, Y2, Y2; \
	VMULPD Y5, Y3, Y3; \
	VADDPD Y6, Y2, Y2; \
	VADDPD Y7, Y3, Y3

#define ROUND \
	VCVTPD2PSY Y2, X2; \
	VCVTPD2PSY Y3, X3; \
	VINSERTF128 $1, X3, Y2, Y2

// PUT writes the first R9 of eight numbers in y, whose lower half is x: masked stores take some machines long.
#define PUT(y, x, two, one, done) \
	TESTQ $4, R9; \
	JZ two; \
	VMOVUPS x, (DI)(AX*1); \
	VEXTRACTF128 $1, y, x; \
	ADDQ $16, AX; \
two: \
	TESTQ $2, R9; \
	JZ one; \
	VMOVLPS x, (DI)(AX*1); \
	VPSRLDQ $8, x, x; \
	ADDQ $8, AX; \
one: \
	TESTQ $1, R9; \
	JZ done; \
	VMOVSS x, (DI)(AX*1); \
done:

// func avxStandardiseRows(rows, n int, dst, src, weight, bias, mean, rstd *float32, eps float64, tail *[8]int32)
TEXT ·avxStandardiseRows(SB), NOSPLIT, $0-80
	MOVQ rows+0(FP), R8
	MOVQ n+8(FP), CX
	MOVQ dst+16(FP), DI
	MOVQ src+24(FP), SI
	MOVQ weight+32(FP), DX
	MOVQ bias+40(FP), BX
	MOVQ mean+48(FP), R10
	MOVQ rstd+56(FP), R11
	VMOVSD eps+64(FP), X11
	MOVQ tail+72(FP), AX
	VMOVDQU (AX), Y15
	VPMOVSXDQ (AX), Y14
	VPMOVSXDQ 16(AX), Y13
	VCVTSI2SDQ CX, X12, X12
	MOVQ $0x3ff0000000000000, AX
	VMOVQ AX, X10
	MOVQ CX, R9
	ANDQ $7, R9
	SHLQ $2, CX
	MOVQ CX, R12
	ANDQ $-32, CX
row:
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	XORQ AX, AX
	TESTQ CX, CX
	JZ sumtail
sum:
	FETCH(SI, Y2, Y3)
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	ADDQ $32, AX
	CMPQ AX, CX
	JLT sum
sumtail:
	TESTQ R9, R9
	JZ summed
	LAST(SI, Y2, X2, Y3, X3)
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
summed:
	TOTAL
	VCVTSD2SS X0, X0, X1
	VMOVSS X1, (R10)
	VBROADCASTSD X0, Y8
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	XORQ AX, AX
	TESTQ CX, CX
	JZ spreadtail
spread:
	FETCH(SI, Y2, Y3)
	VSUBPD Y8, Y2, Y2
	VSUBPD Y8, Y3, Y3
	SQUARES
	ADDQ $32, AX
	CMPQ AX, CX
	JLT spread
spreadtail:
	TESTQ R9, R9
	JZ spreaded
	LAST(SI, Y2, X2, Y3, X3)
	VSUBPD Y8, Y2, Y2
	VSUBPD Y8, Y3, Y3
	VANDPD Y14, Y2, Y2
	VANDPD Y13, Y3, Y3
	SQUARES
spreaded:
	TOTAL
	VADDSD X11, X0, X0
	VSQRTSD X0, X0, X0
	VDIVSD X0, X10, X0
	VCVTSD2SS X0, X0, X1
	VMOVSS X1, (R11)
	VBROADCASTSD X0, Y9
	XORQ AX, AX
	TESTQ DX, DX
	JZ plain
	TESTQ CX, CX
	JZ weightedtail
weighted:
	FETCH(SI, Y2, Y3)
	FETCH(DX, Y4, Y5)
	FETCH(BX, Y6, Y7)
	CENTRED
	WEIGHTED
	ROUND
	VMOVUPS Y2, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT weighted
weightedtail:
	TESTQ R9, R9
	JZ next
	LAST(SI, Y2, X2, Y3, X3)
	LAST(DX, Y4, X4, Y5, X5)
	LAST(BX, Y6, X6, Y7, X7)
	CENTRED
	WEIGHTED
	ROUND
	PUT(Y2, X2, two, one, put)
	JMP next
plain:
	VXORPD Y6, Y6, Y6
	TESTQ CX, CX
	JZ plaintail
bare:
	FETCH(SI, Y2, Y3)
	CENTRED
	VADDPD Y6, Y2, Y2
	VADDPD Y6, Y3, Y3
	ROUND
	VMOVUPS Y2, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT bare
plaintail:
	TESTQ R9, R9
	JZ next
	LAST(SI, Y2, X2, Y3, X3)
	CENTRED
	VADDPD Y6, Y2, Y2
	VADDPD Y6, Y3, Y3
	ROUND
	PUT(Y2, X2, baretwo, bareone, bareput)
next:
	ADDQ R12, SI
	ADDQ R12, DI
	ADDQ $4, R10
	ADDQ $4, R11
	DECQ R8
	JNZ row
	VZEROUPPER
	RET

// func avxBlend(n int, dst, u0, u1, l0, l1 *float32, vx, wx, vy, wy float32)
TEXT ·avxBlend(SB), NOSPLIT, $0-64
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ u0+16(FP), R8
	MOVQ u1+24(FP), R9
	MOVQ l0+32(FP), R10
	MOVQ l1+40(FP), R11
	VBROADCASTSS vx+48(FP), Y12
	VBROADCASTSS wx+52(FP), Y13
	VBROADCASTSS vy+56(FP), Y14
	VBROADCASTSS wy+60(FP), Y15
	XORQ AX, AX
	SHLQ $2, CX
loop:
	VMULPS (R8)(AX*1), Y12, Y0
	VMULPS (R9)(AX*1), Y13, Y1
	VMULPS (R10)(AX*1), Y12, Y2
	VMULPS (R11)(AX*1), Y13, Y3
	VADDPS Y1, Y0, Y0
	VADDPS Y3, Y2, Y2
	VMULPS Y14, Y0, Y0
	VMULPS Y15, Y2, Y2
	VADDPS Y2, Y0, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxLineF64(n int, dst, src *float64, scale, shift float64)
TEXT ·avxLineF64(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSD scale+24(FP), Y14
	VBROADCASTSD shift+32(FP), Y15
	XORQ AX, AX
	SHLQ $3, CX
loop:
	VMULPD (SI)(AX*1), Y14, Y0
	VADDPD Y15, Y0, Y0
	VMOVUPD Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func avxLines(runs, n int, dst, src, scale, shift *float32, tail *[8]int32)
TEXT ·avxLines(SB), NOSPLIT, $0-56
	MOVQ runs+0(FP), R8
	MOVQ n+8(FP), CX
	MOVQ dst+16(FP), DI
	MOVQ src+24(FP), SI
	MOVQ scale+32(FP), DX
	MOVQ shift+40(FP), BX
	MOVQ tail+48(FP), AX
	VMOVDQU (AX), Y13
	MOVQ CX, R9
	ANDQ $7, R9
	SHLQ $2, CX
	MOVQ CX, R12
	ANDQ $-32, CX
run:
	VBROADCASTSS (DX), Y14
	VBROADCASTSS (BX), Y15
	XORQ AX, AX
	TESTQ CX, CX
	JZ tail
loop:
	VMULPS (SI)(AX*1), Y14, Y0
	VADDPS Y15, Y0, Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT loop
tail:
	TESTQ R9, R9
	JZ next
	VMASKMOVPS (SI)(AX*1), Y13, Y0
	VMULPS Y0, Y14, Y0
	VADDPS Y15, Y0, Y0
	PUT(Y0, X0, two, one, put)
next:
	ADDQ R12, SI
	ADDQ R12, DI
	ADDQ $4, DX
	ADDQ $4, BX
	DECQ R8
	JNZ run
	VZEROUPPER
	RET
