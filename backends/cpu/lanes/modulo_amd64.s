#include "textflag.h"
#include "loops_amd64.h"

// With q the quotient of |a| and |b|, rounded to zero, |a| - q·|b| in one rounding is the remainder or, where the quotient
// was rounded up to a whole number, |b| less: both are multiples of |b|'s last place and below it, and so exact. The loops
// stop before four numbers of which one is not finite, is divided by zero or has a quotient of 2^52 or more, and count what
// they did.

DATA signs<>+0(SB)/8, $0x8000000000000000
GLOBL signs<>(SB), RODATA|NOPTR, $8

DATA infinity<>+0(SB)/8, $0x7ff0000000000000
GLOBL infinity<>(SB), RODATA|NOPTR, $8

DATA large<>+0(SB)/8, $0x4330000000000000
GLOBL large<>(SB), RODATA|NOPTR, $8

DATA oneHalf<>+0(SB)/8, $0x3fe0000000000000
GLOBL oneHalf<>(SB), RODATA|NOPTR, $8

DATA unit<>+0(SB)/8, $0x3ff0000000000000
GLOBL unit<>(SB), RODATA|NOPTR, $8

// MOD: Y4 = a mod b, of the sign of a. Y0 is a, Y1 is b, Y11 zero, Y12 infinity, Y13 2^52 and Y15 the signs.
#define MOD \
	ARGUMENTS; \
	VXORPD Y11, Y11, Y11; \
	VPBROADCASTQ infinity<>(SB), Y12; \
	VPBROADCASTQ large<>(SB), Y13; \
	VPBROADCASTQ signs<>(SB), Y15; \
	BEGIN; \
	VMOVUPD (SI)(AX*1), Y0; \
	VMOVUPD (DX)(AX*1), Y1; \
	VANDNPD Y0, Y15, Y4; \
	VANDNPD Y1, Y15, Y5; \
	VDIVPD Y5, Y4, Y6; \
	VCMPPD $0x11, Y12, Y4, Y2; \
	VCMPPD $0x11, Y12, Y5, Y3; \
	VANDPD Y3, Y2, Y2; \
	VCMPPD $0x11, Y13, Y6, Y3; \
	VANDPD Y3, Y2, Y2; \
	VMOVMSKPD Y2, R8; \
	CMPQ R8, $15; \
	JNE out; \
	VROUNDPD $11, Y6, Y6; \
	VFNMADD231PD Y5, Y6, Y4; \
	VCMPPD $0x11, Y11, Y4, Y2; \
	VANDPD Y5, Y2, Y2; \
	VADDPD Y2, Y4, Y4; \
	VANDNPD Y4, Y15, Y4; \
	VANDPD Y15, Y0, Y2; \
	VORPD Y2, Y4, Y4

// OPPOSED: Y2 = all ones where the remainder is not 0 and the divisor has the other sign. Uses Y3.
#define OPPOSED \
	VXORPD Y1, Y4, Y2; \
	VPCMPGTQ Y2, Y11, Y2; \
	VCMPPD $4, Y11, Y4, Y3; \
	VANDPD Y3, Y2, Y2

#define COUNTED \
	VMOVUPD Y4, (DI)(AX*1); \
	ADDQ $32, AX; \
	CMPQ AX, CX; \
	JLT loop; \
out: \
	MOVQ AX, ret+32(FP); \
	VZEROUPPER; \
	RET

// func avxModF64(n int, dst, a, b *byte) int
TEXT ·avxModF64(SB), NOSPLIT, $0-40
	MOD
	COUNTED

// func avxFloorModF64(n int, dst, a, b *byte) int
TEXT ·avxFloorModF64(SB), NOSPLIT, $0-40
	MOD
	OPPOSED
	VANDPD Y1, Y2, Y2
	VADDPD Y2, Y4, Y3
	VCMPPD $4, Y11, Y2, Y5       // the others keep the sign of a zero
	VBLENDVPD Y5, Y3, Y4, Y4
	COUNTED

// func avxFloorDivF64(n int, dst, a, b *byte) int
TEXT ·avxFloorDivF64(SB), NOSPLIT, $0-40
	VPBROADCASTQ unit<>(SB), Y9
	VPBROADCASTQ oneHalf<>(SB), Y14
	MOD
	OPPOSED
	VANDPD Y9, Y2, Y2
	VSUBPD Y4, Y0, Y5
	VDIVPD Y1, Y5, Y5
	VSUBPD Y2, Y5, Y5            // the quotient of a multiple, less one where signs differ
	VROUNDPD $9, Y5, Y4
	VSUBPD Y4, Y5, Y6
	VCMPPD $0x1e, Y14, Y6, Y6
	VANDPD Y9, Y6, Y6
	VADDPD Y6, Y4, Y4
	VXORPD Y1, Y0, Y2
	VANDPD Y15, Y2, Y2           // a zero of the quotient's sign
	VCMPPD $0, Y11, Y5, Y3
	VBLENDVPD Y3, Y2, Y4, Y4
	COUNTED
