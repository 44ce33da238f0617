package linux

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/lint"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// DefaultAccel is where the first device of the accel subsystem lies.
const DefaultAccel = "/dev/accel/accel0"

// look is how long the kernel waits for a job before the context is looked at again.
const look = 50 * time.Millisecond

// Accel is an Ethos-U behind mainline's driver. It satisfies [ethosu.NPU]; several goroutines may use it.
//
// The driver ends a job that hangs after half a second by itself, and tells nobody in user space that a job failed: its
// fence is signalled either way. Watch for outputs that a run did not change where that matters.
type Accel struct {
	kernel      kernel
	path        string
	fd          int
	accelerator stream.Accelerator
	sramBytes   uint32

	mu      sync.Mutex
	running map[*accelNetwork]struct{} // whose job may not have ended
}

var _ ethosu.NPU = (*Accel)(nil)

// OpenAccel opens a device of mainline's driver and asks what it is.
func OpenAccel(path string) (*Accel, error) { return openAccel(thisMachine(), path) }

func openAccel(k kernel, path string) (*Accel, error) {
	fd, err := k.open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	a := &Accel{kernel: k, path: path, fd: fd, running: map[*accelNetwork]struct{}{}}
	info := &npuInfo{}
	var pin runtime.Pinner // the kernel writes to info by its address: it must not move with the stack
	pin.Pin(info)
	defer pin.Unpin()
	query := &devQuery{Type: devQueryInfo, Size: uint32(len(view(info))), Pointer: address(view(info))}
	_, err = k.ioctl(fd, drmDevQuery, view(query))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: want an Ethos-U of the mainline driver: device query: %w", path, err), k.close(fd))
	}
	if a.accelerator, err = stream.AcceleratorOf(info.Config); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), k.close(fd))
	}
	a.sramBytes = info.SRAMBytes
	return a, nil
}

// Accelerator returns what the device says that it is.
func (a *Accel) Accelerator() stream.Accelerator { return a.accelerator }

// SRAMBytes is the SRAM that the kernel lends to jobs as region 2.
func (a *Accel) SRAMBytes() uint32 { return a.sramBytes }

// bo is a buffer of the kernel's.
type bo struct {
	handle uint32
	bytes  []byte
}

func (a *Accel) newBO(bytes uint64) (*bo, error) {
	create := &boCreate{Bytes: bytes}
	if _, err := a.kernel.ioctl(a.fd, drmBOCreate, view(create)); err != nil {
		return nil, fmt.Errorf("%s: buffer of %d B: %w", a.path, bytes, err)
	}
	b := &bo{handle: create.Handle}
	at := &boMmapOffset{Handle: b.handle}
	if _, err := a.kernel.ioctl(a.fd, drmBOMmapOffset, view(at)); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: buffer of %d B: %w", a.path, bytes, err), a.drop(b))
	}
	var err error
	if b.bytes, err = a.kernel.mmap(a.fd, int64(at.Offset), int(bytes)); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: map a buffer of %d B: %w", a.path, bytes, err), a.drop(b))
	}
	return b, nil
}

func (a *Accel) drop(b *bo) error {
	var errs []error
	if b.bytes != nil {
		errs = append(errs, a.kernel.munmap(b.bytes))
	}
	_, err := a.kernel.ioctl(a.fd, drmGemClose, view(&gemClose{Handle: b.handle}))
	return errors.Join(append(errs, err)...)
}

// accelNetwork is a loaded network: its command buffer, and a buffer for each region that the kernel counted bytes of.
type accelNetwork struct {
	device  *Accel
	stream  *bo // not mapped
	regions [ethosu.RegionCount]*bo
	job     *drmJob
	submit  *submit
	wait    *boWait
	fence   uint32 // handle whose fence ends with the job
	current *ethosu.Job
	started int64
}

