//go:build ignore

package main

import "fmt"

// Quotients of whole numbers are those of floating-point numbers: where both numbers are below 2^k in size, a quotient
// that is not whole is at least 2^-k, relatively, from the next whole number, and so is not rounded to it in a type of more
// than k bits. Numbers of up to 16 bits are divided as f32, others as f64, those of 64 bits as far as they are below 2^51.
func divisions() []function {
	f := []function{{"DivU8", "", divide8("VPMOVZXBD", quotient, "11")}, {"ModU8", "", divide8("VPMOVZXBD", rest, "11")}}
	for _, d := range []struct {
		name  string
		want  func(last, round, a, b string) string
		round string
	}{{"Div", quotient, "11"}, {"FloorDiv", quotient, "9"}, {"Mod", rest, "11"}, {"FloorMod", rest, "9"}} {
		f = append(f,
			function{d.name + "I8", "", divide8("VPMOVSXBD", d.want, d.round)},
			function{d.name + "I16", "", divided("W", lowBits("16"),
				"VPMOVSXWD (SI)(AX*1), Y0; VPMOVSXWD (DX)(AX*1), Y11;"+divide32(d.want, d.round, "Y0")+
					"VPMOVSXWD 16(SI)(AX*1), Y1; VPMOVSXWD 16(DX)(AX*1), Y11;"+divide32(d.want, d.round, "Y1")+
					"VPACKUSDW Y1, Y0, Y0; VPERMQ $0xd8, Y0, Y0")},
			function{d.name + "I32", "", divided("D", "", `
				VCVTDQ2PD (SI)(AX*1), Y0; VCVTDQ2PD (DX)(AX*1), Y1
				VCVTDQ2PD 16(SI)(AX*1), Y2; VCVTDQ2PD 16(DX)(AX*1), Y3
				`+d.want("PD", d.round, "Y0", "Y1")+d.want("PD", d.round, "Y2", "Y3")+`
				VCVTTPD2DQY Y0, X0; VCVTTPD2DQY Y2, X2; VINSERTI128 $1, X2, Y0, Y0`)},
			// 1.5·2^52 added, as a bit pattern, makes a double of a number below 2^51 and 1.5·2^52: its exponent tells.
			function{d.name + "I64", "", divided("Q", number(magic, "14")+"VPSRLQ $52, Y14, Y13;", `
				VPADDQ (SI)(AX*1), Y14, Y0; VPADDQ (DX)(AX*1), Y14, Y1
				VPSRLQ $52, Y0, Y2; VPXOR Y13, Y2, Y2; VPSRLQ $52, Y1, Y3; VPXOR Y13, Y3, Y3
				VPOR Y3, Y2, Y2; VPTEST Y2, Y2; JNZ out
				VSUBPD Y14, Y0, Y0; VSUBPD Y14, Y1, Y1
				`+d.want("PD", d.round, "Y0", "Y1")+`
				VADDPD Y14, Y0, Y0; VPSUBQ Y14, Y0, Y0`)})
	}
	return f
}

// divided leaves the loop where a divisor is 0. Y15 is zero.
func divided(letter, setup, text string) string {
	return counted(zero+setup, "VMOVDQU (DX)(AX*1), Y1; VPCMPEQ"+letter+" Y1, Y15, Y1; VPTEST Y1, Y1; JNZ out\n"+text)
}

// quotient and rest leave a/b, rounded to zero by 11 and down by 9, or what it leaves.
func quotient(last, round, a, b string) string {
	return fmt.Sprintf("VDIV%[1]s %[4]s, %[3]s, %[3]s; VROUND%[1]s $%[2]s, %[3]s, %[3]s;", last, round, a, b)
}

func rest(last, round, a, b string) string {
	return fmt.Sprintf("VMOVA%[1]s %[3]s, Y12;%[2]sVMUL%[1]s %[4]s, %[3]s, %[3]s; VSUB%[1]s %[3]s, Y12, %[3]s;", last, quotient(last, round, a, b), a, b)
}

// divide32 divides eight numbers of 32 bits, by Y11, and leaves the low bits of each.
func divide32(want func(last, round, a, b string) string, round, y string) string {
	return fmt.Sprintf("VCVTDQ2PS %[1]s, %[1]s; VCVTDQ2PS Y11, Y11;%[2]sVCVTTPS2DQ %[1]s, %[1]s; VPAND Y14, %[1]s, %[1]s;", y, want("PS", round, y, "Y11"))
}

func divide8(widen string, want func(last, round, a, b string) string, round string) string {
	return divided("B", lowBits("24")+weave, eights(widen, widen, divide32(want, round, "%[1]s")))
}

