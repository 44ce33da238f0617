#include "textflag.h"
#include "functions_amd64.h"

// The functions of float32 numbers, computed in float64.

V4(minus, -1.0)
V4(ten, 10.0)
V4(twenty, 20.0)
V4(minusTwenty, -20.0)
V4(expLo, -110.0)
V4(expHi, 90.0)
V4(sigmoidHi, 110.0)
V4(erfcHi, 10.2)
V4(geluLo, -14.4)
V4(huge, 1e30)
V4(far, 1048576.0)
V4(largest, 3.40282346638528859811704183484516925440e+38)
V4(unit, 1)
V4(quarterPi, 0.785398163397448309615660845819875721049292349843776455)

// Between EACH and DONE, Y0 goes through a function.
#define EACH \
	LOOP; \
	VCVTPS2PD (SI)(AX*4), Y0

#define NARROWED \
	VCVTPD2PSY Y0, X0; \
	VMOVUPS X0, (DI)(AX*4)

#define DONE \
	NARROWED; \
	NEXT(ret+24(FP))

// SPLIT: e^Y0 = Y1·(1 + Y2); see split. Uses Y3.
#define SPLIT \
	VMULPD log2e<>(SB), Y0, Y1; \
	VADDPD shift<>(SB), Y1, Y1; \
	VSUBPD shift<>(SB), Y1, Y2; \
	VMULPD ln2<>(SB), Y2, Y2; \
	VSUBPD Y2, Y0, Y3; \
	TOP(Y3, Y2, shortExp6, shortExp5); \
	STEP(Y3, Y2, shortExp4); \
	STEP(Y3, Y2, shortExp3); \
	STEP(Y3, Y2, shortExp2); \
	STEP(Y3, Y2, shortExp1); \
	STEP(Y3, Y2, shortExp0); \
	VMULPD Y3, Y2, Y2; \
	VPSLLQ $52, Y1, Y1; \
	VPADDQ bias<>(SB), Y1, Y1

// EXP: Y0 = e^Y0, EXPM1: Y0 = e^Y0 − 1. Both use Y1 to Y3.
#define EXP \
	SPLIT; \
	VMULPD Y1, Y2, Y2; \
	VADDPD Y1, Y2, Y0

#define EXPM1 \
	SPLIT; \
	VMULPD Y1, Y2, Y2; \
	VSUBPD Y13, Y1, Y1; \
	VADDPD Y2, Y1, Y0

// LOGOF: Y0 = log((1+s)/(1-s)) for s = Y0/Y1; see logOf. Uses Y2 and Y3.
#define LOGOF \
	VDIVPD Y1, Y0, Y0; \
	VMULPD Y0, Y0, Y2; \
	TOP(Y2, Y3, shortLog4, shortLog3); \
	STEP(Y2, Y3, shortLog2); \
	STEP(Y2, Y3, shortLog1); \
	STEP(Y2, Y3, shortLog0); \
	VADDPD Y0, Y0, Y0; \
	VMULPD Y3, Y0, Y0

// PARTS: the logarithm of Y0 is Y0 + Y4·ln 2; LN puts it together. Uses Y1 to Y5.
#define PARTS \
	MANTISSA; \
	VSUBPD Y13, Y5, Y0; \
	VADDPD Y13, Y5, Y1; \
	LOGOF

#define LN \
	VMULPD ln2<>(SB), Y4, Y4; \
	VADDPD Y4, Y0, Y0

// LOG1P: Y0 = log(1+Y0). Uses Y1 to Y5, Y7, Y8, Y10 and Y15.
#define LOG1P \
	VMOVAPD Y0, Y10; \
	VADDPD Y13, Y0, Y0; \
	VMOVAPD Y0, Y15; \
	MANTISSA; \
	VSUBPD Y13, Y5, Y0; \
	VADDPD Y13, Y5, Y1; \
	NEAR; \
	VADDPD Y14, Y10, Y2; \
	VBLENDVPD Y7, Y10, Y0, Y0; \
	VBLENDVPD Y7, Y2, Y1, Y1; \
	LOGOF; \
	VMULPD ln2<>(SB), Y4, Y4; \
	VADDPD Y4, Y0, Y4; \
	VBLENDVPD Y7, Y0, Y4, Y0; \
	MEND

