// What the functions of float32 and of float64 numbers share. Both compute four float64 numbers at a time. Every vector
// operation is the operation of the portable function, in its order; nothing is fused.

// V4 makes a constant of four equal float64 numbers, or of bit patterns.
#define V4(name, value) \
DATA name<>+0(SB)/8, $(value); \
DATA name<>+8(SB)/8, $(value); \
DATA name<>+16(SB)/8, $(value); \
DATA name<>+24(SB)/8, $(value); \
GLOBL name<>(SB), RODATA|NOPTR, $32

#include "constants_amd64.h"
#include "loops_amd64.h"

V4(half, 0.5)
V4(one, 1.0)
V4(two, 2.0)
V4(forty, 40.0)
V4(minusForty, -40.0)
V4(pi, 3.14159265358979323846264338327950288419716939937510582097)
V4(near, -0.29)
V4(nearHi, 0.41)
V4(inf, 0x7ff0000000000000)
V4(minusInf, 0xfff0000000000000)
V4(sign, 0x8000000000000000)
V4(bias, 0x3ff0000000000000)
V4(mhalf, 0x00095f619980c433)
V4(e52, 0x4330000000000000)
V4(e52bias, 4503599627371519.0)

// CONSTANTS stay in registers: Y11 is zero, Y12 has the signs, Y13 is one, Y14 two, unless BOUNDS takes it.
#define CONSTANTS \
	VXORPD Y11, Y11, Y11; \
	VMOVUPD sign<>(SB), Y12; \
	VMOVUPD one<>(SB), Y13; \
	VMOVUPD two<>(SB), Y14

// NEXT ends a loop over AX. What it did, up to where it went out, is the result.
#define NEXT(result) \
	AGAIN(4); \
out: \
	MOVQ AX, result; \
	VZEROUPPER; \
	RET

// UNLESS leaves the loop where the mask in y lacks a number.
#define UNLESS(y) \
	VMOVMSKPD y, R8; \
	CMPQ R8, $15; \
	JNE out

// LIMIT: Y0 to the BOUNDS; NaN passes, as the second source of the comparison.
#define BOUNDS(lo, hi) \
	VMOVUPD lo<>(SB), Y14; \
	VMOVUPD hi<>(SB), Y15

#define LIMIT \
	VMAXPD Y0, Y14, Y0; \
	VMINPD Y0, Y15, Y0

// ABS: Y0 without its sign, which s keeps until SIGNED.
#define ABS(s) \
	VANDPD Y12, Y0, s; \
	VANDNPD Y0, Y12, Y0

#define SIGNED(s) \
	VANDNPD Y0, Y12, Y0; \
	VORPD s, Y0, Y0

// A polynomial in x begins with TOP and goes on with a STEP for each lower coefficient.
#define TOP(x, p, c1, c0) \
	VMULPD c1<>(SB), x, p; \
	VADDPD c0<>(SB), p, p

#define STEP(x, p, c) \
	VMULPD x, p, p; \
	VADDPD c<>(SB), p, p

// MANTISSA: Y0 = 2^Y4·Y5; see mantissa. Uses Y1.
#define MANTISSA \
	VPADDQ mhalf<>(SB), Y0, Y1; \
	VPSRLQ $52, Y1, Y1; \
	VPOR e52<>(SB), Y1, Y4; \
	VSUBPD e52bias<>(SB), Y4, Y4; \
	VPSLLQ $52, Y1, Y1; \
	VPSUBQ Y1, Y0, Y5; \
	VPADDQ bias<>(SB), Y5, Y5

// MEND: Y0, a logarithm of Y15, where that is above zero and finite; its other values elsewhere. Uses Y1 and Y2.
#define MEND \
	VCMPPD $0x11, Y11, Y15, Y1; \
	VORPD Y15, Y1, Y1; \
	VCMPPD $0, Y11, Y15, Y2; \
	VBLENDVPD Y2, minusInf<>(SB), Y1, Y1; \
	VCMPPD $0x1e, Y11, Y15, Y2; \
	VBLENDVPD Y2, Y0, Y1, Y0; \
	VCMPPD $0, inf<>(SB), Y15, Y2; \
	VBLENDVPD Y2, Y15, Y0, Y0

