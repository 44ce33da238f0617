package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// indexPuts write values where index tensors and masks say: into a copy, or in place.
func indexPuts() []executor.Op {
	put := arg.Sign("aten::index_put.out", "self indices values accumulate out")
	over := arg.Sign("aten::index_put_", "self indices values accumulate")
	return []executor.Op{
		site.Planned(put, func() site.Work { return &putCall{sig: put} }),
		site.Planned(over, func() site.Work { return &putCall{sig: over, inPlace: true} }),
	}
}

type putCall struct {
	sig         *arg.Signature
	inPlace     bool
	out, values *executor.Tensor
	x           walk.Index
	copy        walk.Copy
	exchange    *walk.Exchange
}

func (c *putCall) BoundNeeds(args []*executor.Value) []memory.Need {
	positions := 1
	for _, v := range args[1].Items() {
		if v != nil && !v.IsNone() {
			positions = min(walk.Block, positions) * min(walk.Block, elementsAt(v)) // they broadcast
		}
	}
	return walk.IndexNeeds(positions)
}

func (c *putCall) Plan(args []*executor.Value) error {
	sig := c.sig
	r := sig.Read(args)
	self, add := r.Tensor(0), r.Bool(3)
	c.values, c.out = r.Like(2, self), self
	if !c.inPlace {
		c.out = r.Like(r.Out(), self)
	}
	if r.Err != nil {
		return r.Err
	}
	if !c.inPlace {
		if err := copyOf(sig, &c.copy, self, c.out); err != nil {
			return err
		}
	}
	c.exchange = walk.Store(self.DType.Size())
	if add {
		if c.exchange = walk.Add(self.DType); c.exchange == nil {
			return sig.Bad(0, "a type that can be added", self.DType.String())
		}
	}
	c.x.Wrap = true
	if err := pickList(sig, args, &c.x, c.out); err != nil {
		return err
	}
	if c.x.Masks() {
		return nil // shapes depend on data
	}
	return c.lay()
}

// lay broadcasts the values over the places.
func (c *putCall) lay() error {
	sig := c.sig
	var buf, strides [arg.MaxRank]int
	shape, positions, err := c.x.Shape(buf[:])
	if err != nil {
		return fault.Under(sig.Op, err)
	}
	lead := len(shape) - c.values.Rank()
	for d, n := range c.values.Sizes {
		if d+lead < 0 && n == 1 {
			continue
		}
		if d+lead < 0 || n != 1 && n != shape[d+lead] {
			return sig.Bad(2, "a shape that broadcasts to "+arg.List(shape), arg.List(c.values.Sizes))
		}
		if n != 1 {
			strides[d+lead] = c.values.Strides[d]
		}
	}
	c.x.Beside(shape, strides[:], positions)
	return nil
}

func (c *putCall) Run(s *executor.Scope) error {
	if c.x.Masks() {
		if err := c.lay(); err != nil {
			return err
		}
	}
	if !c.inPlace {
		if err := c.copy.Run(s); err != nil {
			return err
		}
	}
	return fault.Under(c.sig.Op, c.x.Run(s, c.exchange, c.out.Data, c.values.Data))
}
