#include "textflag.h"
#include "loops_amd64.h"

// Conversions to and from whole numbers, and to wider types.

// EXTEND widens elements, two vectors at a time.
#define EXTEND(op, to, from) \
	ONE; \
	LOOP; \
	op (SI)(AX*from), Y0; \
	op (32/to*from)(SI)(AX*from), Y1; \
	VMOVDQU Y0, (DI)(AX*to); \
	VMOVDQU Y1, 32(DI)(AX*to); \
	END(64/to)

// DOUBLES is EXTEND to doubles, by way of int32.
#define DOUBLES(op, from) \
	ONE; \
	LOOP; \
	op (SI)(AX*from), X0; \
	op (4*from)(SI)(AX*from), X1; \
	VCVTDQ2PD X0, Y0; \
	VCVTDQ2PD X1, Y1; \
	VMOVUPD Y0, (DI)(AX*8); \
	VMOVUPD Y1, 32(DI)(AX*8); \
	END(8)

// FLAGS gives one for what is not 0: where it is, its lower half is 0.
#define FLAGS(widen, spread, one, to) \
	ONE; \
	MOVL $one, BX; \
	VMOVQ BX, X14; \
	spread X14, Y14; \
	VPXOR Y15, Y15, Y15; \
	LOOP; \
	widen (SI)(AX*1), Y0; \
	VPCMPEQD Y15, Y0, Y0; \
	VPANDN Y14, Y0, Y0; \
	VMOVDQU Y0, (DI)(AX*to); \
	END(32/to)

// LOW16 packs the lower halves of Y0 and Y1, TRUNCATE8 the lowest bytes of truncated numbers.
#define LOW16 \
	VPBLENDW $0xaa, Y15, Y0, Y0; \
	VPBLENDW $0xaa, Y15, Y1, Y1; \
	VPACKUSDW Y1, Y0, Y0; \
	VPERMQ $0xd8, Y0, Y0; \
	VMOVDQU Y0, (DI)(AX*2); \
	END(16)

#define TRUNCATE8 \
	ONE; \
	VPCMPEQD Y15, Y15, Y15; \
	VPSRLD $24, Y15, Y15; \
	VMOVDQU interleaved<>(SB), Y14; \
	LOOP; \
	VCVTTPS2DQ (SI)(AX*4), Y0; \
	VCVTTPS2DQ 32(SI)(AX*4), Y1; \
	VCVTTPS2DQ 64(SI)(AX*4), Y2; \
	VCVTTPS2DQ 96(SI)(AX*4), Y3; \
	VPAND Y15, Y0, Y0; \
	VPAND Y15, Y1, Y1; \
	VPAND Y15, Y2, Y2; \
	VPAND Y15, Y3, Y3; \
	VPACKUSDW Y1, Y0, Y0; \
	VPACKUSDW Y3, Y2, Y2; \
	VPACKUSWB Y2, Y0, Y0; \
	VPERMD Y0, Y14, Y0; \
	VMOVDQU Y0, (DI)(AX*1); \
	END(32)

// 1.5·2^52 added, as a bit pattern, makes a double of a number below 2^51 and 1.5·2^52: its exponent tells. MAGIC leaves
// that number in Y14 and its exponent in Y13; SMALL goes out where not all of Y2 and Y3 are such sums.
#define MAGIC \
	MOVQ $0x4338000000000000, BX; \
	VMOVQ BX, X14; \
	VPBROADCASTQ X14, Y14; \
	VPSRLQ $52, Y14, Y13

#define SMALL \
	VPSRLQ $52, Y2, Y0; \
	VPSRLQ $52, Y3, Y1; \
	VPXOR Y13, Y0, Y0; \
	VPXOR Y13, Y1, Y1; \
	VPOR Y1, Y0, Y0; \
	VPTEST Y0, Y0; \
	JNZ out

// DONE ends a loop that may have stopped early.
#define DONE \
	AGAIN(8); \
out: \
	MOVQ AX, ret+24(FP); \
	VZEROUPPER; \
	RET

// LONGS truncates Y2 and Y3.
#define LONGS \
	VROUNDPD $11, Y2, Y2; \
	VROUNDPD $11, Y3, Y3; \
	VADDPD Y14, Y2, Y2; \
	VADDPD Y14, Y3, Y3; \
	SMALL; \
	VPSUBQ Y14, Y2, Y2; \
	VPSUBQ Y14, Y3, Y3; \
	VMOVDQU Y2, (DI)(AX*8); \
	VMOVDQU Y3, 32(DI)(AX*8); \
	DONE

// func avxI8ToI16(n int, dst *int16, src *int8)
TEXT ·avxI8ToI16(SB), NOSPLIT, $0-24
	EXTEND(VPMOVSXBW, 2, 1)

// func avxU8ToI16(n int, dst *int16, src *uint8)
TEXT ·avxU8ToI16(SB), NOSPLIT, $0-24
	EXTEND(VPMOVZXBW, 2, 1)

// func avxI8ToI32(n int, dst *int32, src *int8)
TEXT ·avxI8ToI32(SB), NOSPLIT, $0-24
	EXTEND(VPMOVSXBD, 4, 1)

// func avxU8ToI32(n int, dst *int32, src *uint8)
TEXT ·avxU8ToI32(SB), NOSPLIT, $0-24
	EXTEND(VPMOVZXBD, 4, 1)

// func avxI16ToI32(n int, dst *int32, src *int16)
TEXT ·avxI16ToI32(SB), NOSPLIT, $0-24
	EXTEND(VPMOVSXWD, 4, 2)

// func avxI8ToI64(n int, dst *int64, src *int8)
TEXT ·avxI8ToI64(SB), NOSPLIT, $0-24
	EXTEND(VPMOVSXBQ, 8, 1)

