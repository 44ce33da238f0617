package sim

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/internal/fault"
)

// NPU is a simulated Neutron. It takes N1 and N3 microcode alike.
type NPU struct {
	open  atomic.Int32
	fetch atomic.Pointer[nxp.Fetch]
}

// New returns a simulated NPU.
func New() *NPU { return &NPU{} }

// Reset has nothing to stop: a simulated run ends before Run returns.
func (n *NPU) Reset(context.Context) error { return nil }

// SetFetch makes runs copy weights to SRAM through f, as hardware does for
// microcode that was converted for it. Results do not depend on it.
func (n *NPU) SetFetch(f nxp.Fetch) error {
	n.fetch.Store(&f)
	return nil
}

// Close fails while models are open.
func (n *NPU) Close() error {
	if open := n.open.Load(); open != 0 {
		return fault.New(fault.InvalidState, "neutron simulator", "all models closed first", fmt.Sprintf("%d open", open))
	}
	return nil
}

// Check decodes a model. It takes nothing of the board: what the simulator
// unpacks lies in the memory of its process.
func (n *NPU) Check(m nxp.Model) (resident uint64, err error) {
	_, err = decode(m)
	return 0, err
}

// Prepare decodes and compiles a model. It refuses what it does not know with
// an error that wraps [nxp.ErrUnsupported] and names revision and record.
func (n *NPU) Prepare(m nxp.Model) (nxp.Prepared, error) {
	model, err := Compile(m)
	if err != nil {
		return nil, err
	}
	model.npu = n
	n.open.Add(1)
	return model, nil
}

// Model is a compiled microcode. One goroutine at a time may use it.
type Model struct {
	npu     *NPU
	header  *nxp.Microcode
	in, out []uint32
	weights []byte
	steps   []step
	kernels []nxp.Kernel
	memory  memory
	watch   watch
	timeout time.Duration
	closed  bool
}

// Compile makes a model without an NPU, for tools that look inside.
func Compile(m nxp.Model) (*Model, error) { return compileModel(m, hasAVX2) }

func compileModel(m nxp.Model, simd bool) (*Model, error) {
	s, err := decode(m)
	if err != nil {
		return nil, err
	}
	for i := range s.kernels {
		s.steps = append(s.steps, compile(&s.kernels[i], s.weights, simd))
	}
	return s, nil
}

