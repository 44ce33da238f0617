package nxp

import (
	"context"
	"errors"
	"time"
)

// DefaultTimeout is how long a run may take where nobody says otherwise; it is
// what ExecuTorch's own backend passes to the driver.
const DefaultTimeout = 60 * time.Second

// ErrTimeout is a run that did not finish in time. Unless the NPU says
// otherwise it may still write to the job's memory until it was reset.
var ErrTimeout = errors.New("Neutron did not finish in time")

// NPU is a Neutron device as the delegate needs it: the simulator of package
// sim, or a driver of package driver. Its methods may be called by several goroutines.
type NPU interface {
	// Check says whether the NPU would take the model, and how many bytes it keeps
	// for it beside the model itself. It does not touch the device.
	Check(m Model) (resident uint64, err error)
	// Prepare loads a model. The NPU keeps the model's slices until the result is closed.
	Prepare(m Model) (Prepared, error)
	// Reset stops whatever runs. After it returned nil no earlier job writes any more.
	Reset(ctx context.Context) error
	// Close gives the device back. It fails while prepared models are open.
	Close() error
}

// Prepared is a model loaded into an NPU. One goroutine at a time may use it.
type Prepared interface {
	// Run computes one job and returns when it is done. It does not allocate and
	// does not keep job. An error that wraps ErrTimeout, or ctx's error, means
	// that the job may still run; Reset the NPU before touching its memory.
	Run(ctx context.Context, job *Job) error
	Close() error
}

// Gated is an NPU whose clock can be stopped between runs.
type Gated interface {
	Suspend() error
	Resume() error
}

// Fetching is an NPU that can have weights copied to SRAM piece by piece, for
// memory that it cannot reach itself.
type Fetching interface {
	SetFetch(Fetch) error
}

// Fetch copies weights for the NPU. Copy starts a transfer on a channel; Wait
// returns when the channel's transfer is done.
type Fetch interface {
	Copy(dst, src []byte, channel uint32)
	Wait(channel uint32)
}

// Model is what an NPU prepares once. All slices begin at multiples of [Alignment].
type Model struct {
	Microcode, Weights, Kernels []byte
	Timeout                     time.Duration // of each run; 0 means DefaultTimeout
}

// Region is memory of a job: the bytes as the host's side of the device sees
// them, and the device's address of the first.
type Region struct {
	Bytes []byte
	Addr  uint64
}

// Job is the memory of one run: tensors in the NPU's order and layout, and the
// scratch that the microcode's header asks for. Regions not asked for stay empty.
type Job struct {
	Inputs, Outputs []Region
	Scratch         Region
	Profile         Region // records of 16 bytes
	Debug           Region
	SRAMScratch     Region // where weights are fetched to
}
