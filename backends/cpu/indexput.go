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
	self, err := sig.Tensor(args, 0)
	if err != nil {
		return err
	}
	if c.values, err = sig.Tensor(args, 2); err != nil {
		return err
	}
	add, err := sig.Bool(args, 3)
	if err != nil {
		return err
	}
	if c.values.DType != self.DType {
		return sig.Bad(2, self.DType.String(), c.values.DType.String())
	}
	c.out = self
	if !c.inPlace {
		if c.out, err = sig.Tensor(args, sig.Out()); err != nil {
			return err
		}
		if c.out.DType != self.DType {
			return sig.Bad(sig.Out(), self.DType.String(), c.out.DType.String())
		}
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
	if err := c.x.Run(s, c.exchange, c.out.Data, c.values.Data); err != nil {
		return fault.Under(c.sig.Op, err)
	}
	return nil
}
