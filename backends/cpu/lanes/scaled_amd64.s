#include "textflag.h"
#include "loops_amd64.h"

// Each function is a + s·b, of n bytes. Y15 is s.
#define SCALED(spread) \
	ARGUMENTS; \
	spread s+32(FP), Y15

// func avxScaled8(n int, dst, a, b *byte, s uint64)
TEXT ·avxScaled8(SB), NOSPLIT, $0-40
	SCALED(VPBROADCASTB)
	VPCMPEQW Y14, Y14, Y14
	VPSRLW $8, Y14, Y14          // 0x00ff
	BEGIN
	VMOVDQU (DX)(AX*1), Y1
	VPMULLW Y15, Y1, Y2          // even bytes are right in their low half
	VPSRLW $8, Y1, Y1
	VPMULLW Y15, Y1, Y1
	VPSLLW $8, Y1, Y1
	VPAND Y14, Y2, Y2
	VPOR Y2, Y1, Y1
	VPADDB (SI)(AX*1), Y1, Y0
	END

// func avxScaled16(n int, dst, a, b *byte, s uint64)
TEXT ·avxScaled16(SB), NOSPLIT, $0-40
	SCALED(VPBROADCASTW)
	BEGIN
	VPMULLW (DX)(AX*1), Y15, Y1
	VPADDW (SI)(AX*1), Y1, Y0
	END

// func avxScaled32(n int, dst, a, b *byte, s uint64)
TEXT ·avxScaled32(SB), NOSPLIT, $0-40
	SCALED(VPBROADCASTD)
	BEGIN
	VPMULLD (DX)(AX*1), Y15, Y1
	VPADDD (SI)(AX*1), Y1, Y0
	END

// func avxScaled64(n int, dst, a, b *byte, s uint64)
TEXT ·avxScaled64(SB), NOSPLIT, $0-40
	SCALED(VPBROADCASTQ)
	VPSHUFD $0xb1, Y15, Y14
	BEGIN
	VMOVDQU (DX)(AX*1), Y1
	VPMULLD Y14, Y1, Y3          // both products of a low and a high half
	VPSLLQ $32, Y3, Y4
	VPADDD Y4, Y3, Y3
	VPSRLQ $32, Y3, Y3
	VPSLLQ $32, Y3, Y3
	VPMULUDQ Y15, Y1, Y1
	VPADDQ Y3, Y1, Y1
	VPADDQ (SI)(AX*1), Y1, Y0
	END

// func avxScaledF64(n int, dst, a, b *byte, s uint64)
TEXT ·avxScaledF64(SB), NOSPLIT, $0-40
	SCALED(VPBROADCASTQ)
	BEGIN
	VMULPD (DX)(AX*1), Y15, Y1
	VADDPD (SI)(AX*1), Y1, Y0
	END
