package nxp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// BackendID is how programs name the delegate.
const BackendID = "NeutronBackend"

// Backend makes delegates that run on one NPU. Several goroutines may use it.
type Backend struct {
	npu     NPU
	timeout time.Duration
	fetch   Fetch
}

// NewBackend returns a backend for npu, which belongs to the caller and must
// outlive every method linked against it. timeout bounds each run; 0 means
// [DefaultTimeout].
func NewBackend(npu NPU, timeout time.Duration) *Backend {
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	return &Backend{npu: npu, timeout: timeout, fetch: copyFetch{}}
}

// SetFetch has weights that the NPU fetches to SRAM copied by f, for instance by
// a DMA engine; without it the CPU copies them. It is called before any method is linked.
func (b *Backend) SetFetch(f Fetch) { b.fetch = f }

// ID is the delegate's name in programs.
func (b *Backend) ID() string { return BackendID }

// Init reads the payload and the compile spec "scratch_roles". It touches no device.
func (b *Backend) Init(blob executor.Blob) (executor.Delegate, error) {
	p, err := ParsePayload(blob.Bytes)
	if err != nil {
		return nil, err
	}
	d := &delegate{backend: b, payload: p, need: p.Microcode.need(), repaired: true}
	order, combined := d.need.nonzero(), true
	for _, spec := range blob.Specs {
		if spec.Key == "scratch_roles" {
			if order, combined, err = parseRoles(string(spec.Value)); err != nil {
				return nil, err
			}
		}
	}
	d.arity = executor.Arity{In: p.Args, Out: len(p.Outputs)}
	d.arity.Forms, d.forms = d.need.forms(order, combined)
	d.job.Inputs, d.job.Outputs = make([]Region, len(p.Inputs)), make([]Region, len(p.Outputs))
	d.memory.Inputs, d.memory.Outputs, d.memory.Scratch = make([]hal.Region, len(p.Inputs)), make([]hal.Region, len(p.Outputs)), make([]hal.Region, roles)
	if in, out, err := p.Microcode.IOBytes(); err == nil {
		d.inBytes, d.outBytes = in, out
	}
	return d, nil
}

// delegate is one payload bound to its calls. The device sees it at the first Execute.
type delegate struct {
	backend           *Backend
	payload           *Payload
	need              need
	arity             executor.Arity
	forms             [][]role // roles of each of arity's forms; nil: one combined block
	inBytes, outBytes []uint32 // sizes of the NPU's inputs and outputs, where the microcode states them

	model    Prepared // nil until the first Execute
	reach    *hal.Reach
	job      Job     // as the NPU sees it
	memory   hal.Job // as the board sees it
	details  []executor.Detail
	repaired bool // false after a run that may still be going on
}

// Arity counts input arguments, not the NPU's inputs: the index maps may leave some out.
func (d *delegate) Arity() executor.Arity { return d.arity }

// Model is what the NPU prepares.
func (d *delegate) modelConfig() Model {
	p := d.payload
	return Model{Microcode: p.Microcode.Bytes, Weights: p.Weights, Kernels: p.Kernels, Timeout: d.backend.timeout}
}

// Prepare checks tensors and layouts, asks the NPU whether it takes the model,
// and states the scratch that the call does not bring and the transposes.
func (d *delegate) Prepare(args []*executor.Value) ([]memory.Need, error) {
	in, out, _, form, err := d.arity.Split(args)
	if err != nil {
		return nil, err
	}
	var errs []error
	var needs []memory.Need
	if d.forms[form] != nil {
		needs = d.need.temp(d.forms[form])
	}
	ports := func(ports []Port, args []*executor.Value, first int, sizes []uint32, what string) {
		for i := range ports {
			place := fmt.Sprintf("args[%d]", first+ports[i].Arg)
			t := args[ports[i].Arg].Tensor()
			transposed, err := checkTensor(&ports[i], t)
			if err != nil {
				errs = append(errs, fault.Under(place, err))
				continue
			}
			if sizes != nil && uint64(t.NBytes()) != uint64(sizes[i]) {
				errs = append(errs, fault.New(fault.InvalidProgram, place, fmt.Sprintf("%d B for the NPU's %s %d", sizes[i], what, i), fault.Bytes(uint64(t.NBytes()))))
			}
			if transposed {
				needs = append(needs, memory.Need{Role: fmt.Sprintf("transpose of %s %d", what, i), Place: memory.Temp, Bytes: uint64(t.NBytes()), Align: Alignment, Class: hal.AnyClass, Device: Device})
			}
		}
	}
	ports(d.payload.Inputs, in, 0, d.inBytes, "input")
	ports(d.payload.Outputs, out, d.arity.In, d.outBytes, "output")
	resident, err := d.backend.npu.Check(d.modelConfig())
	if err != nil {
		errs = append(errs, err)
	}
	if resident > 0 {
		needs = append(needs, memory.Need{Role: "prepared model", Place: memory.Resident, Bytes: resident, Class: hal.AnyClass})
	}
	d.details = describeSteps(d.payload)
	return needs, errors.Join(errs...)
}