// decode does all of Compile that can fail.
func decode(m nxp.Model) (*Model, error) {
	header, err := nxp.ParseMicrocode(m.Microcode)
	if err != nil {
		return nil, err
	}
	if uint64(len(m.Weights)) < uint64(header.WeightBytes) {
		return nil, fault.New(fault.InvalidProgram, "neutron weights", fault.Bytes(uint64(header.WeightBytes)), fault.Bytes(uint64(len(m.Weights))))
	}
	s := &Model{header: header, weights: m.Weights[:header.WeightBytes], timeout: m.Timeout}
	if s.timeout <= 0 {
		s.timeout = nxp.DefaultTimeout
	}
	if s.in, s.out, err = header.IOBytes(); err != nil {
		return nil, err
	}
	if s.kernels, err = header.Decode(s.weights); err != nil {
		return nil, err
	}
	room := roomFor(header)
	for i := range s.kernels {
		if err := check(&s.kernels[i], &room); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// footprint is how many bytes the compiled kernel takes: unpacked weights, and a
// copy of the source where it needs a border or is overwritten.
func footprint(k *nxp.Kernel, products uint64) uint64 {
	var bytes uint64
	switch k.Kind {
	case nxp.Pad, nxp.Slice, nxp.Softmax, nxp.GlobalAverage:
		return k.Src.Bytes
	case nxp.MaxPool:
	case nxp.Depthwise, nxp.DepthwiseRow:
		bytes = products * uint64(k.OutC) * 4
	default:
		bytes = products * uint64((k.OutC+group-1)/group) * pairs * 8
	}
	if height, width := frameSize(k); needsFrame(k) {
		bytes += uint64(height) * uint64(width) * uint64(k.InC)
	}
	return bytes + uint64(k.OutC)*24 + uint64(k.OutH+k.OutW)*8
}

// roomFor bounds the memory of a compiled model, so that a microcode whose
// records name the same bytes over and over cannot ask for any amount.
func roomFor(m *nxp.Microcode) uint64 {
	return 16<<20 + 64*(uint64(m.WeightBytes)+uint64(m.MicrocodeBytes)) + min(64*uint64(m.ScratchBytes), 64<<20)
}

// compile makes the step of a kernel.
func compile(k *nxp.Kernel, weights []byte, simd bool) step {
	switch k.Kind {
	case nxp.Depthwise, nxp.DepthwiseRow:
		return newDepthwise(k, weights)
	case nxp.GlobalAverage:
		return newGlobalAverage(k, weights)
	case nxp.MaxPool:
		return newMaxPool(k)
	case nxp.Pad, nxp.Slice:
		return newReshape(k, weights)
	case nxp.Softmax:
		return newSoftmax(k, weights)
	}
	return newDense(k, weights, simd)
}

// check refuses kernels that the simulator's arithmetic or memory cannot take.
// room is what is left for unpacked weights and bordered copies of sources.
func check(k *nxp.Kernel, room *uint64) error {
	refuse := func(want, found string) error {
		return &fault.Error{Path: fmt.Sprintf("neutron record %d (%s)", k.Index, k.Kind), Want: want, Found: found, Code: fault.NotSupported, Err: nxp.ErrUnsupported}
	}
	products := uint64(k.KernelH) * uint64(k.KernelW)
	switch k.Kind {
	case nxp.Conv, nxp.ConvTransposed, nxp.ConvRow, nxp.Pointwise, nxp.FullyConnected:
		products *= uint64(k.InC)
	case nxp.MaxPool, nxp.Pad, nxp.Slice, nxp.Softmax:
		products = 0
	}
	if products > maxProducts {
		return refuse(fmt.Sprintf("at most %d products per output", maxProducts), fmt.Sprint(products))
	}
	need := footprint(k, products)
	if need > *room {
		return refuse(fmt.Sprintf("at most %d B of unpacked weights and frames", *room), fmt.Sprint(need))
	}
	*room -= need
	return nil
}

// Kernels returns the decoded records in order. The caller must not change them.
func (s *Model) Kernels() []nxp.Kernel { return s.kernels }

// Run executes the microcode on the job's memory.
func (s *Model) Run(ctx context.Context, job *nxp.Job) error {
	if s.closed {
		return fault.New(fault.InvalidState, "neutron simulator", "a prepared model", "a closed one")
	}
	if err := s.bind(job); err != nil {
		return err
	}
	if s.npu != nil {
		s.prefetch(job)
	}
	s.watch = watch{ctx: ctx, deadline: time.Now().Add(s.timeout)}
	for i, st := range s.steps {
		st.begin(&s.memory, &s.watch)
		for y := 0; y < st.rows() && s.watch.err == nil; y++ {
			st.row(y)
		}
		if !s.watch.look() {
			return s.stopped(i)
		}
	}
	s.memory = memory{}
	return nil
}

func (s *Model) stopped(i int) error {
	s.memory = memory{}
	return &fault.Error{Path: fmt.Sprintf("neutron record %d of %d", i, len(s.steps)), Code: fault.AccessFailed, Err: s.watch.err}
}

func (s *Model) bind(job *nxp.Job) error {
	var errs []error
	check := func(what string, b []byte, want uint32) {
		if uint64(len(b)) < uint64(want) {
			errs = append(errs, fault.New(fault.InvalidArgument, what, fault.Bytes(uint64(want)), fault.Bytes(uint64(len(b)))))
		}
	}
	if len(job.Inputs) != len(s.in) || len(job.Outputs) != len(s.out) {
		return fault.New(fault.InvalidArgument, "neutron job", fmt.Sprintf("%d inputs and %d outputs", len(s.in), len(s.out)),
			fmt.Sprintf("%d and %d", len(job.Inputs), len(job.Outputs)))
	}
	for i, n := range s.in {
		if uint64(len(job.Inputs[i].Bytes)) < uint64(n) {
			check(fmt.Sprintf("neutron input %d", i), job.Inputs[i].Bytes, n)
		}
	}
	for i, n := range s.out {
		if uint64(len(job.Outputs[i].Bytes)) < uint64(n) {
			check(fmt.Sprintf("neutron output %d", i), job.Outputs[i].Bytes, n)
		}
	}
	check("neutron scratch", job.Scratch.Bytes, s.header.ScratchBytes)
	check("neutron SRAM scratch", job.SRAMScratch.Bytes, s.header.SRAMScratchBytes)
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	s.memory = memory{input: job.Inputs[0].Bytes, output: job.Outputs[0].Bytes, weights: s.weights, scratch: job.Scratch.Bytes}
	return nil
}

// prefetch moves the weights through the SRAM scratch in pieces that fit.
func (s *Model) prefetch(job *nxp.Job) {
	fetch := s.npu.fetch.Load()
	room := job.SRAMScratch.Bytes
	if fetch == nil || s.header.SRAMScratchBytes == 0 || len(room) == 0 {
		return
	}
	for rest := s.weights; len(rest) > 0; {
		n := min(len(rest), len(room))
		(*fetch).Copy(room[:n], rest[:n], 0)
		(*fetch).Wait(0)
		rest = rest[n:]
	}
}

// Close releases the model.
func (s *Model) Close() error {
	if !s.closed && s.npu != nil {
		s.npu.open.Add(-1)
	}
	s.closed = true
	return nil
}
