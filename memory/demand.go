package memory

import "github.com/ptero-rt/ptero/hal"

// Kind says what bytes are for; every byte that a report counts has one.
type Kind string

// Kinds of owner, as `fit --json` prints them.
const (
	Program     Kind = "program"
	Constants   Kind = "constants"
	Persistent  Kind = "persistent"
	Activations Kind = "activations"
	Scratch     Kind = "scratch"
	TempArena   Kind = "temp"
	IO          Kind = "io"
	Control     Kind = "control"
	Driver      Kind = "driver"
)

// Demand is all that one linked method wants of memory. Sizes are bytes; instructions are numbered over the method's
// chains laid end to end; lifetimes are half open: live in [First, Last).
type Demand struct {
	Method   string
	Strategy Strategy // the method begins with; Static unless set
	Arenas   []Arena
	Calls    []Call   // needs of every call, in instruction order
	Fixed    []Fixed  // program, constants, control structures: resident for the method's life, not carved from arenas
	Spans    []Buffer // planned buffers inside the arenas, for attribution, checks and planning
}

// Arena is one planned buffer of the file.
type Arena struct {
	MemID   uint32
	Bytes   uint64
	Align   uint32
	Devices []string // kinds of device that touch it; each must see the pool
	Share   string   // methods whose arenas carry the same non-empty name hold the same bytes
}

// Call is what one instruction needs beside its arguments.
type Call struct {
	Instruction int
	Label       string // operator or delegate
	Needs       []Need
}

// Fixed is resident memory that is not planned. What several methods have in common (the file, its constants) carries the
// same non-empty Share in each of them and is counted once; make it unique to the file.
type Fixed struct {
	Kind  Kind
	Label string
	Bytes uint64
	Share string
}

// Buffer is a run of bytes in an arena with a lifetime: one tensor, or several that the program keeps rigid to each
// other. It is what a planner may move.
type Buffer struct {
	Label       string
	Kind        Kind // Activations, Persistent, Scratch or IO
	MemID       uint32
	Offset      uint64
	Bytes       uint64
	First, Last int   // half-open interval of instructions
	Group       int   // buffers of one group keep their relative offsets; -1: free
	Values      []int // value indices of the plan
	Devices     []string
	Class       hal.Class // for scratch of a device: the farthest memory that will do; hal.AnyClass or zero: any
	Reads       uint64    // bytes read from and written to it during one run, where known
	Writes      uint64
}
