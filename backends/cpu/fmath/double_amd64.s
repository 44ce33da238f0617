#include "textflag.h"

// Every vector operation here is the operation of the portable loop, in its order; nothing is fused. The loops stop before
// four numbers of which one is not in the plain range, and count what they did.

// V4 makes a constant of four equal float64 numbers, or of bit patterns.
#define V4(name, value) \
DATA name<>+0(SB)/8, $(value); \
DATA name<>+8(SB)/8, $(value); \
DATA name<>+16(SB)/8, $(value); \
DATA name<>+24(SB)/8, $(value); \
GLOBL name<>(SB), RODATA|NOPTR, $32

V4(log2e, 1.44269504088896340735992468100189214)
V4(ln2Hi, 0.6931471803691238)
V4(ln2Lo, 1.9082149292705877e-10)
V4(log10Hi, 0.3010299955494702)
V4(log10Lo, 1.1451100898021838e-10)
V4(log10e, 0.434294481903251827651128918916605082294397005804)
V4(shift, 6755399441055744.0)
V4(one, 1.0)
V4(two, 2.0)
V4(half, 0.5)
V4(forty, 40.0)
V4(minusForty, -40.0)
V4(expLo, -750.0)
V4(expm1Lo, -60.0)
V4(expHi, 710.0)
V4(hyperbolic, 709.0)
V4(square, 1e150)
V4(near, -0.29)
V4(nearHi, 0.41)
V4(six, 6.0)
V4(erfcHi, 27.3)
V4(rsqrt2, 0.70710678118654752440084436210484903928483593768847)
V4(geluC, 0.044715)
V4(geluK, 0.79788456080286535588)
V4(pi, 3.14159265358979323846264338327950288419716939937510582097)
V4(halfPi, 1.57079632679489661923132169163975144209858469968755291048)
V4(halfPiLo, 6.123233995736766e-17)
V4(piLo, 1.2246467991473532e-16)
V4(least, 0x0010000000000000)
V4(inf, 0x7ff0000000000000)
V4(minusInf, 0xfff0000000000000)
V4(largest, 0x7fefffffffffffff)
V4(sign, 0x8000000000000000)
V4(bias, 0x3ff0000000000000)
V4(exponent, 1023)
V4(upper, 0xfffffffff8000000)
V4(e52, 0x4330000000000000)
V4(e52bias, 4503599627371519.0)
V4(mhalf, 0x00095f619980c433)
V4(eq0, 0.5000000000000001)
V4(eq1, 0.16666666666666669)
V4(eq2, 0.04166666666662413)
V4(eq3, 0.008333333333330062)
V4(eq4, 0.0013888888917213717)
V4(eq5, 0.00019841269863053618)
V4(eq6, 2.4801521295954376e-05)
V4(eq7, 2.7557268459997064e-06)
V4(eq8, 2.7620088445409746e-07)
V4(eq9, 2.510038549551032e-08)
V4(lr0, 0.666666666666667)
V4(lr1, 0.3999999999989819)
V4(lr2, 0.28571428626570206)
V4(lr3, 0.2222221103781659)
V4(lr4, 0.18182896183483102)
V4(lr5, 0.15331487235865296)
V4(lr6, 0.14619343453517167)
V4(ef0, 1.1283791670955126)
V4(ef1, -0.3761263890318375)
V4(ef2, 0.11283791670954879)
V4(ef3, -0.026866170645076792)
V4(ef4, 0.0052239776248180145)
V4(ef5, -0.000854832698083379)
V4(ef6, 0.0001205533111164271)
V4(ef7, -1.4925595266831182e-05)
V4(ef8, 1.6461000484121368e-06)
V4(ef9, -1.6350312701054695e-07)
V4(ef10, 1.4659775274047436e-08)
V4(ef11, -1.1372848856791674e-09)
V4(ef12, 5.957176147748911e-11)
V4(ec0, 1.2769783815525289)
V4(ec1, -0.0927638265857465)
V4(ec2, -0.1660303976153144)
V4(ec3, 0.16405128003349936)
V4(ec4, -0.054220000990519684)
V4(ec5, -0.0080340150842841)
V4(ec6, 0.00872265383935441)
V4(ec7, 0.001271338992269822)
V4(ec8, -0.0014568134925027655)
V4(ec9, -0.0004543410189602923)
V4(ec10, 0.00020636382163636104)
V4(ec11, 0.00015103982696298822)
V4(ec12, -1.493627529602795e-06)
V4(ec13, -3.642367043757725e-05)
V4(ec14, -1.3544593262474765e-05)
V4(ec15, 3.7045189076301217e-06)
V4(ec16, 5.335243327258294e-06)
V4(ec17, 1.5305426919026074e-06)
V4(ec18, -8.561529552249991e-07)
V4(ec19, -8.900989068573093e-07)
V4(ec20, -1.1296689160704178e-07)
V4(ec21, 2.0440152882498808e-07)
V4(ec22, 7.951410966826256e-08)
V4(ec23, -1.8302210207314306e-08)
V4(ec24, -1.0976665784222278e-08)
V4(as0, 0.16666666666666669)
V4(as1, 0.07499999999998433)
V4(as2, 0.04464285714635543)
V4(as3, 0.030381944138531247)
V4(as4, 0.02237217294214989)
V4(as5, 0.01735239272086997)
V4(as6, 0.013971212973552971)
V4(as7, 0.011479177415184578)
V4(as8, 0.01032281435018772)
V4(as9, 0.005457506718632701)
V4(as10, 0.017400879442713336)
V4(as11, -0.014851887071275374)
V4(as12, 0.028757851367439642)

