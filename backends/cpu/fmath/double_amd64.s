#include "textflag.h"
#include "functions_amd64.h"

// The functions of float64 numbers. Their loops stop before four numbers of which one is not in the plain range, and count
// what they did.

V4(expLo, -750.0)
V4(expm1Lo, -60.0)
V4(expHi, 710.0)
V4(hyperbolic, 709.0)
V4(square, 1e150)
V4(six, 6.0)
V4(erfcHi, 27.3)
V4(piLo, 1.2246467991473532e-16)
V4(least, 0x0010000000000000)
V4(largest, 0x7fefffffffffffff)
V4(exponent, 1023)
V4(upper, 0xfffffffff8000000)

// Between EACH and DONE, Y0 goes through a function.
#define EACH \
	LOOP; \
	VMOVUPD (SI)(AX*8), Y0

#define DONE \
	VMOVUPD Y0, (DI)(AX*8); \
	NEXT(ret+24(FP))

// JOINED joins the even and the odd powers; see polynomial.
#define JOINED(x, even, odd) \
	VMULPD x, odd, odd; \
	VADDPD odd, even, even

// SHIFTED: Y4 has n in its low bits, Y0 = Y0 − n·ln 2. Uses Y1 and Y2.
#define SHIFTED \
	VMULPD log2e<>(SB), Y0, Y4; \
	VADDPD shift<>(SB), Y4, Y4; \
	VSUBPD shift<>(SB), Y4, Y1; \
	VMULPD ln2Hi<>(SB), Y1, Y2; \
	VSUBPD Y2, Y0, Y0; \
	VMULPD ln2Lo<>(SB), Y1, Y2; \
	VSUBPD Y2, Y0, Y0

// RAISED: Y2 = e^Y0 − 1 for small Y0. Uses Y3 and Y5.
#define RAISED \
	VMULPD Y0, Y0, Y3; \
	TOP(Y3, Y2, expQ8, expQ6); \
	TOP(Y3, Y5, expQ9, expQ7); \
	STEP(Y3, Y2, expQ4); \
	STEP(Y3, Y5, expQ5); \
	STEP(Y3, Y2, expQ2); \
	STEP(Y3, Y5, expQ3); \
	STEP(Y3, Y2, expQ0); \
	STEP(Y3, Y5, expQ1); \
	JOINED(Y0, Y2, Y5); \
	VMULPD Y3, Y2, Y2; \
	VADDPD Y2, Y0, Y2

// POWERS: Y5·Y6 = 2^n of Y4; see powers. SCALED: Y0 times that.
#define POWERS \
	VPSRAD $1, Y4, Y5; \
	VPSUBD Y5, Y4, Y6; \
	VPADDD exponent<>(SB), Y5, Y5; \
	VPADDD exponent<>(SB), Y6, Y6; \
	VPSLLQ $52, Y5, Y5; \
	VPSLLQ $52, Y6, Y6

#define SCALED \
	VMULPD Y5, Y0, Y0; \
	VMULPD Y6, Y0, Y0

// EXP: Y0 = e^Y0. Uses Y1 to Y6.
#define EXP \
	SHIFTED; \
	RAISED; \
	POWERS; \
	VADDPD Y13, Y2, Y0; \
	SCALED

// EXPM1: Y0 = e^Y0 − 1, with the sign in Y9. Uses Y1 to Y8.
#define EXPM1 \
	VMOVAPD Y0, Y8; \
	EXP; \
	VMULPD Y5, Y6, Y7; \
	VSUBPD Y13, Y7, Y3; \
	VMULPD Y2, Y7, Y2; \
	VADDPD Y2, Y3, Y3; \
	VANDNPD Y3, Y12, Y3; \
	VORPD Y9, Y3, Y3; \
	VCMPPD $0x1e, forty<>(SB), Y8, Y1; \
	VBLENDVPD Y1, Y0, Y3, Y0

// TERMS: Y2 and Y3 are h and t of Y5; see logTerms. Uses Y0, Y1, Y7 and Y8.
#define TERMS \
	VADDPD Y5, Y14, Y0; \
	VDIVPD Y0, Y5, Y0; \
	VMULPD Y0, Y0, Y1; \
	VMULPD Y1, Y1, Y7; \
	TOP(Y7, Y3, logR6, logR4); \
	TOP(Y7, Y8, logR5, logR3); \
	STEP(Y7, Y3, logR2); \
	STEP(Y7, Y8, logR1); \
	STEP(Y7, Y3, logR0); \
	JOINED(Y1, Y3, Y8); \
	VMULPD Y1, Y3, Y3; \
	VMULPD half<>(SB), Y5, Y2; \
	VMULPD Y5, Y2, Y2; \
	VADDPD Y3, Y2, Y3; \
	VMULPD Y0, Y3, Y3

