//go:build ignore

// This program writes the vectors of this package for AVX2, and the variables that hold them.
package main

import "fmt"

func main() { write(append(elementwise(), folds()...)) }

// The arguments of most loops: n bytes of dst, a multiple of 32, from a and b.
var pairs = []arg{{"n", "int", "CX"}, {"dst", "*byte", "DI"}, {"a", "*byte", "SI"}, {"b", "*byte", "DX"}}

func elementwise() []group {
	return []group{{
		comment: `
The loops, named by what they do and the elements' width; U, I and F say which kind of numbers where it matters. Those
of one operand look at a alone. Positive is what is left of a number when negative ones are 0; it keeps NaN. SignU8 is 1
where there is something, SignF64 is 0 for NaN. TakeMax and TakeMin are those of a search: a where it is more, or less,
than b or NaN, else b. Low32 is the lower halves of elements of 64 bits. Those named Number take one b for all elements:
it stands there 32 bytes long.`,
		goType: "Loop", from: "vectors", args: pairs, functions: loops(),
	}, {
		comment: `
Divisions of whole numbers, Div and Mod rounded to zero as in C, FloorDiv and FloorMod rounded down as in Python. They
stop early, before a divisor of 0 and, of 64 bits, before a number of 2^51 or more.`,
		goType: "Loop", from: "division", args: pairs, result: true, functions: divisions(),
	}, {
		comment: `
Divisions of floats as ModF64, FloorModF64 and FloorDivF64 do them. They stop early, before divisors of 0, what is not
finite, and quotients of 2^29, those of FloorDivF32 of 2^21, or more.`,
		goType: "Loop", from: "division", args: pairs, result: true, functions: singles,
	}, {
		comment: `
Divisions of doubles: ModF64 as in C, FloorModF64 and FloorDivF64 as in Python. They stop early, before numbers that are
not finite, divisors of 0 and quotients of 2^52 or more.`,
		goType: "Loop", from: "fused", args: pairs, result: true, functions: remainders,
	}, {
		comment: `
Numbers of two floats each, complex ones. Conj turns the sign of the imaginary part; of C64 that is NegF64. Mul rounds
every product.`,
		goType: "Loop", from: "vectors", args: pairs, functions: complexes,
	}, {
		comment: `Quotients of complex numbers, after Smith's method, with fused products.`,
		goType:  "Loop", from: "joined", args: pairs, functions: quotients,
	}, {
		comment: `The relations. NotHalf says of a alone, floats of 16 bits, where it is zero.`,
		goType:  "Relation", from: "relation", args: pairs, functions: relations(),
	}, {
		comment: `
Numbers within two bounds. LimitF64 keeps NaN and, at a bound of zero, the sign of a zero; its bounds are not NaN.`,
		goType: "Limit", from: "limit",
		args:      []arg{{"n", "int", "CX"}, {"dst", "*byte", "DI"}, {"a", "*byte", "SI"}, {"lo", "uint64", "R8"}, {"hi", "uint64", "R9"}},
		functions: limits(),
	}, {
		comment: `
Numbers within bounds of their own. Those of floats give NaN where anything is, and take +0 for larger than -0.`,
		goType: "Between", from: "between",
		args:      []arg{{"n", "int", "CX"}, {"dst", "*byte", "DI"}, {"a", "*byte", "SI"}, {"lo", "*byte", "DX"}, {"hi", "*byte", "BX"}},
		functions: betweens(),
	}, {
		comment: `
Sums with a multiple. Those of floats round the product; the complex ones multiply s, as PyTorch does, with an imaginary
part of 0, so that infinite numbers give NaN.`,
		goType: "Scaled", from: "scaled",
		args:      append(pairs[:4:4], arg{"s", "uint64", "R8"}),
		functions: multiples,
	}, {
		comment: `The choices, by the width of the elements.`,
		goType:  "Choice", from: "choice",
		args:      []arg{{"n", "int", "CX"}, {"dst", "*byte", "DI"}, {"mask", "*byte", "BX"}, {"a", "*byte", "SI"}, {"b", "*byte", "DX"}},
		functions: choices(),
	}}
}

// integer is a width of whole numbers, and the letter that instructions end in.
type integer struct{ bits, letter string }