#define STEP(x, acc, c) \
VMULPD x, acc, acc; \
VADDPD c<>(SB), acc, acc

// LIMIT: Y0 to the bounds; NaN passes, as the second source of the comparison. Uses Y1.
#define LIMIT(lo, hi) \
VMOVUPD lo<>(SB), Y1; \
VMAXPD Y0, Y1, Y0; \
VMOVUPD hi<>(SB), Y1; \
VMINPD Y0, Y1, Y0

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
VMULPD eq8<>(SB), Y3, Y2; \
VADDPD eq6<>(SB), Y2, Y2; \
VMULPD eq9<>(SB), Y3, Y5; \
VADDPD eq7<>(SB), Y5, Y5; \
STEP(Y3, Y2, eq4); \
STEP(Y3, Y5, eq5); \
STEP(Y3, Y2, eq2); \
STEP(Y3, Y5, eq3); \
STEP(Y3, Y2, eq0); \
STEP(Y3, Y5, eq1); \
VMULPD Y0, Y5, Y5; \
VADDPD Y5, Y2, Y2; \
VMULPD Y3, Y2, Y2; \
VADDPD Y2, Y0, Y2

// POWERS: Y5·Y6 = 2^n of Y4; see powers.
#define POWERS \
VPSRAD $1, Y4, Y5; \
VPSUBD Y5, Y4, Y6; \
VPADDD exponent<>(SB), Y5, Y5; \
VPADDD exponent<>(SB), Y6, Y6; \
VPSLLQ $52, Y5, Y5; \
VPSLLQ $52, Y6, Y6

// EXP: Y0 = e^Y0. Uses Y1 to Y6; Y13 is one.
#define EXP \
LIMIT(expLo, expHi); \
SHIFTED; \
RAISED; \
POWERS; \
VADDPD Y13, Y2, Y0; \
VMULPD Y5, Y0, Y0; \
VMULPD Y6, Y0, Y0

// EXPM1: Y0 = e^Y0 − 1. Uses Y1 to Y9; Y12 has the signs, Y13 is one.
#define EXPM1 \
VANDPD Y12, Y0, Y9; \
LIMIT(expm1Lo, expHi); \
VMOVAPD Y0, Y8; \
SHIFTED; \
RAISED; \
POWERS; \
VADDPD Y13, Y2, Y0; \
VMULPD Y5, Y0, Y0; \
VMULPD Y6, Y0, Y0; \
VMULPD Y5, Y6, Y7; \
VSUBPD Y13, Y7, Y3; \
VMULPD Y2, Y7, Y2; \
VADDPD Y2, Y3, Y3; \
VANDNPD Y3, Y12, Y3; \
VORPD Y9, Y3, Y3; \
VCMPPD $0x1e, forty<>(SB), Y8, Y1; \
VBLENDVPD Y1, Y0, Y3, Y0

