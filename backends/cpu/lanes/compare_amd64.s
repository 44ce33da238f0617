#include "textflag.h"
#include "loops_amd64.h"

// Each function relates 32 elements of a and b at a time and leaves a byte for each: n is a multiple of 32. last is VPAND
// for the relation, VPANDN for its opposite.

WOVEN(woven)

#define COMPARE8(op, last) \
	ARGUMENTS; \
	VPCMPEQB Y15, Y15, Y15; \
	VPABSB Y15, Y15; \
	BEGIN; \
	VMOVDQU (SI)(AX*1), Y0; \
	op (DX)(AX*1), Y0, Y0; \
	last Y15, Y0, Y0; \
	END

#define COMPARE16(op, last) \
	ARGUMENTS; \
	VPCMPEQB Y15, Y15, Y15; \
	VPABSB Y15, Y15; \
	BEGIN; \
	VMOVDQU (SI)(AX*2), Y0; \
	VMOVDQU 32(SI)(AX*2), Y1; \
	op (DX)(AX*2), Y0, Y0; \
	op 32(DX)(AX*2), Y1, Y1; \
	VPACKSSWB Y1, Y0, Y0; \
	VPERMQ $0xd8, Y0, Y0; \
	last Y15, Y0, Y0; \
	END

#define COMPARE32(op, last) \
	ARGUMENTS; \
	VPCMPEQB Y15, Y15, Y15; \
	VPABSB Y15, Y15; \
	VMOVDQU woven<>(SB), Y14; \
	BEGIN; \
	VMOVDQU (SI)(AX*4), Y0; \
	VMOVDQU 32(SI)(AX*4), Y1; \
	VMOVDQU 64(SI)(AX*4), Y2; \
	VMOVDQU 96(SI)(AX*4), Y3; \
	op (DX)(AX*4), Y0, Y0; \
	op 32(DX)(AX*4), Y1, Y1; \
	op 64(DX)(AX*4), Y2, Y2; \
	op 96(DX)(AX*4), Y3, Y3; \
	VPACKSSDW Y1, Y0, Y0; \
	VPACKSSDW Y3, Y2, Y2; \
	VPACKSSWB Y2, Y0, Y0; \
	VPERMD Y0, Y14, Y0; \
	last Y15, Y0, Y0; \
	END

// PACK64 makes bytes of the masks of 32 elements, which Y0 to Y7 hold in 64 bits each. After the packs the lower lane has
// the elements 0, 1, 4, 5, 8 …, the upper one 2, 3, 6, 7 ….
#define PACK64(last) \
	VSHUFPS $0x88, Y1, Y0, Y0; \
	VSHUFPS $0x88, Y3, Y2, Y2; \
	VSHUFPS $0x88, Y5, Y4, Y4; \
	VSHUFPS $0x88, Y7, Y6, Y6; \
	VPACKSSDW Y2, Y0, Y0; \
	VPACKSSDW Y6, Y4, Y4; \
	VPACKSSWB Y4, Y0, Y0; \
	VEXTRACTI128 $1, Y0, X1; \
	VPUNPCKLWD X1, X0, X2; \
	VPUNPCKHWD X1, X0, X3; \
	VINSERTI128 $1, X3, Y2, Y0; \
	last Y15, Y0, Y0

// FOUR64 relates the four elements at an offset, FOURF64 doubles.
#define FOUR64(op, at, y) \
	VMOVDQU at(SI)(AX*8), y; \
	op at(DX)(AX*8), y, y

#define FOURF64(relation, at, y) \
	VMOVUPD at(SI)(AX*8), y; \
	VCMPPD relation, at(DX)(AX*8), y, y

#define EIGHT(four, op) \
	four(op, 0, Y0); \
	four(op, 32, Y1); \
	four(op, 64, Y2); \
	four(op, 96, Y3); \
	four(op, 128, Y4); \
	four(op, 160, Y5); \
	four(op, 192, Y6); \
	four(op, 224, Y7)

#define COMPARE64(op, last) \
	ARGUMENTS; \
	VPCMPEQB Y15, Y15, Y15; \
	VPABSB Y15, Y15; \
	BEGIN; \
	EIGHT(FOUR64, op); \
	PACK64(last); \
	END

#define COMPAREF64(relation) \
	ARGUMENTS; \
	VPCMPEQB Y15, Y15, Y15; \
	VPABSB Y15, Y15; \
	BEGIN; \
	EIGHT(FOURF64, relation); \
	PACK64(VPAND); \
	END

