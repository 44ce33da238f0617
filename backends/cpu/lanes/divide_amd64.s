#include "textflag.h"
#include "loops_amd64.h"

// Quotients of whole numbers are those of floating-point numbers: where both numbers are below 2^k in size, a quotient
// that is not whole is at least 2^-k, relatively, from the next whole number, and so is not rounded to it in a type of more
// than k bits. Numbers of up to 16 bits are divided as f32, others as f64, those of 64 bits as far as they are below 2^51.
//
// round is $11 for quotients rounded to zero, $9 for those rounded down; QUOTIENT or REST says what is wanted. The loops
// stop before the first 32 bytes with a divisor of 0, and count what they did.

#define QUOTIENTPS(round, a, b) \
	VDIVPS b, a, a; \
	VROUNDPS round, a, a

#define RESTPS(round, a, b) \
	VMOVAPS a, Y12; \
	QUOTIENTPS(round, a, b); \
	VMULPS b, a, a; \
	VSUBPS a, Y12, a

#define QUOTIENTPD(round, a, b) \
	VDIVPD b, a, a; \
	VROUNDPD round, a, a

#define RESTPD(round, a, b) \
	VMOVAPD a, Y12; \
	QUOTIENTPD(round, a, b); \
	VMULPD b, a, a; \
	VSUBPD a, Y12, a

// NONZERO leaves the loop where a divisor is 0. Y15 is zero.
#define NONZERO(compare) \
	VMOVDQU (DX)(AX*1), Y1; \
	compare Y1, Y15, Y1; \
	VPTEST Y1, Y1; \
	JNZ out

#define COUNTED \
	VMOVDQU Y0, (DI)(AX*1); \
	ADDQ $32, AX; \
	CMPQ AX, CX; \
	JLT loop; \
out: \
	MOVQ AX, ret+32(FP); \
	VZEROUPPER; \
	RET

// EIGHTH8 divides the eight bytes at an offset and leaves the low byte of each result in 32 bits; widen extends them.
#define EIGHTH8(widen, op, round, at, y) \
	widen at(SI)(AX*1), y; \
	widen at(DX)(AX*1), Y11; \
	VCVTDQ2PS y, y; \
	VCVTDQ2PS Y11, Y11; \
	op(round, y, Y11); \
	VCVTTPS2DQ y, y; \
	VPAND Y14, y, y

#define DIVIDE8(widen, op, round) \
	ARGUMENTS; \
	VPXOR Y15, Y15, Y15; \
	VPCMPEQD Y14, Y14, Y14; \
	VPSRLD $24, Y14, Y14; \
	VMOVDQU woven<>(SB), Y13; \
	BEGIN; \
	NONZERO(VPCMPEQB); \
	EIGHTH8(widen, op, round, 0, Y0); \
	EIGHTH8(widen, op, round, 8, Y1); \
	EIGHTH8(widen, op, round, 16, Y2); \
	EIGHTH8(widen, op, round, 24, Y3); \
	VPACKUSDW Y1, Y0, Y0; \
	VPACKUSDW Y3, Y2, Y2; \
	VPACKUSWB Y2, Y0, Y0; \
	VPERMD Y0, Y13, Y0; \
	COUNTED

// HALF16 divides the eight numbers at an offset and leaves the low 16 bits of each result in 32 bits.
#define HALF16(op, round, at, y) \
	VPMOVSXWD at(SI)(AX*1), y; \
	VPMOVSXWD at(DX)(AX*1), Y11; \
	VCVTDQ2PS y, y; \
	VCVTDQ2PS Y11, Y11; \
	op(round, y, Y11); \
	VCVTTPS2DQ y, y; \
	VPAND Y14, y, y

#define DIVIDE16(op, round) \
	ARGUMENTS; \
	VPXOR Y15, Y15, Y15; \
	VPCMPEQD Y14, Y14, Y14; \
	VPSRLD $16, Y14, Y14; \
	BEGIN; \
	NONZERO(VPCMPEQW); \
	HALF16(op, round, 0, Y0); \
	HALF16(op, round, 16, Y1); \
	VPACKUSDW Y1, Y0, Y0; \
	VPERMQ $0xd8, Y0, Y0; \
	COUNTED

#define DIVIDE32(op, round) \
	ARGUMENTS; \
	VPXOR Y15, Y15, Y15; \
	BEGIN; \
	NONZERO(VPCMPEQD); \
	VCVTDQ2PD (SI)(AX*1), Y0; \
	VCVTDQ2PD (DX)(AX*1), Y1; \
	VCVTDQ2PD 16(SI)(AX*1), Y2; \
	VCVTDQ2PD 16(DX)(AX*1), Y3; \
	op(round, Y0, Y1); \
	op(round, Y2, Y3); \
	VCVTTPD2DQY Y0, X0; \
	VCVTTPD2DQY Y2, X2; \
	VINSERTI128 $1, X2, Y0, Y0; \
	COUNTED

