package linux

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// DefaultLegacy is where the first device of the older driver lies.
const DefaultLegacy = "/dev/ethosu0"

// Legacy is an Ethos-U behind the older kernel driver, which hands jobs to firmware. It satisfies [ethosu.NPU]; several
// goroutines may use it.
//
// A job is an inference of type "op": the network buffer holds the driver payload, the input buffers are the weights and the
// scratch. Fast scratch is the firmware's own memory; what a stream needs of it cannot be checked from here.
type Legacy struct {
	kernel      kernel
	path        string
	fd          int
	accelerator stream.Accelerator // zero where the firmware does not say

	mu      sync.Mutex
	running map[*legacyNetwork]struct{}
}

var _ ethosu.NPU = (*Legacy)(nil)

// OpenLegacy opens a device of the older driver, checks that its firmware answers, and asks what the NPU is.
func OpenLegacy(path string) (*Legacy, error) { return openLegacy(thisMachine(), path) }

func openLegacy(k kernel, path string) (*Legacy, error) {
	fd, err := k.open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	d := &Legacy{kernel: k, path: path, fd: fd, running: map[*legacyNetwork]struct{}{}}
	if _, err := k.ioctl(fd, legacyPing, nil); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: the NPU's firmware does not answer: %w", path, err), k.close(fd))
	}
	c := &legacyCapabilities{}
	if _, err := k.ioctl(fd, legacyGetCapabilities, view(c)); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: capabilities: %w", path, err), k.close(fd))
	}
	if product, ok := map[uint32]stream.Product{4: stream.U55, 6: stream.U65, 7: stream.U85}[c.ProductMajor]; ok && c.MACs < 16 {
		d.accelerator = stream.Accelerator{Product: product, MACs: 1 << c.MACs}
	}
	return d, nil
}

// Accelerator returns what the firmware says of the NPU; the zero value where it does not.
func (d *Legacy) Accelerator() stream.Accelerator { return d.accelerator }

// buffer is memory of the kernel's behind a descriptor.
type buffer struct {
	fd    int
	bytes []byte
}

func (d *Legacy) newBuffer(bytes int) (*buffer, error) {
	fd, err := d.kernel.ioctl(d.fd, legacyCreateBuffer, view(&legacyBufferCreate{uint32(bytes)}))
	if err != nil {
		return nil, fmt.Errorf("%s: buffer of %d B: %w", d.path, bytes, err)
	}
	b := &buffer{fd: fd}
	if b.bytes, err = d.kernel.mmap(fd, 0, bytes); err == nil {
		_, err = d.kernel.ioctl(fd, legacySetBuffer, view(&legacyBuffer{0, uint32(bytes)}))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: buffer of %d B: %w", d.path, bytes, err), d.drop(b))
	}
	return b, nil
}

func (d *Legacy) drop(b *buffer) error {
	var errs []error
	if b.bytes != nil {
		errs = append(errs, d.kernel.munmap(b.bytes))
	}
	return errors.Join(append(errs, d.kernel.close(b.fd))...)
}

// legacyNetwork is a loaded network.
type legacyNetwork struct {
	device    *Legacy
	payload   *buffer
	weights   *buffer
	scratch   *buffer // made for the first job
	network   int     // descriptor, −1: none
	create    *legacyInferenceCreate
	result    *legacyResult
	inference int // descriptor of the running one, −1: none
	current   *ethosu.Job
	started   int64
}

// Load copies payload and weights into buffers of the kernel's.
func (d *Legacy) Load(n ethosu.Network) (ethosu.Loaded, error) {
	if d.accelerator != (stream.Accelerator{}) && n.Commands.Accelerator != d.accelerator {
		return nil, fmt.Errorf("%s: want a stream for %s, have one for %s", d.path, d.accelerator, n.Commands.Accelerator)
	}
	l := &legacyNetwork{device: d, network: -1, inference: -1, create: &legacyInferenceCreate{Type: inferenceOp}, result: &legacyResult{}}
	fail := func(err error) (ethosu.Loaded, error) { return nil, errors.Join(err, l.Close()) }
	var err error
	if l.payload, err = d.newBuffer(len(n.Commands.Payload)); err != nil {
		return fail(err)
	}
	copy(l.payload.bytes, n.Commands.Payload)
	if l.weights, err = d.newBuffer(max(len(n.Weights.Bytes), 1)); err != nil {
		return fail(err)
	}
	copy(l.weights.bytes, n.Weights.Bytes)
	if l.network, err = d.kernel.ioctl(d.fd, legacyCreateNetwork, view(&legacyNetworkCreate{networkBuffer, uint32(l.payload.fd)})); err != nil {
		l.network = -1
		return fail(fmt.Errorf("%s: network: %w", d.path, err))
	}
	l.create.InputCount, l.create.Inputs[0] = 2, uint32(l.weights.fd)
	l.create.PMU.CycleCount = 1
	return l, nil
}

