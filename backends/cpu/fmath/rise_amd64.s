#include "textflag.h"

DATA upwards<>+0(SB)/8, $0.0
DATA upwards<>+8(SB)/8, $1.0
DATA upwards<>+16(SB)/8, $2.0
DATA upwards<>+24(SB)/8, $3.0
DATA upwards<>+32(SB)/8, $4.0
DATA upwards<>+40(SB)/8, $8.0
GLOBL upwards<>(SB), RODATA|NOPTR, $48

// Y0 and Y1 count eight indices.
#define RISE \
	MOVQ n+0(FP), CX; \
	MOVQ dst+8(FP), DI; \
	VBROADCASTSD start+16(FP), Y3; \
	VBROADCASTSD step+24(FP), Y4; \
	VMOVUPD upwards<>+0(SB), Y0; \
	VBROADCASTSD upwards<>+32(SB), Y1; \
	VADDPD Y1, Y0, Y1; \
	VBROADCASTSD upwards<>+40(SB), Y2

#define NEXT8 \
	VMULPD Y4, Y0, Y5; \
	VMULPD Y4, Y1, Y6; \
	VADDPD Y3, Y5, Y5; \
	VADDPD Y3, Y6, Y6; \
	VADDPD Y2, Y0, Y0; \
	VADDPD Y2, Y1, Y1

// func avxRise(n int, dst *float32, start, step float64)
TEXT ·avxRise(SB), NOSPLIT, $0-32
	RISE
loop:
	NEXT8
	VCVTPD2PSY Y5, X5
	VCVTPD2PSY Y6, X6
	VMOVUPS X5, (DI)
	VMOVUPS X6, 16(DI)
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ  loop
	VZEROUPPER
	RET

// func avxRiseF64(n int, dst *float64, start, step float64)
TEXT ·avxRiseF64(SB), NOSPLIT, $0-32
	RISE
loop:
	NEXT8
	VMOVUPD Y5, (DI)
	VMOVUPD Y6, 32(DI)
	ADDQ $64, DI
	SUBQ $8, CX
	JNZ  loop
	VZEROUPPER
	RET
