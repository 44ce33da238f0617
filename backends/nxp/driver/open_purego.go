//go:build !nodriver && (linux || darwin) && (amd64 || arm64)

package driver

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/internal/fault"
)

// Open opens the NeutronDriver shared library at run time, without cgo. An
// empty path means libNeutronDriver.so in the loader's usual places.
//
// A path should not name a library that contains a Go runtime of its own, such
// as libneutron: two in one process are not to be relied on.
func Open(path string) (Library, error) {
	if path == "" {
		path = "libNeutronDriver.so"
	}
	so, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, &fault.Error{Path: path, Want: "NXP's Neutron driver library; install the eIQ Neutron runtime of your board support package", Code: fault.NotFound, Err: fmt.Errorf("%w: %w", ErrMissing, err)}
	}
	l := &shared{calls: map[Handle]*call{}}
	var missing []string
	for _, s := range []struct {
		name     string
		to       *uintptr
		required bool
	}{
		{"neutronInit", &l.init, true},
		{"neutronDeinit", &l.deinit, true},
		{"neutronModelPrepare", &l.prepare, true},
		{"neutronModelUnprepare", &l.unprepare, true},
		{"neutronRunBlocking", &l.run, true},
		{"neutronSuspend", &l.suspend, false},
		{"neutronResume", &l.resume, false},
		{"neutronSetConfig", &l.setConfig, false},
		{"neutronMemAlloc", &l.memAlloc, false},
		{"neutronMemFree", &l.memFree, false},
		{"clean_cache", &l.cleanCache, false},
	} {
		if *s.to, err = purego.Dlsym(so, s.name); err != nil && s.required {
			missing = append(missing, s.name)
		}
	}
	if len(missing) > 0 {
		return nil, &fault.Error{Path: path, Want: "the functions of a Neutron driver", Found: "none named " + strings.Join(missing, ", "), Code: fault.DelegateInvalidCompatibility, Err: ErrMissing}
	}
	return l, nil
}

// shared is a driver library opened at run time. Absent functions are 0.
type shared struct {
	init, deinit, prepare, unprepare, run uintptr
	suspend, resume, setConfig            uintptr
	memAlloc, memFree, cleanCache         uintptr

	mu     sync.Mutex
	calls  map[Handle]*call
	fetch  nxp.Fetch
	config struct{ copy, wait uintptr } // NeutronConfig; the driver keeps its address
}

// modelConfig is the C struct NeutronModelConfig.
type modelConfig struct {
	microcode, weights, kernels unsafe.Pointer
	timeoutSeconds              uint32
}

// dataConfig is the C struct NeutronDataConfig.
type dataConfig struct {
	inputs, outputs         *unsafe.Pointer
	scratch, scratchWeights unsafe.Pointer
}

// call is the argument memory of one model's runs. The driver takes scratch,
// profile and debug memory behind the outputs.
type call struct {
	model           modelConfig
	data            dataConfig
	inputs, outputs []unsafe.Pointer
	args            []uintptr // of neutronRunBlocking; variadic arguments would be allocated anew each time
}

var unsupported = nxp.NewStatus(nxp.ComponentDriver, nxp.DriverUnsupported, 0)

func status(r uintptr) nxp.Status { return nxp.Status(int32(r)) }

func (l *shared) simple(f uintptr) nxp.Status {
	if f == 0 {
		return unsupported
	}
	r, _, _ := purego.SyscallN(f)
	return status(r)
}

func (l *shared) Init() nxp.Status    { return l.simple(l.init) }
func (l *shared) Deinit() nxp.Status  { return l.simple(l.deinit) }
func (l *shared) Suspend() nxp.Status { return l.simple(l.suspend) }
func (l *shared) Resume() nxp.Status  { return l.simple(l.resume) }

func (l *shared) Prepare(m nxp.Model) (Handle, nxp.Status) {
	c := &call{model: modelConfig{pointer(m.Microcode), pointer(m.Weights), pointer(m.Kernels), timeoutSeconds(m)}}
	var h Handle
	r, _, _ := purego.SyscallN(l.prepare, uintptr(unsafe.Pointer(&c.model)), uintptr(unsafe.Pointer(&h)))
	if st := status(r); st != 0 {
		return 0, st
	}
	l.mu.Lock()
	l.calls[h] = c
	l.mu.Unlock()
	return h, 0
}

func (l *shared) Unprepare(h Handle) nxp.Status {
	r, _, _ := purego.SyscallN(l.unprepare, uintptr(h))
	l.mu.Lock()
	delete(l.calls, h)
	l.mu.Unlock()
	return status(r)
}

func (l *shared) Run(h Handle, job *nxp.Job) nxp.Status {
	l.mu.Lock()
	c := l.calls[h]
	l.mu.Unlock()
	if c == nil {
		return nxp.NewStatus(nxp.ComponentDriver, nxp.DriverBadHandle, 0)
	}
	c.set(job)
	c.args = append(c.args[:0], uintptr(h), uintptr(unsafe.Pointer(&c.data)))
	r, _, _ := purego.SyscallN(l.run, c.args...)
	runtime.KeepAlive(c)
	runtime.KeepAlive(job)
	return status(r)
}

func (c *call) set(job *nxp.Job) {
	c.inputs, c.outputs = c.inputs[:0], c.outputs[:0]
	for i := range job.Inputs {
		c.inputs = append(c.inputs, pointer(job.Inputs[i].Bytes))
	}
	for i := range job.Outputs {
		c.outputs = append(c.outputs, pointer(job.Outputs[i].Bytes))
	}
	c.outputs = append(c.outputs, pointer(job.Scratch.Bytes), pointer(job.Profile.Bytes), pointer(job.Debug.Bytes))
	c.data = dataConfig{unsafe.SliceData(c.inputs), unsafe.SliceData(c.outputs), pointer(job.Scratch.Bytes), pointer(job.SRAMScratch.Bytes)}
}

func (l *shared) SetFetch(f nxp.Fetch) nxp.Status {
	if l.setConfig == 0 {
		return unsupported
	}
	l.mu.Lock()
	l.fetch = f
	if l.config.copy == 0 { // callbacks are never released, so they are made once
		l.config.copy = purego.NewCallback(func(dst, src unsafe.Pointer, size, channel uint32) {
			l.fetching().Copy(unsafe.Slice((*byte)(dst), size), unsafe.Slice((*byte)(src), size), channel)
		})
		l.config.wait = purego.NewCallback(func(channel uint32) { l.fetching().Wait(channel) })
	}
	l.mu.Unlock()
	r, _, _ := purego.SyscallN(l.setConfig, uintptr(unsafe.Pointer(&l.config)))
	return status(r)
}

func (l *shared) fetching() nxp.Fetch {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fetch
}

func (l *shared) Alloc(size int) []byte {
	if l.memAlloc == 0 || l.memFree == 0 {
		return nil
	}
	r, _, _ := purego.SyscallN(l.memAlloc, nxp.Alignment, uintptr(size))
	if r == 0 {
		return nil
	}
	// The address comes from C; the indirection keeps vet from taking it for Go memory.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&r)), size)
}

func (l *shared) Free(b []byte) { purego.SyscallN(l.memFree, uintptr(pointer(b))) }

func (l *shared) Clean(b []byte) nxp.Status {
	if l.cleanCache == 0 {
		return 0
	}
	r, _, _ := purego.SyscallN(l.cleanCache, uintptr(pointer(b)), uintptr(len(b)))
	return status(r)
}

func pointer(b []byte) unsafe.Pointer {
	if len(b) == 0 {
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(b))
}
