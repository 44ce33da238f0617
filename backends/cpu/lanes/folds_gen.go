//go:build ignore

package main

import "fmt"

func folds() []group {
	return []group{{
		comment: `
Extremes of rows of n bytes, at least 16, next bytes apart: one for each row, or that of a single row as the result.`,
		goType: "fold[∘]", from: "have",
		args:   []arg{{"dst", "*∘", "DI"}, {"src", "*∘", "SI"}, {"n", "int", "CX"}, {"next", "int", "DX"}, {"count", "int", "BX"}},
		result: true, functions: extremes(),
	}, {
		comment: `Sums of n bytes, a multiple of 32.`,
		goType:  "func(int, *∘) int", from: "have", args: []arg{{"n", "int", "CX"}, {"src", "*∘", "SI"}}, result: true, functions: sums,
	}, {
		comment: `Additions of n elements, a multiple of 8, to as many sums.`,
		goType:  "func(int, *int64, *∘)", from: "have",
		args:      []arg{{"n", "int", "CX"}, {"sums", "*int64", "DI"}, {"x", "*∘", "SI"}},
		functions: additions,
	}, {
		comment: `
The searches, named by what is better and the type. Floats of 32 bits have theirs here as well.`,
		goType: "Search[∘]", from: "searching",
		args: []arg{{"n", "int", "CX"}, {"width", "int", "R8"}, {"best", "*∘", "DI"}, {"where", "*int64", "DX"}, {"x", "*∘", "SI"}, {"step", "int", "R9"}, {"first", "int64", "R10"}},
		functions: []function{
			{"SearchMaxI32", "int32", search(4, "VPCMPGTD Y1, Y0, Y2")}, {"SearchMinI32", "int32", search(4, "VPCMPGTD Y0, Y1, Y2")},
			{"SearchMaxI64", "int64", search(8, "VPCMPGTQ Y1, Y0, Y2")}, {"SearchMinI64", "int64", search(8, "VPCMPGTQ Y0, Y1, Y2")},
			// Not less or equal, or not more or equal, which is so for NaN, and nothing is better than NaN.
			{"SearchMaxF32", "float32", search(4, "VCMPPS $0x16, Y1, Y0, Y2; VCMPPS $7, Y1, Y1, Y3; VANDPS Y3, Y2, Y2")},
			{"SearchMinF32", "float32", search(4, "VCMPPS $0x19, Y1, Y0, Y2; VCMPPS $7, Y1, Y1, Y3; VANDPS Y3, Y2, Y2")},
			{"SearchMaxF64", "float64", search(8, "VCMPPD $0x16, Y1, Y0, Y2; VCMPPD $7, Y1, Y1, Y3; VANDPD Y3, Y2, Y2")},
			{"SearchMinF64", "float64", search(8, "VCMPPD $0x19, Y1, Y0, Y2; VCMPPD $7, Y1, Y1, Y3; VANDPD Y3, Y2, Y2")},
		},
	}}
}

func extremes() []function {
	var f []function
	for _, t := range []struct {
		name, element, last string
		size                int
	}{
		{"U8", "uint8", "UB", 1}, {"I8", "int8", "SB", 1}, {"I16", "int16", "SW", 2}, {"I32", "int32", "SD", 4},
	} {
		for _, which := range []string{"most", "least"} {
			op := map[string]string{"most": "VPMAX", "least": "VPMIN"}[which] + t.last
			f = append(f, function{which + t.name, t.element, extreme(t.size, "", "", func(x, acc string) string { return op + " " + x + ", " + acc + ", " + acc + ";" })})
		}
	}
	pick := func(pick64 func(x, acc, temp string) string) func(x, acc string) string {
		return func(x, acc string) string { return "VMOVDQU " + x + ", Y4;" + pick64("Y4", acc, "Y5") }
	}
	f = append(f, function{"mostI64", "int64", extreme(8, "", "", pick(larger64))}, function{"leastI64", "int64", extreme(8, "", "", pick(smaller64))})
	// Y8 is all ones, which is NaN, in lanes that have met NaN.
	double := func(op string) func(x, acc string) string {
		return func(x, acc string) string {
			return fmt.Sprintf("VMOVUPD %[1]s, Y4; VCMPPD $3, Y4, Y4, Y5; VORPD Y5, Y8, Y8; %[3]s Y4, %[2]s, %[2]s;", x, acc, op)
		}
	}
	const any = "VEXTRACTF128 $1, Y8, X9; VORPD X9, X8, X8; VPSRLDQ $8, X8, X9; VORPD X9, X8, X8; VORPD X8, X0, X0;"
	return append(f, function{"mostF64", "float64", extreme(8, "VCMPPD $3, Y0, Y0, Y8;", any, double("VMAXPD"))},
		function{"leastF64", "float64", extreme(8, "VCMPPD $3, Y0, Y0, Y8;", any, double("VMINPD"))})
}