// TURN: Y5 = sine and Y6 = cosine of what is left of Y0, Y4 the quadrant; leaves the loop for numbers that are far. See
// quadrant, sinPoly and cosPoly. Uses Y1 and Y2.
#define TURN \
	VANDNPD Y0, Y12, Y1; \
	VCMPPD $0x11, far<>(SB), Y1, Y1; \
	UNLESS(Y1); \
	VMULPD twoOverPi<>(SB), Y0, Y4; \
	VADDPD shift<>(SB), Y4, Y4; \
	VSUBPD shift<>(SB), Y4, Y1; \
	VMULPD turnHi<>(SB), Y1, Y2; \
	VSUBPD Y2, Y0, Y0; \
	VMULPD turnLo<>(SB), Y1, Y2; \
	VSUBPD Y2, Y0, Y0; \
	VMULPD Y0, Y0, Y1; \
	TOP(Y1, Y5, shortSin4, shortSin3); \
	STEP(Y1, Y5, shortSin2); \
	STEP(Y1, Y5, shortSin1); \
	STEP(Y1, Y5, shortSin0); \
	VMULPD Y0, Y5, Y5; \
	TOP(Y1, Y6, shortCos5, shortCos4); \
	STEP(Y1, Y6, shortCos3); \
	STEP(Y1, Y6, shortCos2); \
	STEP(Y1, Y6, shortCos1); \
	STEP(Y1, Y6, shortCos0)

// TURNED: Y0 = the sine of the angle in quadrant Y4; see turn. Uses Y1.
#define TURNED \
	VPSLLQ $63, Y4, Y1; \
	VBLENDVPD Y1, Y6, Y5, Y0; \
	VPSRLQ $1, Y4, Y4; \
	VPSLLQ $63, Y4, Y4; \
	VXORPD Y4, Y0, Y0

// ATAN: Y0 = arc tangent of Y0. Uses Y1 to Y7.
#define ATAN \
	VANDPD Y12, Y0, Y7; \
	VANDNPD Y0, Y12, Y1; \
	VCMPPD $0x1e, tanEighth<>(SB), Y1, Y2; \
	VCMPPD $0x1e, cotEighth<>(SB), Y1, Y3; \
	VSUBPD Y13, Y1, Y4; \
	VADDPD Y13, Y1, Y5; \
	VBLENDVPD Y2, Y4, Y1, Y4; \
	VBLENDVPD Y2, Y5, Y13, Y5; \
	VANDPD quarterPi<>(SB), Y2, Y6; \
	VBLENDVPD Y3, minus<>(SB), Y4, Y4; \
	VBLENDVPD Y3, Y1, Y5, Y5; \
	VBLENDVPD Y3, halfPi<>(SB), Y6, Y6; \
	VDIVPD Y5, Y4, Y4; \
	VMULPD Y4, Y4, Y1; \
	TOP(Y1, Y2, shortAtan6, shortAtan5); \
	STEP(Y1, Y2, shortAtan4); \
	STEP(Y1, Y2, shortAtan3); \
	STEP(Y1, Y2, shortAtan2); \
	STEP(Y1, Y2, shortAtan1); \
	STEP(Y1, Y2, shortAtan0); \
	VMULPD Y4, Y2, Y2; \
	VADDPD Y2, Y6, Y0; \
	SIGNED(Y7)

// ARCSINE: Y0 = the arc sine of |Y10| up to ½, or else half the arc cosine; Y7 says where. Uses Y1 to Y4. See asin.
#define ARCSINE \
	VANDNPD Y10, Y12, Y4; \
	ARC; \
	TOP(Y1, Y3, shortAsin5, shortAsin4); \
	STEP(Y1, Y3, shortAsin3); \
	STEP(Y1, Y3, shortAsin2); \
	STEP(Y1, Y3, shortAsin1); \
	STEP(Y1, Y3, shortAsin0); \
	ARCTIMES

