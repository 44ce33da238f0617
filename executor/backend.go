package executor

import (
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// Backend runs delegate calls of one kind. It is passed in through Config, never registered. One Backend serves many
// methods, from several goroutines.
type Backend interface {
	ID() string // as the file names it: "EthosUBackend"
	// Init reads the blob of one delegate and touches no device. The blob's bytes stay valid until the method is closed.
	Init(b Blob) (Delegate, error)
}

// Blob is what the file holds for one delegate.
type Blob struct {
	Bytes    []byte
	Specs    []CompileSpec
	Named    func(key string) ([]byte, bool) // the file's named data and external data; the bytes live as long as the method
	Method   string
	Delegate int // index in the plan
	Calls    int // number of call sites in the method
}

// CompileSpec is a key and bytes that the exporter left for the backend.
type CompileSpec = pte.CompileSpec

// Delegate is one prepared blob. A method calls it from one goroutine at a time.
type Delegate interface {
	Arity() Arity
	// Prepare is called once per call site at Link, with all arguments of the call: it checks types, sizes and layouts and
	// says what the call needs beside them. Only constants have data yet.
	Prepare(args []*Value) ([]memory.Need, error)
	// Execute is the call. It must not allocate and must not retain args. A device that may still write after an error is
	// reported with an error that wraps ErrDeviceBusy.
	Execute(s *Scope, args []*Value) error
	Close() error
}

// Fitter is a Delegate that has requirements on the board: product, memory mode, visibility. Fit calls it once, before
// any device is touched.
type Fitter interface {
	FitBoard(b hal.Board) error
}

// Detailer is a Delegate that can show steps inside a call: `bench --per-instruction` prints them below the call's row.
type Detailer interface {
	// Details gives the steps of the last Execute.
	Details() []Detail
}

// Detail is one step inside a delegate call, or the call as a whole. Cycles are an estimate of the device's, 0 unknown.
type Detail struct {
	Name           string
	Cycles         uint64
	BytesRead      uint64
	BytesWritten   uint64
	EstimatedNanos float64 // on the board's clocks; 0 unknown
}

// Scratch is one trailing argument that a blob accepts.
type Scratch struct {
	Role   string // "scratch", "fast_scratch", "profile", …
	Size   uint64 // bytes, at least
	Align  uint32
	Class  hal.Class
	Device string // kind of device that must see it, as in memory.Need
}

// Aliaser is a Delegate whose inputs and outputs have a place inside its scratch. A plan may put the argument's tensor
// exactly there; the delegate then finds the same address on both sides and copies nothing.
type Aliaser interface {
	// ScratchOffset gives the place of argument arg: the index of the trailing scratch and the offset in it; false where
	// the argument must be copied (another layout or element size).
	ScratchOffset(arg int) (scratch int, offset uint64, ok bool)
}
