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
	VBROADCASTSS lo+28(FP), Y13 \
	VBROADCASTSS hi+32(FP), Y14 \
	VBROADCASTSS zero+36(FP), Y15 \
	VMOVDQU packed<>(SB), Y11

// CODE makes eight codes; those of NaN are 0.
#define CODE(at, y, t) \
	VMULPS at(SI), Y12, y \
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

// func avxEncodeI8(n int, dst *int8, src *float32, inverse, lo, hi float32, zero int32)
TEXT ·avxEncodeI8(SB), NOSPLIT, $0-40
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

// func avxEncodeU8(n int, dst *uint8, src *float32, inverse, lo, hi float32, zero int32)
TEXT ·avxEncodeU8(SB), NOSPLIT, $0-40
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

// func avxEncodeI16(n int, dst *int16, src *float32, inverse, lo, hi float32, zero int32)
TEXT ·avxEncodeI16(SB), NOSPLIT, $0-40
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