// DIVIDE64 adds 1.5·2^52, as a bit pattern, which makes a double of a number below 2^51 and 1.5·2^52: its exponent tells.
#define DIVIDE64(op, round) \
	ARGUMENTS; \
	VPXOR Y15, Y15, Y15; \
	VPBROADCASTQ magic<>(SB), Y14; \
	VPSRLQ $52, Y14, Y13; \
	BEGIN; \
	NONZERO(VPCMPEQQ); \
	VPADDQ (SI)(AX*1), Y14, Y0; \
	VPADDQ (DX)(AX*1), Y14, Y1; \
	VPSRLQ $52, Y0, Y2; \
	VPSRLQ $52, Y1, Y3; \
	VPXOR Y13, Y2, Y2; \
	VPXOR Y13, Y3, Y3; \
	VPOR Y3, Y2, Y2; \
	VPTEST Y2, Y2; \
	JNZ out; \
	VSUBPD Y14, Y0, Y0; \
	VSUBPD Y14, Y1, Y1; \
	op(round, Y0, Y1); \
	VADDPD Y14, Y0, Y0; \
	VPSUBQ Y14, Y0, Y0; \
	COUNTED

DATA magic<>+0(SB)/8, $0x4338000000000000
GLOBL magic<>(SB), RODATA|NOPTR, $8

WOVEN(woven)

// func avxDivU8(n int, dst, a, b *byte) int
TEXT ·avxDivU8(SB), NOSPLIT, $0-40
	DIVIDE8(VPMOVZXBD, QUOTIENTPS, $11)

// func avxModU8(n int, dst, a, b *byte) int
TEXT ·avxModU8(SB), NOSPLIT, $0-40
	DIVIDE8(VPMOVZXBD, RESTPS, $11)

// func avxDivI8(n int, dst, a, b *byte) int
TEXT ·avxDivI8(SB), NOSPLIT, $0-40
	DIVIDE8(VPMOVSXBD, QUOTIENTPS, $11)

// func avxDivI16(n int, dst, a, b *byte) int
TEXT ·avxDivI16(SB), NOSPLIT, $0-40
	DIVIDE16(QUOTIENTPS, $11)

// func avxDivI32(n int, dst, a, b *byte) int
TEXT ·avxDivI32(SB), NOSPLIT, $0-40
	DIVIDE32(QUOTIENTPD, $11)

// func avxDivI64(n int, dst, a, b *byte) int
TEXT ·avxDivI64(SB), NOSPLIT, $0-40
	DIVIDE64(QUOTIENTPD, $11)

// func avxFloorDivI8(n int, dst, a, b *byte) int
TEXT ·avxFloorDivI8(SB), NOSPLIT, $0-40
	DIVIDE8(VPMOVSXBD, QUOTIENTPS, $9)

// func avxFloorDivI16(n int, dst, a, b *byte) int
TEXT ·avxFloorDivI16(SB), NOSPLIT, $0-40
	DIVIDE16(QUOTIENTPS, $9)

// func avxFloorDivI32(n int, dst, a, b *byte) int
TEXT ·avxFloorDivI32(SB), NOSPLIT, $0-40
	DIVIDE32(QUOTIENTPD, $9)

// func avxFloorDivI64(n int, dst, a, b *byte) int
TEXT ·avxFloorDivI64(SB), NOSPLIT, $0-40
	DIVIDE64(QUOTIENTPD, $9)

// func avxModI8(n int, dst, a, b *byte) int
TEXT ·avxModI8(SB), NOSPLIT, $0-40
	DIVIDE8(VPMOVSXBD, RESTPS, $11)

// func avxModI16(n int, dst, a, b *byte) int
TEXT ·avxModI16(SB), NOSPLIT, $0-40
	DIVIDE16(RESTPS, $11)

// func avxModI32(n int, dst, a, b *byte) int
TEXT ·avxModI32(SB), NOSPLIT, $0-40
	DIVIDE32(RESTPD, $11)

// func avxModI64(n int, dst, a, b *byte) int
TEXT ·avxModI64(SB), NOSPLIT, $0-40
	DIVIDE64(RESTPD, $11)

// func avxFloorModI8(n int, dst, a, b *byte) int
TEXT ·avxFloorModI8(SB), NOSPLIT, $0-40
	DIVIDE8(VPMOVSXBD, RESTPS, $9)

// func avxFloorModI16(n int, dst, a, b *byte) int
TEXT ·avxFloorModI16(SB), NOSPLIT, $0-40
	DIVIDE16(RESTPS, $9)

// func avxFloorModI32(n int, dst, a, b *byte) int
TEXT ·avxFloorModI32(SB), NOSPLIT, $0-40
	DIVIDE32(RESTPD, $9)

// func avxFloorModI64(n int, dst, a, b *byte) int
TEXT ·avxFloorModI64(SB), NOSPLIT, $0-40
	DIVIDE64(RESTPD, $9)
