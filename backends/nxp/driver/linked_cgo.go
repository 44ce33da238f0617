//go:build cgo && neutron_static

package driver

/*
#include <stdlib.h>
#include <stdint.h>

// The driver's interface, restated: whoever links this program brings the
// driver, a vendor's static library or package simc.
typedef int32_t NeutronError;
typedef void *NeutronModelHandle;
typedef struct {
	const void *microcode, *weights, *kernels;
	uint32_t timeoutSeconds;
} NeutronModelConfig;
typedef struct {
	const void **inputs;
	void **outputs;
	void *scratch, *scratchWeights;
} NeutronDataConfig;
typedef struct {
	void (*copy)(void *dst, void *src, uint32_t size, uint32_t channel);
	void (*wait)(uint32_t channel);
} NeutronConfig;

extern NeutronError neutronInit();
extern NeutronError neutronDeinit();
extern NeutronError neutronModelPrepare(const NeutronModelConfig *, NeutronModelHandle *);
extern NeutronError neutronModelUnprepare(NeutronModelHandle);
extern NeutronError neutronRunBlocking(NeutronModelHandle, const NeutronDataConfig *);
extern NeutronError neutronSetConfig(NeutronConfig *);
// Not every build of the driver has these.
extern NeutronError neutronSuspend() __attribute__((weak));
extern NeutronError neutronResume() __attribute__((weak));

extern void pteroNeutronCopy(void *dst, void *src, uint32_t size, uint32_t channel);
extern void pteroNeutronWait(uint32_t channel);

static NeutronConfig ptero_config = {pteroNeutronCopy, pteroNeutronWait};
static NeutronError ptero_set_config(void) { return neutronSetConfig(&ptero_config); }

#define PTERO_UNSUPPORTED (3 | 1 << 3)
static NeutronError ptero_suspend(void) { return neutronSuspend ? neutronSuspend() : PTERO_UNSUPPORTED; }
static NeutronError ptero_resume(void) { return neutronResume ? neutronResume() : PTERO_UNSUPPORTED; }

static NeutronError ptero_prepare(const void *microcode, const void *weights, const void *kernels, uint32_t timeout, uintptr_t *handle) {
	NeutronModelConfig c = {microcode, weights, kernels, timeout};
	NeutronModelHandle h = NULL;
	NeutronError e = neutronModelPrepare(&c, &h);
	*handle = (uintptr_t)h;
	return e;
}
static NeutronError ptero_unprepare(uintptr_t h) { return neutronModelUnprepare((NeutronModelHandle)h); }
static NeutronError ptero_run(uintptr_t h, const NeutronDataConfig *d) { return neutronRunBlocking((NeutronModelHandle)h, d); }
*/
import "C"

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ptero-rt/ptero/backends/nxp"
)

// Linked returns the driver that is linked into this program.
func Linked() (Library, error) { return &linked{calls: map[Handle]*linkedCall{}}, nil }

// linked is the driver of this program. Memory comes from the program's own pools.
type linked struct {
	mu    sync.Mutex
	calls map[Handle]*linkedCall
}

// linkedCall is the argument memory of one model's runs, in C memory.
type linkedCall struct {
	data            *C.NeutronDataConfig
	inputs, outputs []unsafe.Pointer // C memory behind data
	model, job      runtime.Pinner
}

// fetcher is what the driver's callbacks call: C has no place for a receiver.
var fetcher atomic.Pointer[nxp.Fetch]

//export pteroNeutronCopy
func pteroNeutronCopy(dst, src unsafe.Pointer, size, channel C.uint32_t) {
	(*fetcher.Load()).Copy(unsafe.Slice((*byte)(dst), size), unsafe.Slice((*byte)(src), size), uint32(channel))
}

//export pteroNeutronWait
func pteroNeutronWait(channel C.uint32_t) { (*fetcher.Load()).Wait(uint32(channel)) }

