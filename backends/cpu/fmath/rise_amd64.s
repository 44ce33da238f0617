#include "textflag.h"
#include "loops_amd64.h"

DATA upwards<>+0(SB)/8, $0.0
DATA upwards<>+8(SB)/8, $1.0
DATA upwards<>+16(SB)/8, $2.0
DATA upwards<>+24(SB)/8, $3.0
DATA upwards<>+32(SB)/8, $4.0
DATA upwards<>+40(SB)/8, $8.0
GLOBL upwards<>(SB), RODATA|NOPTR, $48

// Y0 and Y1 count eight indices; NEXT8 leaves eight numbers in Y2 and Y3.
#define RISE \
	MOVQ n+0(FP), CX; \
	MOVQ dst+8(FP), DI; \
	VBROADCASTSD start+16(FP), Y5; \
	VBROADCASTSD step+24(FP), Y6; \
	VMOVUPD upwards<>+0(SB), Y0; \
	VBROADCASTSD upwards<>+32(SB), Y1; \
	VADDPD Y1, Y0, Y1; \
	VBROADCASTSD upwards<>+40(SB), Y4

#define NEXT8 \
	VMULPD Y6, Y0, Y2; \
	VMULPD Y6, Y1, Y3; \
	VADDPD Y5, Y2, Y2; \
	VADDPD Y5, Y3, Y3; \
	VADDPD Y4, Y0, Y0; \
	VADDPD Y4, Y1, Y1

// func avxRise(n int, dst *float32, start, step float64)
TEXT ·avxRise(SB), NOSPLIT, $0-32
	RISE
	LOOP
	NEXT8
	ROUND
	END(8)

// func avxRiseF64(n int, dst *float64, start, step float64)
TEXT ·avxRiseF64(SB), NOSPLIT, $0-32
	RISE
	LOOP
	NEXT8
	VMOVUPD Y2, (DI)(AX*8)
	VMOVUPD Y3, 32(DI)(AX*8)
	END(8)