// MANTISSA: Y0 = 2^Y4·Y5; see mantissa. Uses Y1.
#define MANTISSA \
VPADDQ mhalf<>(SB), Y0, Y1; \
VPSRLQ $52, Y1, Y1; \
VPOR e52<>(SB), Y1, Y4; \
VSUBPD e52bias<>(SB), Y4, Y4; \
VPSLLQ $52, Y1, Y1; \
VPSUBQ Y1, Y0, Y5; \
VPADDQ bias<>(SB), Y5, Y5

// TERMS: Y2 and Y3 are h and t of Y5; see logTerms. Uses Y0, Y1, Y7 and Y8; Y14 is two.
#define TERMS \
VADDPD Y5, Y14, Y0; \
VDIVPD Y0, Y5, Y0; \
VMULPD Y0, Y0, Y1; \
VMULPD Y1, Y1, Y7; \
VMULPD lr6<>(SB), Y7, Y3; \
VADDPD lr4<>(SB), Y3, Y3; \
VMULPD lr5<>(SB), Y7, Y8; \
VADDPD lr3<>(SB), Y8, Y8; \
STEP(Y7, Y3, lr2); \
STEP(Y7, Y8, lr1); \
STEP(Y7, Y3, lr0); \
VMULPD Y1, Y8, Y8; \
VADDPD Y8, Y3, Y3; \
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

// LOG1P: Y0 = log(1+Y0). Uses Y1 to Y10; Y12 has the signs, Y13 is one, Y14 two.
#define LOG1P \
VMOVAPD Y0, Y10; \
VADDPD Y13, Y0, Y0; \
MANTISSA; \
VSUBPD Y13, Y5, Y5; \
VSUBPD Y13, Y0, Y6; \
VSUBPD Y6, Y10, Y6; \
VSUBPD Y10, Y0, Y7; \
VSUBPD Y7, Y13, Y7; \
VCMPPD $0x1e, Y13, Y10, Y8; \
VBLENDVPD Y8, Y7, Y6, Y6; \
VDIVPD Y0, Y6, Y6; \
VCMPPD $0x1e, near<>(SB), Y10, Y7; \
VCMPPD $0x11, nearHi<>(SB), Y10, Y8; \
VANDPD Y8, Y7, Y7; \
VBLENDVPD Y7, Y10, Y5, Y5; \
VANDNPD Y4, Y7, Y4; \
VANDNPD Y6, Y7, Y6; \
TERMS; \
JOIN; \
VANDPD Y12, Y10, Y1; \
VANDNPD Y0, Y12, Y0; \
VORPD Y1, Y0, Y0

// ARC: Y0 = the arc sine of Y4 up to ½, which is Y0, or else half the arc cosine; Y7 says where. Uses Y1 to Y6.
#define ARC \
VCMPPD $0x1e, half<>(SB), Y4, Y7; \
VSUBPD Y4, Y13, Y1; \
VMULPD half<>(SB), Y1, Y1; \
VMULPD Y4, Y4, Y2; \
VBLENDVPD Y7, Y1, Y2, Y1; \
VSQRTPD Y1, Y2; \
VBLENDVPD Y7, Y2, Y4, Y0; \
VMULPD Y1, Y1, Y5; \
VMULPD as12<>(SB), Y5, Y3; \
VADDPD as10<>(SB), Y3, Y3; \
VMULPD as11<>(SB), Y5, Y6; \
VADDPD as9<>(SB), Y6, Y6; \
STEP(Y5, Y3, as8); \
STEP(Y5, Y6, as7); \
STEP(Y5, Y3, as6); \
STEP(Y5, Y6, as5); \
STEP(Y5, Y3, as4); \
STEP(Y5, Y6, as3); \
STEP(Y5, Y3, as2); \
STEP(Y5, Y6, as1); \
STEP(Y5, Y3, as0); \
VMULPD Y1, Y6, Y6; \
VADDPD Y6, Y3, Y3; \
VMULPD Y1, Y0, Y2; \
VMULPD Y3, Y2, Y2; \
VADDPD Y2, Y0, Y0

