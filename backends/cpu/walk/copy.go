package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Copy moves elements into an output as a View says, converting where the types differ: the whole of permute, slice,
// expand, cast and change of dim order. It is the state of a call site; Run allocates nothing.
//
// The elements that the view touches must lie inside the source: the caller has checked sizes and bounds.
type Copy struct {
	View View

	out, in *executor.Tensor
	load    Load
	from    executor.DType
	to      executor.DType
	parts   int
}

// Plan sets the copy up for the View that the caller has filled in and merged. from is the type that in's bytes are taken
// for, which is its own but for parts of complex numbers.
func (c *Copy) Plan(out, in *executor.Tensor, from executor.DType) error {
	c.out, c.in = out, in
	if c.load == nil || c.from != from || c.to != out.DType {
		c.from, c.to = from, out.DType
		if c.load = Loader(c.from, c.to); c.load == nil {
			return arg.NoConversion(c.from, c.to)
		}
	}
	c.parts = Parts(c.View.N)
	return nil
}

// Run does the copy.
func (c *Copy) Run(s *executor.Scope) error {
	switch {
	case c.View.N == 0:
	case c.View.Packed() && c.from == c.to && c.parts == 1:
		size := c.to.Size()
		copy(c.out.Data, c.in.Data[c.View.Base*size:])
	case c.parts == 1:
		c.Do(0)
	default:
		s.Parallel(c.parts, c)
	}
	return nil
}

// Do does one part; it is called by the worker pool.
func (c *Copy) Do(part int) {
	lo, hi := Part(c.View.N, c.parts, part, 64)
	if lo == hi {
		return
	}
	var cur Cursor
	c.View.Seek(&cur, lo)
	size := c.to.Size()
	c.View.Gather(&cur, c.load, c.out.Data[lo*size:hi*size], c.in.Data, size, hi-lo)
}