// Submit copies the scratch to its buffer and creates an inference, which starts it.
func (l *legacyNetwork) Submit(job *ethosu.Job) error {
	d, scratch := l.device, job.Regions[ethosu.RegionScratch].Bytes
	if l.current != nil || l.inference >= 0 {
		return fmt.Errorf("%s: want the job before to be waited for, have another", d.path)
	}
	if l.scratch != nil && len(l.scratch.bytes) != len(scratch) {
		if err := d.drop(l.scratch); err != nil {
			return err
		}
		l.scratch = nil
	}
	if l.scratch == nil {
		var err error
		if l.scratch, err = d.newBuffer(max(len(scratch), 1)); err != nil {
			return err
		}
		l.create.Inputs[1] = uint32(l.scratch.fd)
	}
	copy(l.scratch.bytes, scratch)
	fd, err := d.kernel.ioctl(l.network, legacyCreateInference, view(l.create))
	if err != nil {
		return fmt.Errorf("%s: inference: %w", d.path, err)
	}
	l.inference, l.current, l.started = fd, job, d.kernel.monotonic()
	d.mu.Lock()
	d.running[l] = struct{}{}
	d.mu.Unlock()
	return nil
}

// Wait polls the inference and copies the scratch back.
func (l *legacyNetwork) Wait(ctx context.Context) (ethosu.Counters, error) {
	d, job := l.device, l.current
	if job == nil {
		return ethosu.Counters{}, fmt.Errorf("%s: want a submitted job, have none", d.path)
	}
	l.current = nil
	for {
		wait := look
		if job.Timeout > 0 {
			wait = min(wait, max(job.Timeout-time.Duration(d.kernel.monotonic()-l.started), time.Millisecond))
		}
		ready, err := d.kernel.poll(l.inference, wait)
		if err != nil {
			return ethosu.Counters{}, fmt.Errorf("%s: poll: %w", d.path, err)
		}
		if ready {
			break
		}
		if err := ctx.Err(); err != nil {
			return ethosu.Counters{}, fmt.Errorf("%s: %w", d.path, err)
		}
		if job.Timeout > 0 && d.kernel.monotonic()-l.started >= int64(job.Timeout) {
			return ethosu.Counters{}, fmt.Errorf("%s: after %v: %w", d.path, job.Timeout, ethosu.ErrTimeout)
		}
	}
	*l.result = legacyResult{}
	_, err := d.kernel.ioctl(l.inference, legacyGetStatus, view(l.result))
	if err := errors.Join(err, l.end()); err != nil {
		return ethosu.Counters{}, fmt.Errorf("%s: status: %w", d.path, err)
	}
	if l.result.Status != 0 {
		return ethosu.Counters{}, fmt.Errorf("%s: want status OK, have %d (%s)", d.path, l.result.Status, legacyStatus(l.result.Status))
	}
	copy(job.Regions[ethosu.RegionScratch].Bytes, l.scratch.bytes)
	return ethosu.Counters{Cycles: l.result.CycleCount}, nil
}

// end closes the inference.
func (l *legacyNetwork) end() error {
	l.device.mu.Lock()
	delete(l.device.running, l)
	l.device.mu.Unlock()
	fd := l.inference
	l.inference = -1
	return l.device.kernel.close(fd)
}

// Reset cancels every inference that may be running.
func (d *Legacy) Reset(context.Context) error {
	d.mu.Lock()
	var list []*legacyNetwork
	for l := range d.running {
		list = append(list, l)
	}
	d.mu.Unlock()
	var errs []error
	for _, l := range list {
		c := &legacyCancel{}
		_, err := d.kernel.ioctl(l.inference, legacyCancelInference, view(c))
		if err == nil && c.Status != 0 {
			err = fmt.Errorf("status %d (%s)", c.Status, legacyStatus(c.Status))
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: cancel: %w", d.path, err))
			continue
		}
		errs = append(errs, l.end())
	}
	return errors.Join(errs...)
}

// Close gives the network's buffers back, and ends an inference that was never waited for.
func (l *legacyNetwork) Close() error {
	var errs []error
	if l.inference >= 0 {
		errs = append(errs, l.end())
	}
	if l.network >= 0 {
		errs = append(errs, l.device.kernel.close(l.network))
		l.network = -1
	}
	for _, b := range []**buffer{&l.payload, &l.weights, &l.scratch} {
		if *b != nil {
			errs = append(errs, l.device.drop(*b))
			*b = nil
		}
	}
	return errors.Join(errs...)
}

// Close closes the device.
func (d *Legacy) Close() error { return d.kernel.close(d.fd) }
