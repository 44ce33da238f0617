//go:build cgo

package simc

/*
#cgo CFLAGS: -I${SRCDIR}/include
#define NEUTRON_NO_PROTOTYPES
#include "NeutronDriver.h"
#include <stdlib.h>

typedef const void *const_pointer;
typedef const NeutronModelConfig *model_config;
typedef const NeutronDataConfig *data_config;

static void call_copy(NeutronConfig c, void *dst, void *src, uint32_t size, uint32_t channel) { c.copy(dst, src, size, channel); }
static void call_wait(NeutronConfig c, uint32_t channel) { c.wait(channel); }
static void *aligned(size_t alignment, size_t size) {
	void *p = NULL;
	return posix_memalign(&p, alignment, size) ? NULL : p;
}
*/
import "C"

import (
	"unsafe"

	"github.com/ptero-rt/ptero/backends/nxp"
)

//export neutronInit
func neutronInit() C.NeutronError { return report(device.initialise()) }

//export neutronDeinit
func neutronDeinit() C.NeutronError { return report(device.deinitialise()) }

//export neutronGetModelContextSize
func neutronGetModelContextSize() C.size_t { return contextBytes }

//export neutronModelPrepare
func neutronModelPrepare(config *C.NeutronModelConfig, handle *C.NeutronModelHandle) C.NeutronError {
	if config == nil || handle == nil || config.microcode == nil {
		return report(refuse(nxp.DriverInvalidArgument, "a configuration with microcode and a place for the handle"))
	}
	model, st := read(config.microcode, config.weights, uint32(config.timeoutSeconds))
	if st != nil {
		return report(st)
	}
	h, allocated := unsafe.Pointer(*handle), false
	if h == nil {
		h, allocated = C.calloc(1, contextBytes), true
	}
	if st := device.prepare(uintptr(h), model, allocated); st != nil {
		if allocated {
			C.free(h)
		}
		return report(st)
	}
	*handle = C.NeutronModelHandle(h)
	return 0
}

//export neutronModelUnprepare
func neutronModelUnprepare(handle C.NeutronModelHandle) C.NeutronError {
	allocated, st := device.unprepare(uintptr(handle))
	if allocated {
		C.free(unsafe.Pointer(handle))
	}
	return report(st)
}

//export neutronRunBlocking
func neutronRunBlocking(handle C.NeutronModelHandle, data *C.NeutronDataConfig) C.NeutronError {
	return report(device.with(uintptr(handle), func(m *model) *failure {
		if st := m.bind(data); st != nil {
			return st
		}
		return m.run()
	}))
}

// bind points the job at the memory of a data configuration.
func (m *model) bind(data *C.NeutronDataConfig) *failure {
	if data == nil || data.inputs == nil || data.outputs == nil {
		return refuse(nxp.DriverInvalidArgument, "input and output pointers")
	}
	in := unsafe.Slice((*unsafe.Pointer)(unsafe.Pointer(data.inputs)), len(m.in))
	out := unsafe.Slice((*unsafe.Pointer)(unsafe.Pointer(data.outputs)), len(m.out)+1)
	for i, p := range in {
		if p == nil {
			return refuse(nxp.DriverInvalidArgument, "every input set")
		}
		m.job.Inputs[i].Bytes = unsafe.Slice((*byte)(p), m.in[i])
	}
	for i, p := range out[:len(m.out)] {
		if p == nil {
			return refuse(nxp.DriverInvalidArgument, "every output set")
		}
		m.job.Outputs[i].Bytes = unsafe.Slice((*byte)(p), m.out[i])
	}
	// Callers leave fields unset that their model does not need; such a pointer must not even be read.
	if m.header.ScratchBytes > 0 {
		m.job.Scratch.Bytes = m.memory(out[len(m.out)], m.header.ScratchBytes, &m.ownScratch)
	}
	if m.header.SRAMScratchBytes > 0 {
		m.job.SRAMScratch.Bytes = m.memory(unsafe.Pointer(data.scratchWeights), m.header.SRAMScratchBytes, &m.ownSRAM)
	}
	return nil
}

//export neutronDataSetup
func neutronDataSetup(handle C.NeutronModelHandle, data *C.NeutronDataConfig) C.NeutronError {
	return report(device.with(uintptr(handle), func(m *model) *failure { return m.bind(data) }))
}