// extreme folds rows with a step that takes x, in memory or a register, into acc; four vectors at a time while they last,
// or halves of them. The order does not matter, nor that the last vector takes in what another did before.
func extreme(size int, begin, end string, step func(x, acc string) string) string {
	text := `
		MOVQ SI, R10
	row:
		CMPQ CX, $32; JLT short
		LEAQ -128(SI)(CX*1), R8; LEAQ -32(SI)(CX*1), R9 // where four vectors may begin up to, and the last
		VMOVDQU (R9), Y0; VMOVDQU Y0, Y1;` + begin + `
		CMPQ SI, R8; JGT more
		VMOVDQU Y0, Y2; VMOVDQU Y0, Y3
	wide:
	` + step("(SI)", "Y0") + step("32(SI)", "Y1") + step("64(SI)", "Y2") + step("96(SI)", "Y3") + `
		ADDQ $128, SI; CMPQ SI, R8; JLE wide
	` + step("Y2", "Y0") + step("Y3", "Y1") + `
		JMP more
	tail:
	` + step("(SI)", "Y1") + `
		ADDQ $32, SI
	more:
		CMPQ SI, R9; JLT tail
	` + step("Y1", "Y0") + "VEXTRACTI128 $1, Y0, X1;" + step("Y1", "Y0") + "\nhalf:\n"
	for half := 8; half >= size; half /= 2 {
		text += fmt.Sprintf("VPSRLDQ $%d, Y0, Y1;", half) + step("Y1", "Y0")
	}
	store := map[int]string{1: "MOVB AX, (DI)", 2: "MOVW AX, (DI)", 4: "MOVL AX, (DI)", 8: "MOVQ AX, (DI)"}[size]
	return text + end + fmt.Sprintf(`
		VMOVQ X0, AX
		TESTQ DI, DI; JZ single
		%s; ADDQ $%d, DI
		ADDQ DX, R10; MOVQ R10, SI
		DECQ BX; JNZ row
	single:
		MOVQ AX, RESULT
		VZEROUPPER; RET
	short: // both halves, in the lower ones of vectors
		VMOVDQU (SI), X0; VMOVDQU -16(SI)(CX*1), X1;`, store, size) + begin + step("Y1", "Y0") + "JMP half"
}

var sums = []function{
	{"sumI64", "int64", total("VPADDQ (SI), Y0, Y0")},
	{"sumI32", "int32", total("VPMOVSXDQ (SI), Y2; VPADDQ Y2, Y0, Y0; VPMOVSXDQ 16(SI), Y3; VPADDQ Y3, Y1, Y1")},
	{"sumI16", "int16", total("VPSRLW $8, Y14, Y2; VPMADDWD (SI), Y2, Y2; VPMOVSXDQ X2, Y3; VPADDQ Y3, Y0, Y0; VEXTRACTI128 $1, Y2, X2; VPMOVSXDQ X2, Y2; VPADDQ Y2, Y1, Y1")},
	{"sumI8", "int8", total("VPSLLW $7, Y14, Y2; VPXOR (SI), Y2, Y2; VPSADBW Y2, Y15, Y2; VPADDQ Y2, Y0, Y0")}, // each 128 too large
	{"sumU8", "uint8", total("VPSADBW (SI), Y15, Y2; VPADDQ Y2, Y0, Y0")},
	{"count", "uint8", total("VPMINUB (SI), Y14, Y2; VPSADBW Y2, Y15, Y2; VPADDQ Y2, Y0, Y0")},
}

