#include "textflag.h"
#include "loops_amd64.h"

DATA unity<>+0(SB)/8, $0x3ff0000000000000
GLOBL unity<>(SB), RODATA|NOPTR, $8

// func avxPositiveF64(n int, dst, a, b *byte)
TEXT ·avxPositiveF64(SB), NOSPLIT, $0-32
	ARGUMENTS
	VXORPD Y15, Y15, Y15
	UNARY(VMAXPD)

// func avxSignF64(n int, dst, a, b *byte)
TEXT ·avxSignF64(SB), NOSPLIT, $0-32
	ARGUMENTS
	VXORPD Y15, Y15, Y15
	VPBROADCASTQ unity<>(SB), Y14
	BEGIN
	VMOVUPD (SI)(AX*1), Y1
	VCMPPD $0x1e, Y15, Y1, Y0
	VCMPPD $0x11, Y15, Y1, Y2
	VANDPD Y14, Y0, Y0
	VANDPD Y14, Y2, Y2
	VSUBPD Y2, Y0, Y0
	END