// checkTensor says whether a tensor can be an input or output of the NPU and whether it is transposed.
func checkTensor(p *Port, t *executor.Tensor) (transposed bool, err error) {
	if t == nil {
		return false, fault.New(fault.InvalidProgram, "", "a tensor", "another kind of value")
	}
	if size := t.DType.Size(); size != 1 && bigEndian {
		return false, fault.New(fault.NotSupported, "", "elements of one byte on a big-endian host", t.DType.String())
	}
	return p.transposes(t)
}

// Execute runs the call on the NPU. Only the first call allocates: it loads the
// model. A run that did not finish in time is an error that wraps
// executor.ErrDeviceBusy; the next call resets the NPU first.
func (d *delegate) Execute(s *executor.Scope, args []*executor.Value) error {
	in, out, scratch, form, err := d.arity.Split(args)
	if err != nil {
		return err
	}
	if err := d.ready(s); err != nil {
		return err
	}
	if err := d.placeScratch(s, scratch, form); err != nil {
		return err
	}
	for i := range d.payload.Inputs {
		p := &d.payload.Inputs[i]
		t := in[p.Arg].Tensor()
		region, transposed, err := d.place(s, p, t, d.inBytes, i)
		if err != nil {
			return fault.Under("input", err)
		}
		if transposed {
			toChannelsLast(region.Bytes, t.Data, t)
		}
		if d.memory.Inputs[i], d.job.Inputs[i], err = d.see(region); err != nil {
			return fault.Under("input", err)
		}
	}
	for i := range d.payload.Outputs {
		p := &d.payload.Outputs[i]
		region, _, err := d.place(s, p, out[p.Arg].Tensor(), d.outBytes, i)
		if err != nil {
			return fault.Under("output", err)
		}
		if d.memory.Outputs[i], d.job.Outputs[i], err = d.see(region); err != nil {
			return fault.Under("output", err)
		}
	}
	if err := d.submit(s.Context()); err != nil {
		return err
	}
	for i := range d.payload.Outputs {
		p := &d.payload.Outputs[i]
		t := out[p.Arg].Tensor()
		if transposed, _ := p.transposes(t); transposed {
			toChannelsFirst(t.Data, d.memory.Outputs[i].Bytes, t)
		}
	}
	return nil
}

// Recover resets the NPU after a run that may still be going on.
func (d *delegate) Recover(ctx context.Context) error {
	if d.repaired {
		return nil
	}
	if err := d.backend.npu.Reset(ctx); err != nil {
		return err
	}
	d.repaired = true
	return nil
}

// ready loads the model, resetting the NPU before if it may still be running.
func (d *delegate) ready(s *executor.Scope) error {
	if err := d.Recover(s.Context()); err != nil {
		return fmt.Errorf("%w: reset failed: %w", executor.ErrDeviceBusy, err)
	}
	if d.model != nil {
		return nil
	}
	d.reach = hal.NewReach(s.Board(), Device)
	d.locateConstants(s.Board())
	if f, ok := d.backend.npu.(Fetching); ok && d.need[roleSRAM] > 0 {
		if err := f.SetFetch(d.backend.fetch); err != nil {
			return err
		}
	}
	model, err := d.backend.npu.Prepare(d.modelConfig())
	if err != nil {
		return err
	}
	d.model = model
	return nil
}

// locateConstants finds what of the model the CPU's cache may still hold.
func (d *delegate) locateConstants(b hal.Board) {
	d.memory.Constants = d.memory.Constants[:0]
	if b == nil {
		return
	}
	for _, part := range [][]byte{d.payload.Microcode.Bytes, d.payload.Weights, d.payload.Kernels} {
		if region, ok := b.Locate(part); ok {
			d.memory.Constants = append(d.memory.Constants, region)
		}
	}
}

