//go:build cgo

package simc

/*
#include <stdlib.h>
*/
import "C"

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"
	"unsafe"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/backends/nxp/sim"
)

// contextBytes is the size of a handle. A handle is only an address; nothing is kept behind it.
const contextBytes = 16

// simulator is the process's Neutron: like a driver library, there is one.
type simulator struct {
	mu     sync.Mutex
	npu    *sim.NPU // nil before neutronInit
	models map[uintptr]*model
	reason *C.char
	words  map[string]*C.char
}

var device = &simulator{models: map[uintptr]*model{}, words: map[string]*C.char{}}

// failure is a status for C with the reason in words.
type failure struct {
	status nxp.Status
	err    error
}

func refuse(category int, want string) *failure {
	return &failure{nxp.NewStatus(nxp.ComponentDriver, category, 0), fmt.Errorf("want %s", want)}
}

// fail turns an error of the simulator into a failure.
func fail(category int, err error) *failure {
	if err == nil {
		return nil
	}
	if errors.Is(err, nxp.ErrTimeout) {
		category = nxp.DriverTimeout
	}
	return &failure{nxp.NewStatus(nxp.ComponentDriver, category, 0), err}
}

func (d *simulator) initialise() *failure {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.npu == nil {
		d.npu = sim.New()
	}
	return nil
}

func (d *simulator) deinitialise() *failure {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.npu == nil {
		return refuse(nxp.DriverGeneric, "neutronInit before neutronDeinit")
	}
	if err := d.npu.Close(); err != nil {
		return fail(nxp.DriverBadHandle, err)
	}
	d.npu = nil
	return nil
}

// model is a prepared model of the C program.
type model struct {
	mu        sync.Mutex
	prepared  nxp.Prepared
	header    *nxp.Microcode
	config    nxp.Model
	in, out   []uint32
	job       nxp.Job
	allocated bool // the handle is ours to free

	ownScratch, ownSRAM []byte
}

// read copies nothing: microcode and weights stay the caller's memory.
func read(microcode, weights unsafe.Pointer, seconds uint32) (*model, *failure) {
	bad := func(err error) (*model, *failure) { return nil, fail(nxp.DriverMicrocode, err) }
	head := unsafe.Slice((*byte)(microcode), 64)
	size := uint64(binary.LittleEndian.Uint32(head[6*4:]))
	if magic := binary.LittleEndian.Uint32(head); magic != nxp.Magic || size < 64 || size > 1<<30 {
		return bad(fmt.Errorf("microcode: want magic %#x and a size of 64 B to 1 GiB, found %#x and %d B", nxp.Magic, magic, size))
	}
	m := &model{}
	m.config.Microcode = unsafe.Slice((*byte)(microcode), size)
	var err error
	if m.header, err = nxp.ParseMicrocode(m.config.Microcode); err != nil {
		return bad(err)
	}
	if m.in, m.out, err = m.header.IOBytes(); err != nil {
		return bad(err)
	}
	if m.header.WeightBytes > 0 && weights == nil {
		return nil, refuse(nxp.DriverInvalidArgument, "weights")
	}
	if m.header.WeightBytes > 0 {
		m.config.Weights = unsafe.Slice((*byte)(weights), m.header.WeightBytes)
	}
	m.config.Timeout = time.Duration(seconds) * time.Second
	m.job.Inputs, m.job.Outputs = make([]nxp.Region, len(m.in)), make([]nxp.Region, len(m.out))
	return m, nil
}

func (d *simulator) prepare(h uintptr, m *model, allocated bool) *failure {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.npu == nil {
		return refuse(nxp.DriverGeneric, "neutronInit before neutronModelPrepare")
	}
	if d.models[h] != nil {
		return refuse(nxp.DriverBadHandle, "a handle that is not in use")
	}
	prepared, err := d.npu.Prepare(m.config)
	if err != nil {
		return fail(nxp.DriverMicrocode, err)
	}
	m.prepared, m.allocated = prepared, allocated
	d.models[h] = m
	return nil
}

func (d *simulator) unprepare(h uintptr) (allocated bool, f *failure) {
	d.mu.Lock()
	m := d.models[h]
	delete(d.models, h)
	d.mu.Unlock()
	if m == nil {
		return false, refuse(nxp.DriverBadHandle, "the handle of a prepared model")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.allocated, fail(nxp.DriverGeneric, m.prepared.Close())
}

// with calls f with the model of a handle, alone.
func (d *simulator) with(h uintptr, f func(*model) *failure) *failure {
	d.mu.Lock()
	m := d.models[h]
	d.mu.Unlock()
	if m == nil {
		return refuse(nxp.DriverBadHandle, "the handle of a prepared model")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return f(m)
}

func (m *model) run() *failure {
	return fail(nxp.DriverInternal, m.prepared.Run(context.Background(), &m.job))
}

// memory is the caller's buffer, or one of the simulator's own where there is none.
func (m *model) memory(p unsafe.Pointer, size uint32, own *[]byte) []byte {
	if p != nil {
		return unsafe.Slice((*byte)(p), size)
	}
	if uint64(len(*own)) < uint64(size) {
		*own = make([]byte, size)
	}
	return *own
}

func (d *simulator) setFetch(f nxp.Fetch) *failure {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.npu == nil {
		return refuse(nxp.DriverGeneric, "neutronInit before neutronSetConfig")
	}
	return fail(nxp.DriverGeneric, d.npu.SetFetch(f))
}
