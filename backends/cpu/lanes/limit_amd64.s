#include "textflag.h"
#include "loops_amd64.h"

// Y14 is the lower bound of LIMIT, Y15 the upper one. The instructions for doubles give their last source, the number, for
// NaN and for equal zeros.
#define LIMIT(spread, larger, smaller) \
	MOVQ n+0(FP), CX; \
	MOVQ dst+8(FP), DI; \
	MOVQ a+16(FP), SI; \
	spread lo+24(FP), Y14; \
	spread hi+32(FP), Y15; \
	XORQ AX, AX; \
	BEGIN; \
	VMOVDQU (SI)(AX*1), Y0; \
	larger Y0, Y14, Y0; \
	smaller Y0, Y15, Y0; \
	END

// func avxLimitU8(n int, dst, a *byte, lo, hi uint64)
TEXT ·avxLimitU8(SB), NOSPLIT, $0-40
	LIMIT(VPBROADCASTB, VPMAXUB, VPMINUB)

// func avxLimitI8(n int, dst, a *byte, lo, hi uint64)
TEXT ·avxLimitI8(SB), NOSPLIT, $0-40
	LIMIT(VPBROADCASTB, VPMAXSB, VPMINSB)

// func avxLimitI16(n int, dst, a *byte, lo, hi uint64)
TEXT ·avxLimitI16(SB), NOSPLIT, $0-40
	LIMIT(VPBROADCASTW, VPMAXSW, VPMINSW)

// func avxLimitI32(n int, dst, a *byte, lo, hi uint64)
TEXT ·avxLimitI32(SB), NOSPLIT, $0-40
	LIMIT(VPBROADCASTD, VPMAXSD, VPMINSD)

// func avxLimitF64(n int, dst, a *byte, lo, hi uint64)
TEXT ·avxLimitF64(SB), NOSPLIT, $0-40
	LIMIT(VPBROADCASTQ, VMAXPD, VMINPD)

// func avxLimitI64(n int, dst, a *byte, lo, hi uint64)
TEXT ·avxLimitI64(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ a+16(FP), SI
	VPBROADCASTQ lo+24(FP), Y14
	VPBROADCASTQ hi+32(FP), Y15
	XORQ AX, AX
	BEGIN
	VMOVDQU (SI)(AX*1), Y0
	VPCMPGTQ Y0, Y14, Y1
	VPBLENDVB Y1, Y14, Y0, Y0
	VPCMPGTQ Y15, Y0, Y1
	VPBLENDVB Y1, Y15, Y0, Y0
	END

// BETWEEN is for bounds at the same place.
#define BOUNDS \
	MOVQ n+0(FP), CX; \
	MOVQ dst+8(FP), DI; \
	MOVQ a+16(FP), SI; \
	MOVQ lo+24(FP), DX; \
	MOVQ hi+32(FP), BX; \
	XORQ AX, AX

#define BETWEEN(larger, smaller) \
	BOUNDS; \
	BEGIN; \
	VMOVDQU (SI)(AX*1), Y0; \
	larger (DX)(AX*1), Y0, Y0; \
	smaller (BX)(AX*1), Y0, Y0; \
	END

// func avxBetweenU8(n int, dst, a, lo, hi *byte)
TEXT ·avxBetweenU8(SB), NOSPLIT, $0-40
	BETWEEN(VPMAXUB, VPMINUB)

// func avxBetweenI8(n int, dst, a, lo, hi *byte)
TEXT ·avxBetweenI8(SB), NOSPLIT, $0-40
	BETWEEN(VPMAXSB, VPMINSB)

// func avxBetweenI16(n int, dst, a, lo, hi *byte)
TEXT ·avxBetweenI16(SB), NOSPLIT, $0-40
	BETWEEN(VPMAXSW, VPMINSW)

// func avxBetweenI32(n int, dst, a, lo, hi *byte)
TEXT ·avxBetweenI32(SB), NOSPLIT, $0-40
	BETWEEN(VPMAXSD, VPMINSD)

// func avxBetweenI64(n int, dst, a, lo, hi *byte)
TEXT ·avxBetweenI64(SB), NOSPLIT, $0-40
	BOUNDS
	BEGIN
	VMOVDQU (SI)(AX*1), Y0
	VMOVDQU (DX)(AX*1), Y1
	VPCMPGTQ Y0, Y1, Y2
	VPBLENDVB Y2, Y1, Y0, Y0
	VMOVDQU (BX)(AX*1), Y1
	VPCMPGTQ Y1, Y0, Y2
	VPBLENDVB Y2, Y1, Y0, Y0
	END

// NEXT leaves in Y0 what op makes of Y0 and Y1: NaN where either is, and what bits makes of equal ones, which may be zeros
// of either sign.
#define NEXT(op, bits, compare, blend) \
	op Y1, Y0, Y2; \
	bits Y1, Y0, Y3; \
	compare $0, Y1, Y0, Y4; \
	blend Y4, Y3, Y2, Y2; \
	compare $3, Y0, Y0, Y4; \
	blend Y4, Y0, Y2, Y0

// func avxBetweenF32(n int, dst, a, lo, hi *byte)
TEXT ·avxBetweenF32(SB), NOSPLIT, $0-40
	BOUNDS
	BEGIN
	VMOVUPS (SI)(AX*1), Y0
	VMOVUPS (DX)(AX*1), Y1
	NEXT(VMAXPS, VANDPS, VCMPPS, VBLENDVPS)
	VMOVUPS (BX)(AX*1), Y1
	NEXT(VMINPS, VORPS, VCMPPS, VBLENDVPS)
	END

// func avxBetweenF64(n int, dst, a, lo, hi *byte)
TEXT ·avxBetweenF64(SB), NOSPLIT, $0-40
	BOUNDS
	BEGIN
	VMOVUPD (SI)(AX*1), Y0
	VMOVUPD (DX)(AX*1), Y1
	NEXT(VMAXPD, VANDPD, VCMPPD, VBLENDVPD)
	VMOVUPD (BX)(AX*1), Y1
	NEXT(VMINPD, VORPD, VCMPPD, VBLENDVPD)
	END
