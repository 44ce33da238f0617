package memory

import "github.com/ptero-rt/ptero/hal"

// Place says where a Need is served from.
type Place uint8

// Places of a need.
const (
	Temp     Place = iota // the temp arena, for one call: reset after each instruction
	Fast                  // the board's fast scratch, for one call
	Resident              // memory the owner allocates itself at Prepare and keeps for the method's life (packed weights, tables)
)

// Need is memory that an operator or a delegate wants beside its arguments, stated before the first run so that it can
// be counted. Role is what a report calls it ("scratch", "im2col", "packed weights").
type Need struct {
	Role   string
	Place  Place
	Bytes  uint64
	Align  uint32    // power of two; 0 means 16
	Class  hal.Class // the farthest memory that will do, for a Device; hal.AnyClass or zero: any
	Device string    // kind of device that must see it ("ethos-u", "neutron"); empty for the CPU alone
}
