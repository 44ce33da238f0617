// What the loops of this package share. AX counts elements.

// interleaved undoes the order in which two packs of vectors leave 32 results.
DATA interleaved<>+0(SB)/8, $0x0000000400000000
DATA interleaved<>+8(SB)/8, $0x0000000500000001
DATA interleaved<>+16(SB)/8, $0x0000000600000002
DATA interleaved<>+24(SB)/8, $0x0000000700000003
GLOBL interleaved<>(SB), RODATA|NOPTR, $32

// ONE and TWO fetch the arguments.
#define ONE \
	MOVQ n+0(FP), CX; \
	MOVQ dst+8(FP), DI; \
	MOVQ src+16(FP), SI

#define TWO \
	MOVQ n+0(FP), CX; \
	MOVQ dst+8(FP), DI; \
	MOVQ a+16(FP), SI; \
	MOVQ b+24(FP), DX

// A function that does a number of elements at a time, at least once, is what it does between LOOP and END. Processors
// fetch a loop faster that begins where they fetch.
#define LOOP \
	XORQ AX, AX; \
	PCALIGN $32; \
loop:

#define END(step) \
	AGAIN(step); \
	VZEROUPPER; \
	RET

#define AGAIN(step) \
	ADDQ $step, AX; \
	CMPQ AX, CX; \
	JLT loop

// HALVES reads eight float32 numbers, for loops that wait for memory: in two halves, which costs nothing where they are near
// and takes a fortieth less time where they are far (256 KB and more on Zen 4: less is asked for at once).
#define HALVES \
	VMOVUPS (SI)(AX*4), X0; \
	VINSERTF128 $1, 16(SI)(AX*4), Y0, Y0

// STORE writes eight float32 numbers, ROUND eight float64 ones of Y2 and Y3 as float32.
#define STORE \
	VMOVUPS Y0, (DI)(AX*4)

#define ROUND \
	VCVTPD2PSY Y2, X2; \
	VCVTPD2PSY Y3, X3; \
	VMOVUPS X2, (DI)(AX*4); \
	VMOVUPS X3, 16(DI)(AX*4)

// These leave eight numbers from SI on in Y2 and Y3, as float64.
#define SINGLE \
	VCVTPS2PD (SI)(AX*4), Y2; \
	VCVTPS2PD 16(SI)(AX*4), Y3

#define HALF \
	VCVTPH2PS (SI)(AX*2), Y4; \
	WIDE

#define BRAIN \
	VPMOVZXWD (SI)(AX*2), Y4; \
	VPSLLD $16, Y4, Y4; \
	WIDE

#define DOUBLE \
	VMOVUPD (SI)(AX*8), Y2; \
	VMOVUPD 32(SI)(AX*8), Y3

// WIDE does so with the float32 numbers of Y4.
#define WIDE \
	VCVTPS2PD X4, Y2; \
	VEXTRACTF128 $1, Y4, X5; \
	VCVTPS2PD X5, Y3

// GATHER adds these to eight sums in Y0 and Y1. TREE adds the sums, as the portable total does, in X0.
#define GATHER \
	VADDPD Y2, Y0, Y0; \
	VADDPD Y3, Y1, Y1

#define TREE \
	VADDPD Y1, Y0, Y0; \
	VEXTRACTF128 $1, Y0, X1; \
	VADDPD X1, X0, X0; \
	VUNPCKHPD X0, X0, X1; \
	VADDSD X1, X0, X0

// These leave four numbers from at as doubles.
#define SINGLE4(at, y) \
	VCVTPS2PD at, y

#define HALF4(at, y) \
	VCVTPH2PS at, X9; \
	VCVTPS2PD X9, y

#define BRAIN4(at, y) \
	VPMOVZXWD at, X9; \
	VPSLLD $16, X9, X9; \
	VCVTPS2PD X9, y

#define DOUBLE4(at, y) \
	VMOVUPD at, y