// ERFC: Y0 = erfc(Y4). Uses Y1 to Y9.
#define ERFC \
	VADDPD Y14, Y4, Y5; \
	VADDPD Y4, Y4, Y6; \
	VADDPD Y13, Y6, Y6; \
	VMULPD Y5, Y6, Y7; \
	VDIVPD Y7, Y13, Y7; \
	VSUBPD Y14, Y4, Y8; \
	VMULPD Y6, Y8, Y8; \
	VMULPD Y7, Y8, Y8; \
	TOP(Y8, Y9, shortErfc11, shortErfc10); \
	STEP(Y8, Y9, shortErfc9); \
	STEP(Y8, Y9, shortErfc8); \
	STEP(Y8, Y9, shortErfc7); \
	STEP(Y8, Y9, shortErfc6); \
	STEP(Y8, Y9, shortErfc5); \
	STEP(Y8, Y9, shortErfc4); \
	STEP(Y8, Y9, shortErfc3); \
	STEP(Y8, Y9, shortErfc2); \
	STEP(Y8, Y9, shortErfc1); \
	STEP(Y8, Y9, shortErfc0); \
	VMULPD Y7, Y5, Y5; \
	VMULPD Y4, Y4, Y0; \
	VXORPD Y12, Y0, Y0; \
	EXP; \
	VMULPD Y5, Y0, Y0; \
	VMULPD Y9, Y0, Y0

// FINITE leaves the loop unless Y0 = |Y10| and Y1 = |Y9| are finite and Y0 is not 0. Uses Y2 and Y3.
#define FINITE \
	VANDNPD Y10, Y12, Y0; \
	VANDNPD Y9, Y12, Y1; \
	VCMPPD $0x12, largest<>(SB), Y0, Y2; \
	VCMPPD $0x12, largest<>(SB), Y1, Y3; \
	VANDPD Y2, Y3, Y2; \
	VCMPPD $0x1e, Y11, Y0, Y3; \
	VANDPD Y2, Y3, Y2; \
	UNLESS(Y2)

