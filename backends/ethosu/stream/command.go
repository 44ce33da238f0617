package stream

import (
	"encoding/binary"
	"fmt"
)

// Code is a command's opcode: bits [9:0] of its word, and [15:14], which say whether a payload follows.
type Code uint16

// wide marks the opcodes of two-word commands.
const wide Code = 1 << 14

// Wide reports whether a 32-bit payload follows the command word.
func (c Code) Wide() bool { return c&wide != 0 }

// Command is one command of a stream: one word or two.
type Command struct {
	Offset  int // of its first byte in the stream
	Code    Code
	Param   uint16
	Payload uint32 // wide commands only
}

// Address returns the 40-bit value of a wide command: the payload and [7:0] of the parameter above it.
func (c Command) Address() uint64 { return uint64(c.Param&0xff)<<32 | uint64(c.Payload) }

// Stride returns the address sign-extended from 40 bits.
func (c Command) Stride() int64 { return int64(c.Address()<<24) >> 24 }

// Bytes returns the size of the command in the stream.
func (c Command) Bytes() int {
	if c.Code.Wide() {
		return 8
	}
	return 4
}

// Append appends the command's words to b, as they stand in a stream.
func (c Command) Append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(c.Param)<<16|uint32(c.Code))
	if c.Code.Wide() {
		b = binary.LittleEndian.AppendUint32(b, c.Payload)
	}
	return b
}

// Error is a fault of a command stream: where, what was wanted, and what was found.
type Error struct {
	Offset int // byte in the stream
	Fault  string
}

func (e *Error) Error() string { return fmt.Sprintf("command stream: byte %d: %s", e.Offset, e.Fault) }

// split cuts the stream into commands, up to and with the first that is not whole or not known.
func split(a Accelerator, b []byte) ([]Command, error) {
	if len(b)%4 != 0 {
		return nil, &Error{len(b) &^ 3, fmt.Sprintf("want whole words, have %d bytes", len(b))}
	}
	commands := make([]Command, 0, len(b)/6)
	for at := 0; at < len(b); {
		word := binary.LittleEndian.Uint32(b[at:])
		c := Command{Offset: at, Code: Code(word & 0xc3ff), Param: uint16(word >> 16)}
		if word&0x3c00 != 0 || word&0x8000 != 0 {
			return commands, &Error{at, fmt.Sprintf("want reserved bits [13:10] and [15] zero, have word %#08x", word)}
		}
		if _, known := Lookup(a.Product, c.Code); !known {
			return commands, &Error{at, fmt.Sprintf("want an opcode of %s, have word %#08x", a.Product, word)}
		}
		if c.Code.Wide() {
			if len(b)-at < 8 {
				return commands, &Error{at, fmt.Sprintf("want a payload word after %#08x, have the end", word)}
			}
			c.Payload = binary.LittleEndian.Uint32(b[at+4:])
		}
		commands = append(commands, c)
		at += c.Bytes()
		if c.Code == OpStop {
			if at != len(b) && !padding(b[at:]) {
				return commands, &Error{at, "want NPU_OP_STOP at the end, have more commands after it"}
			}
			return commands, nil
		}
	}
	return commands, &Error{len(b), "want NPU_OP_STOP at the end, have none"}
}

func padding(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}