func (l *linked) Init() nxp.Status    { return nxp.Status(C.neutronInit()) }
func (l *linked) Deinit() nxp.Status  { return nxp.Status(C.neutronDeinit()) }
func (l *linked) Suspend() nxp.Status { return nxp.Status(C.ptero_suspend()) }
func (l *linked) Resume() nxp.Status  { return nxp.Status(C.ptero_resume()) }

func (l *linked) SetFetch(f nxp.Fetch) nxp.Status {
	fetcher.Store(&f)
	return nxp.Status(C.ptero_set_config())
}

func (l *linked) Prepare(m nxp.Model) (Handle, nxp.Status) {
	c := &linkedCall{}
	microcode, weights, kernels := pin(&c.model, m.Microcode), pin(&c.model, m.Weights), pin(&c.model, m.Kernels)
	var h C.uintptr_t
	if st := nxp.Status(C.ptero_prepare(microcode, weights, kernels, C.uint32_t(timeoutSeconds(m)), &h)); st != 0 {
		c.model.Unpin()
		return 0, st
	}
	l.mu.Lock()
	l.calls[Handle(h)] = c
	l.mu.Unlock()
	return Handle(h), 0
}

func (l *linked) Unprepare(h Handle) nxp.Status {
	st := nxp.Status(C.ptero_unprepare(C.uintptr_t(h)))
	l.mu.Lock()
	if c := l.calls[h]; c != nil {
		c.model.Unpin()
		C.free(unsafe.Pointer(c.data))
		delete(l.calls, h)
	}
	l.mu.Unlock()
	return st
}

func (l *linked) Run(h Handle, job *nxp.Job) nxp.Status {
	l.mu.Lock()
	c := l.calls[h]
	l.mu.Unlock()
	if c == nil {
		return nxp.NewStatus(nxp.ComponentDriver, nxp.DriverBadHandle, 0)
	}
	c.set(job)
	st := nxp.Status(C.ptero_run(C.uintptr_t(h), c.data))
	c.job.Unpin()
	return st
}

func (c *linkedCall) set(job *nxp.Job) {
	if c.data == nil {
		const word = unsafe.Sizeof(uintptr(0))
		n := uintptr(len(job.Inputs)+len(job.Outputs)+3) * word
		c.data = (*C.NeutronDataConfig)(C.calloc(1, C.size_t(unsafe.Sizeof(*c.data)+n)))
		first := unsafe.Add(unsafe.Pointer(c.data), unsafe.Sizeof(*c.data))
		c.inputs = unsafe.Slice((*unsafe.Pointer)(first), len(job.Inputs))
		c.outputs = unsafe.Slice((*unsafe.Pointer)(unsafe.Add(first, uintptr(len(job.Inputs))*word)), len(job.Outputs)+3)
		c.data.inputs, c.data.outputs = (*unsafe.Pointer)(first), unsafe.SliceData(c.outputs)
	}
	for i := range job.Inputs {
		c.inputs[i] = pin(&c.job, job.Inputs[i].Bytes)
	}
	for i := range job.Outputs {
		c.outputs[i] = pin(&c.job, job.Outputs[i].Bytes)
	}
	// The driver takes scratch, profile and debug memory behind the outputs.
	rest := c.outputs[len(job.Outputs):]
	rest[0], rest[1], rest[2] = pin(&c.job, job.Scratch.Bytes), pin(&c.job, job.Profile.Bytes), pin(&c.job, job.Debug.Bytes)
	c.data.scratch, c.data.scratchWeights = rest[0], pin(&c.job, job.SRAMScratch.Bytes)
}

func pin(p *runtime.Pinner, b []byte) unsafe.Pointer {
	if len(b) == 0 {
		return nil
	}
	p.Pin(unsafe.SliceData(b))
	return unsafe.Pointer(unsafe.SliceData(b))
}

func (l *linked) Alloc(int) []byte        { return nil }
func (l *linked) Free([]byte)             {}
func (l *linked) Clean([]byte) nxp.Status { return 0 }
