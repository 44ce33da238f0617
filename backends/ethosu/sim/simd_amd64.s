#include "textflag.h"

// PIXELS finds where the next run of six pixels begins: R8 to R13. CX is at the run's offset, BX at those of the pixels, AX
// at the elements; all are counted in elements.
#define PIXEL(at, r) \
	MOVQ at(BX), r; \
	LEAQ (DX)(r*2), r

#define PIXELS \
	MOVQ (CX), DX; \
	LEAQ (AX)(DX*2), DX; \
	PIXEL(0, R8); \
	PIXEL(8, R9); \
	PIXEL(16, R10); \
	PIXEL(24, R11); \
	PIXEL(32, R12); \
	PIXEL(40, R13); \
	XORQ DX, DX

#define GEMM \
	MOVQ acc+0(FP), DI; \
	MOVQ x+8(FP), AX; \
	MOVQ pixels+16(FP), BX; \
	MOVQ runs+24(FP), CX; \
	MOVQ pairs+40(FP), R15; \
	MOVQ w+48(FP), SI

// NEXT goes on to the next pair of elements, then to the next run.
#define NEXT \
	ADDQ $64, SI; \
	INCQ DX; \
	CMPQ DX, R15; \
	JLT  pair; \
	ADDQ $8, CX; \
	DECQ nRuns+32(FP); \
	JNZ  run

// TIMES adds the products of a pixel's pair with 16 channels' weights, Y12 and Y13.
#define TIMES(pixel, lo, hi) \
	VPBROADCASTD (pixel)(DX*4), Y14; \
	VPMADDWD Y12, Y14, Y15; \
	VPADDD Y15, lo, lo; \
	VPMADDWD Y13, Y14, Y15; \
	VPADDD Y15, hi, hi

// func gemmAVX2(acc *int32, x *int16, pixels *int, runs *int, nRuns, pairs int, w *int16)
TEXT ·gemmAVX2(SB), NOSPLIT, $0-56
	GEMM
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	VPXOR Y8, Y8, Y8
	VPXOR Y9, Y9, Y9
	VPXOR Y10, Y10, Y10
	VPXOR Y11, Y11, Y11

run:
	PIXELS

