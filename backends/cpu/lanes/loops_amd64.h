// The loops of this package. Each function does n bytes of dst; BINARY and BEGIN … END want a multiple of 32.

#define ARGUMENTS \
	MOVQ n+0(FP), CX; \
	MOVQ dst+8(FP), DI; \
	MOVQ a+16(FP), SI; \
	MOVQ b+24(FP), DX; \
	XORQ AX, AX

// What stands between BEGIN and END leaves 32 bytes in Y0, AX bytes from the start.
#define BEGIN \
loop:

#define END \
	VMOVDQU Y0, (DI)(AX*1); \
	ADDQ $32, AX; \
	CMPQ AX, CX; \
	JLT loop; \
	VZEROUPPER; \
	RET

// BINARY is a loop of one instruction, 128 bytes at a time while they last.
#define BINARY(op) \
	ARGUMENTS; \
	MOVQ CX, R8; \
	ANDQ $-128, R8; \
	JZ tail; \
wide: \
	VMOVDQU (SI)(AX*1), Y0; \
	VMOVDQU 32(SI)(AX*1), Y1; \
	VMOVDQU 64(SI)(AX*1), Y2; \
	VMOVDQU 96(SI)(AX*1), Y3; \
	op (DX)(AX*1), Y0, Y0; \
	op 32(DX)(AX*1), Y1, Y1; \
	op 64(DX)(AX*1), Y2, Y2; \
	op 96(DX)(AX*1), Y3, Y3; \
	VMOVDQU Y0, (DI)(AX*1); \
	VMOVDQU Y1, 32(DI)(AX*1); \
	VMOVDQU Y2, 64(DI)(AX*1); \
	VMOVDQU Y3, 96(DI)(AX*1); \
	ADDQ $128, AX; \
	CMPQ AX, R8; \
	JLT wide; \
tail: \
	CMPQ AX, CX; \
	JGE done; \
	VMOVDQU (SI)(AX*1), Y0; \
	op (DX)(AX*1), Y0, Y0; \
	VMOVDQU Y0, (DI)(AX*1); \
	ADDQ $32, AX; \
	JMP tail; \
done: \
	VZEROUPPER; \
	RET

// UNARY is BINARY for an instruction of Y15 and one operand.
#define UNARY(op) \
	MOVQ CX, R8; \
	ANDQ $-128, R8; \
	JZ tail; \
wide: \
	op (SI)(AX*1), Y15, Y0; \
	op 32(SI)(AX*1), Y15, Y1; \
	op 64(SI)(AX*1), Y15, Y2; \
	op 96(SI)(AX*1), Y15, Y3; \
	VMOVDQU Y0, (DI)(AX*1); \
	VMOVDQU Y1, 32(DI)(AX*1); \
	VMOVDQU Y2, 64(DI)(AX*1); \
	VMOVDQU Y3, 96(DI)(AX*1); \
	ADDQ $128, AX; \
	CMPQ AX, R8; \
	JLT wide; \
tail: \
	CMPQ AX, CX; \
	JGE done; \
	op (SI)(AX*1), Y15, Y0; \
	VMOVDQU Y0, (DI)(AX*1); \
	ADDQ $32, AX; \
	JMP tail; \
done: \
	VZEROUPPER; \
	RET

// WOVEN is the order of four bytes each that undoes how two packs of vectors leave 32 results.
#define WOVEN(name) \
	DATA name<>+0(SB)/4, $0; \
	DATA name<>+4(SB)/4, $4; \
	DATA name<>+8(SB)/4, $1; \
	DATA name<>+12(SB)/4, $5; \
	DATA name<>+16(SB)/4, $2; \
	DATA name<>+20(SB)/4, $6; \
	DATA name<>+24(SB)/4, $3; \
	DATA name<>+28(SB)/4, $7; \
	GLOBL name<>(SB), RODATA|NOPTR, $32