// callbacks are the C program's copy functions.
type callbacks struct{ c C.NeutronConfig }

func (f callbacks) Copy(dst, src []byte, channel uint32) {
	C.call_copy(f.c, unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src)), C.uint32_t(len(dst)), C.uint32_t(channel))
}

func (f callbacks) Wait(channel uint32) { C.call_wait(f.c, C.uint32_t(channel)) }

//export neutronSetConfig
func neutronSetConfig(config *C.NeutronConfig) C.NeutronError {
	if config == nil || config.copy == nil || config.wait == nil {
		return report(refuse(nxp.DriverInvalidArgument, "two callbacks"))
	}
	return report(device.setFetch(callbacks{*config}))
}

//export neutronSuspend
func neutronSuspend() C.NeutronError { return 0 }

//export neutronResume
func neutronResume() C.NeutronError { return 0 }

//export clean_cache
func clean_cache(C.const_pointer, C.int) C.NeutronError { return 0 }

//export neutronMemAlloc
func neutronMemAlloc(alignment, size C.size_t) unsafe.Pointer {
	return C.aligned(max(alignment, nxp.Alignment), size)
}

//export neutronMemFree
func neutronMemFree(memory unsafe.Pointer) { C.free(memory) }

func unsupported() C.NeutronError {
	return report(refuse(nxp.DriverUnsupported, "a call that the simulator has"))
}

//export neutronRunNonBlocking
func neutronRunNonBlocking(C.NeutronModelHandle, *C.NeutronDataConfig) C.NeutronError {
	return unsupported()
}

//export neutronWait
func neutronWait(C.NeutronModelHandle, *C.NeutronDataConfig) C.NeutronError { return unsupported() }

//export neutronIsReady
func neutronIsReady(C.NeutronModelHandle, *C.bool) C.NeutronError { return unsupported() }

//export neutronCustomPrepare
func neutronCustomPrepare(*C.uint32_t, C.int32_t, *C.uint32_t, C.int32_t, C.const_pointer, C.size_t, *C.NeutronModelHandle) C.NeutronError {
	return unsupported()
}

//export neutronCustomExec
func neutronCustomExec(C.NeutronModelHandle, *C.NeutronDataConfig) C.NeutronError {
	return unsupported()
}

//export allocateBuffer
func allocateBuffer(C.uint64_t, *unsafe.Pointer, C.bool) C.NeutronError { return unsupported() }

//export releaseBuffer
func releaseBuffer(unsafe.Pointer) C.NeutronError { return unsupported() }

//export matmul
func matmul(C.const_pointer, C.int, C.const_pointer, C.int, C.const_pointer, C.int, C.int) C.NeutronError {
	return unsupported()
}

//export neutronSetTrace
func neutronSetTrace(C.NeutronModelHandle, *C.NeutronTraceConfig) {}

//export neutronGetTrace
func neutronGetTrace(C.NeutronModelHandle, **C.char, *C.size_t) C.NeutronError {
	return report(refuse(nxp.DriverTraceNotRun, "a trace"))
}

//export neutronGetSdkVersion
func neutronGetSdkVersion() C.NeutronSdkVersion {
	return C.NeutronSdkVersion{hashString: words("ptero simulator")}
}

//export getNeutronErrorComponent
func getNeutronErrorComponent(e C.NeutronError) *C.char { return words(nxp.Status(e).ComponentName()) }

//export getNeutronErrorCategory
func getNeutronErrorCategory(e C.NeutronError) *C.char { return words(nxp.Status(e).CategoryName()) }

//export ptero_neutron_last_error
func ptero_neutron_last_error() *C.char {
	device.mu.Lock()
	defer device.mu.Unlock()
	return device.reason
}

// words gives a string to C for ever; the few there are, are made once each.
func words(s string) *C.char {
	device.mu.Lock()
	defer device.mu.Unlock()
	p, ok := device.words[s]
	if !ok {
		p = C.CString(s)
		device.words[s] = p
	}
	return p
}

// report gives a failure to C and keeps its reason.
func report(f *failure) C.NeutronError {
	if f == nil {
		return 0
	}
	device.mu.Lock()
	defer device.mu.Unlock()
	if device.reason != nil {
		C.free(unsafe.Pointer(device.reason))
	}
	device.reason = C.CString(f.err.Error())
	return C.NeutronError(f.status)
}