// func avxU8ToI64(n int, dst *int64, src *uint8)
TEXT ·avxU8ToI64(SB), NOSPLIT, $0-24
	EXTEND(VPMOVZXBQ, 8, 1)

// func avxI16ToI64(n int, dst *int64, src *int16)
TEXT ·avxI16ToI64(SB), NOSPLIT, $0-24
	EXTEND(VPMOVSXWQ, 8, 2)

// func avxI32ToI64(n int, dst *int64, src *int32)
TEXT ·avxI32ToI64(SB), NOSPLIT, $0-24
	EXTEND(VPMOVSXDQ, 8, 4)

// func avxI32ToF64(n int, dst *float64, src *int32)
TEXT ·avxI32ToF64(SB), NOSPLIT, $0-24
	EXTEND(VCVTDQ2PD, 8, 4)

// func avxF32ToF64(n int, dst *float64, src *float32)
TEXT ·avxF32ToF64(SB), NOSPLIT, $0-24
	EXTEND(VCVTPS2PD, 8, 4)

// func avxI8ToF64(n int, dst *float64, src *int8)
TEXT ·avxI8ToF64(SB), NOSPLIT, $0-24
	DOUBLES(VPMOVSXBD, 1)

// func avxU8ToF64(n int, dst *float64, src *uint8)
TEXT ·avxU8ToF64(SB), NOSPLIT, $0-24
	DOUBLES(VPMOVZXBD, 1)

// func avxI16ToF64(n int, dst *float64, src *int16)
TEXT ·avxI16ToF64(SB), NOSPLIT, $0-24
	DOUBLES(VPMOVSXWD, 2)

// func avxBoolToF32(n int, dst *float32, src *uint8)
TEXT ·avxBoolToF32(SB), NOSPLIT, $0-24
	FLAGS(VPMOVZXBD, VPBROADCASTD, 0x3f800000, 4)

// func avxBoolToI32(n int, dst *int32, src *uint8)
TEXT ·avxBoolToI32(SB), NOSPLIT, $0-24
	FLAGS(VPMOVZXBD, VPBROADCASTD, 1, 4)

// func avxBoolToI64(n int, dst *int64, src *uint8)
TEXT ·avxBoolToI64(SB), NOSPLIT, $0-24
	FLAGS(VPMOVZXBQ, VPBROADCASTQ, 1, 8)

// func avxI64ToF32(n int, dst *float32, src *int64) int
TEXT ·avxI64ToF32(SB), NOSPLIT, $0-32
	ONE
	MAGIC
	LOOP
	VPADDQ (SI)(AX*8), Y14, Y2
	VPADDQ 32(SI)(AX*8), Y14, Y3
	SMALL
	VSUBPD Y14, Y2, Y2 // exact, and rounded once
	VSUBPD Y14, Y3, Y3
	ROUND
	DONE

// func avxI64ToF64(n int, dst *float64, src *int64) int
TEXT ·avxI64ToF64(SB), NOSPLIT, $0-32
	ONE
	MAGIC
	LOOP
	VPADDQ (SI)(AX*8), Y14, Y2
	VPADDQ 32(SI)(AX*8), Y14, Y3
	SMALL
	VSUBPD Y14, Y2, Y2
	VSUBPD Y14, Y3, Y3
	VMOVUPD Y2, (DI)(AX*8)
	VMOVUPD Y3, 32(DI)(AX*8)
	DONE

// func avxF32ToI64(n int, dst *int64, src *float32) int
TEXT ·avxF32ToI64(SB), NOSPLIT, $0-32
	ONE
	MAGIC
	LOOP
	SINGLE
	LONGS

// func avxF64ToI64(n int, dst *int64, src *float64) int
TEXT ·avxF64ToI64(SB), NOSPLIT, $0-32
	ONE
	MAGIC
	LOOP
	DOUBLE
	LONGS

// func avxF64ToI32(n int, dst *int32, src *float64)
TEXT ·avxF64ToI32(SB), NOSPLIT, $0-24
	ONE
	LOOP
	VCVTTPD2DQY (SI)(AX*8), X0
	VCVTTPD2DQY 32(SI)(AX*8), X1
	VMOVDQU X0, (DI)(AX*4)
	VMOVDQU X1, 16(DI)(AX*4)
	END(8)

// func avxF64ToF32(n int, dst *float32, src *float64)
TEXT ·avxF64ToF32(SB), NOSPLIT, $0-24
	ONE
	LOOP
	DOUBLE
	ROUND
	END(8)

// func avxTruncate(n int, dst *int32, src *float32)
TEXT ·avxTruncate(SB), NOSPLIT, $0-24
	ONE
	LOOP
	HALVES
	VCVTTPS2DQ Y0, Y0
	STORE
	END(8)

// func avxF32ToI16(n int, dst *int16, src *float32)
TEXT ·avxF32ToI16(SB), NOSPLIT, $0-24
	ONE
	VPXOR Y15, Y15, Y15
	LOOP
	VCVTTPS2DQ (SI)(AX*4), Y0
	VCVTTPS2DQ 32(SI)(AX*4), Y1
	LOW16

// func avxI32ToI16(n int, dst *int16, src *int32)
TEXT ·avxI32ToI16(SB), NOSPLIT, $0-24
	ONE
	VPXOR Y15, Y15, Y15
	LOOP
	VMOVDQU (SI)(AX*4), Y0
	VMOVDQU 32(SI)(AX*4), Y1
	LOW16

// func avxF32ToI8(n int, dst *int8, src *float32)
TEXT ·avxF32ToI8(SB), NOSPLIT, $0-24
	TRUNCATE8

// func avxF32ToU8(n int, dst *uint8, src *float32)
TEXT ·avxF32ToU8(SB), NOSPLIT, $0-24
	TRUNCATE8
