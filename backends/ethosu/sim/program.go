package sim

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"time"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/sim/cycles"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/internal/workers"
)

// Program is a network that a simulator has loaded: one step for each operation, its decoded weights, and the buffers.
// It runs one job at a time and is used by one goroutine at a time.
type Program struct {
	stream  *stream.Stream
	steps   []step // by operation; nil: nothing to do
	pool    *workers.Pool
	vector  vector
	size    reserve
	machine *machine // made when the first job has memory for all that the stream touches
	need    [ethosu.RegionCount]uint64
	weights []byte // region 0, as the decoded weights saw it
	hash    uint64 // of weights
	seed    maphash.Seed
	trusted bool   // the same bytes lay there when a job ran
	cycles  uint64 // estimate
	job     *ethosu.Job
}

type step interface{ run(m *machine) error }

// ErrNotSupported marks what the simulator refuses because no compiler is known to emit it.
var ErrNotSupported = errors.New("not simulated")

// maxOperations ends streams whose branches never reach the end.
const maxOperations = 1 << 22

// LoadProgram is Load with the simulator's own type.
func (s *Simulator) LoadProgram(n ethosu.Network) (*Program, error) {
	if want := s.options.Accelerator; want != (stream.Accelerator{}) && want != n.Commands.Accelerator {
		return nil, fmt.Errorf("ethos-u simulator: want a stream for %s, have one for %s", want, n.Commands.Accelerator)
	}
	decoded, err := stream.Decode(n.Commands.Accelerator, n.Commands.Stream)
	if err != nil {
		return nil, err
	}
	p := &Program{stream: decoded, steps: make([]step, len(decoded.Ops)), need: decoded.RegionBytes(), weights: n.Weights.Bytes}
	var size reserve
	var faults []error
	var last *kernelStep
	for i := range decoded.Ops {
		op := &decoded.Ops[i]
		if err := supported(op, decoded.Accelerator); err != nil {
			faults = append(faults, fmt.Errorf("%s at byte %d of the stream: %w", op.Kind, op.Offset, err))
			continue
		}
		switch {
		case op.Kernel != nil:
			k := newKernelStep(op, decoded.Accelerator.Product)
			if !s.general {
				k.fast.plan(k)
			}
			p.steps[i] = k
			if last != nil && op.Kernel.AccInput == stream.AccKeep {
				last.keep = true
				size.add(last)
			}
			last = k
			size.add(k)
			p.prepare(k, i)
		case op.Transfer != nil:
			p.steps[i] = &dmaStep{op, op.Transfer}
		}
	}
	if s.options.Strict && len(faults) == 0 {
		faults = inspect(p, n)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	p.hash = maphash.Bytes(s.seed, p.weights)
	p.seed = s.seed
	system, mode := cycles.DefaultSystem(decoded.Accelerator)
	p.cycles = cycles.Estimate(decoded, system, mode).Total
	p.pool, p.vector, p.size = s.pool, s.vector, size
	return p, nil
}

// prepare makes the slots of an operation and decodes what the weights region determines. What does not decode is tried
// again when a job runs: a device may not see its memory as it will be before the first job's cache maintenance.
func (p *Program) prepare(k *kernelStep, op int) {
	acc := p.stream.Accelerator
	if len(k.k.Weights) > 0 {
		shape := weightShape{oc: k.k.OFM.Depth, kh: k.k.Window.TapsY(), kw: k.k.Window.TapsX(), ic: k.k.IFM.Depth}
		if k.op.Kind == stream.Depthwise {
			shape.ic, shape.depthwise = 1, true
		}
		k.weights = &weightSlot{encoded: encoded{spans: k.k.Weights}, order: weightOrder{weightShape: shape, kernel: k.k, acc: acc}}
		if found := origin(p.stream.Ops, op, k.k.Weights, p.weights); found != nil {
			_ = k.weights.decode(found)
		}
	}
	if len(k.k.Scales) > 0 {
		k.scales = &scaleSlot{encoded: encoded{spans: k.k.Scales}, kernel: k.k, product: acc.Product}
		if found := origin(p.stream.Ops, op, k.k.Scales, p.weights); found != nil {
			_ = k.scales.decode(found)
		}
	}
	k.fast.adopt()
}

// see forgets what was decoded from region 0 if a job brings other bytes there. They are looked at when they lie
// elsewhere than before, and at the first job.
func (p *Program) see(weights []byte) {
	same := len(weights) == len(p.weights) && (len(weights) == 0 || &weights[0] == &p.weights[0])
	if same && p.trusted {
		return
	}
	p.weights, p.trusted = weights, true
	if h := maphash.Bytes(p.seed, weights); h != p.hash {
		p.hash = h
		for _, s := range p.steps {
			if k, ok := s.(*kernelStep); ok {
				k.forget()
			}
		}
	}
}

// Stream returns the decoded command stream.
func (p *Program) Stream() *stream.Stream { return p.stream }

// Submit checks that the job's regions hold all that the stream touches. The job runs in Wait.
func (p *Program) Submit(job *ethosu.Job) error {
	for r, need := range p.need {
		if have := uint64(len(job.Regions[r].Bytes)); have < need {
			return fmt.Errorf("ethos-u simulator: region %d: want at least %d bytes, have %d", r, need, have)
		}
	}
	if p.machine == nil {
		p.machine = newMachine(p.pool, p.vector, p.stream.Accelerator, p.size)
	}
	p.job = job
	return nil
}

// Wait runs the submitted job. It looks at ctx between operations.
func (p *Program) Wait(ctx context.Context) (ethosu.Counters, error) {
	if p.job == nil {
		return ethosu.Counters{}, errors.New("ethos-u simulator: want a submitted job, have none")
	}
	m := p.machine
	for r := range m.regions {
		m.regions[r] = p.job.Regions[r].Bytes
	}
	p.see(m.regions[ethosu.RegionWeights])
	deadline := time.Time{}
	if p.job.Timeout > 0 {
		deadline = time.Now().Add(p.job.Timeout)
	}
	p.job = nil
	ops := p.stream.Ops
	for at, count := 0, 0; at < len(ops); at, count = at+1, count+1 {
		op := &ops[at]
		if err := ctx.Err(); err != nil {
			return ethosu.Counters{}, fmt.Errorf("ethos-u simulator: stopped at byte %d of the stream: %w", op.Offset, err)
		}
		if !deadline.IsZero() && time.Now().After(deadline) {
			return ethosu.Counters{}, fmt.Errorf("ethos-u simulator: stopped at byte %d of the stream: %w", op.Offset, ethosu.ErrTimeout)
		}
		if count == maxOperations {
			return ethosu.Counters{}, fmt.Errorf("ethos-u simulator: want an end within %d operations", maxOperations)
		}
		if op.Kind == stream.Stop {
			break
		}
		if op.Kind == stream.Branch && (op.Param&1 == 0 || m.flag) {
			at = op.Target - 1
			continue
		}
		if err := p.step(at); err != nil {
			return ethosu.Counters{}, err
		}
	}
	return ethosu.Counters{Cycles: p.cycles, Estimated: true}, nil
}

func (p *Program) step(i int) error {
	s := p.steps[i]
	if s == nil {
		return nil
	}
	if k, ok := s.(*kernelStep); ok {
		if err := k.refresh(p.machine); err != nil {
			return err
		}
	}
	return s.run(p.machine)
}

// Close frees nothing that the garbage collector does not.
func (p *Program) Close() error { return nil }