// JOIN: Y0 = Y4·ln 2 + the logarithm of 1+Y5, with Y6 beside the lower part of ln 2.
#define JOIN \
	VMULPD ln2Lo<>(SB), Y4, Y1; \
	VADDPD Y6, Y1, Y1; \
	VADDPD Y1, Y3, Y3; \
	VSUBPD Y3, Y2, Y2; \
	VSUBPD Y5, Y2, Y2; \
	VMULPD ln2Hi<>(SB), Y4, Y4; \
	VSUBPD Y2, Y4, Y0

// NORMAL leaves the loop for positive numbers that are too small to have all places. PARTS: the logarithm of Y0, which
// Y15 keeps, is Y4·ln 2 + (Y5 − (Y2 − Y3)). Uses Y1, Y7 and Y8.
#define NORMAL \
	VCMPPD $0x11, least<>(SB), Y0, Y1; \
	VCMPPD $0x1e, Y11, Y0, Y2; \
	VTESTPD Y2, Y1; \
	JNZ out

#define PARTS \
	NORMAL; \
	VMOVAPD Y0, Y15; \
	MANTISSA; \
	VSUBPD Y13, Y5, Y5; \
	TERMS

// MINOR: Y0 = Y5 − (Y2 − Y3).
#define MINOR \
	VSUBPD Y3, Y2, Y2; \
	VSUBPD Y2, Y5, Y0

// LOG1P: Y0 = log(1+Y0). Uses Y1 to Y10.
#define LOG1P \
	VMOVAPD Y0, Y10; \
	NEAR; \
	VMOVMSKPD Y7, R8; \
	CMPQ R8, $15; \
	JE near; \
	VADDPD Y13, Y0, Y0; \
	MANTISSA; \
	VSUBPD Y13, Y5, Y5; \
	VSUBPD Y13, Y0, Y6; \
	VSUBPD Y6, Y10, Y6; \
	VSUBPD Y10, Y0, Y2; \
	VSUBPD Y2, Y13, Y2; \
	VCMPPD $0x1e, Y13, Y10, Y3; \
	VBLENDVPD Y3, Y2, Y6, Y6; \
	VDIVPD Y0, Y6, Y6; \
	VBLENDVPD Y7, Y10, Y5, Y5; \
	VANDNPD Y4, Y7, Y4; \
	VANDNPD Y6, Y7, Y6; \
	TERMS; \
	JOIN; \
	JMP joined; \
near: \
	VMOVAPD Y10, Y5; \
	TERMS; \
	MINOR; \
joined: \
	VANDPD Y12, Y10, Y1; \
	SIGNED(Y1)

// ARCSINE: Y0 = the arc sine of Y4 up to ½, or else half the arc cosine; Y7 says where. Uses Y1 to Y6.
#define ARCSINE \
	ARC; \
	VMULPD Y1, Y1, Y5; \
	TOP(Y5, Y3, asinP12, asinP10); \
	TOP(Y5, Y6, asinP11, asinP9); \
	STEP(Y5, Y3, asinP8); \
	STEP(Y5, Y6, asinP7); \
	STEP(Y5, Y3, asinP6); \
	STEP(Y5, Y6, asinP5); \
	STEP(Y5, Y3, asinP4); \
	STEP(Y5, Y6, asinP3); \
	STEP(Y5, Y3, asinP2); \
	STEP(Y5, Y6, asinP1); \
	STEP(Y5, Y3, asinP0); \
	JOINED(Y1, Y3, Y6); \
	ARCTIMES