// ERFC: Y0 = erfc(Y9). Uses Y1 to Y8; Y12 has the signs, Y13 is one, Y14 two.
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
VMULPD ec24<>(SB), Y1, Y3; \
VADDPD ec20<>(SB), Y3, Y3; \
VMULPD ec21<>(SB), Y1, Y4; \
VADDPD ec17<>(SB), Y4, Y4; \
VMULPD ec22<>(SB), Y1, Y5; \
VADDPD ec18<>(SB), Y5, Y5; \
VMULPD ec23<>(SB), Y1, Y6; \
VADDPD ec19<>(SB), Y6, Y6; \
STEP(Y1, Y3, ec16); \
STEP(Y1, Y4, ec13); \
STEP(Y1, Y5, ec14); \
STEP(Y1, Y6, ec15); \
STEP(Y1, Y3, ec12); \
STEP(Y1, Y4, ec9); \
STEP(Y1, Y5, ec10); \
STEP(Y1, Y6, ec11); \
STEP(Y1, Y3, ec8); \
STEP(Y1, Y4, ec5); \
STEP(Y1, Y5, ec6); \
STEP(Y1, Y6, ec7); \
STEP(Y1, Y3, ec4); \
STEP(Y1, Y4, ec1); \
STEP(Y1, Y5, ec2); \
STEP(Y1, Y6, ec3); \
STEP(Y1, Y3, ec0); \
VMULPD Y2, Y4, Y4; \
VADDPD Y4, Y3, Y3; \
VMULPD Y2, Y6, Y6; \
VADDPD Y6, Y5, Y5; \
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
VMULPD Y5, Y0, Y0; \
VMULPD Y6, Y0, Y0

// ONE fetches the arguments and the constants that stay in registers. Between it and DONE, Y0 goes through a function.
#define ONE \
MOVQ n+0(FP), CX; \
MOVQ dst+8(FP), DI; \
MOVQ src+16(FP), SI; \
VMOVUPD sign<>(SB), Y12; \
VMOVUPD one<>(SB), Y13; \
VMOVUPD two<>(SB), Y14; \
XORQ AX, AX; \
loop: \
VMOVUPD (SI)(AX*8), Y0

#define DONE \
VMOVUPD Y0, (DI)(AX*8); \
ADDQ $4, AX; \
CMPQ AX, CX; \
JLT loop; \
out: \
MOVQ AX, ret+24(FP); \
VZEROUPPER; \
RET

// UNLESS leaves the loop where the mask in Y1 lacks a number.
#define UNLESS \
VMOVMSKPD Y1, R8; \
CMPQ R8, $15; \
JNE out

// NORMAL leaves the loop for positive numbers that are too small to have all places; Y15 is the number, Y11 zero.
#define NORMAL \
VMOVAPD Y0, Y15; \
VXORPD Y11, Y11, Y11; \
VCMPPD $0x11, least<>(SB), Y0, Y1; \
VCMPPD $0x1e, Y11, Y0, Y2; \
VTESTPD Y2, Y1; \
JNZ out

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

// func avxExp64(n int, dst, src *float64) int
TEXT ·avxExp64(SB), NOSPLIT, $0-32
	ONE
	EXP
	DONE

// func avxExpm164(n int, dst, src *float64) int
TEXT ·avxExpm164(SB), NOSPLIT, $0-32
	ONE
	EXPM1
	DONE

// func avxSigmoid64(n int, dst, src *float64) int
TEXT ·avxSigmoid64(SB), NOSPLIT, $0-32
	ONE
	VXORPD Y12, Y0, Y0
	EXP
	VADDPD Y13, Y0, Y0
	VDIVPD Y0, Y13, Y0
	DONE

// func avxTanh64(n int, dst, src *float64) int
TEXT ·avxTanh64(SB), NOSPLIT, $0-32
	ONE
	VADDPD Y0, Y0, Y0
	LIMIT(minusForty, forty)
	EXPM1
	VADDPD Y14, Y0, Y1
	VDIVPD Y1, Y0, Y0
	DONE

