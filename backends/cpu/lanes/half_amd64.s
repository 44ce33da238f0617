#include "textflag.h"
#include "loops_amd64.h"

// Floats of 16 bits as whole numbers. Y15 is the sign.

// func avxAbsHalf(n int, dst, a, b *byte)
TEXT ·avxAbsHalf(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPCMPEQW Y15, Y15, Y15
	VPSLLW $15, Y15, Y15
	UNARY(VPANDN)

// func avxNegHalf(n int, dst, a, b *byte)
TEXT ·avxNegHalf(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPCMPEQW Y15, Y15, Y15
	VPSLLW $15, Y15, Y15
	UNARY(VPXOR)

DATA infinities<>+0(SB)/2, $0xfc00
DATA infinities<>+2(SB)/2, $0xff80
GLOBL infinities<>(SB), RODATA|NOPTR, $4

// POSITIVE clears what lies, as signed numbers, above -0 and up to -∞; NaN is above that.
#define POSITIVE(infinity) \
	ARGUMENTS; \
	VPCMPEQW Y15, Y15, Y15; \
	VPSLLW $15, Y15, Y15; \
	VPBROADCASTW infinity, Y14; \
	BEGIN; \
	VMOVDQU (SI)(AX*1), Y1; \
	VPCMPGTW Y15, Y1, Y2; \
	VPCMPGTW Y14, Y1, Y3; \
	VPANDN Y2, Y3, Y2; \
	VPANDN Y1, Y2, Y0; \
	END

// func avxPositiveF16(n int, dst, a, b *byte)
TEXT ·avxPositiveF16(SB), NOSPLIT, $0-32
	POSITIVE(infinities<>+0(SB))

// func avxPositiveBF16(n int, dst, a, b *byte)
TEXT ·avxPositiveBF16(SB), NOSPLIT, $0-32
	POSITIVE(infinities<>+2(SB))

// func avxNotHalf(n int, dst, a, b *byte)
TEXT ·avxNotHalf(SB), NOSPLIT, $0-32
	ARGUMENTS
	VPXOR Y15, Y15, Y15
	VPCMPEQB Y14, Y14, Y14
	VPABSB Y14, Y14
	BEGIN
	VMOVDQU (SI)(AX*2), Y0
	VMOVDQU 32(SI)(AX*2), Y1
	VPADDW Y0, Y0, Y0            // without the sign
	VPADDW Y1, Y1, Y1
	VPCMPEQW Y15, Y0, Y0
	VPCMPEQW Y15, Y1, Y1
	VPACKSSWB Y1, Y0, Y0
	VPERMQ $0xd8, Y0, Y0
	VPAND Y14, Y0, Y0
	END
