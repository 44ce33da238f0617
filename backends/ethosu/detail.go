package ethosu

import "github.com/ptero-rt/ptero/executor"

// Cost is the estimated cost of one operation of a stream on the NPU.
type Cost struct {
	Name         string
	Cycles       uint64 // NPU cycles with memory access
	BytesRead    uint64
	BytesWritten uint64
}

// Costed is a Loaded that knows what its operations cost, with the memories of a system configuration and memory mode of
// Vela; empty names stand for the defaults of the accelerator. ClockHz is that of the configuration.
type Costed interface {
	Costs(systemConfig, memoryMode string) (costs []Cost, clockHz float64, err error)
}

// Details gives the estimated cost of each operation of the last call, or the cycles that a device counted for all of it.
// It allocates.
func (d *delegate) Details() []executor.Detail {
	c, ok := d.loaded.(Costed)
	if !ok && d.cycles.Cycles > 0 {
		return []executor.Detail{{Name: "NPU", Cycles: d.cycles.Cycles}}
	}
	if !ok {
		return nil
	}
	system, clock := d.target.SystemConfig, 0.0
	if board := d.reach.Board(); board != nil {
		for _, dev := range board.Devices() {
			if d.suits(dev.Kind) {
				clock = float64(dev.ClockHz)
				if system == "" {
					system = dev.SystemConfig
				}
				break
			}
		}
	}
	costs, hz, err := c.Costs(system, d.target.MemoryMode)
	if err != nil {
		return nil
	}
	if clock > 0 {
		hz = clock
	}
	list := make([]executor.Detail, len(costs))
	for i, cost := range costs {
		list[i] = executor.Detail{Name: cost.Name, Cycles: cost.Cycles, BytesRead: cost.BytesRead, BytesWritten: cost.BytesWritten}
		if hz > 0 {
			list[i].EstimatedNanos = float64(cost.Cycles) / hz * 1e9
		}
	}
	return list
}