// NEAR: Y7 where Y10 is so near 0 that log1p need not add 1. Uses Y8.
#define NEAR \
	VCMPPD $0x1e, near<>(SB), Y10, Y7; \
	VCMPPD $0x11, nearHi<>(SB), Y10, Y8; \
	VANDPD Y8, Y7, Y7

// Of e = e^x − 1 in Y0: TANH is e/(e+2), with x twice the argument, and SINH half of e + e/(e+1). Of e^x, COSH is half of
// e + 1/e. Both use Y1.
#define TANH \
	VADDPD two<>(SB), Y0, Y1; \
	VDIVPD Y1, Y0, Y0

#define SINH \
	VADDPD Y13, Y0, Y1; \
	VDIVPD Y1, Y0, Y1; \
	VADDPD Y1, Y0, Y0; \
	VMULPD half<>(SB), Y0, Y0

#define COSH \
	VDIVPD Y0, Y13, Y1; \
	VADDPD Y1, Y0, Y0; \
	VMULPD half<>(SB), Y0, Y0

// ASINHARG: Y0 = x + x²/(1 + √(1+x²)) for x in Y0, log1p of which is the inverse hyperbolic sine. Uses Y1 and Y2.
#define ASINHARG \
	VMULPD Y0, Y0, Y1; \
	VADDPD Y13, Y1, Y2; \
	VSQRTPD Y2, Y2; \
	VADDPD Y13, Y2, Y2; \
	VDIVPD Y2, Y1, Y1; \
	VADDPD Y1, Y0, Y0

// GELU: Y0 = half of Y10 times the erfc of -Y10/√2, for that of |Y10|/√2 in Y0. Uses Y1 and Y2; Y14 is two.
#define GELU \
	VSUBPD Y0, Y14, Y1; \
	VCMPPD $0x1e, Y11, Y10, Y2; \
	VBLENDVPD Y2, Y1, Y0, Y0; \
	VMULPD half<>(SB), Y10, Y1; \
	VMULPD Y0, Y1, Y0

// GELUARG: Y0 = √(2/π)·(Y0 + 0.044715·Y0³), and Y10 what was Y0; GELUEND: Y0 = half of Y10 times 1 + tanh of that.
#define GELUARG \
	VMOVAPD Y0, Y10; \
	VMULPD geluC<>(SB), Y10, Y0; \
	VMULPD Y10, Y10, Y1; \
	VMULPD Y1, Y0, Y0; \
	VADDPD Y10, Y0, Y0; \
	VMULPD geluK<>(SB), Y0, Y0

#define GELUEND \
	VADDPD Y13, Y0, Y0; \
	VMULPD half<>(SB), Y10, Y1; \
	VMULPD Y0, Y1, Y0

// ARC: Y1 is the square of Y0, which is Y4 where that is up to ½, and else the root of half the distance of Y4 from 1; Y7
// says where it is the root. See asin. ARCTIMES: Y0 = Y0 + Y0·Y1·Y3. Both use Y2.
#define ARC \
	VCMPPD $0x1e, half<>(SB), Y4, Y7; \
	VSUBPD Y4, Y13, Y1; \
	VMULPD half<>(SB), Y1, Y1; \
	VMULPD Y4, Y4, Y2; \
	VBLENDVPD Y7, Y1, Y2, Y1; \
	VSQRTPD Y1, Y2; \
	VBLENDVPD Y7, Y2, Y4, Y0

#define ARCTIMES \
	VMULPD Y1, Y0, Y2; \
	VMULPD Y3, Y2, Y2; \
	VADDPD Y2, Y0, Y0
