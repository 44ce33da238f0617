package executor

import (
	"github.com/ptero-rt/ptero/internal/workers"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// DefaultBudget is how many instructions one run may take when Config does not say, as in ExecuTorch
// (runtime/executor/method.cpp at cff6f4dd).
const DefaultBudget = 10_000_000

// Config is what a program is linked against. It is read during Link and may be shared by any number of programs.
type Config struct {
	Ops      Ops
	Backends []Backend
	Data     []*pte.TensorData // external data (`.ptd`); a key may be in one of them only
	Workers  *workers.Pool     // cores for parallel kernels; nil: the calling goroutine alone. Belongs to the caller
	Budget   int               // instructions that one run may take; 0 means DefaultBudget
	Strategy memory.Strategy   // how the method begins to hold its memory
}

func (c *Config) backend(id string) Backend {
	for _, b := range c.Backends {
		if b.ID() == id {
			return b
		}
	}
	return nil
}