var integers = []integer{{"8", "B"}, {"16", "W"}, {"32", "D"}, {"64", "Q"}}

func loops() []function {
	f := []function{
		{"And", "", binary("VPAND")}, {"Or", "", binary("VPOR")}, {"Xor", "", binary("VPXOR")}, {"Not", "", unary(ones, "VPXOR")},
		{"BoolAnd", "", each(zero+truth, "VPCMPEQB (SI)(AX*1), Y15, Y0; VPCMPEQB (DX)(AX*1), Y15, Y1; VPOR Y1, Y0, Y0; VPANDN Y14, Y0, Y0")},
		{"BoolOr", "", each(zero+truth, "VMOVDQU (SI)(AX*1), Y0; VPOR (DX)(AX*1), Y0, Y0; VPCMPEQB Y15, Y0, Y0; VPANDN Y14, Y0, Y0")},
		{"BoolXor", "", each(zero+truth, "VPCMPEQB (SI)(AX*1), Y15, Y0; VPCMPEQB (DX)(AX*1), Y15, Y1; VPXOR Y1, Y0, Y0; VPAND Y14, Y0, Y0")},
		{"AndNumber", "", unary(once, "VPAND")}, {"OrNumber", "", unary(once, "VPOR")}, {"XorNumber", "", unary(once, "VPXOR")},
		{"BoolAndNumber", "", each(zero+truth+"VPCMPEQB (DX), Y15, Y13;", "VPCMPEQB (SI)(AX*1), Y15, Y0; VPOR Y13, Y0, Y0; VPANDN Y14, Y0, Y0")},
		{"BoolOrNumber", "", each(zero+truth+"VMOVDQU (DX), Y13;", "VPOR (SI)(AX*1), Y13, Y0; VPCMPEQB Y15, Y0, Y0; VPANDN Y14, Y0, Y0")},
		{"BoolXorNumber", "", each(zero+truth+"VPCMPEQB (DX), Y15, Y13;", "VPCMPEQB (SI)(AX*1), Y15, Y0; VPXOR Y13, Y0, Y0; VPAND Y14, Y0, Y0")},
		{"BoolNot", "", each(zero+truth, "VPCMPEQB (SI)(AX*1), Y15, Y0; VPAND Y14, Y0, Y0")},
	}
	for _, w := range integers {
		f = append(f, function{"Add" + w.bits, "", binary("VPADD" + w.letter)}, function{"Sub" + w.bits, "", binary("VPSUB" + w.letter)},
			function{"Neg" + w.bits, "", unary(zero, "VPSUB"+w.letter)})
	}
	for _, w := range integers[:3] {
		f = append(f, function{"MaxI" + w.bits, "", binary("VPMAXS" + w.letter)}, function{"MinI" + w.bits, "", binary("VPMINS" + w.letter)},
			function{"Positive" + w.bits, "", unary(zero, "VPMAXS"+w.letter)},
			function{"Abs" + w.bits, "", each("", "VPABS"+w.letter+" (SI)(AX*1), Y0")},
			function{"Sign" + w.bits, "", unary(ones+"VPABS"+w.letter+" Y15, Y15;", "VPSIGN"+w.letter)})
	}
	f = append(f, []function{
		{"MaxU8", "", binary("VPMAXUB")}, {"MinU8", "", binary("VPMINUB")}, {"SignU8", "", unary(ones+"VPABSB Y15, Y15;", "VPMINUB")},
		{"MaxI64", "", each("", "VMOVDQU (SI)(AX*1), Y1; VMOVDQU (DX)(AX*1), Y0;"+larger64("Y1", "Y0", "Y2"))},
		{"MinI64", "", each("", "VMOVDQU (SI)(AX*1), Y1; VMOVDQU (DX)(AX*1), Y0;"+smaller64("Y1", "Y0", "Y2"))},
		{"Positive64", "", each(zero, "VMOVDQU (SI)(AX*1), Y1; VPCMPGTQ Y15, Y1, Y2; VPAND Y2, Y1, Y0")},
		{"Abs64", "", each(zero, "VMOVDQU (SI)(AX*1), Y1; VPCMPGTQ Y1, Y15, Y2; VPXOR Y2, Y1, Y1; VPSUBQ Y2, Y1, Y0")},
		{"Sign64", "", each(zero, "VMOVDQU (SI)(AX*1), Y1; VPCMPGTQ Y15, Y1, Y2; VPCMPGTQ Y1, Y15, Y0; VPSUBQ Y2, Y0, Y0")},

		{"Low32", "", each("", "VMOVUPS (SI)(AX*2), Y0; VSHUFPS $0x88, 32(SI)(AX*2), Y0, Y0; VPERMQ $0xd8, Y0, Y0")},

		{"Mul8", "", each(lowBytes("14"), "VMOVDQU (SI)(AX*1), Y0; VMOVDQU (DX)(AX*1), Y1; VPSRLW $8, Y0, Y2;"+multiply8("Y0", "Y2", "Y1"))},
		{"Mul16", "", binary("VPMULLW")}, {"Mul32", "", binary("VPMULLD")},
		{"Mul64", "", each("", "VMOVDQU (SI)(AX*1), Y1; VMOVDQU (DX)(AX*1), Y0; VPSHUFD $0xb1, Y0, Y2;"+multiply64("Y1", "Y2", "Y0"))},

		{"ShiftLeft8", "", shift8("VPMOVZXBD", "VPSLLVD")}, {"ShiftRightU8", "", shift8("VPMOVZXBD", "VPSRLVD")},
		{"ShiftRightI8", "", shift8("VPMOVSXBD", "VPSRAVD")},
		{"ShiftLeft16", "", each("", `
			VMOVDQU (SI)(AX*1), Y1; VMOVDQU (DX)(AX*1), Y2
			VPSRLD $16, Y1, Y3; VPSRLD $16, Y2, Y4; VPSLLVD Y4, Y3, Y3; VPSLLD $16, Y3, Y3 // odd words
			VPSLLD $16, Y2, Y2; VPSRLD $16, Y2, Y2; VPSLLVD Y2, Y1, Y1                     // even words
			VPBLENDW $0xaa, Y3, Y1, Y0`)},
		{"ShiftRight16", "", each("", `
			VMOVDQU (SI)(AX*1), Y1; VMOVDQU (DX)(AX*1), Y2
			VPSRLD $16, Y2, Y4; VPSRAVD Y4, Y1, Y3                                                                        // odd words
			VPSLLD $16, Y1, Y1; VPSRAD $16, Y1, Y1; VPSLLD $16, Y2, Y2; VPSRLD $16, Y2, Y2; VPSRAVD Y2, Y1, Y1 // even words
			VPBLENDW $0xaa, Y3, Y1, Y0`)},
		{"ShiftLeft32", "", binary("VPSLLVD")}, {"ShiftRight32", "", binary("VPSRAVD")}, {"ShiftLeft64", "", binary("VPSLLVQ")},
		{"ShiftRight64", "", each(zero, "VMOVDQU (SI)(AX*1), Y1; VPCMPGTQ Y1, Y15, Y2; VPXOR Y2, Y1, Y1; VPSRLVQ (DX)(AX*1), Y1, Y1; VPXOR Y2, Y1, Y0")},

		{"AddF64", "", binary("VADDPD")}, {"SubF64", "", binary("VSUBPD")}, {"MulF64", "", binary("VMULPD")}, {"DivF64", "", binary("VDIVPD")},
		{"AbsF64", "", unary(signs, "VANDNPD")}, {"NegF64", "", unary(signs, "VXORPD")}, {"SqrtF64", "", each("", "VSQRTPD (SI)(AX*1), Y0")},
		{"RoundF64", "", each("", "VROUNDPD $8, (SI)(AX*1), Y0")}, {"FloorF64", "", each("", "VROUNDPD $9, (SI)(AX*1), Y0")},
		{"CeilF64", "", each("", "VROUNDPD $10, (SI)(AX*1), Y0")}, {"TruncF64", "", each("", "VROUNDPD $11, (SI)(AX*1), Y0")},
		{"ReciprocalF64", "", unary(number(one, "15"), "VDIVPD")},
		{"RsqrtF64", "", each(number(one, "15"), "VSQRTPD (SI)(AX*1), Y0; VDIVPD Y0, Y15, Y0")},
		{"PositiveF64", "", unary(zero, "VMAXPD")},
		{"SignF64", "", each(zero+number(one, "14"), `
			VMOVUPD (SI)(AX*1), Y1
			VCMPPD $0x1e, Y15, Y1, Y0; VANDPD Y14, Y0, Y0
			VCMPPD $0x11, Y15, Y1, Y2; VANDPD Y14, Y2, Y2
			VSUBPD Y2, Y0, Y0`)},
		{"TakeMaxF64", "", take("VMAXPD")}, {"TakeMinF64", "", take("VMINPD")},

		{"AbsHalf", "", unary(ones+"VPSLLW $15, Y15, Y15;", "VPANDN")}, {"NegHalf", "", unary(ones+"VPSLLW $15, Y15, Y15;", "VPXOR")},
		{"PositiveF16", "", positiveHalf("0xfc00")}, {"PositiveBF16", "", positiveHalf("0xff80")},
	}...)
	return f
}

