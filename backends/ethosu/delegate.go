package ethosu

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// delegate is one blob bound to its calls. The device sees it at the first Execute.
type delegate struct {
	backend *Backend
	blob    *Blob
	target  Target
	method  string
	arity   executor.Arity
	bytes   [RegionCount]uint64 // that the stream touches of each region
	ports   []port              // inputs, then outputs; the same for every call site

	reach   *hal.Reach
	loaded  Loaded  // nil until the first Execute
	weights Region  // as the NPU sees them
	job     Job     // as the NPU sees it
	memory  hal.Job // as the board sees it
	seed    maphash.Seed
	before  []uint64 // hashes of outputs, where somebody wants to hear of unchanged ones
	cycles  Counters // of the last run
	unwell  bool     // after a run that may still be going on
}

// Arity counts inputs and outputs of the blob.
func (d *delegate) Arity() executor.Arity { return d.arity }

// ScratchOffset gives the place of an input or output in the trailing scratch.
func (d *delegate) ScratchOffset(arg int) (scratch int, offset uint64, ok bool) {
	if arg < 0 || arg >= len(d.ports) {
		return 0, 0, false
	}
	p := &d.ports[arg]
	return p.Region - RegionScratch, p.Offset, p.inPlace()
}

// Prepare checks the tensors of a call and states the scratch that it does not bring.
func (d *delegate) Prepare(args []*executor.Value) ([]memory.Need, error) {
	in, out, _, form, err := d.arity.Split(args)
	if err != nil {
		return nil, err
	}
	var errs []error
	ports := make([]port, 0, len(in)+len(out))
	check := func(list []Tensor, args []*executor.Value, output bool) {
		for i := range list {
			p, err := newPort(list[i], args[i], output)
			errs = append(errs, fault.Under(fmt.Sprintf("args[%d]", len(ports)), err))
			ports = append(ports, p)
		}
	}
	check(d.blob.Inputs, in, false)
	check(d.blob.Outputs, out, true)
	if d.ports == nil {
		d.ports = ports
		d.memory.Inputs, d.memory.Outputs = make([]hal.Region, len(in)), make([]hal.Region, len(out))
		d.memory.Scratch = make([]hal.Region, 0, 2)
		d.before = make([]uint64, len(out))
		d.seed = maphash.MakeSeed()
	}
	for i := range ports {
		if ports[i] != d.ports[i] {
			errs = append(errs, fault.New(fault.NotSupported, fmt.Sprintf("args[%d]", i), "the layout of the delegate's other calls", "another"))
		}
	}
	return d.needs(form), errors.Join(errs...)
}

// Execute runs the call on the NPU. Only the first one allocates: it loads the network. A run that does not finish in
// time is an error that wraps executor.ErrDeviceBusy; the next call resets the NPU first.
func (d *delegate) Execute(s *executor.Scope, args []*executor.Value) error {
	in, out, scratch, _, err := d.arity.Split(args)
	if err != nil {
		return err
	}
	if err := d.ready(s); err != nil {
		return err
	}
	var regions [RegionFastScratch + 1]hal.Region
	if regions[RegionScratch], err = region(s, scratch, 0, memory.Temp, d.blob.ScratchBytes); err != nil {
		return fault.Under("scratch", err)
	}
	if regions[RegionFastScratch], err = region(s, scratch, 1, memory.Fast, d.bytes[RegionFastScratch]); err != nil {
		return fault.Under("fast_scratch", err)
	}
	for i := range d.blob.Inputs {
		p := &d.ports[i]
		place := regions[p.Region].Slice(p.Offset, p.Bytes())
		p.copyIn(place.Bytes, in[i].Tensor().Data)
		d.memory.Inputs[i] = place
	}
	outputs := d.ports[len(d.blob.Inputs):]
	for i := range outputs {
		p := &outputs[i]
		d.memory.Outputs[i] = regions[p.Region].Slice(p.Offset, p.Bytes())
		if d.backend.options.Unchanged != nil {
			d.before[i] = maphash.Bytes(d.seed, d.memory.Outputs[i].Bytes)
		}
	}
	if err := d.expose(&regions); err != nil {
		return err
	}
	if err := d.run(s.Context()); err != nil {
		return err
	}
	for i := range outputs {
		place := d.memory.Outputs[i].Bytes
		if d.backend.options.Unchanged != nil && maphash.Bytes(d.seed, place) == d.before[i] {
			d.backend.options.Unchanged(d.method, i)
		}
		outputs[i].copyOut(out[i].Tensor().Data, place)
	}
	return nil
}

