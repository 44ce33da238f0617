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
}

// NewBackend returns a backend for npu, which belongs to the caller and must
// outlive every method linked against it. timeout bounds each run; 0 means
// [DefaultTimeout].
func NewBackend(npu NPU, timeout time.Duration) *Backend {
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	return &Backend{npu: npu, timeout: timeout}
}

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
	board    board
	job      Job
	scratch  [roles]hal.Region
	tensors  []hal.Region // inputs then outputs of the job, on the board
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
			if sizes != nil && uint64(t.NBytes()) < uint64(sizes[i]) {
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
		if err := d.bindInput(s, i, in[d.payload.Inputs[i].Arg].Tensor()); err != nil {
			return err
		}
	}
	for i := range d.payload.Outputs {
		if err := d.bindOutput(s, i, out[d.payload.Outputs[i].Arg].Tensor()); err != nil {
			return err
		}
	}
	if err := d.submit(s.Context()); err != nil {
		return err
	}
	for i := range d.payload.Outputs {
		p := &d.payload.Outputs[i]
		t := out[p.Arg].Tensor()
		if transposed, _ := p.transposes(t); transposed {
			toChannelsFirst(t.Data, d.tensors[len(d.payload.Inputs)+i].Bytes, t)
		}
	}
	return nil
}

// ready loads the model, resetting the NPU before if it may still be running.
func (d *delegate) ready(s *executor.Scope) error {
	if !d.repaired {
		if err := d.backend.npu.Reset(s.Context()); err != nil {
			return fmt.Errorf("%w: reset failed: %w", executor.ErrDeviceBusy, err)
		}
		d.repaired = true
	}
	if d.model != nil {
		return nil
	}
	if err := d.board.bind(s.Board()); err != nil {
		return err
	}
	if f, ok := d.backend.npu.(Fetching); ok && d.need[roleSRAM] > 0 {
		if err := f.SetFetch(copyFetch{}); err != nil {
			return err
		}
	}
	model, err := d.backend.npu.Prepare(d.modelConfig())
	if err != nil {
		return err
	}
	d.model, d.tensors = model, make([]hal.Region, len(d.payload.Inputs)+len(d.payload.Outputs))
	return nil
}

// copyFetch moves weights with the CPU, as ExecuTorch's own backend does where no DMA is set up.
type copyFetch struct{}

func (copyFetch) Copy(dst, src []byte, _ uint32) { copy(dst, src) }
func (copyFetch) Wait(uint32)                    {}

// placeScratch finds the memory of each role: in the trailing arguments, or in the temp arena.
func (d *delegate) placeScratch(s *executor.Scope, args []*executor.Value, form int) error {
	order := d.forms[form]
	if order == nil {
		block, at := args[0].Tensor().Region(), uint64(0)
		for r, bytes := range d.need {
			d.scratch[r] = block.Slice(at, bytes)
			at += align(bytes)
		}
	}
	for r, bytes := range d.need {
		if order == nil || bytes == 0 {
			continue
		}
		i := index(order, role(r))
		if i >= 0 {
			d.scratch[r] = args[i].Tensor().Region().Slice(0, bytes)
			continue
		}
		region, err := s.Temp(memory.Temp, bytes, Alignment)
		if err != nil {
			return err
		}
		d.scratch[r] = region
	}
	for r, region := range d.scratch {
		seen, err := d.board.device(region)
		if err != nil {
			return fault.Under(roleNames[r], err)
		}
		*[roles]*Region{&d.job.Scratch, &d.job.Profile, &d.job.Debug, &d.job.SRAMScratch}[r] = seen
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

func (d *delegate) bindInput(s *executor.Scope, i int, t *executor.Tensor) (err error) {
	region := t.Region()
	transposed, err := d.payload.Inputs[i].transposes(t)
	if err != nil {
		return err
	}
	if transposed {
		if region, err = s.Temp(memory.Temp, uint64(t.NBytes()), Alignment); err != nil {
			return err
		}
		toChannelsLast(region.Bytes, t.Data, t)
	}
	d.tensors[i] = region
	d.job.Inputs[i], err = d.board.device(region)
	return err
}

func (d *delegate) bindOutput(s *executor.Scope, i int, t *executor.Tensor) (err error) {
	region := t.Region()
	transposed, err := d.payload.Outputs[i].transposes(t)
	if err != nil {
		return err
	}
	if transposed {
		if region, err = s.Temp(memory.Temp, uint64(t.NBytes()), Alignment); err != nil {
			return err
		}
	}
	d.tensors[len(d.payload.Inputs)+i] = region
	d.job.Outputs[i], err = d.board.device(region)
	return err
}

// submit brings the caches in step and runs the job with the clock on.
func (d *delegate) submit(ctx context.Context) error {
	inputs := len(d.payload.Inputs)
	for i := range d.tensors {
		direction := hal.Clean
		if i >= inputs {
			direction = hal.CleanInvalidate
		}
		if err := d.board.sync(d.tensors[i], direction); err != nil {
			return err
		}
	}
	// Scratch may hold dirty lines of tensors that died; they must not be evicted over the NPU's results.
	for _, region := range d.scratch {
		if err := d.board.sync(region, hal.CleanInvalidate); err != nil {
			return err
		}
	}
	if err := d.run(ctx); err != nil {
		return err
	}
	for i := inputs; i < len(d.tensors); i++ {
		if err := d.board.sync(d.tensors[i], hal.Invalidate); err != nil {
			return err
		}
	}
	return d.board.sync(d.scratch[roleProfile], hal.Invalidate)
}

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
	if !d.repaired {
		if err := d.backend.npu.Reset(context.Background()); err != nil {
			return fmt.Errorf("%w: reset failed: %w", executor.ErrDeviceBusy, err)
		}
		d.repaired = true
	}
	err := d.model.Close()
	d.model = nil
	return err
}