// take gives b where the operands are equal or b is NaN, as the instructions have it, and a where that is NaN.
func take(op string) string {
	return each("", "VMOVUPD (SI)(AX*1), Y1; VCMPPD $3, Y1, Y1, Y2;"+op+" (DX)(AX*1), Y1, Y0; VBLENDVPD Y2, Y1, Y0, Y0")
}

// positiveHalf clears what lies, as signed numbers, above -0 and up to -∞; NaN is above that.
func positiveHalf(infinity string) string {
	return each(ones+"VPSLLW $15, Y15, Y15; MOVL $"+infinity+", AX;"+spread("W", "AX", "14"), `
		VMOVDQU (SI)(AX*1), Y1
		VPCMPGTW Y15, Y1, Y2; VPCMPGTW Y14, Y1, Y3; VPANDN Y2, Y3, Y2
		VPANDN Y1, Y2, Y0`)
}

// shift8 shifts bytes in 32 bits each, by counts without a sign: large ones leave nothing, or the sign.
func shift8(widen, op string) string {
	return each(lowBits("24")+weave, eights(widen, "VPMOVZXBD", op+" Y11, %[1]s, %[1]s; VPAND Y14, %[1]s, %[1]s"))
}

func limits() []function {
	within := func(letter, text string) string {
		return each(spread(letter, "R8", "14")+spread(letter, "R9", "15"), text)
	}
	kept := func(letter, larger, smaller string) string {
		return within(letter, "VMOVDQU (SI)(AX*1), Y0; "+larger+" Y0, Y14, Y0; "+smaller+" Y0, Y15, Y0")
	}
	return []function{
		{"LimitU8", "", kept("B", "VPMAXUB", "VPMINUB")}, {"LimitI8", "", kept("B", "VPMAXSB", "VPMINSB")},
		{"LimitI16", "", kept("W", "VPMAXSW", "VPMINSW")}, {"LimitI32", "", kept("D", "VPMAXSD", "VPMINSD")},
		{"LimitI64", "", within("Q", "VMOVDQU (SI)(AX*1), Y0;"+larger64("Y14", "Y0", "Y1")+smaller64("Y15", "Y0", "Y1"))},
		// The instructions give their last source, the number, for NaN and for equal zeros.
		{"LimitF64", "", kept("Q", "VMAXPD", "VMINPD")},
	}
}

