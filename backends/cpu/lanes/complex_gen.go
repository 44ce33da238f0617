//go:build ignore

package main

import "fmt"

var complexes = []function{
	{"ConjC128", "", unary(signs+"VPSLLDQ $8, Y15, Y15;", "VXORPD")},
	{"MulC64", "", each("", "VMOVSLDUP (SI)(AX*1), Y0; VMOVSHDUP (SI)(AX*1), Y1; VMOVUPS (DX)(AX*1), Y2;"+complexProduct("PS", "0xb1", "Y0", "Y1"))},
	{"MulC128", "", each("", "VMOVDDUP (SI)(AX*1), Y0; VPERMILPD $0xf, (SI)(AX*1), Y1; VMOVUPD (DX)(AX*1), Y2;"+complexProduct("PD", "0x5", "Y0", "Y1"))},
}

// complexProduct leaves in Y0 the products of numbers, whose parts are in re and im twice each, with those in Y2. swap is
// the order of elements that exchanges parts.
func complexProduct(last, swap, re, im string) string {
	return fmt.Sprintf("VPERMIL%[1]s $%[2]s, Y2, Y3; VMUL%[1]s Y2, %[3]s, Y0; VMUL%[1]s Y3, %[4]s, Y1; VADDSUB%[1]s Y1, Y0, Y0;", last, swap, re, im)
}

// quotients divide a+bi by c+di: see cpu.quotient, which takes one of two ways, as |c| ≥ |d| or not. Here q is d/c or c/d,
// and both parts are fma(x, q, y)/fma(n, q, m): x and y are a+bi and b−ai, or the reverse. Where c and d are 0, the
// numerator is a+bi and the divisor +0.
var quotients = []function{
	{"DivC64", "", complexQuotient("PS", "VMOVSLDUP (DX)(AX*1), Y2; VMOVSHDUP (DX)(AX*1), Y3;", "0xb1", ones+"VPSLLD $31, Y15, Y15; VPSLLQ $32, Y15, Y14; MOVL $0x3f800000, AX;"+spread("D", "AX", "13"))},
	{"DivC128", "", complexQuotient("PD", "VMOVDDUP (DX)(AX*1), Y2; VPERMILPD $0xf, (DX)(AX*1), Y3;", "0x5", signs+"VPSLLDQ $8, Y15, Y14;"+number(one, "13"))},
}

// complexQuotient has signs in Y15 after its setup, those of the imaginary parts alone in Y14, and ones in Y13.
func complexQuotient(last, parts, swap, setup string) string {
	return each(setup+"VPXOR Y12, Y12, Y12;", fmt.Sprintf(parts+`
		VMOVU%[1]s (SI)(AX*1), Y0; VPERMIL%[1]s $%[2]s, Y0, Y1; VXOR%[1]s Y14, Y1, Y1 // a+bi, b−ai
		VANDN%[1]s Y2, Y15, Y4; VANDN%[1]s Y3, Y15, Y5 // |c|, |d|
		VCMP%[1]s $0x1d, Y5, Y4, Y6; VOR%[1]s Y5, Y4, Y7; VCMP%[1]s $0, Y12, Y7, Y7 // |c| ≥ |d|, both 0
		VBLENDV%[1]s Y6, Y2, Y3, Y8; VBLENDV%[1]s Y6, Y3, Y2, Y9; VDIV%[1]s Y8, Y9, Y10 // m, n, q
		VFMADD231%[1]s Y9, Y10, Y8; VANDN%[1]s Y8, Y7, Y8; VDIV%[1]s Y8, Y13, Y8 // 1/fma(n, q, m)
		VBLENDV%[1]s Y6, Y1, Y0, Y9; VBLENDV%[1]s Y6, Y0, Y1, Y11; VFMADD231%[1]s Y9, Y10, Y11
		VBLENDV%[1]s Y7, Y0, Y11, Y11; VMUL%[1]s Y8, Y11, Y0`, last, swap))
}
