package ethosu

import (
	"context"
	"errors"
	"time"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// Network is what an NPU needs to know of a delegate before its first job. The device borrows the slices until the
// loaded network is closed; nobody may change them meanwhile.
type Network struct {
	Commands Commands
	Weights  Region   // region 0
	Inputs   []Tensor // what the host writes before each job; for devices that check, and nil where nobody knows
}

// Region is memory that the NPU reaches: the bytes as the host sees them and the address at which the NPU sees them.
// A simulator uses the bytes, a driver the address (or the buffer that it belongs to).
type Region struct {
	Bytes []byte
	Addr  uint64
}

// Job is one run of a loaded network: the memory behind each region number. A region that the stream does not use has
// nil Bytes. The NPU writes into the regions from Submit until Wait returned nil, or Reset did.
type Job struct {
	Regions [RegionCount]Region
	Timeout time.Duration // after Submit, Wait gives up with an error that wraps ErrTimeout; 0: never
}

// ErrTimeout marks a job that did not end in time and may still be running.
var ErrTimeout = errors.New("the NPU did not finish in time")

// Counters is what the NPU counted during one job. Simulators put estimates there.
type Counters struct {
	Cycles    uint64
	Estimated bool
}

// NPU is an Ethos-U: the simulator or a driver's device. Loads may come from several goroutines; a device orders its
// jobs itself.
type NPU interface {
	// Accelerator returns the device's configuration; the zero value means that it takes what the stream asks for.
	Accelerator() stream.Accelerator
	// Load prepares a network: decodes, copies or registers what it needs once. It refuses a stream that was made for
	// another configuration or that uses what the device cannot do.
	Load(Network) (Loaded, error)
	// Reset stops whatever runs. When it has returned nil, the NPU no longer touches any job's memory.
	Reset(context.Context) error
	Close() error
}

// Loaded is a network that a device has accepted. It holds one job at a time and is used by one goroutine at a time.
type Loaded interface {
	// Submit starts the job and does not wait for it. The device may retain job until Wait or Reset. Does not allocate.
	Submit(job *Job) error
	// Wait returns when the job is done. An error of ctx means that the job may still be running: reset the device
	// before its memory is used for something else. Does not allocate when the job succeeds.
	Wait(ctx context.Context) (Counters, error)
	Close() error
}
