#include "textflag.h"
#include "loops_amd64.h"

// Sums of columns whose lines are n, four columns at a time and all their lines at once, in the order of the portable loop.

// ADDLINE adds four numbers of the line at SI to a lane, SQUARELINE the squares of their distances from Y14.
#define ADDLINE(load, lane) \
	load((SI), Y8); \
	VADDPD Y8, lane, lane; \
	ADDQ R12, SI

#define SQUARELINE(load, lane) \
	load((SI), Y8); \
	VSUBPD Y14, Y8, Y8; \
	VMULPD Y8, Y8, Y8; \
	VADDPD Y8, lane, lane; \
	ADDQ R12, SI

// LASTLINE does either unless no line is left.
#define LASTLINE(each, load, lane, tree) \
	TESTQ CX, CX; \
	JZ tree; \
	each(load, lane); \
	DECQ CX

// LANES leaves the sums of R8 lines from R11 on, R12 bytes apart, in Y0.
#define LANES(each, load, eight, few, tree) \
	VXORPD Y0, Y0, Y0; \
	VXORPD Y1, Y1, Y1; \
	VXORPD Y2, Y2, Y2; \
	VXORPD Y3, Y3, Y3; \
	VXORPD Y4, Y4, Y4; \
	VXORPD Y5, Y5, Y5; \
	VXORPD Y6, Y6, Y6; \
	VXORPD Y7, Y7, Y7; \
	MOVQ R11, SI; \
	MOVQ R8, CX; \
	SUBQ $8, CX; \
	JLT few; \
eight: \
	each(load, Y0); \
	each(load, Y1); \
	each(load, Y2); \
	each(load, Y3); \
	each(load, Y4); \
	each(load, Y5); \
	each(load, Y6); \
	each(load, Y7); \
	SUBQ $8, CX; \
	JGE eight; \
few: \
	ADDQ $8, CX; \
	LASTLINE(each, load, Y0, tree); \
	LASTLINE(each, load, Y1, tree); \
	LASTLINE(each, load, Y2, tree); \
	LASTLINE(each, load, Y3, tree); \
	LASTLINE(each, load, Y4, tree); \
	LASTLINE(each, load, Y5, tree); \
	LASTLINE(each, load, Y6, tree); \
tree: \
	VADDPD Y4, Y0, Y0; \
	VADDPD Y5, Y1, Y1; \
	VADDPD Y6, Y2, Y2; \
	VADDPD Y7, Y3, Y3; \
	VADDPD Y2, Y0, Y0; \
	VADDPD Y3, Y1, Y1; \
	VADDPD Y1, Y0, Y0

#define NOTHING

// NEXTMEANS reads those of four columns.
#define NEXTMEANS \
	VMOVUPD (DX), Y14; \
	ADDQ $32, DX

#define COLUMNS(each, before, load, size) \
	MOVQ n+0(FP), R8; \
	MOVQ width+8(FP), R9; \
	MOVQ sums+16(FP), DI; \
	MOVQ x+24(FP), R11; \
	MOVQ step+32(FP), R12; \
	IMULQ $size, R12; \
columns: \
	before; \
	LANES(each, load, eight, few, tree); \
	VMOVUPD Y0, (DI); \
	ADDQ $32, DI; \
	ADDQ $(4*size), R11; \
	SUBQ $4, R9; \
	JNZ columns; \
	VZEROUPPER; \
	RET

// These write four doubles of Y0 as numbers of either type, and leave one in all of a register.
#define PUTSINGLE(at) \
	VCVTPD2PSY Y0, X1; \
	VMOVUPS X1, at

#define PUTDOUBLE(at) \
	VMOVUPD Y0, at

#define EACHSINGLE(at, x, y) \
	VBROADCASTSS at, x; \
	VCVTPS2PD x, y

#define EACHDOUBLE(at, x, y) \
	VBROADCASTSD at, y

// STANDARDISE leaves the means of four columns in Y14, 1/√(variance + eps) in Y13.
#define STANDARDISE(load, put, each, size) \
	MOVQ n+0(FP), R8; \
	MOVQ width+8(FP), R9; \
	MOVQ dst+16(FP), DI; \
	MOVQ src+24(FP), R11; \
	MOVQ dy+32(FP), R10; \
	MOVQ dx+40(FP), R12; \
	IMULQ $size, R10; \
	IMULQ $size, R12; \
	MOVQ mean+72(FP), R13; \
	MOVQ rstd+80(FP), BX; \
	VBROADCASTSD eps+88(FP), Y10; \
	VCVTSI2SDQ R8, X11, X11; \
	VBROADCASTSD X11, Y11; \
	MOVQ $0x3ff0000000000000, AX; \
	VMOVQ AX, X15; \
	VBROADCASTSD X15, Y15; \
	XORQ AX, AX; \
columns: \
	LANES(ADDLINE, load, eight, few, tree); \
	VDIVPD Y11, Y0, Y0; \
	VMOVAPD Y0, Y14; \
	put((R13)(AX*size)); \
	LANES(SQUARELINE, load, eightsquares, fewsquares, squares); \
	VDIVPD Y11, Y0, Y0; \
	VADDPD Y10, Y0, Y0; \
	VSQRTPD Y0, Y0; \
	VDIVPD Y0, Y15, Y0; \
	VMOVAPD Y0, Y13; \
	put((BX)(AX*size)); \
	VXORPD Y12, Y12, Y12; \
	MOVQ R11, SI; \
	MOVQ DI, DX; \
	MOVQ R8, CX; \
	MOVQ weight+48(FP), R14; \
	TESTQ R14, R14; \
	JZ plain; \
	CMPB single+64(FP), $0; \
	JEQ weighted; \
	load((R14)(AX*size), Y0); \
	VMULPD Y0, Y13, Y13; \
	MOVQ bias+56(FP), R14; \
	load((R14)(AX*size), Y12); \