pair:
	VMOVDQU (SI), Y12
	VMOVDQU 32(SI), Y13
	TIMES(R8, Y0, Y1)
	TIMES(R9, Y2, Y3)
	TIMES(R10, Y4, Y5)
	TIMES(R11, Y6, Y7)
	TIMES(R12, Y8, Y9)
	TIMES(R13, Y10, Y11)
	NEXT

	VMOVDQU Y0, 0(DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	VMOVDQU Y4, 128(DI)
	VMOVDQU Y5, 160(DI)
	VMOVDQU Y6, 192(DI)
	VMOVDQU Y7, 224(DI)
	VMOVDQU Y8, 256(DI)
	VMOVDQU Y9, 288(DI)
	VMOVDQU Y10, 320(DI)
	VMOVDQU Y11, 352(DI)
	VZEROUPPER
	RET

// func gemmVNNI(acc *int32, x *int16, pixels *int, runs *int, nRuns, pairs int, w *int16)
TEXT ·gemmVNNI(SB), NOSPLIT, $0-56
	GEMM
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5

run:
	PIXELS

pair:
	VMOVDQU32 (SI), Z6
	VPDPWSSD.BCST (R8)(DX*4), Z6, Z0
	VPDPWSSD.BCST (R9)(DX*4), Z6, Z1
	VPDPWSSD.BCST (R10)(DX*4), Z6, Z2
	VPDPWSSD.BCST (R11)(DX*4), Z6, Z3
	VPDPWSSD.BCST (R12)(DX*4), Z6, Z4
	VPDPWSSD.BCST (R13)(DX*4), Z6, Z5
	NEXT

	VMOVDQU32 Z0, 0(DI)
	VMOVDQU32 Z1, 64(DI)
	VMOVDQU32 Z2, 128(DI)
	VMOVDQU32 Z3, 192(DI)
	VMOVDQU32 Z4, 256(DI)
	VMOVDQU32 Z5, 320(DI)
	VZEROUPPER
	RET

// func depthwiseAVX2(acc *int32, x *int16, taps *int, tapPairs, blocks int, w *int16)
TEXT ·depthwiseAVX2(SB), NOSPLIT, $0-48
	MOVQ acc+0(FP), DI
	MOVQ x+8(FP), AX
	MOVQ blocks+32(FP), DX
	MOVQ w+40(FP), SI

block:
	MOVQ taps+16(FP), BX
	MOVQ tapPairs+24(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1

tap:
	MOVQ (BX), R8
	MOVQ 8(BX), R9
	VMOVDQU (AX)(R8*2), Y2
	VMOVDQU (AX)(R9*2), Y3
	VPUNPCKLWD Y3, Y2, Y4
	VPUNPCKHWD Y3, Y2, Y5
	VPMADDWD (SI), Y4, Y4
	VPMADDWD 32(SI), Y5, Y5
	VPADDD Y4, Y0, Y0
	VPADDD Y5, Y1, Y1
	ADDQ $64, SI
	ADDQ $16, BX
	DECQ CX
	JNZ  tap
	VPERM2I128 $0x20, Y1, Y0, Y2
	VPERM2I128 $0x31, Y1, Y0, Y3
	VMOVDQU Y2, (DI)
	VMOVDQU Y3, 32(DI)
	ADDQ $64, DI
	ADDQ $32, AX
	DECQ DX
	JNZ  block
	VZEROUPPER
	RET

// The lowest byte of each 32-bit lane, in each half.
DATA lowBytes<>+0(SB)/8, $0x808080800c080400
DATA lowBytes<>+8(SB)/8, $0x8080808080808080
DATA lowBytes<>+16(SB)/8, $0x808080800c080400
DATA lowBytes<>+24(SB)/8, $0x8080808080808080
GLOBL lowBytes<>(SB), RODATA|NOPTR, $32

// HALF requantizes eight lanes, the lower or the upper half of a block. AVX2 has no arithmetic shift of 64-bit lanes: the
// sign bit is flipped before a logical shift, and what it became is subtracted after.
#define HALF(half) \
	VMOVDQU (32*half)(SI), Y0; \
	VPADDD (32*half)(BX), Y0, Y0; \
	VMOVDQU (64+32*half)(BX), Y1; \
	VPMULDQ Y1, Y0, Y2; \
	VPSRLQ $32, Y0, Y3; \
	VPSRLQ $32, Y1, Y4; \
	VPMULDQ Y4, Y3, Y3; \
	VPSRAD $31, Y0, Y5; \
	VPSHUFD $0xA0, Y5, Y6; \
	VPSHUFD $0xF5, Y5, Y7; \
	VPXOR (256+64*half)(BX), Y6, Y8; \
	VPSUBQ Y6, Y8, Y8; \
	VPXOR (288+64*half)(BX), Y7, Y9; \
	VPSUBQ Y7, Y9, Y9; \
	VPADDQ Y8, Y2, Y2; \
	VPADDQ Y9, Y3, Y3; \
	VPADDQ (128+64*half)(BX), Y2, Y2; \
	VPADDQ (160+64*half)(BX), Y3, Y3; \
	VMOVDQU (384+64*half)(BX), Y8; \
	VMOVDQU (416+64*half)(BX), Y9; \
	VPXOR Y15, Y2, Y2; \
	VPXOR Y15, Y3, Y3; \
	VPSRLVQ Y8, Y2, Y2; \
	VPSRLVQ Y9, Y3, Y3; \
	VPSRLVQ Y8, Y15, Y8; \
	VPSRLVQ Y9, Y15, Y9; \
	VPSUBQ Y8, Y2, Y2; \
	VPSUBQ Y9, Y3, Y3; \
	VPSLLQ $32, Y3, Y3; \
	VPBLENDD $0xAA, Y3, Y2, Y2; \
	VPADDD Y12, Y2, Y2; \
	VPMAXSD Y13, Y2, Y2; \
	VPMINSD Y14, Y2, Y2; \
	VPSHUFB Y11, Y2, Y2; \
	VEXTRACTI128 $1, Y2, X3; \
	VPUNPCKLDQ X3, X2, X2; \
	VMOVQ X2, (8*half)(DI)

// func requantizeAVX2(dst *byte, acc *int32, q *quant, blocks, step int, zero, lo, hi int32)
TEXT ·requantizeAVX2(SB), NOSPLIT, $0-52
	MOVQ dst+0(FP), DI
	MOVQ acc+8(FP), SI
	MOVQ q+16(FP), BX
	MOVQ blocks+24(FP), CX
	MOVQ step+32(FP), DX
	MOVL zero+40(FP), AX
	VMOVD AX, X12
	VPBROADCASTD X12, Y12
	MOVL lo+44(FP), AX
	VMOVD AX, X13
	VPBROADCASTD X13, Y13
	MOVL hi+48(FP), AX
	VMOVD AX, X14
	VPBROADCASTD X14, Y14
	VPCMPEQQ Y15, Y15, Y15
	VPSLLQ $63, Y15, Y15
	VMOVDQU lowBytes<>(SB), Y11

block:
	HALF(0)
	HALF(1)
	ADDQ $64, SI
	ADDQ $16, DI
	ADDQ DX, BX
	DECQ CX
	JNZ  block
	VZEROUPPER
	RET

// WIDEN converts blocks of 16 bytes.
#define WIDEN(loop, op) \
loop: \
	op (SI), Y1; \
	VPSUBW Y0, Y1, Y1; \
	VMOVDQU Y1, (DI); \
	ADDQ BX, SI; \
	ADDQ DX, DI; \
	DECQ CX; \
	JNZ  loop; \
	VZEROUPPER; \
	RET

// func widenAVX2(dst *int16, src *byte, blocks, dstStep, srcStep int, zero int32, signed int)
TEXT ·widenAVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	MOVQ dstStep+24(FP), DX
	MOVQ srcStep+32(FP), BX
	SHLQ $1, DX
	MOVL zero+40(FP), AX
	VMOVD AX, X0
	VPBROADCASTW X0, Y0
	CMPQ signed+48(FP), $0
	JEQ  unsigned
	WIDEN(signed, VPMOVSXBW)
	WIDEN(unsigned, VPMOVZXBW)
