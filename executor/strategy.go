package executor

import "github.com/ptero-rt/ptero/memory"

// SetStrategy changes how the method holds its memory, from the next run on. It may be called at any time, by any goroutine.
func (m *Method) SetStrategy(s memory.Strategy) { m.hold.SetStrategy(s) }

// Strategy is the strategy in effect for the next run: the innermost scope's, or the method's own.
func (m *Method) Strategy() memory.Strategy { return m.hold.Strategy() }

// Holding is the method's memory, for scopes of strategies (memory.Space.With) and to prewarm, trim or recover it.
func (m *Method) Holding() *memory.Holding { return m.hold }

// ReleaseOutputs says that nobody looks at the outputs of the last run any more: under a strategy that leases memory it
// goes back now, and not with the next run.
func (m *Method) ReleaseOutputs() { m.hold.Unpin() }