// With q the quotient of |a| and |b|, rounded to zero, |a| - q·|b| in one rounding is the remainder or, where the quotient
// was rounded up to a whole number, |b| less: both are multiples of |b|'s last place and below it, and so exact.
var remainders = []function{
	{"ModF64", "", modulo("", "")},
	{"FloorModF64", "", modulo("", opposed+`
		VANDPD Y1, Y2, Y2; VADDPD Y2, Y0, Y3
		VCMPPD $4, Y15, Y2, Y5; VBLENDVPD Y5, Y3, Y0, Y0 // the others keep the sign of a zero`)},
	{"FloorDivF64", "", modulo(number(one, "9")+number(half, "10"), opposed+`
		VANDPD Y9, Y2, Y2; VSUBPD Y0, Y4, Y5; VDIVPD Y1, Y5, Y5; VSUBPD Y2, Y5, Y5 // of a multiple, less one where signs differ
		VROUNDPD $9, Y5, Y0; VSUBPD Y0, Y5, Y6
		VCMPPD $0x1e, Y10, Y6, Y6; VANDPD Y9, Y6, Y6; VADDPD Y6, Y0, Y0
		VXORPD Y1, Y4, Y2; VANDPD Y14, Y2, Y2
		VCMPPD $0, Y15, Y5, Y3; VBLENDVPD Y3, Y2, Y0, Y0 // a zero has the quotient's sign`)},
}

// modulo leaves in Y0 what then makes of a mod b, of the sign of a: Y4 is a, Y1 is b, Y15 zero and Y14 the signs.
func modulo(setup, then string) string {
	return counted(setup+zero+"VPCMPEQB Y14, Y14, Y14; VPSLLQ $63, Y14, Y14;"+number(infinity, "12")+number(two52, "13"), `
		VMOVUPD (SI)(AX*1), Y4; VANDNPD Y4, Y14, Y0
		VMOVUPD (DX)(AX*1), Y1; VANDNPD Y1, Y14, Y5
		VDIVPD Y5, Y0, Y6
		VCMPPD $0x11, Y12, Y0, Y2; VCMPPD $0x11, Y12, Y5, Y3; VANDPD Y3, Y2, Y2
		VCMPPD $0x11, Y13, Y6, Y3; VANDPD Y3, Y2, Y2
		VMOVMSKPD Y2, R8; CMPQ R8, $15; JNE out
		VROUNDPD $11, Y6, Y6; VFNMADD231PD Y5, Y6, Y0
		VCMPPD $0x11, Y15, Y0, Y2; VANDPD Y5, Y2, Y2; VADDPD Y2, Y0, Y0
		VANDNPD Y0, Y14, Y0; VANDPD Y14, Y4, Y2; VORPD Y2, Y0, Y0
	`+then)
}

// opposed has all ones in Y2 where the remainder Y0 is not 0 and the divisor has the other sign.
const opposed = "VXORPD Y1, Y0, Y2; VPCMPGTQ Y2, Y15, Y2; VCMPPD $4, Y15, Y0, Y3; VANDPD Y3, Y2, Y2;"

// singles divide f32 as f64, where a quotient below 2^29 is not rounded up to a whole number and its product with the
// divisor is exact. What FloorDivF32 gives is what steps in f32 give as long as those can tell halves: below 2^21.
var singles = []function{
	{"ModF32", "", inDoubles("0x41c0000000000000", restOf("11")+"VANDNPD %[1]s, Y14, %[1]s; VANDPD %[3]s, Y14, %[3]s; VORPD %[3]s, %[1]s, %[1]s;")},
	{"FloorModF32", "", inDoubles("0x41c0000000000000", restOf("9")+`
		VCMPPD $0, %[1]s, Y15, Y5; VANDNPD %[1]s, Y5, %[1]s; VANDPD %[3]s, Y5, Y5; VANDPD Y14, Y5, Y5; VORPD Y5, %[1]s, %[1]s // a zero has the sign of a`)},
	{"FloorDivF32", "", inDoubles("0x4140000000000000", "VROUNDPD $9, %[1]s, %[1]s;")},
}

// restOf makes of the quotient what it leaves.
func restOf(round string) string {
	return "VROUNDPD $" + round + ", %[1]s, %[1]s; VMULPD %[2]s, %[1]s, %[1]s; VSUBPD %[1]s, %[3]s, %[1]s;"
}

// inDoubles makes of quotients in its first registers, of a in the third and b in the second, what step does. It stops
// before quotients of most or more, and divisors that are not finite. Y15 is zero and Y14 the signs.
func inDoubles(most, step string) string {
	text := ""
	for i, y := range []string{"Y0", "Y1"} {
		a, b := fmt.Sprintf("Y%d", 6+i), fmt.Sprintf("Y%d", 8+i)
		text += fmt.Sprintf(`
			VCVTPS2PD %[1]d(SI)(AX*1), %[2]s; VCVTPS2PD %[1]d(DX)(AX*1), %[3]s
			VDIVPD %[3]s, %[2]s, %[4]s
			VANDNPD %[4]s, Y14, Y2; VCMPPD $0x11, Y13, Y2, Y2; VANDNPD %[3]s, Y14, Y3; VCMPPD $0x11, Y12, Y3, Y3
			VANDPD Y3, Y2, Y2; VMOVMSKPD Y2, R8; CMPQ R8, $15; JNE out`+"\n", 16*i, a, b, y) +
			fmt.Sprintf(step, y, b, a) + "\n"
	}
	return counted(zero+"VPCMPEQB Y14, Y14, Y14; VPSLLQ $63, Y14, Y14;"+number(infinity, "12")+number(most, "13"),
		text+"VCVTPD2PSY Y0, X0; VCVTPD2PSY Y1, X1; VINSERTF128 $1, X1, Y0, Y0")
}