// COMPAREU8 leaves the mask of a ≤ b: where the larger of both is b.
#define COMPAREU8(last) \
	ARGUMENTS; \
	VPCMPEQB Y15, Y15, Y15; \
	VPABSB Y15, Y15; \
	BEGIN; \
	VMOVDQU (DX)(AX*1), Y1; \
	VPMAXUB (SI)(AX*1), Y1, Y0; \
	VPCMPEQB Y1, Y0, Y0; \
	last Y15, Y0, Y0; \
	END

// func avxEqual8(n int, dst, a, b *byte)
TEXT ·avxEqual8(SB), NOSPLIT, $0-32
	COMPARE8(VPCMPEQB, VPAND)

// func avxUnequal8(n int, dst, a, b *byte)
TEXT ·avxUnequal8(SB), NOSPLIT, $0-32
	COMPARE8(VPCMPEQB, VPANDN)

// func avxGreaterI8(n int, dst, a, b *byte)
TEXT ·avxGreaterI8(SB), NOSPLIT, $0-32
	COMPARE8(VPCMPGTB, VPAND)

// func avxNotGreaterI8(n int, dst, a, b *byte)
TEXT ·avxNotGreaterI8(SB), NOSPLIT, $0-32
	COMPARE8(VPCMPGTB, VPANDN)

// func avxEqual16(n int, dst, a, b *byte)
TEXT ·avxEqual16(SB), NOSPLIT, $0-32
	COMPARE16(VPCMPEQW, VPAND)

// func avxUnequal16(n int, dst, a, b *byte)
TEXT ·avxUnequal16(SB), NOSPLIT, $0-32
	COMPARE16(VPCMPEQW, VPANDN)

// func avxGreaterI16(n int, dst, a, b *byte)
TEXT ·avxGreaterI16(SB), NOSPLIT, $0-32
	COMPARE16(VPCMPGTW, VPAND)

// func avxNotGreaterI16(n int, dst, a, b *byte)
TEXT ·avxNotGreaterI16(SB), NOSPLIT, $0-32
	COMPARE16(VPCMPGTW, VPANDN)

// func avxEqual32(n int, dst, a, b *byte)
TEXT ·avxEqual32(SB), NOSPLIT, $0-32
	COMPARE32(VPCMPEQD, VPAND)

// func avxUnequal32(n int, dst, a, b *byte)
TEXT ·avxUnequal32(SB), NOSPLIT, $0-32
	COMPARE32(VPCMPEQD, VPANDN)

// func avxGreaterI32(n int, dst, a, b *byte)
TEXT ·avxGreaterI32(SB), NOSPLIT, $0-32
	COMPARE32(VPCMPGTD, VPAND)

// func avxNotGreaterI32(n int, dst, a, b *byte)
TEXT ·avxNotGreaterI32(SB), NOSPLIT, $0-32
	COMPARE32(VPCMPGTD, VPANDN)

// func avxEqual64(n int, dst, a, b *byte)
TEXT ·avxEqual64(SB), NOSPLIT, $0-32
	COMPARE64(VPCMPEQQ, VPAND)

// func avxUnequal64(n int, dst, a, b *byte)
TEXT ·avxUnequal64(SB), NOSPLIT, $0-32
	COMPARE64(VPCMPEQQ, VPANDN)

// func avxGreaterI64(n int, dst, a, b *byte)
TEXT ·avxGreaterI64(SB), NOSPLIT, $0-32
	COMPARE64(VPCMPGTQ, VPAND)

// func avxNotGreaterI64(n int, dst, a, b *byte)
TEXT ·avxNotGreaterI64(SB), NOSPLIT, $0-32
	COMPARE64(VPCMPGTQ, VPANDN)

// func avxGreaterU8(n int, dst, a, b *byte)
TEXT ·avxGreaterU8(SB), NOSPLIT, $0-32
	COMPAREU8(VPANDN)

// func avxNotGreaterU8(n int, dst, a, b *byte)
TEXT ·avxNotGreaterU8(SB), NOSPLIT, $0-32
	COMPAREU8(VPAND)

// func avxEqualF64(n int, dst, a, b *byte)
TEXT ·avxEqualF64(SB), NOSPLIT, $0-32
	COMPAREF64($0)

// func avxUnequalF64(n int, dst, a, b *byte)
TEXT ·avxUnequalF64(SB), NOSPLIT, $0-32
	COMPAREF64($4)

// func avxLessF64(n int, dst, a, b *byte)
TEXT ·avxLessF64(SB), NOSPLIT, $0-32
	COMPAREF64($0x11)

// func avxLessEqualF64(n int, dst, a, b *byte)
TEXT ·avxLessEqualF64(SB), NOSPLIT, $0-32
	COMPAREF64($0x12)
