package driver

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/internal/fault"
)

// grace is how much longer than the driver's own timeout a run may take before
// the driver is given up on.
const grace = 500 * time.Millisecond

// NPU is a Neutron behind the driver. Jobs of several goroutines run one after
// the other, since the driver's calls are not reentrant.
type NPU struct {
	lib   Library
	turn  chan struct{} // holds a token while nobody is inside the library
	mu    sync.Mutex    // guards open and closed
	open  int
	owned bool // the driver has memory of its own
	gone  bool
}

// NewNPU initialises the driver. One NPU per process: the driver's state is global.
func NewNPU(lib Library) (*NPU, error) {
	if st := lib.Init(); st != 0 {
		return nil, failure("neutronInit", st)
	}
	n := &NPU{lib: lib, turn: make(chan struct{}, 1)}
	if b := lib.Alloc(nxp.Alignment); b != nil {
		n.owned = true
		lib.Free(b)
	}
	n.turn <- struct{}{}
	return n, nil
}

// failure is a status of a C call as an error: call, words and what to do.
func failure(call string, st nxp.Status) error {
	code := fault.Internal
	switch {
	case st.Component() == nxp.ComponentDriver && st.Category() == nxp.DriverNoMemory:
		code = fault.MemoryAllocationFailed
	case st.Component() == nxp.ComponentDriver && st.Category() == nxp.DriverBadHandle:
		code = fault.DelegateInvalidHandle
	case st.Component() == nxp.ComponentDriver && st.Category() == nxp.DriverMicrocode:
		code = fault.DelegateInvalidCompatibility
	}
	return &fault.Error{Path: call, Rule: "neutron_driver", Code: code, Err: st}
}

// Check says whether a model can be loaded, as far as its header tells.
// Resident are the driver's allocation, or copies of parts that are not aligned.
func (n *NPU) Check(m nxp.Model) (resident uint64, err error) {
	l, err := n.layout(m)
	if err != nil || n.owned {
		return l.total, err
	}
	for _, part := range [][]byte{m.Microcode, m.Weights, m.Kernels} {
		if !nxp.IsAligned(part) {
			resident += uint64(len(part))
		}
	}
	return resident, nil
}

// Prepare loads a model.
func (n *NPU) Prepare(m nxp.Model) (nxp.Prepared, error) {
	if m.Timeout <= 0 {
		m.Timeout = nxp.DefaultTimeout
	}
	l, err := n.layout(m)
	if err != nil {
		return nil, err
	}
	p := &prepared{npu: n, timeout: m.Timeout + grace, start: make(chan *nxp.Job), done: make(chan nxp.Status, 1), timer: time.NewTimer(time.Hour)}
	p.timer.Stop()
	if !n.owned {
		m.Microcode, m.Weights, m.Kernels = nxp.Aligned(m.Microcode), nxp.Aligned(m.Weights), nxp.Aligned(m.Kernels)
	}
	if err := n.call("neutronModelPrepare", p.timeout, func() error { return p.load(m, l) }); err != nil {
		if errors.Is(err, nxp.ErrTimeout) {
			go p.abandon()
		}
		return nil, err
	}
	go p.serve()
	return p, nil
}

// load makes the calls that prepare a model.
func (p *prepared) load(m nxp.Model, l layout) (err error) {
	n := p.npu
	if n.gone {
		return fault.New(fault.InvalidState, "neutron driver", "an open driver", "a closed one")
	}
	if n.owned {
		if p.buffer, err = newBuffer(n.lib, l, &m); err != nil {
			return err
		}
	}
	h, st := n.lib.Prepare(m)
	if st != 0 {
		p.buffer.free(n.lib)
		return failure("neutronModelPrepare", st)
	}
	p.handle, p.loaded = h, true
	n.mu.Lock()
	n.open++
	n.mu.Unlock()
	return nil
}

// abandon releases a model that was given up on, should its preparation end after all.
func (p *prepared) abandon() {
	<-p.npu.turn
	if p.loaded {
		_ = p.unload() // nobody is left to hear of it
	}
	p.npu.leave()
}

// call runs f inside the driver and gives up on it after limit: the driver then
// stays occupied until f has returned after all.
func (n *NPU) call(name string, limit time.Duration, f func() error) error {
	if err := n.enter(context.Background(), limit); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		done <- f()
		n.leave()
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
		return hung(name, limit)
	}
}

func hung(call string, limit time.Duration) error {
	return &fault.Error{Path: call, Rule: "neutron_timeout", Want: fmt.Sprintf("an answer within %v", limit), Found: "none; the call may still run", Code: fault.AccessFailed, Err: nxp.ErrTimeout}
}

// enter waits for the driver to be free.
func (n *NPU) enter(ctx context.Context, limit time.Duration) error {
	select {
	case <-n.turn:
		return nil
	default:
	}
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-n.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return &fault.Error{Path: "neutron driver", Rule: "neutron_timeout", Want: fmt.Sprintf("another job to end within %v", limit), Found: "still running", Code: fault.AccessFailed, Err: nxp.ErrTimeout}
	}
}

