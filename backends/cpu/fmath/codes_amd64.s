#include "textflag.h"

// Conversions round to even, which is the default of the control register that Go keeps.

// The order in which packs leave groups of four bytes.
DATA packed<>+0(SB)/8, $0x0000000400000000
DATA packed<>+8(SB)/8, $0x0000000500000001
DATA packed<>+16(SB)/8, $0x0000000600000002
DATA packed<>+24(SB)/8, $0x0000000700000003
GLOBL packed<>(SB), RODATA|NOPTR, $32

#define PROLOGUE \
	MOVQ n+0(FP), CX \
	MOVQ dst+8(FP), DI \
	MOVQ src+16(FP), SI \
	VBROADCASTSS inverse+24(FP), Y12 \
	VBROADCASTSS shift+28(FP), Y10 \
	VBROADCASTSS lo+32(FP), Y13 \
	VBROADCASTSS hi+36(FP), Y14 \
	VBROADCASTSS zero+40(FP), Y15 \
	VMOVDQU packed<>(SB), Y11

// CODE makes eight codes; those of NaN are 0.
#define CODE(at, y, t) \
	VMULPS at(SI), Y12, y \
	VADDPS Y10, y, y \
	VCMPPS $7, y, y, t \
	VMAXPS Y13, y, y \
	VMINPS Y14, y, y \
	VCVTPS2DQ y, y \
	VPADDD Y15, y, y \
	VPAND t, y, y

#define CODES \
	CODE(0, Y0, Y4) \
	CODE(32, Y1, Y5) \
	CODE(64, Y2, Y6) \
	CODE(96, Y3, Y7) \
	VPACKSSDW Y1, Y0, Y0 \
	VPACKSSDW Y3, Y2, Y2

// func avxEncodeI8(n int, dst *int8, src *float32, inverse, shift, lo, hi float32, zero int32)
TEXT ·avxEncodeI8(SB), NOSPLIT, $0-44
	PROLOGUE
loop:
	CODES
	VPACKSSWB Y2, Y0, Y0
	VPERMD Y0, Y11, Y0
	VMOVDQU Y0, (DI)
	ADDQ $128, SI
	ADDQ $32, DI
	SUBQ $32, CX
	JNZ loop
	VZEROUPPER
	RET

// func avxEncodeU8(n int, dst *uint8, src *float32, inverse, shift, lo, hi float32, zero int32)
TEXT ·avxEncodeU8(SB), NOSPLIT, $0-44
	PROLOGUE
loop:
	CODES
	VPACKUSWB Y2, Y0, Y0
	VPERMD Y0, Y11, Y0
	VMOVDQU Y0, (DI)
	ADDQ $128, SI
	ADDQ $32, DI
	SUBQ $32, CX
	JNZ loop
	VZEROUPPER
	RET

// func avxEncodeI16(n int, dst *int16, src *float32, inverse, shift, lo, hi float32, zero int32)
TEXT ·avxEncodeI16(SB), NOSPLIT, $0-44
	PROLOGUE
loop:
	CODE(0, Y0, Y4)
	CODE(32, Y1, Y5)
	VPACKSSDW Y1, Y0, Y0
	VPERMQ $0xD8, Y0, Y0
	VMOVDQU Y0, (DI)
	ADDQ $64, SI
	ADDQ $32, DI
	SUBQ $16, CX
	JNZ loop
	VZEROUPPER
	RET

// func avxDecodeI16(n int, dst *float32, src *int16, zero int32, scale float32)
TEXT ·avxDecodeI16(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSS zero+24(FP), Y14
	VBROADCASTSS scale+28(FP), Y15
loop:
	VPMOVSXWD (SI), Y0
	VPSUBD Y14, Y0, Y0
	VCVTDQ2PS Y0, Y0
	VMULPS Y15, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $16, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ loop
	VZEROUPPER
	RET

// func avxDecodeI32(n int, dst *float32, src *int32, zero int32, scale float32, ends *[16]int32)
TEXT ·avxDecodeI32(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSS zero+24(FP), Y14
	VBROADCASTSS scale+28(FP), Y15
	MOVQ ends+32(FP), DX
	VMOVDQU (SI), Y2
	VMOVDQA Y2, Y3
loop:
	VMOVDQU (SI), Y0
	VPMINSD Y0, Y2, Y2
	VPMAXSD Y0, Y3, Y3
	VPSUBD Y14, Y0, Y0
	VCVTDQ2PS Y0, Y0
	VMULPS Y15, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ loop
	VMOVDQU Y2, (DX)
	VMOVDQU Y3, 32(DX)
	VZEROUPPER
	RET

// func avxShiftScale(n int, dst, src *float32, shift, scale float64)
TEXT ·avxShiftScale(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSD shift+24(FP), Y14
	VBROADCASTSD scale+32(FP), Y15
loop:
	VCVTPS2PD (SI), Y0
	VCVTPS2PD 16(SI), Y1
	VSUBPD Y14, Y0, Y0
	VSUBPD Y14, Y1, Y1
	VMULPD Y15, Y0, Y0
	VMULPD Y15, Y1, Y1
	VCVTPD2PSY Y0, X0
	VCVTPD2PSY Y1, X1
	VMOVUPS X0, (DI)
	VMOVUPS X1, 16(DI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ loop
	VZEROUPPER
	RET

#define ROUND \
	VMULPD Y14, Y0, Y0 \
	VMULPD Y14, Y1, Y1 \
	VADDPD Y15, Y0, Y0 \
	VADDPD Y15, Y1, Y1 \
	VROUNDPD $0, Y0, Y0 \
	VROUNDPD $0, Y1, Y1 \
	VCVTPD2PSY Y0, X0 \
	VCVTPD2PSY Y1, X1 \
	VMOVUPS X0, (DI) \
	VMOVUPS X1, 16(DI)

// func avxScaleRound(n int, dst, src *float32, scale, shift float64)
TEXT ·avxScaleRound(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSD scale+24(FP), Y14
	VBROADCASTSD shift+32(FP), Y15
loop:
	VCVTPS2PD (SI), Y0
	VCVTPS2PD 16(SI), Y1
	ROUND
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ loop
	VZEROUPPER
	RET

// func avxScaleRoundF64(n int, dst *float32, src *float64, scale, shift float64)
TEXT ·avxScaleRoundF64(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	VBROADCASTSD scale+24(FP), Y14
	VBROADCASTSD shift+32(FP), Y15
loop:
	VMOVUPD (SI), Y0
	VMOVUPD 32(SI), Y1
	ROUND
	ADDQ $64, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ loop
	VZEROUPPER
	RET
