package driver

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/internal/fault"
)

// layout is where the parts of a job lie in one driver allocation.
type layout struct {
	microcode, weights, kernels part
	inputs, outputs             []part
	scratch, profile            part
	debug, sram                 part
	total                       uint64
}

type part struct{ offset, size uint64 }

// layout reads the sizes of a job from the microcode. On drivers that read
// memory where it lies the total is 0.
func (n *NPU) layout(m nxp.Model) (l layout, err error) {
	header, err := nxp.ParseMicrocode(m.Microcode)
	if err != nil || !n.owned {
		// A microcode whose I/O sizes are unreadable may still run in place.
		if header == nil && !n.owned {
			err = nil
		}
		return layout{}, err
	}
	in, out, err := header.IOBytes()
	if err != nil {
		return layout{}, err
	}
	place := func(size uint64) part {
		p := part{l.total, size}
		l.total += (size + nxp.Alignment - 1) &^ (nxp.Alignment - 1)
		return p
	}
	l.microcode, l.weights, l.kernels = place(uint64(len(m.Microcode))), place(uint64(len(m.Weights))), place(uint64(len(m.Kernels)))
	for _, size := range in {
		l.inputs = append(l.inputs, place(uint64(size)))
	}
	for _, size := range out {
		l.outputs = append(l.outputs, place(uint64(size)))
	}
	l.scratch, l.profile = place(uint64(header.ScratchBytes)), place(uint64(header.ProfileBytes))
	l.debug, l.sram = place(uint64(header.DebugBytes)), place(uint64(header.SRAMScratchBytes))
	// The kernel driver counts job offsets in 31 bits.
	if l.total >= 1<<31 {
		return layout{}, fault.New(fault.MemoryAllocationFailed, "neutron driver buffer", "less than 2 GiB", fault.Bytes(l.total))
	}
	return l, nil
}

// buffer is one driver allocation that holds everything a job touches, as
// Neutron-S under Linux requires.
type buffer struct {
	layout
	bytes []byte
}

// newBuffer allocates the buffer and moves the model into it.
func newBuffer(lib Library, l layout, m *nxp.Model) (*buffer, error) {
	b := &buffer{layout: l, bytes: lib.Alloc(int(l.total))}
	if b.bytes == nil {
		return nil, fault.New(fault.MemoryAllocationFailed, "neutronMemAlloc", fault.Bytes(l.total), "none; enlarge the system's CMA area or run a smaller model")
	}
	for _, part := range []struct {
		at  part
		src *[]byte
	}{{l.microcode, &m.Microcode}, {l.weights, &m.Weights}, {l.kernels, &m.Kernels}} {
		to := b.at(part.at)
		copy(to, *part.src)
		*part.src = to
	}
	if st := lib.Clean(b.bytes); st != 0 {
		b.free(lib)
		return nil, failure("clean_cache", st)
	}
	return b, nil
}

func (b *buffer) at(p part) []byte { return b.bytes[p.offset : p.offset+p.size : p.offset+p.size] }

func (b *buffer) free(lib Library) {
	if b != nil && b.bytes != nil {
		lib.Free(b.bytes)
		b.bytes = nil
	}
}

// load copies the inputs in and points the job at the buffer.
func (b *buffer) load(lib Library, job *nxp.Job) error {
	if len(job.Inputs) != len(b.inputs) || len(job.Outputs) != len(b.outputs) {
		return fault.New(fault.InvalidArgument, "neutron job", fmt.Sprintf("%d inputs and %d outputs", len(b.inputs), len(b.outputs)), fmt.Sprintf("%d and %d", len(job.Inputs), len(job.Outputs)))
	}
	for i, p := range b.inputs {
		to := b.at(p)
		copy(to, job.Inputs[i].Bytes)
		job.Inputs[i].Bytes = to
	}
	for i, p := range b.outputs {
		job.Outputs[i].Bytes = b.at(p)
	}
	job.Scratch.Bytes, job.Profile.Bytes = b.at(b.scratch), b.at(b.profile)
	job.Debug.Bytes, job.SRAMScratch.Bytes = b.at(b.debug), b.at(b.sram)
	return b.clean(lib)
}

// store copies the outputs to where the caller wants them.
func (b *buffer) store(lib Library, job *nxp.Job) error {
	if err := b.clean(lib); err != nil {
		return err
	}
	for i, p := range b.outputs {
		copy(job.Outputs[i].Bytes, b.at(p))
	}
	copy(job.Profile.Bytes, b.at(b.profile))
	copy(job.Debug.Bytes, b.at(b.debug))
	return nil
}

// clean covers everything but the model, which nobody writes.
func (b *buffer) clean(lib Library) error {
	if st := lib.Clean(b.bytes[b.inputs[0].offset:]); st != 0 {
		return failure("clean_cache", st)
	}
	return nil
}