// func avxExp(n int, dst, src *float32) int
TEXT ·avxExp(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	BOUNDS(expLo, expHi)
	EACH
	LIMIT
	EXP
	DONE

// func avxSigmoid(n int, dst, src *float32) int
TEXT ·avxSigmoid(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	BOUNDS(expLo, sigmoidHi)
	EACH
	VXORPD Y12, Y0, Y0
	LIMIT
	EXP
	VADDPD Y13, Y0, Y0
	VDIVPD Y0, Y13, Y0
	DONE

// func avxTanh(n int, dst, src *float32) int
TEXT ·avxTanh(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	BOUNDS(minusForty, forty)
	EACH
	VADDPD Y0, Y0, Y0
	LIMIT
	EXPM1
	TANH
	DONE

// func avxGelu(n int, dst, src *float32) int
TEXT ·avxGelu(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	VMOVUPD erfcHi<>(SB), Y15
	EACH
	VMOVAPD Y0, Y10
	VANDNPD Y0, Y12, Y4
	VMULPD rootOfHalf<>(SB), Y4, Y4
	VMINPD Y4, Y15, Y4
	ERFC
	GELU
	VCMPPD $0x11, geluLo<>(SB), Y10, Y2
	VMULPD Y11, Y10, Y1
	VBLENDVPD Y2, Y1, Y0, Y0
	DONE

// func avxExpm1(n int, dst, src *float32) int
TEXT ·avxExpm1(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	BOUNDS(expLo, expHi)
	EACH
	LIMIT
	EXPM1
	DONE

// func avxSinh(n int, dst, src *float32) int
TEXT ·avxSinh(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	VMOVUPD sigmoidHi<>(SB), Y15
	EACH
	ABS(Y10)
	VMINPD Y0, Y15, Y0
	EXPM1
	SINH
	SIGNED(Y10)
	DONE

// func avxCosh(n int, dst, src *float32) int
TEXT ·avxCosh(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	BOUNDS(expLo, sigmoidHi)
	EACH
	LIMIT
	EXP
	COSH
	DONE

// func avxGeluTanh(n int, dst, src *float32) int
TEXT ·avxGeluTanh(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	BOUNDS(minusTwenty, twenty)
	EACH
	GELUARG
	LIMIT
	VADDPD Y0, Y0, Y0
	EXPM1
	TANH
	GELUEND
	DONE

// func avxLog(n int, dst, src *float32) int
TEXT ·avxLog(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	VMOVAPD Y0, Y15
	PARTS
	LN
	MEND
	DONE

// func avxLog2(n int, dst, src *float32) int
TEXT ·avxLog2(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	VMOVAPD Y0, Y15
	PARTS
	VMULPD log2e<>(SB), Y0, Y0
	VADDPD Y4, Y0, Y0
	MEND
	DONE

// func avxLog10(n int, dst, src *float32) int
TEXT ·avxLog10(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	VMOVAPD Y0, Y15
	PARTS
	VMULPD log10e<>(SB), Y0, Y0
	VMULPD log10Of2<>(SB), Y4, Y4
	VADDPD Y4, Y0, Y0
	MEND
	DONE

// func avxLog1p(n int, dst, src *float32) int
TEXT ·avxLog1p(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	LOG1P
	DONE

// func avxAsinh(n int, dst, src *float32) int
TEXT ·avxAsinh(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	ABS(Y9)
	VCMPPD $0x11, huge<>(SB), Y0, Y1
	UNLESS(Y1)
	ASINHARG
	LOG1P
	SIGNED(Y9)
	DONE

// func avxAcosh(n int, dst, src *float32) int
TEXT ·avxAcosh(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	VSUBPD Y13, Y0, Y1
	VADDPD Y13, Y0, Y2
	VMULPD Y2, Y1, Y1
	VSQRTPD Y1, Y1
	VCMPPD $0x11, Y13, Y0, Y2
	VADDPD Y1, Y0, Y0
	VORPD Y2, Y0, Y0             // NaN below 1
	VMOVAPD Y0, Y15
	PARTS
	LN
	MEND
	DONE

// func avxAtanh(n int, dst, src *float32) int
TEXT ·avxAtanh(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	VSUBPD Y0, Y13, Y1
	VADDPD Y0, Y0, Y0
	VDIVPD Y1, Y0, Y0
	LOG1P
	VMULPD half<>(SB), Y0, Y0
	DONE

// func avxSin(n int, dst, src *float32) int
TEXT ·avxSin(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	TURN
	TURNED
	DONE

// func avxCos(n int, dst, src *float32) int
TEXT ·avxCos(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	TURN
	VPADDQ unit<>(SB), Y4, Y4
	TURNED
	DONE

// func avxTan(n int, dst, src *float32) int
TEXT ·avxTan(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	TURN
	VPSLLQ $63, Y4, Y1
	VXORPD Y12, Y6, Y2
	VBLENDVPD Y1, Y2, Y5, Y0
	VBLENDVPD Y1, Y5, Y6, Y1
	VDIVPD Y1, Y0, Y0
	DONE

// func avxAtan(n int, dst, src *float32) int
TEXT ·avxAtan(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	ATAN
	DONE

// func avxAsin(n int, dst, src *float32) int
TEXT ·avxAsin(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	VMOVAPD Y0, Y10
	ARCSINE
	VMOVUPD halfPi<>(SB), Y2
	VADDPD Y0, Y0, Y1
	VSUBPD Y1, Y2, Y1
	VBLENDVPD Y7, Y1, Y0, Y0
	VANDPD Y12, Y10, Y1
	SIGNED(Y1)
	DONE

// func avxAcos(n int, dst, src *float32) int
TEXT ·avxAcos(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	EACH
	VMOVAPD Y0, Y10
	ARCSINE
	VMOVUPD pi<>(SB), Y2
	VADDPD Y0, Y0, Y1
	VSUBPD Y1, Y2, Y2
	VBLENDVPD Y10, Y2, Y1, Y1    // x < 0
	VANDPD Y12, Y10, Y2
	SIGNED(Y2)
	VMOVUPD halfPi<>(SB), Y2
	VSUBPD Y0, Y2, Y0
	VBLENDVPD Y7, Y1, Y0, Y0
	DONE

// func avxErf(n int, dst, src *float32) int
TEXT ·avxErf(SB), NOSPLIT, $0-32
	ONE
	CONSTANTS
	VMOVUPD ten<>(SB), Y15
	EACH
	VMOVAPD Y0, Y10
	VANDNPD Y0, Y12, Y4
	VCMPPD $0x1d, Y13, Y4, Y11
	VMINPD Y4, Y15, Y4
	ERFC
	VSUBPD Y0, Y13, Y0
	VANDPD Y12, Y10, Y1
	SIGNED(Y1)
	VMULPD Y10, Y10, Y1
	TOP(Y1, Y2, shortErf7, shortErf6)
	STEP(Y1, Y2, shortErf5)
	STEP(Y1, Y2, shortErf4)
	STEP(Y1, Y2, shortErf3)
	STEP(Y1, Y2, shortErf2)
	STEP(Y1, Y2, shortErf1)
	STEP(Y1, Y2, shortErf0)
	VMULPD Y10, Y2, Y2
	VBLENDVPD Y11, Y0, Y2, Y0
	DONE

// func avxAtan2(n int, dst, a, b *float32) int
TEXT ·avxAtan2(SB), NOSPLIT, $0-40
	TWO
	CONSTANTS
	LOOP
	VCVTPS2PD (SI)(AX*4), Y10
	VCVTPS2PD (DX)(AX*4), Y9
	FINITE
	VCMPPD $0x1e, Y11, Y1, Y3
	UNLESS(Y3)
	VCMPPD $0x1e, Y1, Y0, Y8     // |y| > |x|
	VMAXPD Y1, Y0, Y2
	VMINPD Y1, Y0, Y3
	VDIVPD Y2, Y3, Y0
	ATAN
	VMOVUPD halfPi<>(SB), Y1
	VSUBPD Y0, Y1, Y1
	VBLENDVPD Y8, Y1, Y0, Y0
	VMOVUPD pi<>(SB), Y1
	VSUBPD Y0, Y1, Y1
	VBLENDVPD Y9, Y1, Y0, Y0     // x < 0
	VANDPD Y12, Y10, Y1
	VORPD Y1, Y0, Y0
	NARROWED
	NEXT(ret+32(FP))

// func avxPow(n int, dst, a, b *float32) int
TEXT ·avxPow(SB), NOSPLIT, $0-40
	TWO
	CONSTANTS
	BOUNDS(expLo, expHi)
	LOOP
	VCVTPS2PD (SI)(AX*4), Y10
	VCVTPS2PD (DX)(AX*4), Y9
	FINITE
	PARTS
	LN
	VMULPD Y9, Y0, Y0
	LIMIT
	EXP
	VCMPPD $0x11, Y11, Y10, Y1   // a < 0
	VROUNDPD $11, Y9, Y2
	VCMPPD $4, Y9, Y2, Y2        // b is not whole
	VMULPD half<>(SB), Y9, Y3
	VROUNDPD $11, Y3, Y4
	VCMPPD $4, Y3, Y4, Y3        // b is not even
	VANDPD Y1, Y3, Y3
	VANDPD Y12, Y3, Y3
	VXORPD Y3, Y0, Y0
	VANDPD Y1, Y2, Y2
	VORPD Y2, Y0, Y0
	NARROWED
	NEXT(ret+32(FP))
