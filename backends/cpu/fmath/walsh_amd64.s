#include "textflag.h"

// Signs of the second half of pairs, of fours and of eights.
DATA seconds<>+0(SB)/8, $0x8000000000000000
DATA seconds<>+8(SB)/8, $0x8000000000000000
DATA seconds<>+16(SB)/8, $0x8000000000000000
DATA seconds<>+24(SB)/8, $0x8000000000000000
DATA seconds<>+32(SB)/8, $0
DATA seconds<>+40(SB)/8, $0x8000000080000000
DATA seconds<>+48(SB)/8, $0
DATA seconds<>+56(SB)/8, $0x8000000080000000
DATA seconds<>+64(SB)/8, $0
DATA seconds<>+72(SB)/8, $0
DATA seconds<>+80(SB)/8, $0x8000000080000000
DATA seconds<>+88(SB)/8, $0x8000000080000000
GLOBL seconds<>(SB), RODATA|NOPTR, $96

// func avxWalsh(n int, x *float32)
// The first three steps stay within a register: u+v, u−v is v, u plus u, −v. n is a power of two, at least 8.
TEXT ·avxWalsh(SB), NOSPLIT, $0-16
	MOVQ n+0(FP), BX
	MOVQ x+8(FP), SI
	SHLQ $2, BX                  // bytes
	VMOVUPS seconds<>+0(SB), Y13
	VMOVUPS seconds<>+32(SB), Y14
	VMOVUPS seconds<>+64(SB), Y15
	XORQ AX, AX
inner:
	VMOVUPS (SI)(AX*1), Y0
	VPERMILPS $0xB1, Y0, Y1
	VXORPS Y13, Y0, Y0
	VADDPS Y0, Y1, Y0
	VPERMILPS $0x4E, Y0, Y1
	VXORPS Y14, Y0, Y0
	VADDPS Y0, Y1, Y0
	VPERM2F128 $0x01, Y0, Y0, Y1
	VXORPS Y15, Y0, Y0
	VADDPS Y0, Y1, Y0
	VMOVUPS Y0, (SI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, BX
	JLT inner
	MOVQ $32, DX                 // the step
step:
	CMPQ DX, BX
	JGE done
	MOVQ SI, DI
	LEAQ (SI)(BX*1), R9
block:
	LEAQ (DI)(DX*1), R8
	MOVQ DX, CX
pair:
	VMOVUPS (DI), Y0
	VMOVUPS (R8), Y1
	VADDPS Y1, Y0, Y2
	VSUBPS Y1, Y0, Y3
	VMOVUPS Y2, (DI)
	VMOVUPS Y3, (R8)
	ADDQ $32, DI
	ADDQ $32, R8
	SUBQ $32, CX
	JNZ pair
	MOVQ R8, DI
	CMPQ DI, R9
	JLT block
	SHLQ $1, DX
	JMP step
done:
	VZEROUPPER
	RET