// func avxSinh64(n int, dst, src *float64) int
TEXT ·avxSinh64(SB), NOSPLIT, $0-32
	ONE
	VANDPD Y12, Y0, Y10
	VANDNPD Y0, Y12, Y0
	VCMPPD $0x11, hyperbolic<>(SB), Y0, Y1
	UNLESS
	EXPM1
	VADDPD Y13, Y0, Y1
	VDIVPD Y1, Y0, Y1
	VADDPD Y1, Y0, Y0
	VMULPD half<>(SB), Y0, Y0
	VANDNPD Y0, Y12, Y0
	VORPD Y10, Y0, Y0
	DONE

// func avxCosh64(n int, dst, src *float64) int
TEXT ·avxCosh64(SB), NOSPLIT, $0-32
	ONE
	VANDNPD Y0, Y12, Y0
	VCMPPD $0x11, hyperbolic<>(SB), Y0, Y1
	UNLESS
	EXP
	VDIVPD Y0, Y13, Y1
	VADDPD Y1, Y0, Y0
	VMULPD half<>(SB), Y0, Y0
	DONE

// func avxLog64(n int, dst, src *float64) int
TEXT ·avxLog64(SB), NOSPLIT, $0-32
	ONE
	NORMAL
	MANTISSA
	VSUBPD Y13, Y5, Y5
	TERMS
	VXORPD Y6, Y6, Y6
	JOIN
	MEND
	DONE

// func avxLog264(n int, dst, src *float64) int
TEXT ·avxLog264(SB), NOSPLIT, $0-32
	ONE
	NORMAL
	MANTISSA
	VSUBPD Y13, Y5, Y5
	TERMS
	VSUBPD Y3, Y2, Y2
	VSUBPD Y2, Y5, Y0
	VMULPD log2e<>(SB), Y0, Y0
	VADDPD Y0, Y4, Y0
	MEND
	DONE

// func avxLog1064(n int, dst, src *float64) int
TEXT ·avxLog1064(SB), NOSPLIT, $0-32
	ONE
	NORMAL
	MANTISSA
	VSUBPD Y13, Y5, Y5
	TERMS
	VSUBPD Y3, Y2, Y2
	VSUBPD Y2, Y5, Y0
	VMULPD log10e<>(SB), Y0, Y0
	VMULPD log10Lo<>(SB), Y4, Y1
	VADDPD Y0, Y1, Y0
	VMULPD log10Hi<>(SB), Y4, Y1
	VADDPD Y0, Y1, Y0
	MEND
	DONE

// func avxLog1p64(n int, dst, src *float64) int
TEXT ·avxLog1p64(SB), NOSPLIT, $0-32
	ONE
	VXORPD Y12, Y13, Y2
	VCMPPD $0x1e, Y2, Y0, Y1
	VCMPPD $0x12, largest<>(SB), Y0, Y2
	VANDPD Y2, Y1, Y1
	UNLESS
	LOG1P
	DONE

// func avxAsinh64(n int, dst, src *float64) int
TEXT ·avxAsinh64(SB), NOSPLIT, $0-32
	ONE
	VANDPD Y12, Y0, Y11
	VANDNPD Y0, Y12, Y0
	VCMPPD $0x11, square<>(SB), Y0, Y1
	UNLESS
	VMULPD Y0, Y0, Y1
	VADDPD Y13, Y1, Y2
	VSQRTPD Y2, Y2
	VADDPD Y13, Y2, Y2
	VDIVPD Y2, Y1, Y1
	VADDPD Y1, Y0, Y0
	LOG1P
	VANDNPD Y0, Y12, Y0
	VORPD Y11, Y0, Y0
	DONE

// func avxAcosh64(n int, dst, src *float64) int
TEXT ·avxAcosh64(SB), NOSPLIT, $0-32
	ONE
	VCMPPD $0x1d, Y13, Y0, Y1
	VCMPPD $0x11, square<>(SB), Y0, Y2
	VANDPD Y2, Y1, Y1
	UNLESS
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
	VANDPD Y12, Y0, Y11
	VANDNPD Y0, Y12, Y4
	VCMPPD $0x12, Y13, Y4, Y1
	UNLESS
	ARC
	VADDPD Y0, Y0, Y1
	VSUBPD halfPiLo<>(SB), Y1, Y1
	VMOVUPD halfPi<>(SB), Y2
	VSUBPD Y1, Y2, Y1
	VBLENDVPD Y7, Y1, Y0, Y0
	VANDNPD Y0, Y12, Y0
	VORPD Y11, Y0, Y0
	DONE