func (n *NPU) leave() { n.turn <- struct{}{} }

// Reset waits until no job is inside the driver, which is all that its
// interface offers; where one never returns it fails.
func (n *NPU) Reset(ctx context.Context) error {
	if err := n.enter(ctx, grace); err != nil {
		return err
	}
	n.leave()
	return nil
}

// Suspend stops the NPU's clock.
func (n *NPU) Suspend() error { return n.gate("neutronSuspend", n.lib.Suspend) }

// Resume starts the NPU's clock. Drivers without clock gating say so; that is no error.
func (n *NPU) Resume() error { return n.gate("neutronResume", n.lib.Resume) }

func (n *NPU) gate(call string, f func() nxp.Status) error {
	if err := n.enter(context.Background(), grace); err != nil {
		return err
	}
	st := f()
	n.leave()
	if st != 0 && (st.Component() != nxp.ComponentDriver || st.Category() != nxp.DriverUnsupported) {
		return failure(call, st)
	}
	return nil
}

// SetFetch has weights copied to SRAM through f.
func (n *NPU) SetFetch(f nxp.Fetch) error {
	if st := n.lib.SetFetch(f); st != 0 {
		return failure("neutronSetConfig", st)
	}
	return nil
}

// Close gives the driver back. It fails while models are open, since their
// handles would outlive it.
func (n *NPU) Close() error {
	n.mu.Lock()
	open := n.open
	n.mu.Unlock()
	if open > 0 {
		return fault.New(fault.InvalidState, "neutron driver", "all models closed first", fmt.Sprintf("%d open", open))
	}
	if err := n.enter(context.Background(), grace); err != nil {
		return err
	}
	defer n.leave()
	if n.gone {
		return nil
	}
	n.gone = true
	if st := n.lib.Deinit(); st != 0 {
		return failure("neutronDeinit", st)
	}
	return nil
}

// prepared is a model in the driver, with a goroutine that makes its calls so
// that the caller can stop waiting.
type prepared struct {
	npu     *NPU
	handle  Handle
	loaded  bool
	buffer  *buffer // nil: the driver reads memory where it lies
	timeout time.Duration
	start   chan *nxp.Job
	done    chan nxp.Status
	timer   *time.Timer
	job     nxp.Job // the serving goroutine's own; the caller's may not be kept
	hung    bool
	closed  bool
}

func (p *prepared) serve() {
	for job := range p.start {
		st := p.npu.lib.Run(p.handle, job)
		p.done <- st
		p.npu.leave()
	}
}

// Run hands the job to the driver and waits for it, for the timeout or for ctx.
// On [nxp.ErrTimeout] the job still runs: see nxp.Prepared.
func (p *prepared) Run(ctx context.Context, job *nxp.Job) error {
	if p.closed {
		return fault.New(fault.InvalidState, "neutron driver", "a prepared model", "a closed one")
	}
	if err := p.npu.enter(ctx, p.timeout); err != nil {
		return err
	}
	if p.hung { // the driver came back after all; that result is nobody's
		<-p.done
		p.hung = false
	}
	p.job.Inputs, p.job.Outputs = append(p.job.Inputs[:0], job.Inputs...), append(p.job.Outputs[:0], job.Outputs...)
	p.job.Scratch, p.job.Profile, p.job.Debug, p.job.SRAMScratch = job.Scratch, job.Profile, job.Debug, job.SRAMScratch
	if p.buffer != nil {
		if err := p.buffer.load(p.npu.lib, &p.job); err != nil {
			p.npu.leave()
			return err
		}
	}
	p.timer.Reset(p.timeout)
	p.start <- &p.job
	select {
	case st := <-p.done:
		p.timer.Stop()
		if st != 0 {
			return failure("neutronRunBlocking", st)
		}
	case <-p.timer.C:
		p.hung = true
		return hung("neutronRunBlocking", p.timeout)
	case <-ctx.Done():
		p.hung = true
		p.timer.Stop()
		return errors.Join(ctx.Err(), nxp.ErrTimeout)
	}
	if p.buffer != nil {
		return p.buffer.store(p.npu.lib, job)
	}
	return nil
}

// Close releases the model. It fails while a job is inside the driver.
func (p *prepared) Close() error {
	if p.closed {
		return nil
	}
	if err := p.npu.enter(context.Background(), grace); err != nil {
		return err
	}
	p.npu.leave()
	p.closed = true
	close(p.start)
	return p.npu.call("neutronModelUnprepare", p.timeout, p.unload)
}

// unload makes the calls that release a model.
func (p *prepared) unload() error {
	st := p.npu.lib.Unprepare(p.handle)
	p.buffer.free(p.npu.lib)
	p.npu.mu.Lock()
	p.npu.open--
	p.npu.mu.Unlock()
	if st != 0 {
		return failure("neutronModelUnprepare", st)
	}
	return nil
}