// region is the memory of a trailing argument, or of the arena that stands in for it.
func region(s *executor.Scope, scratch []*executor.Value, k int, place memory.Place, bytes uint64) (hal.Region, error) {
	if k < len(scratch) {
		return scratch[k].Tensor().Region(), nil
	}
	if bytes == 0 {
		return hal.Region{}, nil
	}
	return s.Temp(place, bytes, Alignment)
}

// expose finds what the NPU sees of the scratch regions.
func (d *delegate) expose(regions *[RegionFastScratch + 1]hal.Region) error {
	d.memory.Scratch = d.memory.Scratch[:0]
	for r := RegionScratch; r <= RegionFastScratch; r++ {
		d.job.Regions[r] = Region{}
		if len(regions[r].Bytes) == 0 {
			continue
		}
		located, seen, err := d.reach.See(regions[r])
		if err != nil {
			return fault.Under(fmt.Sprintf("region %d", r), err)
		}
		if seen.Addr%Alignment != 0 {
			return &fault.Error{Path: fmt.Sprintf("region %d", r), Rule: "scratch_align", Want: fmt.Sprintf("an address that is a multiple of %d", Alignment), Found: fmt.Sprintf("%#x", seen.Addr), Code: fault.InvalidProgram}
		}
		d.memory.Scratch = append(d.memory.Scratch, located)
		d.job.Regions[r] = Region(seen)
	}
	d.job.Regions[RegionWeights] = d.weights
	return nil
}

// Recover resets the NPU after a run that may still be going on.
func (d *delegate) Recover(ctx context.Context) error {
	if !d.unwell {
		return nil
	}
	if err := d.backend.npu.Reset(ctx); err != nil {
		return fmt.Errorf("%w: reset failed: %w", executor.ErrDeviceBusy, err)
	}
	d.unwell = false
	return nil
}

// ready loads the network, resetting the NPU before if it may still be running.
func (d *delegate) ready(s *executor.Scope) error {
	if err := d.Recover(s.Context()); err != nil {
		return err
	}
	if d.loaded != nil {
		return nil
	}
	d.reach = hal.NewReach(s.Board(), Device)
	d.memory.Constants = d.memory.Constants[:0]
	for _, b := range [][]byte{d.blob.Commands.Payload, d.blob.Weights} {
		located, seen, err := d.reach.See(hal.Region{Bytes: b, Pool: hal.NoPool})
		if err != nil {
			return fault.Under("weights", err)
		}
		d.memory.Constants = append(d.memory.Constants, located)
		d.weights = Region(seen) // the last one
	}
	loaded, err := d.backend.npu.Load(Network{Commands: d.blob.Commands, Weights: d.weights, Inputs: d.blob.Inputs})
	if err != nil {
		return err
	}
	d.loaded = loaded
	return nil
}

// run brings the caches in step and runs the job.
func (d *delegate) run(ctx context.Context) error {
	b := d.reach.Board()
	if b != nil {
		if err := d.memory.Before(b); err != nil {
			return err
		}
	}
	if err := d.loaded.Submit(&d.job); err != nil {
		return err
	}
	counted, err := d.loaded.Wait(ctx)
	if err != nil {
		if errors.Is(err, ErrTimeout) || ctx.Err() != nil {
			d.unwell = true
			return fmt.Errorf("%w: %w", executor.ErrDeviceBusy, err)
		}
		return err
	}
	d.cycles = counted
	if b != nil {
		return d.memory.After(b)
	}
	return nil
}

// Close releases the network.
func (d *delegate) Close() error {
	if d.loaded == nil {
		return nil
	}
	if err := d.Recover(context.Background()); err != nil {
		return err
	}
	err := d.loaded.Close()
	d.loaded = nil
	return err
}