// ERFC: Y0 = erfc(Y9). Uses Y1 to Y8. The polynomial is interleaved.
#define ERFC \
	VADDPD Y9, Y9, Y0; \
	VADDPD Y13, Y0, Y0; \
	VADDPD Y14, Y9, Y7; \
	VMULPD Y0, Y7, Y1; \
	VDIVPD Y1, Y13, Y1; \
	VSUBPD Y14, Y9, Y2; \
	VMULPD Y0, Y2, Y2; \
	VMULPD Y1, Y2, Y2; \
	VMULPD Y1, Y7, Y7; \
	VMULPD Y2, Y2, Y0; \
	VMULPD Y0, Y0, Y1; \
	TOP(Y1, Y3, erfcP24, erfcP20); \
	TOP(Y1, Y4, erfcP21, erfcP17); \
	TOP(Y1, Y5, erfcP22, erfcP18); \
	TOP(Y1, Y6, erfcP23, erfcP19); \
	STEP(Y1, Y3, erfcP16); \
	STEP(Y1, Y4, erfcP13); \
	STEP(Y1, Y5, erfcP14); \
	STEP(Y1, Y6, erfcP15); \
	STEP(Y1, Y3, erfcP12); \
	STEP(Y1, Y4, erfcP9); \
	STEP(Y1, Y5, erfcP10); \
	STEP(Y1, Y6, erfcP11); \
	STEP(Y1, Y3, erfcP8); \
	STEP(Y1, Y4, erfcP5); \
	STEP(Y1, Y5, erfcP6); \
	STEP(Y1, Y6, erfcP7); \
	STEP(Y1, Y3, erfcP4); \
	STEP(Y1, Y4, erfcP1); \
	STEP(Y1, Y5, erfcP2); \
	STEP(Y1, Y6, erfcP3); \
	STEP(Y1, Y3, erfcP0); \
	JOINED(Y2, Y3, Y4); \
	JOINED(Y2, Y5, Y6); \
	VMULPD Y0, Y5, Y5; \
	VADDPD Y5, Y3, Y8; \
	VANDPD upper<>(SB), Y9, Y0; \
	VSUBPD Y9, Y0, Y5; \
	VADDPD Y9, Y0, Y6; \
	VMULPD Y6, Y5, Y5; \
	VMULPD Y0, Y0, Y0; \
	VXORPD Y12, Y0, Y0; \
	SHIFTED; \
	VADDPD Y5, Y0, Y0; \
	RAISED; \
	POWERS; \
	VADDPD Y13, Y2, Y0; \
	VMULPD Y7, Y0, Y0; \
	VMULPD Y8, Y0, Y0; \
	SCALED

