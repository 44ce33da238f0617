package walk

import "github.com/ptero-rt/ptero/executor"

// Copy moves elements into an output as a View says, converting where the types differ: the whole of permute, slice,
// expand, cast and change of dim order. It is the state of a call site; Run allocates nothing.
//
// The elements that the view touches must lie inside the source: the caller has checked sizes and bounds.
type Copy struct {
	View View

	passage
}

// Plan sets the copy up for the View that the caller has filled in and merged. from is the type that in's bytes are taken
// for, which is its own but for parts of complex numbers.
func (c *Copy) Plan(out, in *executor.Tensor, from executor.DType) error {
	c.out, c.in = out, in
	if err := c.cast.Set(from, out.DType); err != nil {
		return err
	}
	packed := View{Rank: c.View.Rank}
	for d, n := c.View.Rank-1, 1; d >= 0; d-- {
		packed.Size[d], packed.Stride[d] = c.View.Size[d], n
		n *= c.View.Size[d]
	}
	c.path.Lay(&packed, &c.View, c.cast.To.Size())
	if c.cast.Same() {
		c.split(c.path.Parts())
	} else {
		c.split(Parts(c.View.N))
	}
	return nil
}

// Run does the copy. The view's base may have changed since Plan.
func (c *Copy) Run(s *executor.Scope) error {
	c.path.From = c.View.Base
	c.run(s)
	return nil
}
