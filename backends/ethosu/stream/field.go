package stream

import (
	"fmt"
	"strings"
)

// Field is a range of bits of a command. Bits 0 to 15 are those of the parameter of a one-word command; of a two-word
// command bits 0 to 31 are those of the payload and 32 to 47 those of the parameter.
type Field struct {
	Name   string
	Lo, Hi uint8
	Signed bool
	Plus1  bool     // the register holds the value less one
	Values []string // names of the values, where they have some
}

// Register describes an opcode of one product: its name in Arm's interface header, and its fields.
type Register struct {
	Name   string
	Fields []Field
}

// Value extracts f from c.
func (f Field) Value(c Command) int64 {
	raw := uint64(c.Param)
	if c.Code.Wide() {
		raw = uint64(c.Param)<<32 | uint64(c.Payload)
	}
	n := uint(f.Hi-f.Lo) + 1
	v := int64(raw >> f.Lo & (1<<n - 1))
	if f.Signed {
		v = v << (64 - n) >> (64 - n)
	}
	if f.Plus1 {
		v++
	}
	return v
}

// Format returns f's value in c as people read it.
func (f Field) Format(c Command) string {
	v := f.Value(c)
	if v >= 0 && v < int64(len(f.Values)) && f.Values[v] != "" {
		return f.Values[v]
	}
	return fmt.Sprint(v)
}

// Lookup returns the description of an opcode of a product, and whether the product has it.
func Lookup(p Product, c Code) (Register, bool) {
	if r, ok := registersOf(p)[c]; ok {
		return r, true
	}
	r, ok := commonRegisters[c]
	return r, ok
}

// Format returns c as a line of assembly: the name, then its fields, such as
// "NPU_SET_IFM_PRECISION signed=1 bits=8 layout=NHWC". Fields of one value are printed without their name.
func (c Command) Format(p Product) string {
	r, ok := Lookup(p, c.Code)
	if !ok {
		return fmt.Sprintf("unknown opcode %#03x param %#04x", uint16(c.Code), c.Param)
	}
	var b strings.Builder
	b.WriteString(r.Name)
	for _, f := range r.Fields {
		b.WriteByte(' ')
		if f.Name != "" {
			b.WriteString(f.Name)
			b.WriteByte('=')
		}
		b.WriteString(f.Format(c))
	}
	return b.String()
}

// Reserved returns the bits of c, numbered as in [Field], that are set outside every field of the opcode.
func (c Command) Reserved(p Product) uint64 {
	raw := uint64(c.Param)
	if c.Code.Wide() {
		raw = uint64(c.Param)<<32 | uint64(c.Payload)
	}
	r, _ := Lookup(p, c.Code)
	for _, f := range r.Fields {
		raw &^= (1<<(f.Hi-f.Lo+1) - 1) << f.Lo
	}
	return raw
}

func registersOf(p Product) map[Code]Register {
	switch p {
	case U55:
		return u55Registers
	case U65:
		return u65Registers
	}
	return u85Registers
}
