#include "textflag.h"
#include "loops_amd64.h"

// Conversions. They round to even, which is the default of the control register that Go keeps.

// CODES fetches the arguments, DECODED takes zero off and scales; DECODE does so with codes of size bytes.
#define CODES \
	ONE; \
	VBROADCASTSS zero+24(FP), Y14; \
	VBROADCASTSS scale+28(FP), Y15

#define DECODED \
	VPSUBD Y14, Y0, Y0; \
	VCVTDQ2PS Y0, Y0; \
	VMULPS Y15, Y0, Y0; \
	STORE

#define DECODE(widen, size) \
	CODES; \
	LOOP; \
	widen (SI)(AX*size), Y0; \
	DECODED; \
	END(8)

// ENCODE fetches the arguments, CODE makes eight codes; those of NaN are 0.
#define ENCODE \
	ONE; \
	VBROADCASTSS inverse+24(FP), Y12; \
	VBROADCASTSS shift+28(FP), Y10; \
	VBROADCASTSS lo+32(FP), Y13; \
	VBROADCASTSS hi+36(FP), Y14; \
	VBROADCASTSS zero+40(FP), Y15; \
	VMOVDQU interleaved<>(SB), Y11

#define CODE(at, y, t) \
	VMULPS at(SI)(AX*4), Y12, y; \
	VADDPS Y10, y, y; \
	VCMPPS $7, y, y, t; \
	VMAXPS Y13, y, y; \
	VMINPS Y14, y, y; \
	VCVTPS2DQ y, y; \
	VPADDD Y15, y, y; \
	VPAND t, y, y

// ENCODEBYTES makes codes of a byte, 32 at a time while there are as many, then eight.
#define ENCODEBYTES(pack) \
	ENCODE; \
	XORQ AX, AX; \
	MOVQ CX, BX; \
	SUBQ $32, BX; \
	JLT rest; \
	PCALIGN $32; \
blocks: \
	CODE(0, Y0, Y4); \
	CODE(32, Y1, Y5); \
	CODE(64, Y2, Y6); \
	CODE(96, Y3, Y7); \
	VPACKSSDW Y1, Y0, Y0; \
	VPACKSSDW Y3, Y2, Y2; \
	pack Y2, Y0, Y0; \
	VPERMD Y0, Y11, Y0; \
	VMOVDQU Y0, (DI)(AX*1); \
	ADDQ $32, AX; \
	CMPQ AX, BX; \
	JLE blocks; \
rest: \
	CMPQ AX, CX; \
	JGE done; \
	CODE(0, Y0, Y4); \
	VPACKSSDW Y0, Y0, Y0; \
	pack Y0, Y0, Y0; \
	VPERMD Y0, Y11, Y0; \
	VMOVQ X0, (DI)(AX*1); \
	ADDQ $8, AX; \
	JMP rest; \
done: \
	VZEROUPPER; \
	RET

// func avxFromHalf(n int, dst *float32, src *uint16)
TEXT ·avxFromHalf(SB), NOSPLIT, $0-24
	ONE
	LOOP
	VCVTPH2PS (SI)(AX*2), Y0
	STORE
	END(8)

// func avxToHalf(n int, dst *uint16, src *float32)
TEXT ·avxToHalf(SB), NOSPLIT, $0-24
	ONE
	LOOP
	VMOVUPS (SI)(AX*4), Y0
	VCVTPS2PH $0, Y0, (DI)(AX*2)
	END(8)

// func avxFromBrain(n int, dst *float32, src *uint16)
TEXT ·avxFromBrain(SB), NOSPLIT, $0-24
	ONE
	LOOP
	VPMOVZXWD (SI)(AX*2), Y0
	VPSLLD $16, Y0, Y0
	STORE
	END(8)

// func avxToBrain(n int, dst *uint16, src *float32)
TEXT ·avxToBrain(SB), NOSPLIT, $0-24
	ONE
	VPCMPEQD Y15, Y15, Y15
	VPSRLD $31, Y15, Y14         // 1
	VPSRLD $17, Y15, Y13         // 0x7fff
	VPSLLD $6, Y14, Y12          // 0x40, which makes NaN quiet
	VPXOR Y11, Y11, Y11
	LOOP
	VMOVUPS (SI)(AX*4), Y0
	VCMPPS $3, Y0, Y0, Y2
	VPSRLD $16, Y0, Y1
	VPOR Y12, Y1, Y3
	VPAND Y14, Y1, Y1
	VPADDD Y1, Y0, Y0
	VPADDD Y13, Y0, Y0
	VPSRLD $16, Y0, Y0
	VPBLENDVB Y2, Y3, Y0, Y0
	VPACKUSDW Y11, Y0, Y0
	VPERMQ $0x08, Y0, Y0
	VMOVDQU X0, (DI)(AX*2)
	END(8)

// func avxDecodeI8(n int, dst *float32, src *int8, zero int32, scale float32)
TEXT ·avxDecodeI8(SB), NOSPLIT, $0-32
	DECODE(VPMOVSXBD, 1)

// func avxDecodeU8(n int, dst *float32, src *uint8, zero int32, scale float32)
TEXT ·avxDecodeU8(SB), NOSPLIT, $0-32
	DECODE(VPMOVZXBD, 1)

// func avxDecodeI16(n int, dst *float32, src *int16, zero int32, scale float32)
TEXT ·avxDecodeI16(SB), NOSPLIT, $0-32
	DECODE(VPMOVSXWD, 2)

// func avxDecodeI32(n int, dst *float32, src *int32, zero int32, scale float32, ends *[16]int32)
TEXT ·avxDecodeI32(SB), NOSPLIT, $0-40
	CODES
	MOVQ ends+32(FP), DX
	VMOVDQU (SI), Y2
	VMOVDQA Y2, Y3
	LOOP
	VMOVDQU (SI)(AX*4), Y0
	VPMINSD Y0, Y2, Y2
	VPMAXSD Y0, Y3, Y3
	DECODED
	AGAIN(8)
	VMOVDQU Y2, (DX)
	VMOVDQU Y3, 32(DX)
	VZEROUPPER
	RET

// func avxEncodeI8(n int, dst *int8, src *float32, inverse, shift, lo, hi float32, zero int32)
TEXT ·avxEncodeI8(SB), NOSPLIT, $0-44
	ENCODEBYTES(VPACKSSWB)

// func avxEncodeU8(n int, dst *uint8, src *float32, inverse, shift, lo, hi float32, zero int32)
TEXT ·avxEncodeU8(SB), NOSPLIT, $0-44
	ENCODEBYTES(VPACKUSWB)

// func avxEncodeI16(n int, dst *int16, src *float32, inverse, shift, lo, hi float32, zero int32)
TEXT ·avxEncodeI16(SB), NOSPLIT, $0-44
	ENCODE
	LOOP
	CODE(0, Y0, Y4)
	CODE(32, Y1, Y5)
	VPACKSSDW Y1, Y0, Y0
	VPERMQ $0xD8, Y0, Y0
	VMOVDQU Y0, (DI)(AX*2)
	END(16)
