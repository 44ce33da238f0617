package ethosu

import (
	"errors"
	"fmt"
	"time"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// BackendID is how programs name the delegate.
const BackendID = "EthosUBackend"

// Device is the kind of device that pools name for Ethos-U.
const Device = "ethos-u"

// Alignment is what the NPU wants of region bases and of the command stream (ethos-u-core-driver 1.0, src/ethosu_driver.c).
const Alignment = 16

// DefaultTimeout bounds a run where neither options nor compile specs do, as ExecuTorch's Linux backend does.
const DefaultTimeout = 60 * time.Second

// Options change how delegates run; the zero value is the default.
type Options struct {
	Timeout time.Duration // of a run without a compile spec of its own; 0 means DefaultTimeout
	// Unchanged hears of an output whose bytes a run left as they were, which on hardware hints at a wrong region or a
	// missing invalidate; nil: nobody looks. It is called between the run and the copy to the caller.
	Unchanged func(method string, output int)
}

// Backend makes delegates that run on one NPU. Several goroutines may use it.
type Backend struct {
	npu     NPU
	options Options
}

// NewBackend returns a backend for npu, which it closes when it is closed, after all methods linked against it.
func NewBackend(npu NPU, o Options) *Backend {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	return &Backend{npu: npu, options: o}
}

// ID is the delegate's name in programs.
func (b *Backend) ID() string { return BackendID }

// Close closes the NPU.
func (b *Backend) Close() error { return b.npu.Close() }

// Init reads the blob, its command stream and the compile specs. It touches no device.
func (b *Backend) Init(blob executor.Blob) (executor.Delegate, error) {
	parsed, err := Parse(blob.Bytes, LookUpIn(blob.Named))
	if err != nil {
		return nil, invalid(err)
	}
	target, targetErr := ReadTarget(blob.Specs)
	decoded, err := stream.Decode(parsed.Commands.Accelerator, parsed.Commands.Stream)
	if err = errors.Join(targetErr, invalid(err)); err != nil {
		return nil, err
	}
	d := &delegate{backend: b, blob: parsed, target: target, method: blob.Method, bytes: decoded.RegionBytes()}
	d.job.Timeout = b.options.Timeout
	if target.Timeout > 0 {
		d.job.Timeout = target.Timeout
	}
	if err := d.checkRegions(decoded); err != nil {
		return nil, err
	}
	d.arity = executor.Arity{In: len(parsed.Inputs), Out: len(parsed.Outputs), Forms: d.forms()}
	return d, nil
}

// invalid gives errors of the container and the stream ExecuTorch's number for a damaged program.
func invalid(err error) error {
	if err == nil {
		return nil
	}
	var list []error
	for _, e := range fault.All(err) {
		list = append(list, &fault.Error{Code: fault.InvalidProgram, Err: e})
	}
	return errors.Join(list...)
}

// checkRegions holds what the stream touches against what the container says the regions have. Regions that only a
// compiler with separate input and output regions fills have no memory here.
func (d *delegate) checkRegions(decoded *stream.Stream) error {
	var errs []error
	bad := func(rule, want, found string) {
		errs = append(errs, &fault.Error{Rule: rule, Want: want, Found: found, Code: fault.InvalidProgram})
	}
	aligned := func(what string, b []byte) {
		if n := past(b); n > 0 {
			bad("blob_align", fmt.Sprintf("%s at a multiple of %d", what, Alignment), fmt.Sprintf("%d B at an address that is %d past one", len(b), n))
		}
	}
	aligned("commands", d.blob.Commands.Payload)
	if d.bytes[RegionWeights] > 0 {
		aligned("weights", d.blob.Weights)
	}
	if n := d.bytes[RegionWeights]; n > uint64(len(d.blob.Weights)) {
		bad("region_bounds", fmt.Sprintf("a stream within the weights of %d B", len(d.blob.Weights)), fmt.Sprintf("one that reaches byte %d", n))
	}
	if n := d.bytes[RegionScratch]; n > d.blob.ScratchBytes {
		bad("region_bounds", fmt.Sprintf("a stream within the scratch of %d B", d.blob.ScratchBytes), fmt.Sprintf("one that reaches byte %d", n))
	}
	if op := writer(decoded, RegionWeights); op != nil {
		bad("region_readonly", "weights that the stream only reads", fmt.Sprintf("a %s at byte %d of it that writes them", op.Kind, op.Offset))
	}
	for r := RegionFastScratch + 1; r < RegionCount; r++ {
		if d.bytes[r] > 0 {
			bad("region_unknown", "a stream that uses regions 0 to 2", fmt.Sprintf("%d B of region %d", d.bytes[r], r))
		}
	}
	for i, t := range append(append([]Tensor{}, d.blob.Inputs...), d.blob.Outputs...) {
		switch {
		case t.Region == RegionFastScratch:
			d.bytes[t.Region] = max(d.bytes[t.Region], t.Offset+t.Bytes())
		case t.Region > RegionFastScratch:
			bad("region_unknown", "tensors in regions 1 and 2", fmt.Sprintf("tensor %d in region %d", i, t.Region))
		}
	}
	return errors.Join(errs...)
}

// writer finds the first operation that writes to a region.
func writer(s *stream.Stream, region uint8) *stream.Op {
	for i := range s.Ops {
		for _, a := range s.Ops[i].Accesses() {
			if a.Write && !a.Tables && a.Region == region {
				return &s.Ops[i]
			}
		}
	}
	return nil
}

// forms lists the trailing arguments that a call may have: none, the scratch, the scratch and the fast scratch. The size of
// the fast scratch is not in the container; it is what the stream touches.
func (d *delegate) forms() [][]executor.Scratch {
	scratch := executor.Scratch{Role: "scratch", Size: d.blob.ScratchBytes, Align: Alignment, Class: d.scratchClass(), Device: Device}
	fast := executor.Scratch{Role: "fast_scratch", Size: d.bytes[RegionFastScratch], Align: Alignment, Class: hal.SRAM, Device: Device}
	return [][]executor.Scratch{nil, {scratch}, {scratch, fast}}
}

// scratchClass is the memory that the memory mode wants for the scratch: SRAM unless a fast scratch stands in front of
// slower memory (Vela, vela.ini of ethos-u-vela 5.1).
func (d *delegate) scratchClass() hal.Class {
	if d.target.dedicated() || d.target.MemoryMode == "" {
		return hal.AnyClass
	}
	return hal.SRAM
}

// needs states what a call with a form of trailing arguments does not bring.
func (d *delegate) needs(form int) []memory.Need {
	var needs []memory.Need
	if form < 1 && d.blob.ScratchBytes > 0 {
		needs = append(needs, memory.Need{Role: "scratch", Place: memory.Temp, Bytes: d.blob.ScratchBytes, Align: Alignment, Class: d.scratchClass(), Device: Device})
	}
	if n := d.bytes[RegionFastScratch]; form < 2 && n > 0 {
		needs = append(needs, memory.Need{Role: "fast_scratch", Place: memory.Fast, Bytes: n, Align: Alignment, Class: hal.SRAM, Device: Device})
	}
	return needs
}
