package walk

import (
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// Place writes a tensor, or a part of it, over a part of an output, converting where the types differ. It is the state of
// a call site; Run allocates nothing.
type Place struct {
	To   View // of the output, over the source's shape: the caller fills in Base and Stride after Start
	From View // of the source: the caller may change Base, and the sizes of both views, to take a part

	blockwise bool // elements are converted in temp memory
	passage
}

// Start begins a plan for the source in.
func (p *Place) Start(in *executor.Tensor) {
	p.in = in
	p.To.Start(in)
	p.From.Start(in)
	copy(p.From.Stride[:], in.Strides)
}

// Cut keeps length indices of dimension d: from start on in the source, and from at on in an output whose stride is
// there already.
func (p *Place) Cut(d, start, at, length int) {
	p.From.Base += start * p.From.Stride[d]
	p.To.Base += at * p.To.Stride[d]
	p.From.Size[d], p.To.Size[d] = length, length
}

// Plan ends it for the output out.
func (p *Place) Plan(out *executor.Tensor) error {
	p.out = out
	if err := p.cast.Set(p.in.DType, out.DType); err != nil {
		return err
	}
	p.path.Lay(&p.To, &p.From, p.cast.To.Size())
	p.blockwise = false
	switch {
	case p.cast.Same():
		p.split(p.path.Parts())
	case p.path.Straight():
		p.split(Parts(p.path.N()))
	default:
		p.split(1)
		p.blockwise = p.n > 0 && !p.one
	}
	return nil
}

// PlaceNeeds is the temp memory that Run takes where types differ, or RunAmong for all places of a call: n is the elements
// of the output.
func PlaceNeeds(n int) []memory.Need { return blocks(16 * min(Block, n)) }

// Run does the copy.
func (p *Place) Run(s *executor.Scope) error {
	var temp []byte
	return p.RunAmong(s, &temp)
}

// RunAmong is Run for one of several places of a call, which share the temp memory that the first in need of it takes.
func (p *Place) RunAmong(s *executor.Scope, temp *[]byte) (err error) {
	if !p.blockwise {
		p.run(s)
		return nil
	}
	if *temp == nil {
		if *temp, err = s.TempBytes(16 * min(Block, p.out.NumElements())); err != nil {
			return err
		}
	}
	p.path.Convert(p.cast.Load, p.out.Data, p.in.Data, 1, 0, *temp)
	return nil
}
