package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Cast is the conversion of a call site, which is found again only where types change: Loader may allocate.
type Cast struct {
	From, To executor.DType
	Load     Load // nil until Set
}

// Set finds the conversion between two types, or says that there is none.
func (c *Cast) Set(from, to executor.DType) error {
	if c.Load != nil && c.From == from && c.To == to {
		return nil
	}
	c.From, c.To = from, to
	if c.Load = Loader(from, to); c.Load == nil {
		return arg.NoConversion(from, to)
	}
	return nil
}

// Same says whether elements stay as they are.
func (c *Cast) Same() bool { return c.From == c.To }