func betweens() []function {
	kept := func(larger, smaller string) string {
		return each("", "VMOVDQU (SI)(AX*1), Y0; "+larger+" (DX)(AX*1), Y0, Y0; "+smaller+" (BX)(AX*1), Y0, Y0")
	}
	// step makes of Y0 and Y1 NaN where either is, and of equal ones, which may be zeros of either sign, what bits does.
	step := func(op, bits, last string) string {
		return fmt.Sprintf("%[1]s%[3]s Y1, Y0, Y2; %[2]s%[3]s Y1, Y0, Y3; VCMP%[3]s $0, Y1, Y0, Y4; VBLENDV%[3]s Y4, Y3, Y2, Y2;"+
			"VCMP%[3]s $3, Y0, Y0, Y4; VBLENDV%[3]s Y4, Y0, Y2, Y0;", op, bits, last)
	}
	floats := func(last string) string {
		return each("", "VMOVDQU (SI)(AX*1), Y0; VMOVDQU (DX)(AX*1), Y1;"+step("VMAX", "VAND", last)+"VMOVDQU (BX)(AX*1), Y1;"+step("VMIN", "VOR", last))
	}
	return []function{
		{"BetweenU8", "", kept("VPMAXUB", "VPMINUB")}, {"BetweenI8", "", kept("VPMAXSB", "VPMINSB")},
		{"BetweenI16", "", kept("VPMAXSW", "VPMINSW")}, {"BetweenI32", "", kept("VPMAXSD", "VPMINSD")},
		{"BetweenI64", "", each("", "VMOVDQU (SI)(AX*1), Y0; VMOVDQU (DX)(AX*1), Y1;"+larger64("Y1", "Y0", "Y2")+"VMOVDQU (BX)(AX*1), Y1;"+smaller64("Y1", "Y0", "Y2"))},
		{"BetweenF32", "", floats("PS")}, {"BetweenF64", "", floats("PD")},
	}
}

