//go:build ignore

package main

import "fmt"

// constants come before the functions. woven is the order of four bytes each that undoes how two packs of vectors leave
// 32 results.
const constants = `DATA woven<>+0(SB)/8, $0x0000000400000000
DATA woven<>+8(SB)/8, $0x0000000500000001
DATA woven<>+16(SB)/8, $0x0000000600000002
DATA woven<>+24(SB)/8, $0x0000000700000003
GLOBL woven<>(SB), RODATA|NOPTR, $32
`

// What loops begin with.
const (
	zero  = "VPXOR Y15, Y15, Y15;"
	ones  = "VPCMPEQB Y15, Y15, Y15;"
	once  = "VMOVDQU (DX), Y15;"                       // a number
	truth = "VPCMPEQB Y14, Y14, Y14; VPABSB Y14, Y14;" // a byte of 1 for each that holds
	signs = ones + "VPSLLQ $63, Y15, Y15;"
	weave = "VMOVDQU woven<>(SB), Y13;"
)

// Doubles, by their bits.
const (
	half     = "0x3fe0000000000000"
	one      = "0x3ff0000000000000"
	two52    = "0x4330000000000000" // 2^52
	magic    = "0x4338000000000000" // 1.5·2^52
	infinity = "0x7ff0000000000000"
)

// number spreads a number of 64 bits over a vector, spread the last bits of a register: as many as the letter says.
func number(bits, vector string) string { return "MOVQ $" + bits + ", AX;" + spread("Q", "AX", vector) }

func spread(letter, register, vector string) string {
	return fmt.Sprintf("VMOVQ %[2]s, X%[3]s; VPBROADCAST%[1]s X%[3]s, Y%[3]s;", letter, register, vector)
}

// lowBytes sets the lower byte of every 16 bits, lowBits those of every 32 in Y14 that are left after a shift.
func lowBytes(register string) string {
	return fmt.Sprintf("VPCMPEQW Y%[1]s, Y%[1]s, Y%[1]s; VPSRLW $8, Y%[1]s, Y%[1]s;", register)
}

func lowBits(shift string) string { return "VPCMPEQD Y14, Y14, Y14; VPSRLD $" + shift + ", Y14, Y14;" }

// steps goes through n bytes, 32 at a time: AX from the start.
func steps(setup, text string) string {
	return setup + "XORQ AX, AX\nloop:\n" + text + "\n" + `
		ADDQ $32, AX; CMPQ AX, CX; JLT loop
		VZEROUPPER; RET`
}

// each is steps that leave 32 bytes of dst in Y0.
func each(setup, text string) string { return steps(setup, text+"; VMOVDQU Y0, (DI)(AX*1)") }

// counted is each of a text that may jump out before it is done: the result is how far it came.
func counted(setup, text string) string {
	return setup + "XORQ AX, AX\nloop:\n" + text + "\n" + `
		VMOVDQU Y0, (DI)(AX*1)
		ADDQ $32, AX; CMPQ AX, CX; JLT loop
	out:
		MOVQ AX, RESULT
		VZEROUPPER; RET`
}

// unary is a loop of one instruction, of Y15 and one operand, for which it waits more than it computes. It reads that in two
// halves and counts words of 8 bytes, whose addresses come a cycle later: less is asked for at once, which costs nothing
// where the operand is near and takes a thirtieth less time where it is far (256 KB and more on Zen 4).
func unary(setup, op string) string {
	return setup + "SHRQ $3, CX; XORQ AX, AX; PCALIGN $32\nloop:\nVMOVDQU (SI)(AX*8), X0; VINSERTI128 $1, 16(SI)(AX*8), Y0, Y0; " + op + " Y0, Y15, Y0; VMOVDQU Y0, (DI)(AX*8)" + `
		ADDQ $4, AX; CMPQ AX, CX; JLT loop
		VZEROUPPER; RET`
}

// binary is a loop of one instruction of two operands, 128 bytes at a time while they last.
func binary(op string) string {
	step := func(at, y string) string {
		return fmt.Sprintf("VMOVDQU %[1]s(SI)(AX*1), %[2]s; %[3]s %[1]s(DX)(AX*1), %[2]s, %[2]s;", at, y, op)
	}
	return "XORQ AX, AX; MOVQ CX, R8; ANDQ $-128, R8; JZ tail\nwide:\n" +
		step("", "Y0") + step("32", "Y1") + step("64", "Y2") + step("96", "Y3") + `
		VMOVDQU Y0, (DI)(AX*1); VMOVDQU Y1, 32(DI)(AX*1); VMOVDQU Y2, 64(DI)(AX*1); VMOVDQU Y3, 96(DI)(AX*1)
		ADDQ $128, AX; CMPQ AX, R8; JLT wide
	tail:
		CMPQ AX, CX; JGE done
	` + step("", "Y0") + `
		VMOVDQU Y0, (DI)(AX*1)
		ADDQ $32, AX; JMP tail
	done:
		VZEROUPPER; RET`
}

// larger64 and smaller64 put x into acc where it is more, or less.
func larger64(x, acc, temp string) string {
	return fmt.Sprintf("VPCMPGTQ %[2]s, %[1]s, %[3]s; VBLENDVPD %[3]s, %[1]s, %[2]s, %[2]s;", x, acc, temp)
}

func smaller64(x, acc, temp string) string {
	return fmt.Sprintf("VPCMPGTQ %[1]s, %[2]s, %[3]s; VBLENDVPD %[3]s, %[1]s, %[2]s, %[2]s;", x, acc, temp)
}

// multiply8 leaves in Y0 the products of bytes: odd is a with its odd bytes in the place of even ones, Y14 is lowBytes. A
// product of 16 bits is right in its lower half, whatever the upper halves are.
func multiply8(a, odd, b string) string {
	return fmt.Sprintf("VPMULLW %[1]s, %[3]s, Y3; VPAND Y14, Y3, Y3; VPSRLW $8, %[3]s, Y4; VPMULLW %[2]s, Y4, Y4; VPSLLW $8, Y4, Y4; VPOR Y3, Y4, Y0;", a, odd, b)
}

// multiply64 leaves in Y0 the products of 64 bits: swapped is b with its halves swapped, so that 32 bits of it meet the
// other half of a.
func multiply64(a, swapped, b string) string {
	return fmt.Sprintf("VPMULLD %[2]s, %[1]s, Y3; VPSLLQ $32, Y3, Y4; VPADDD Y4, Y3, Y3; VPSRLQ $32, Y3, Y3; VPSLLQ $32, Y3, Y3; VPMULUDQ %[3]s, %[1]s, Y0; VPADDQ Y3, Y0, Y0;", a, swapped, b)
}

// eights does 32 bytes in 32 bits each, eight at a time: step has those of a in the register that it is filled in with
// and those of b in Y11, and leaves results of up to 8 bits. Y13 is woven.
func eights(widenA, widenB, step string) string {
	text := ""
	for i := range 4 {
		text += fmt.Sprintf("%s %[3]d(SI)(AX*1), Y%[4]d; %[2]s %[3]d(DX)(AX*1), Y11;", widenA, widenB, 8*i, i) +
			fmt.Sprintf(step, fmt.Sprintf("Y%d", i)) + "\n"
	}
	return text + "VPACKUSDW Y1, Y0, Y0; VPACKUSDW Y3, Y2, Y2; VPACKUSWB Y2, Y0, Y0; VPERMD Y0, Y13, Y0"
}
