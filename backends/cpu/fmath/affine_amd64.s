#include "textflag.h"
#include "loops_amd64.h"
#include "affine_amd64.h"

// Shifting and scaling of runs. Every operation is that of the portable loop.

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
	WEIGHTS(FETCH)
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

// func avxInverseRoots(n int, dst *float64, src *float32, eps float64)
TEXT ·avxInverseRoots(SB), NOSPLIT, $0-32
	INVERSEROOTS(SINGLE)

// func avxInverseRootsF64(n int, dst, src *float64, eps float64)
TEXT ·avxInverseRootsF64(SB), NOSPLIT, $0-32
	INVERSEROOTS(DOUBLE)