// multiples are a + s·b.
var multiples = []function{
	{"Scaled8", "", each(lowBytes("14")+spread("B", "R8", "15"), "VMOVDQU (DX)(AX*1), Y0;"+multiply8("Y15", "Y15", "Y0")+"VPADDB (SI)(AX*1), Y0, Y0")},
	{"Scaled16", "", each(spread("W", "R8", "15"), "VPMULLW (DX)(AX*1), Y15, Y1; VPADDW (SI)(AX*1), Y1, Y0")},
	{"Scaled32", "", each(spread("D", "R8", "15"), "VPMULLD (DX)(AX*1), Y15, Y1; VPADDD (SI)(AX*1), Y1, Y0")},
	{"Scaled64", "", each(spread("Q", "R8", "15")+"VPSHUFD $0xb1, Y15, Y14;", "VMOVDQU (DX)(AX*1), Y0;"+multiply64("Y0", "Y14", "Y15")+"VPADDQ (SI)(AX*1), Y0, Y0")},
	{"ScaledF64", "", each(spread("Q", "R8", "15"), "VMULPD (DX)(AX*1), Y15, Y1; VADDPD (SI)(AX*1), Y1, Y0")},
	{"ScaledC64", "", each("VPXOR Y14, Y14, Y14;"+spread("D", "R8", "15"), "VMOVUPS (DX)(AX*1), Y2;"+complexProduct("PS", "0xb1", "Y15", "Y14")+"VADDPS (SI)(AX*1), Y0, Y0")},
	{"ScaledC128", "", each("VPXOR Y14, Y14, Y14;"+spread("Q", "R8", "15"), "VMOVUPD (DX)(AX*1), Y2;"+complexProduct("PD", "0x5", "Y15", "Y14")+"VADDPD (SI)(AX*1), Y0, Y0")},
}

// choices take n elements, a multiple of 32.
func choices() []function {
	const chosen = "VPCMPEQB (BX)(AX*1), Y15, Y0;"
	f := []function{
		{"Choose8", "", each(zero, chosen+"VMOVDQU (SI)(AX*1), Y1; VPBLENDVB Y0, (DX)(AX*1), Y1, Y0")},
		{"Choose16", "", steps(zero, chosen+`
			VEXTRACTI128 $1, Y0, X2; VPMOVSXBW X0, Y0; VPMOVSXBW X2, Y2
			VMOVDQU (SI)(AX*2), Y1; VPBLENDVB Y0, (DX)(AX*2), Y1, Y1; VMOVDQU Y1, (DI)(AX*2)
			VMOVDQU 32(SI)(AX*2), Y3; VPBLENDVB Y2, 32(DX)(AX*2), Y3, Y3; VMOVDQU Y3, 32(DI)(AX*2)`)},
	}
	text := ""
	for at := 0; at < 32; at += 4 {
		text += fmt.Sprintf(`
			VPMOVZXBQ %[1]d(BX)(AX*1), Y0; VPCMPEQQ Y15, Y0, Y0
			VMOVDQU %[2]d(SI)(AX*8), Y1; VPBLENDVB Y0, %[2]d(DX)(AX*8), Y1, Y1; VMOVDQU Y1, %[2]d(DI)(AX*8)`, at, 8*at)
	}
	return append(f, function{"Choose64", "", steps(zero, text)})
}
