package driver

import (
	"github.com/ptero-rt/ptero/backends/nxp"
)

// Library is the NeutronDriver: the calls of its C interface that a run needs.
// Statuses are the driver's own; 0 is success.
//
// Source: NeutronDriver.h in pytorch/executorch backends/nxp/runtime (BSD-3-Clause).
type Library interface {
	Init() nxp.Status
	Deinit() nxp.Status
	// Prepare loads a model; the slices stay in use until Unprepare and begin at
	// multiples of nxp.Alignment.
	Prepare(m nxp.Model) (Handle, nxp.Status)
	Unprepare(h Handle) nxp.Status
	// Run blocks until the job is done, and does not allocate.
	Run(h Handle, job *nxp.Job) nxp.Status
	Suspend() nxp.Status
	Resume() nxp.Status
	// SetFetch installs the callbacks that copy weights to SRAM.
	SetFetch(f nxp.Fetch) nxp.Status
	// Alloc gives memory of the driver's own, or nil where it has none. Free gives it back.
	Alloc(size int) []byte
	Free(b []byte)
	// Clean writes the CPU's cache back to memory from Alloc.
	Clean(b []byte) nxp.Status
}

// Handle names a prepared model within a library.
type Handle uintptr
