package sim

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/sim/cycles"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

var _ ethosu.Costed = (*Program)(nil)

// Costs estimates each operator of the stream for a system configuration and memory mode of Vela, by name; empty names
// stand for those that ExecuTorch compiles for.
func (p *Program) Costs(systemConfig, memoryMode string) ([]ethosu.Cost, float64, error) {
	system, mode := cycles.DefaultSystem(p.stream.Accelerator)
	var err error
	if systemConfig != "" {
		if system, err = cycles.SystemNamed(systemConfig); err != nil {
			return nil, 0, err
		}
	}
	if memoryMode != "" {
		if mode, err = cycles.ParseMemoryMode(memoryMode); err != nil {
			return nil, 0, err
		}
	}
	report := cycles.Estimate(p.stream, system, mode)
	list := make([]ethosu.Cost, len(report.Operators))
	for i, o := range report.Operators {
		c := &list[i]
		c.Name, c.Cycles = name(&p.stream.Ops[o.Ops[0]], len(o.Ops)), uint64(math.Round(o.Total))
		for _, t := range o.Ports {
			c.BytesRead, c.BytesWritten = c.BytesRead+t.Read, c.BytesWritten+t.Written
		}
	}
	return list, system.ClockHz, nil
}

var poolNames = [...]string{"MaxPool", "AvgPool", "ReduceSum", "Sum", "Copy", "MinPool", "ArgMaxX", "ArgMaxY"}

// name describes an operation: what it does, its output and the number of commands that it takes.
func name(op *stream.Op, commands int) string {
	k := op.Kernel
	what := op.Kind.String()
	switch op.Kind {
	case stream.Pool:
		what = poolNames[k.Pool&7]
	case stream.Elementwise:
		what = k.Elementwise.String()
	}
	if k.Window.Width > 1 || k.Window.Height > 1 {
		what += fmt.Sprintf(" %dx%d", k.Window.TapsY(), k.Window.TapsX())
	}
	what += fmt.Sprintf(" to %dx%dx%d", k.OFM.Height, k.OFM.Width, k.OFM.Depth)
	if commands > 1 {
		what += fmt.Sprintf(" in %d parts", commands)
	}
	return what
}
