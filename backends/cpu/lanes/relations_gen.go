//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// relations relate 32 elements of a and b at a time and leave a byte for each.
func relations() []function {
	var f []function
	for _, w := range integers {
		equal, greater := "VPCMPEQ"+w.letter+" %[2]s, %[1]s, %[1]s", "VPCMPGT"+w.letter+" %[2]s, %[1]s, %[1]s"
		f = append(f,
			function{"Equal" + w.bits, "", related(w.bits, "SI", "DX", equal, "VPAND")},
			function{"Unequal" + w.bits, "", related(w.bits, "SI", "DX", equal, "VPANDN")},
			function{"LessI" + w.bits, "", related(w.bits, "DX", "SI", greater, "VPAND")},
			function{"LessEqualI" + w.bits, "", related(w.bits, "SI", "DX", greater, "VPANDN")})
	}
	// Where the larger of both is b, a ≤ b.
	const notGreater = "VMOVDQU %[2]s, Y8; VPMAXUB Y8, %[1]s, %[1]s; VPCMPEQB Y8, %[1]s, %[1]s"
	f = append(f,
		function{"LessEqualU8", "", related("8", "SI", "DX", notGreater, "VPAND")},
		function{"LessU8", "", related("8", "DX", "SI", notGreater, "VPANDN")})
	for _, r := range []struct{ name, number string }{{"EqualF64", "0"}, {"UnequalF64", "4"}, {"LessF64", "0x11"}, {"LessEqualF64", "0x12"}} {
		f = append(f, function{r.name, "", related("64", "SI", "DX", "VCMPPD $"+r.number+", %[2]s, %[1]s, %[1]s", "VPAND")})
	}
	// What is left of a zero without its sign is zero.
	return append(f, function{"NotHalf", "", zero + related("16", "SI", "SI", "VPADDW %[1]s, %[1]s, %[1]s; VPCMPEQW Y15, %[1]s, %[1]s", "VPAND")})
}

// related makes a relation of elements of some bits: op leaves all ones where it holds, of a in a register and b in
// memory, and last is VPAND for what holds and VPANDN for what does not. Then the masks are packed to bytes.
func related(bits, a, b, op, last string) string {
	scale := map[string]int{"8": 1, "16": 2, "32": 4, "64": 8}[bits]
	var text strings.Builder
	for i := range scale {
		y, at := fmt.Sprintf("Y%d", i), fmt.Sprintf("%d(%%s)(AX*%d)", 32*i, scale)
		fmt.Fprintf(&text, "VMOVDQU %s, %s;", fmt.Sprintf(at, a), y)
		text.WriteString(strings.NewReplacer("%[1]s", y, "%[2]s", fmt.Sprintf(at, b)).Replace(op) + "\n")
	}
	setup := truth
	switch bits {
	case "16":
		text.WriteString("VPACKSSWB Y1, Y0, Y0; VPERMQ $0xd8, Y0, Y0\n")
	case "32":
		setup += weave
		text.WriteString("VPACKSSDW Y1, Y0, Y0; VPACKSSDW Y3, Y2, Y2; VPACKSSWB Y2, Y0, Y0; VPERMD Y0, Y13, Y0\n")
	case "64": // after the packs the lower lane has the elements 0, 1, 4, 5, 8 …, the upper one 2, 3, 6, 7 …
		text.WriteString(`
			VSHUFPS $0x88, Y1, Y0, Y0; VSHUFPS $0x88, Y3, Y2, Y2; VSHUFPS $0x88, Y5, Y4, Y4; VSHUFPS $0x88, Y7, Y6, Y6
			VPACKSSDW Y2, Y0, Y0; VPACKSSDW Y6, Y4, Y4; VPACKSSWB Y4, Y0, Y0
			VEXTRACTI128 $1, Y0, X1; VPUNPCKLWD X1, X0, X2; VPUNPCKHWD X1, X0, X3; VINSERTI128 $1, X3, Y2, Y0
		`)
	}
	return each(setup, text.String()+last+" Y14, Y0, Y0")
}