// func avxAcos64(n int, dst, src *float64) int
TEXT ·avxAcos64(SB), NOSPLIT, $0-32
	ONE
	VMOVAPD Y0, Y11
	VANDNPD Y0, Y12, Y4
	VCMPPD $0x12, Y13, Y4, Y1
	UNLESS
	ARC
	VADDPD Y0, Y0, Y1
	VSUBPD piLo<>(SB), Y1, Y2
	VMOVUPD pi<>(SB), Y3
	VSUBPD Y2, Y3, Y2
	VBLENDVPD Y11, Y2, Y1, Y1
	VANDPD Y12, Y11, Y2
	VANDNPD Y0, Y12, Y0
	VORPD Y2, Y0, Y0
	VSUBPD halfPiLo<>(SB), Y0, Y0
	VMOVUPD halfPi<>(SB), Y2
	VSUBPD Y0, Y2, Y0
	VBLENDVPD Y7, Y1, Y0, Y0
	DONE

// func avxErf64(n int, dst, src *float64) int
TEXT ·avxErf64(SB), NOSPLIT, $0-32
	ONE
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
	VANDNPD Y0, Y12, Y0
	VANDPD Y12, Y10, Y1
	VORPD Y1, Y0, Y0
	CMPQ R8, $15
	JE store
near:
	VMULPD Y10, Y10, Y1
	VMULPD Y1, Y1, Y3
	VMULPD ef12<>(SB), Y3, Y2
	VADDPD ef10<>(SB), Y2, Y2
	VMULPD ef11<>(SB), Y3, Y4
	VADDPD ef9<>(SB), Y4, Y4
	STEP(Y3, Y2, ef8)
	STEP(Y3, Y4, ef7)
	STEP(Y3, Y2, ef6)
	STEP(Y3, Y4, ef5)
	STEP(Y3, Y2, ef4)
	STEP(Y3, Y4, ef3)
	STEP(Y3, Y2, ef2)
	STEP(Y3, Y4, ef1)
	STEP(Y3, Y2, ef0)
	VMULPD Y1, Y4, Y4
	VADDPD Y4, Y2, Y2
	VMULPD Y10, Y2, Y2
	VBLENDVPD Y11, Y0, Y2, Y0
store:
	DONE

// func avxGelu64(n int, dst, src *float64) int
TEXT ·avxGelu64(SB), NOSPLIT, $0-32
	ONE
	VMOVAPD Y0, Y10
	VANDNPD Y0, Y12, Y9
	VMULPD rsqrt2<>(SB), Y9, Y9
	VMOVUPD erfcHi<>(SB), Y1
	VMINPD Y9, Y1, Y9
	ERFC
	VSUBPD Y0, Y14, Y1
	VXORPD Y2, Y2, Y2
	VCMPPD $0x1e, Y2, Y10, Y2
	VBLENDVPD Y2, Y1, Y0, Y0
	VMULPD half<>(SB), Y10, Y1
	VMULPD Y0, Y1, Y0
	DONE

// func avxGeluTanh64(n int, dst, src *float64) int
TEXT ·avxGeluTanh64(SB), NOSPLIT, $0-32
	ONE
	VMOVAPD Y0, Y10
	VMULPD geluC<>(SB), Y10, Y0
	VMULPD Y10, Y10, Y1
	VMULPD Y1, Y0, Y0
	VADDPD Y10, Y0, Y0
	VMULPD geluK<>(SB), Y0, Y0
	VADDPD Y0, Y0, Y0
	LIMIT(minusForty, forty)
	EXPM1
	VADDPD Y14, Y0, Y1
	VDIVPD Y1, Y0, Y0
	VADDPD Y13, Y0, Y0
	VMULPD half<>(SB), Y10, Y1
	VMULPD Y0, Y1, Y0
	DONE
