#include "textflag.h"
#include "loops_amd64.h"

// Each function takes n elements, a multiple of 32, of a where the mask is not 0 and of b elsewhere. Y15 is zero.

#define CHOICE \
	MOVQ n+0(FP), CX; \
	MOVQ dst+8(FP), DI; \
	MOVQ mask+16(FP), BX; \
	MOVQ a+24(FP), SI; \
	MOVQ b+32(FP), DX; \
	VPXOR Y15, Y15, Y15; \
	XORQ AX, AX

#define NEXT \
	ADDQ $32, AX; \
	CMPQ AX, CX; \
	JLT loop; \
	VZEROUPPER; \
	RET

// func avxChoose8(n int, dst, mask, a, b *byte)
TEXT ·avxChoose8(SB), NOSPLIT, $0-40
	CHOICE
	BEGIN
	VPCMPEQB (BX)(AX*1), Y15, Y0
	VMOVDQU (SI)(AX*1), Y1
	VPBLENDVB Y0, (DX)(AX*1), Y1, Y1
	VMOVDQU Y1, (DI)(AX*1)
	NEXT

// func avxChoose16(n int, dst, mask, a, b *byte)
TEXT ·avxChoose16(SB), NOSPLIT, $0-40
	CHOICE
	BEGIN
	VPCMPEQB (BX)(AX*1), Y15, Y0
	VEXTRACTI128 $1, Y0, X2
	VPMOVSXBW X0, Y0
	VPMOVSXBW X2, Y2
	VMOVDQU (SI)(AX*2), Y1
	VMOVDQU 32(SI)(AX*2), Y3
	VPBLENDVB Y0, (DX)(AX*2), Y1, Y1
	VPBLENDVB Y2, 32(DX)(AX*2), Y3, Y3
	VMOVDQU Y1, (DI)(AX*2)
	VMOVDQU Y3, 32(DI)(AX*2)
	NEXT

// FOUR64 does the four elements at an offset.
#define FOUR64(at) \
	VPMOVZXBQ at(BX)(AX*1), Y0; \
	VPCMPEQQ Y15, Y0, Y0; \
	VMOVDQU (8*at)(SI)(AX*8), Y1; \
	VPBLENDVB Y0, (8*at)(DX)(AX*8), Y1, Y1; \
	VMOVDQU Y1, (8*at)(DI)(AX*8)

// func avxChoose64(n int, dst, mask, a, b *byte)
TEXT ·avxChoose64(SB), NOSPLIT, $0-40
	CHOICE
	BEGIN
	FOUR64(0)
	FOUR64(4)
	FOUR64(8)
	FOUR64(12)
	FOUR64(16)
	FOUR64(20)
	FOUR64(24)
	FOUR64(28)
	NEXT