// Load hands the stream to the kernel, which checks it, and allocates buffers as large as the kernel wants them. The fast
// scratch is the kernel's SRAM where that is large enough.
func (a *Accel) Load(n ethosu.Network) (ethosu.Loaded, error) {
	if n.Commands.Accelerator != a.accelerator {
		return nil, fmt.Errorf("%s: want a stream for %s, have one for %s", a.path, a.accelerator, n.Commands.Accelerator)
	}
	decoded, err := stream.Decode(n.Commands.Accelerator, n.Commands.Stream)
	if err != nil {
		return nil, err
	}
	verdict := lint.Judge(n.Commands.Accelerator, n.Commands.Stream)
	l := &accelNetwork{device: a, job: &drmJob{}, wait: &boWait{}}
	fail := func(err error) (ethosu.Loaded, error) { return nil, errors.Join(err, l.Close()) }
	create := &streamCreate{Bytes: uint32(len(n.Commands.Stream)), Data: address(n.Commands.Stream)}
	_, err = a.kernel.ioctl(a.fd, drmStreamCreate, view(create))
	runtime.KeepAlive(n.Commands.Stream)
	if err != nil {
		reason := "the stream looks sound"
		if verdict.Reason != "" {
			reason = fmt.Sprintf("byte %d: %s", verdict.Offset, verdict.Reason)
		}
		return fail(fmt.Errorf("%s: the kernel refused the command stream (%s): %w", a.path, reason, err))
	}
	l.stream = &bo{handle: create.Handle}
	l.job.Stream = create.Handle
	need := decoded.RegionBytes()
	for r := range need {
		bytes := max(need[r], verdict.RegionBytes[r])
		switch {
		case bytes == 0:
			continue
		case r == ethosu.RegionFastScratch && bytes <= uint64(a.sramBytes):
			l.job.SRAMBytes = uint32(bytes)
			continue
		case r == ethosu.RegionWeights:
			bytes = max(bytes, uint64(len(n.Weights.Bytes)))
		}
		if l.regions[r], err = a.newBO(bytes); err != nil {
			return fail(err)
		}
		l.job.Regions[r] = l.regions[r].handle
		if r != ethosu.RegionWeights {
			l.fence = l.regions[r].handle
		}
	}
	if l.regions[ethosu.RegionScratch] != nil {
		l.fence = l.regions[ethosu.RegionScratch].handle
	}
	if w := l.regions[ethosu.RegionWeights]; w != nil {
		copy(w.bytes, n.Weights.Bytes)
	}
	l.submit = &submit{Jobs: address(view(l.job)), Count: 1}
	return l, nil
}

// Submit copies the scratch to its buffer and queues the job.
func (l *accelNetwork) Submit(job *ethosu.Job) error {
	if l.current != nil {
		return fmt.Errorf("%s: want the job before to be waited for, have another", l.device.path)
	}
	for r := ethosu.RegionScratch; r < ethosu.RegionCount; r++ {
		if b := l.regions[r]; b != nil {
			copy(b.bytes, job.Regions[r].Bytes)
		}
	}
	if _, err := l.device.kernel.ioctl(l.device.fd, drmSubmit, view(l.submit)); err != nil {
		return fmt.Errorf("%s: submit: %w", l.device.path, err)
	}
	l.current, l.started = job, l.device.kernel.monotonic()
	l.device.note(l, true)
	return nil
}

func (a *Accel) note(l *accelNetwork, running bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if running {
		a.running[l] = struct{}{}
	} else {
		delete(a.running, l)
	}
}

// ended waits for the job's fence until a moment of the monotonic clock.
func (l *accelNetwork) ended(until int64) (bool, error) {
	*l.wait = boWait{Handle: l.fence, TimeoutNs: until}
	_, err := l.device.kernel.ioctl(l.device.fd, drmBOWait, view(l.wait))
	switch {
	case err == nil:
		l.device.note(l, false)
		return true, nil
	case l.device.kernel.gaveUp(err):
		return false, nil
	}
	return false, fmt.Errorf("%s: wait: %w", l.device.path, err)
}

// Wait waits for the job's fence and copies the scratch back.
func (l *accelNetwork) Wait(ctx context.Context) (ethosu.Counters, error) {
	job := l.current
	if job == nil {
		return ethosu.Counters{}, fmt.Errorf("%s: want a submitted job, have none", l.device.path)
	}
	l.current = nil
	for {
		now := l.device.kernel.monotonic()
		until := now + int64(look)
		if job.Timeout > 0 {
			until = min(until, l.started+int64(job.Timeout))
		}
		done, err := l.ended(until)
		if err != nil {
			return ethosu.Counters{}, err
		}
		if done {
			break
		}
		if err := ctx.Err(); err != nil {
			return ethosu.Counters{}, fmt.Errorf("%s: %w", l.device.path, err)
		}
		if job.Timeout > 0 && l.device.kernel.monotonic()-l.started >= int64(job.Timeout) {
			return ethosu.Counters{}, fmt.Errorf("%s: after %v: %w", l.device.path, job.Timeout, ethosu.ErrTimeout)
		}
	}
	for r := ethosu.RegionScratch; r < ethosu.RegionCount; r++ {
		if b := l.regions[r]; b != nil {
			copy(job.Regions[r].Bytes, b.bytes)
		}
	}
	return ethosu.Counters{}, nil
}

// Reset waits until the kernel has ended every job; it does so by itself.
func (a *Accel) Reset(ctx context.Context) error {
	a.mu.Lock()
	var list []*accelNetwork
	for l := range a.running {
		list = append(list, l)
	}
	a.mu.Unlock()
	for _, l := range list {
		for {
			done, err := l.ended(a.kernel.monotonic() + int64(look))
			if err != nil {
				return err
			}
			if done {
				break
			}
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("%s: reset: %w", a.path, err)
			}
		}
	}
	return nil
}

// Close gives the network's buffers back.
func (l *accelNetwork) Close() error {
	var errs []error
	for r, b := range l.regions {
		if b != nil {
			errs = append(errs, l.device.drop(b))
			l.regions[r] = nil
		}
	}
	if l.stream != nil {
		errs = append(errs, l.device.drop(l.stream))
		l.stream = nil
	}
	return errors.Join(errs...)
}

// Close closes the device.
func (a *Accel) Close() error { return a.kernel.close(a.fd) }
