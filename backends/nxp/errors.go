package nxp

import (
	"errors"
	"fmt"

	"github.com/ptero-rt/ptero/internal/fault"
)

// Sentinels for errors.Is.
var (
	// ErrFormat is a payload or microcode whose bytes do not describe what they should.
	ErrFormat = errors.New("damaged Neutron payload")
	// ErrUnsupported is a well-formed payload that uses something this package does not know.
	ErrUnsupported = errors.New("unsupported Neutron payload")
)

// damaged reports bytes that are wrong: the part, the byte offset from where parsing began, what was wanted and found.
func damaged(part string, offset int, want, found string) error {
	return &fault.Error{Path: at(part, offset), Rule: "neutron_format", Want: want, Found: found, Code: fault.InvalidProgram, Err: ErrFormat}
}

// unsupported reports bytes that nobody has decoded yet.
func unsupported(part string, offset int, want, found string) error {
	return &fault.Error{Path: at(part, offset), Rule: "neutron_unsupported", Want: want, Found: found, Code: fault.NotSupported, Err: ErrUnsupported}
}

func at(part string, offset int) string { return fmt.Sprintf("%s at byte %#x", part, offset) }