// func avxExp64(n int, dst, src *float64) int
TEXT ·avxExp64(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	BOUNDS(expLo, expHi)
	EACH
	LIMIT
	EXP
	DONE

// func avxExpm164(n int, dst, src *float64) int
TEXT ·avxExpm164(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	BOUNDS(expm1Lo, expHi)
	EACH
	VANDPD Y12, Y0, Y9
	LIMIT
	EXPM1
	DONE

// func avxSigmoid64(n int, dst, src *float64) int
TEXT ·avxSigmoid64(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	BOUNDS(expLo, expHi)
	EACH
	VXORPD Y12, Y0, Y0
	LIMIT
	EXP
	VADDPD Y13, Y0, Y0
	VDIVPD Y0, Y13, Y0
	DONE

// func avxTanh64(n int, dst, src *float64) int
TEXT ·avxTanh64(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	BOUNDS(minusForty, forty)
	EACH
	VADDPD Y0, Y0, Y0
	LIMIT
	VANDPD Y12, Y0, Y9
	EXPM1
	TANH
	DONE

// func avxSinh64(n int, dst, src *float64) int
TEXT ·avxSinh64(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	ABS(Y10)
	VCMPPD $0x11, hyperbolic<>(SB), Y0, Y1
	UNLESS(Y1)
	VXORPD Y9, Y9, Y9
	EXPM1
	SINH
	SIGNED(Y10)
	DONE

// func avxCosh64(n int, dst, src *float64) int
TEXT ·avxCosh64(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	VANDNPD Y0, Y12, Y0
	VCMPPD $0x11, hyperbolic<>(SB), Y0, Y1
	UNLESS(Y1)
	EXP
	COSH
	DONE

// func avxLog64(n int, dst, src *float64) int
TEXT ·avxLog64(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	PARTS
	VXORPD Y6, Y6, Y6
	JOIN
	MEND
	DONE

// func avxLog264(n int, dst, src *float64) int
TEXT ·avxLog264(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	PARTS
	MINOR
	VMULPD log2e<>(SB), Y0, Y0
	VADDPD Y0, Y4, Y0
	MEND
	DONE

// func avxLog1064(n int, dst, src *float64) int
TEXT ·avxLog1064(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	PARTS
	MINOR
	VMULPD log10e<>(SB), Y0, Y0
	VMULPD log10Of2Lo<>(SB), Y4, Y1
	VADDPD Y0, Y1, Y0
	VMULPD log10Of2Hi<>(SB), Y4, Y1
	VADDPD Y0, Y1, Y0
	MEND
	DONE

// func avxLog1p64(n int, dst, src *float64) int
TEXT ·avxLog1p64(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	VXORPD Y12, Y13, Y2
	VCMPPD $0x1e, Y2, Y0, Y1
	VCMPPD $0x12, largest<>(SB), Y0, Y2
	VANDPD Y2, Y1, Y1
	UNLESS(Y1)
	LOG1P
	DONE

// func avxAsinh64(n int, dst, src *float64) int
TEXT ·avxAsinh64(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	ABS(Y11)
	VCMPPD $0x11, square<>(SB), Y0, Y1
	UNLESS(Y1)
	ASINHARG
	LOG1P
	SIGNED(Y11)
	DONE

// func avxAcosh64(n int, dst, src *float64) int
TEXT ·avxAcosh64(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	VCMPPD $0x1d, Y13, Y0, Y1
	VCMPPD $0x11, square<>(SB), Y0, Y2
	VANDPD Y2, Y1, Y1
	UNLESS(Y1)
	VADDPD Y13, Y0, Y1
	VSUBPD Y13, Y0, Y0
	VMULPD Y1, Y0, Y1
	VSQRTPD Y1, Y1
	VADDPD Y1, Y0, Y0
	LOG1P
	DONE

// func avxAsin64(n int, dst, src *float64) int
TEXT ·avxAsin64(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	VANDPD Y12, Y0, Y11
	VANDNPD Y0, Y12, Y4
	VCMPPD $0x12, Y13, Y4, Y1
	UNLESS(Y1)
	ARCSINE
	VADDPD Y0, Y0, Y1
	VSUBPD halfPiLo<>(SB), Y1, Y1
	VMOVUPD halfPi<>(SB), Y2
	VSUBPD Y1, Y2, Y1
	VBLENDVPD Y7, Y1, Y0, Y0
	SIGNED(Y11)
	DONE

// func avxAcos64(n int, dst, src *float64) int
TEXT ·avxAcos64(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	VMOVAPD Y0, Y11
	VANDNPD Y0, Y12, Y4
	VCMPPD $0x12, Y13, Y4, Y1
	UNLESS(Y1)
	ARCSINE
	VADDPD Y0, Y0, Y1
	VSUBPD piLo<>(SB), Y1, Y2
	VMOVUPD pi<>(SB), Y3
	VSUBPD Y2, Y3, Y2
	VBLENDVPD Y11, Y2, Y1, Y1
	VANDPD Y12, Y11, Y2
	SIGNED(Y2)
	VSUBPD halfPiLo<>(SB), Y0, Y0
	VMOVUPD halfPi<>(SB), Y2
	VSUBPD Y0, Y2, Y0
	VBLENDVPD Y7, Y1, Y0, Y0
	DONE

// func avxErf64(n int, dst, src *float64) int
TEXT ·avxErf64(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	VMOVAPD Y0, Y10
	VANDNPD Y0, Y12, Y9
	VCMPPD $0x1d, Y13, Y9, Y11
	VMOVMSKPD Y11, R8
	TESTQ R8, R8
	JZ near                      // all numbers are below 1
	VMOVUPD six<>(SB), Y1
	VMINPD Y9, Y1, Y9
	ERFC
	VSUBPD Y0, Y13, Y0
	VANDPD Y12, Y10, Y1
	SIGNED(Y1)
	CMPQ R8, $15
	JE store
near:
	VMULPD Y10, Y10, Y1
	VMULPD Y1, Y1, Y3
	TOP(Y3, Y2, erfP12, erfP10)
	TOP(Y3, Y4, erfP11, erfP9)
	STEP(Y3, Y2, erfP8)
	STEP(Y3, Y4, erfP7)
	STEP(Y3, Y2, erfP6)
	STEP(Y3, Y4, erfP5)
	STEP(Y3, Y2, erfP4)
	STEP(Y3, Y4, erfP3)
	STEP(Y3, Y2, erfP2)
	STEP(Y3, Y4, erfP1)
	STEP(Y3, Y2, erfP0)
	JOINED(Y1, Y2, Y4)
	VMULPD Y10, Y2, Y2
	VBLENDVPD Y11, Y0, Y2, Y0
store:
	DONE

// func avxGelu64(n int, dst, src *float64) int
TEXT ·avxGelu64(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	VMOVAPD Y0, Y10
	VANDNPD Y0, Y12, Y9
	VMULPD rootOfHalf<>(SB), Y9, Y9
	VMOVUPD erfcHi<>(SB), Y1
	VMINPD Y9, Y1, Y9
	ERFC
	GELU
	DONE

// func avxGeluTanh64(n int, dst, src *float64) int
TEXT ·avxGeluTanh64(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	BOUNDS(minusForty, forty)
	EACH
	GELUARG
	VADDPD Y0, Y0, Y0
	LIMIT
	VANDPD Y12, Y0, Y9
	EXPM1
	TANH
	GELUEND
	DONE