// copyFetch moves weights with the CPU, as ExecuTorch's own backend does where no DMA is set up.
type copyFetch struct{}

func (copyFetch) Copy(dst, src []byte, _ uint32) { copy(dst, src) }
func (copyFetch) Wait(uint32)                    {}

// placeScratch finds the memory of each role: in the trailing arguments, or in the temp arena.
func (d *delegate) placeScratch(s *executor.Scope, args []*executor.Value, form int) error {
	order, at := d.forms[form], uint64(0)
	for r := range roles {
		bytes := d.need[r]
		if bytes == 0 {
			continue
		}
		var region hal.Region
		if i := index(order, r); order == nil {
			region = args[0].Tensor().Region().Slice(at, bytes)
			at += align(bytes)
		} else if i >= 0 {
			region = args[i].Tensor().Region().Slice(0, bytes)
		} else {
			var err error
			if region, err = s.Temp(memory.Temp, bytes, Alignment); err != nil {
				return err
			}
		}
		located, seen, err := d.see(region)
		if err != nil {
			return fault.Under(roleNames[r], err)
		}
		d.memory.Scratch[r] = located
		switch r {
		case roleScratch:
			d.job.Scratch = seen
		case roleProfile:
			d.job.Profile = seen
		case roleDebug:
			d.job.Debug = seen
		case roleSRAM:
			d.job.SRAMScratch = seen
		}
	}
	return nil
}

func index(order []role, r role) int {
	for i, one := range order {
		if one == r {
			return i
		}
	}
	return -1
}

// see says where a region lies on the board, and what it is to the NPU.
func (d *delegate) see(r hal.Region) (hal.Region, Region, error) {
	located, seen, err := d.reach.See(r)
	return located, Region(seen), err
}

// place gives the memory of a tensor in the NPU's layout: the tensor's own, or
// temp memory for its transpose. A tensor of dynamic shape must have the size that the NPU was built for.
func (d *delegate) place(s *executor.Scope, p *Port, t *executor.Tensor, sizes []uint32, i int) (region hal.Region, transposed bool, err error) {
	if sizes != nil && uint64(t.NBytes()) != uint64(sizes[i]) {
		return region, false, fault.New(fault.InvalidArgument, "", fault.Bytes(uint64(sizes[i])), fmt.Sprintf("%d B in sizes %v", t.NBytes(), append([]int{}, t.Sizes...)))
	}
	if transposed, err = p.transposes(t); err != nil || !transposed {
		return t.Region(), false, err
	}
	region, err = s.Temp(memory.Temp, uint64(t.NBytes()), Alignment)
	return region, true, err
}

// submit brings the caches in step and runs the job.
func (d *delegate) submit(ctx context.Context) error {
	board := d.reach.Board()
	if board == nil {
		return d.run(ctx)
	}
	if err := d.memory.Before(board); err != nil {
		return err
	}
	if err := d.run(ctx); err != nil {
		return err
	}
	if profile := d.memory.Scratch[roleProfile]; len(profile.Bytes) > 0 {
		if err := board.Sync(profile, hal.Invalidate); err != nil {
			return err
		}
	}
	return d.memory.After(board)
}

// run runs the job with the NPU's clock on.
func (d *delegate) run(ctx context.Context) error {
	gated, ok := d.backend.npu.(Gated)
	if ok {
		if err := gated.Resume(); err != nil {
			return err
		}
	}
	err := d.model.Run(ctx, &d.job)
	if ok {
		// A failed suspend only wastes power; it must not hide the result.
		_ = gated.Suspend()
	}
	if err == nil {
		return nil
	}
	if errors.Is(err, ErrTimeout) || ctx.Err() != nil {
		d.repaired = false
		return fmt.Errorf("%w: %w", executor.ErrDeviceBusy, err)
	}
	return err
}

// Close releases the model. The NPU itself is closed by whoever made it, after all delegates.
func (d *delegate) Close() error {
	if d.model == nil {
		return nil
	}
	if err := d.Recover(context.Background()); err != nil {
		return fmt.Errorf("%w: reset failed: %w", executor.ErrDeviceBusy, err)
	}
	err := d.model.Close()
	d.model = nil
	return err
}
