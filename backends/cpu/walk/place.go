package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// Place writes a tensor over a part of an output, converting where the types differ: the part is the elements that To
// sees, in the source's memory order. It is the state of a call site; Run allocates nothing.
type Place struct {
	To View // of the output, over the source's shape: the caller fills in Base and Stride after Start

	from    View
	out, in *executor.Tensor
	load    Load
	was     executor.DType
	to      executor.DType
}

// Start begins a plan for the source in.
func (p *Place) Start(in *executor.Tensor) {
	p.in = in
	p.To.Start(in)
}

// Plan ends it for the output out.
func (p *Place) Plan(out *executor.Tensor) error {
	p.out = out
	if p.load == nil || p.was != p.in.DType || p.to != out.DType {
		p.was, p.to = p.in.DType, out.DType
		if p.load = Loader(p.was, p.to); p.load == nil {
			return arg.NoConversion(p.was, p.to)
		}
	}
	p.from.Start(p.in)
	copy(p.from.Stride[:], p.in.Strides)
	p.from.Merge(p.in.Strides)
	p.To.Merge(p.in.Strides)
	return nil
}

// PlaceNeeds is the temp memory that Run takes.
func PlaceNeeds() []memory.Need { return blocks(16 * Block) }

// Run does the copy.
func (p *Place) Run(s *executor.Scope) error {
	if p.from.N == 0 {
		return nil
	}
	var from, to Cursor
	p.from.Seek(&from, 0)
	p.To.Seek(&to, 0)
	size := p.to.Size()
	if p.was == p.to {
		Transfer(p.out.Data, &p.To, &to, p.in.Data, &p.from, &from, size, p.from.N)
		return nil
	}
	temp, err := s.TempBytes(16 * Block)
	if err != nil {
		return err
	}
	for done := 0; done < p.from.N; done += Block {
		n := min(Block, p.from.N-done)
		p.from.Gather(&from, p.load, temp, p.in.Data, size, n)
		p.To.Scatter(&to, p.out.Data, temp, size, n)
	}
	return nil
}