// total adds the quadwords of Y0 and Y1, to which step adds 32 bytes. Y14 is bytes of 1.
func total(step string) string {
	return zero + truth + "VPXOR Y0, Y0, Y0; VPXOR Y1, Y1, Y1; ADDQ SI, CX\nloop:\n" + step + `
		ADDQ $32, SI; CMPQ SI, CX; JLT loop
		VPADDQ Y1, Y0, Y0; VEXTRACTI128 $1, Y0, X1; VPADDQ X1, X0, X0; VPSRLDQ $8, X0, X1; VPADDQ X1, X0, X0
		VMOVQ X0, AX; MOVQ AX, RESULT
		VZEROUPPER; RET`
}

var additions = []function{
	{"wideU8", "uint8", widened(1, "VPMOVZXBQ")}, {"wideI8", "int8", widened(1, "VPMOVSXBQ")},
	{"wideI16", "int16", widened(2, "VPMOVSXWQ")}, {"wideI32", "int32", widened(4, "VPMOVSXDQ")},
	{"wideBool", "uint8", addition(1, "VMOVQ (SI)(AX*1), X0; VPMINUB X14, X0, X0; VPSRLDQ $4, X0, X1; VPMOVZXBQ X0, Y0; VPMOVZXBQ X1, Y1")},
}

func widened(size int, op string) string {
	return addition(size, fmt.Sprintf("%[1]s (SI)(AX*1), Y0; %[1]s %[2]d(SI)(AX*1), Y1", op, 4*size))
}

// addition adds eight numbers of some bytes at a time, which load leaves in 64 bits each.
func addition(size int, load string) string {
	return truth + fmt.Sprintf(`
		IMULQ $%[1]d, CX; XORQ AX, AX
	loop:
		%[2]s
		VPADDQ (DI)(AX*%[3]d), Y0, Y0; VMOVDQU Y0, (DI)(AX*%[3]d)
		VPADDQ 32(DI)(AX*%[3]d), Y1, Y1; VMOVDQU Y1, 32(DI)(AX*%[3]d)
		ADDQ $%[4]d, AX; CMPQ AX, CX; JLT loop
		VZEROUPPER; RET`, size, load, 8/size, 8*size)
}

// search goes through n lines of width bytes, a multiple of 32: better leaves all ones in Y2 where an element, Y0, is
// better than the best so far, Y1. Where nothing is, nothing is written. Y14 is the number of the line.
func search(size int, better string) string {
	found := `
		VMOVMSKPD Y2, R11; TESTL R11, R11; JZ skip
		VBLENDVPD Y2, Y0, Y1, Y1; VMOVUPD Y1, (DI)(AX*1)
		VMOVUPD (DX)(AX*1), Y5; VBLENDVPD Y2, Y14, Y5, Y5; VMOVUPD Y5, (DX)(AX*1)`
	if size == 4 {
		found = `
		VMOVMSKPS Y2, R11; TESTL R11, R11; JZ skip
		VBLENDVPS Y2, Y0, Y1, Y1; VMOVUPS Y1, (DI)(AX*1)
		VPMOVSXDQ X2, Y3; VEXTRACTI128 $1, Y2, X2; VPMOVSXDQ X2, Y4
		VMOVUPD (DX)(AX*2), Y5; VBLENDVPD Y3, Y14, Y5, Y5; VMOVUPD Y5, (DX)(AX*2)
		VMOVUPD 32(DX)(AX*2), Y6; VBLENDVPD Y4, Y14, Y6, Y6; VMOVUPD Y6, 32(DX)(AX*2)`
	}
	return spread("Q", "R10", "14") + "VPCMPEQQ Y13, Y13, Y13" + `
	line:
		XORQ AX, AX
	columns:
		VMOVUPS (SI)(AX*1), Y0; VMOVUPS (DI)(AX*1), Y1
		` + better + found + `
	skip:
		ADDQ $32, AX; CMPQ AX, R8; JLT columns
		ADDQ R9, SI; VPSUBQ Y13, Y14, Y14
		DECQ CX; JNZ line
		VZEROUPPER; RET`
}