plain: \
	load((SI), Y0); \
	VSUBPD Y14, Y0, Y0; \
	VMULPD Y13, Y0, Y0; \
	VADDPD Y12, Y0, Y0; \
	put((DX)); \
	ADDQ R12, SI; \
	ADDQ R10, DX; \
	DECQ CX; \
	JNZ plain; \
next: \
	ADDQ $4, AX; \
	ADDQ $(4*size), R11; \
	ADDQ $(4*size), DI; \
	CMPQ AX, R9; \
	JLT columns; \
	VZEROUPPER; \
	RET; \
weighted: \
	MOVQ bias+56(FP), R8; \
line: \
	load((SI), Y0); \
	VSUBPD Y14, Y0, Y0; \
	VMULPD Y13, Y0, Y0; \
	each((R14), X2, Y2); \
	VMULPD Y2, Y0, Y0; \
	each((R8), X2, Y2); \
	VADDPD Y2, Y0, Y0; \
	put((DX)); \
	ADDQ $size, R14; \
	ADDQ $size, R8; \
	ADDQ R12, SI; \
	ADDQ R10, DX; \
	DECQ CX; \
	JNZ line; \
	MOVQ n+0(FP), R8; \
	JMP next

// WRITELINE is ((x − mean)·scale)·weight + shift + bias: what is not wanted is 1 or −0.
#define WRITELINE(load, put, size) \
	MOVQ n+0(FP), CX; \
	MOVQ dst+8(FP), DI; \
	MOVQ src+16(FP), SI; \
	MOVQ means+24(FP), DX; \
	MOVQ scales+32(FP), BX; \
	MOVQ shifts+40(FP), R8; \
	VBROADCASTSD weight+48(FP), Y2; \
	VBROADCASTSD bias+56(FP), Y3; \
	LOOP; \
	load((SI)(AX*size), Y0); \
	VSUBPD (DX)(AX*8), Y0, Y0; \
	VMULPD (BX)(AX*8), Y0, Y0; \
	VMULPD Y2, Y0, Y0; \
	VADDPD (R8)(AX*8), Y0, Y0; \
	VADDPD Y3, Y0, Y0; \
	put((DI)(AX*size)); \
	END(4)

// func avxSumLines(n, width int, sums *float64, x *float32, step int)
TEXT ·avxSumLines(SB), NOSPLIT, $0-40
	COLUMNS(ADDLINE, NOTHING, SINGLE4, 4)

// func avxSumHalfLines(n, width int, sums *float64, x *uint16, step int)
TEXT ·avxSumHalfLines(SB), NOSPLIT, $0-40
	COLUMNS(ADDLINE, NOTHING, HALF4, 2)

// func avxSumBrainLines(n, width int, sums *float64, x *uint16, step int)
TEXT ·avxSumBrainLines(SB), NOSPLIT, $0-40
	COLUMNS(ADDLINE, NOTHING, BRAIN4, 2)

// func avxSumDoubleLines(n, width int, sums *float64, x *float64, step int)
TEXT ·avxSumDoubleLines(SB), NOSPLIT, $0-40
	COLUMNS(ADDLINE, NOTHING, DOUBLE4, 8)

// func avxSpreadColumns(n, width int, sums *float64, x *float32, step int, means *float64)
TEXT ·avxSpreadColumns(SB), NOSPLIT, $0-48
	MOVQ means+40(FP), DX
	COLUMNS(SQUARELINE, NEXTMEANS, SINGLE4, 4)

// func avxSpreadDoubleColumns(n, width int, sums *float64, x *float64, step int, means *float64)
TEXT ·avxSpreadDoubleColumns(SB), NOSPLIT, $0-48
	MOVQ means+40(FP), DX
	COLUMNS(SQUARELINE, NEXTMEANS, DOUBLE4, 8)

// func avxStandardiseColumns(n, width int, dst, src *float32, dy, dx int, weight, bias *float32, single bool, mean, rstd *float32, eps float64)
TEXT ·avxStandardiseColumns(SB), NOSPLIT, $0-96
	STANDARDISE(SINGLE4, PUTSINGLE, EACHSINGLE, 4)

// func avxStandardiseDoubleColumns(n, width int, dst, src *float64, dy, dx int, weight, bias *float64, single bool, mean, rstd *float64, eps float64)
TEXT ·avxStandardiseDoubleColumns(SB), NOSPLIT, $0-96
	STANDARDISE(DOUBLE4, PUTDOUBLE, EACHDOUBLE, 8)

// func avxStandardiseLine(n int, dst, src *float32, means, scales, shifts *float64, weight, bias float64)
TEXT ·avxStandardiseLine(SB), NOSPLIT, $0-64
	WRITELINE(SINGLE4, PUTSINGLE, 4)

// func avxStandardiseDoubleLine(n int, dst, src *float64, means, scales, shifts *float64, weight, bias float64)
TEXT ·avxStandardiseDoubleLine(SB), NOSPLIT, $0-64
	WRITELINE(DOUBLE4, PUTDOUBLE, 8)
