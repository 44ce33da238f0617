package memory

import "github.com/ptero-rt/ptero/hal"

// Metrics is what a space counts, taken at one moment.
type Metrics struct {
	Pools   []PoolMetrics   `json:"pools"`
	Methods []MethodMetrics `json:"methods"`
	Waiting int             `json:"waiting"`         // runs that wait for memory
	WaitNs  uint64          `json:"acquire_wait_ns"` // time that runs have waited
}

// PoolMetrics is one pool. Resident is held between runs, Leased only during one; Used is their sum.
type PoolMetrics struct {
	Name        string  `json:"name"`
	Capacity    uint64  `json:"capacity"`
	Used        uint64  `json:"used"`
	UsedPeak    uint64  `json:"used_peak"`
	Resident    uint64  `json:"resident"`
	Leased      uint64  `json:"leased"`
	LeasedPeak  uint64  `json:"leased_peak"`
	LargestHole uint64  `json:"largest_hole"`
	Frag        float64 `json:"frag"` // 1 − largest hole ÷ free
	Acquired    uint64  `json:"acquire_total"`
	Failed      uint64  `json:"fail_total"`
	// Kinds splits Used by what the bytes are for; the shared region counts as activations.
	Kinds map[Kind]uint64 `json:"kinds"`
}

// MethodMetrics is one bound method: bytes it holds while idle and during a run, and the persistent part of them.
type MethodMetrics struct {
	Method     string `json:"method"`
	Strategy   string `json:"strategy"`
	Idle       uint64 `json:"idle_bytes"`
	Run        uint64 `json:"run_bytes"`
	Persistent uint64 `json:"persistent_bytes"`
	Scratch    uint64 `json:"scratch_planned_bytes"`
	Temp       uint64 `json:"temp_bytes"`
	Fast       uint64 `json:"fast_bytes"`
	Generation uint64 `json:"generation"`
}

// Metrics takes the counters.
func (s *Space) Metrics() Metrics {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := Metrics{Waiting: len(s.queue), WaitNs: s.waited}
	for i := range s.ledger.pools {
		m.Pools = append(m.Pools, s.poolMetrics(i))
	}
	for _, h := range s.holdings {
		m.Methods = append(m.Methods, h.metrics())
	}
	return m
}

func (s *Space) poolMetrics(i int) PoolMetrics {
	e := &s.ledger.pools[i]
	p := PoolMetrics{Name: e.pool.Name, Capacity: e.capacity(), Used: e.used, UsedPeak: e.peak, Resident: e.used - e.leased, Leased: e.leased,
		LeasedPeak: e.leasedPeak, Acquired: e.acquired, Failed: e.failed, Kinds: map[Kind]uint64{}}
	var free uint64
	e.holes(func(_, n uint64) { free, p.LargestHole = free+n, max(p.LargestHole, n) })
	if free > 0 {
		p.Frag = 1 - float64(p.LargestHole)/float64(free)
	}
	shares := map[string]bool{}
	for _, h := range s.holdings {
		for j := range h.blocks {
			b := &h.blocks[j]
			if !b.held || b.pool != hal.PoolID(i) || (b.share != "" && shares[b.share]) {
				continue
			}
			shares[b.share] = b.share != ""
			p.Kinds[b.kind] += b.bytes
		}
	}
	if r := &s.ledger.region.parts[i]; r.held {
		p.Kinds[Activations] += r.bytes
	}
	return p
}

func (h *Holding) metrics() MethodMetrics {
	m := MethodMetrics{Method: h.demand.Method, Strategy: h.effective().String(), Generation: h.generation}
	for i := range h.blocks {
		b := &h.blocks[i]
		if b.held {
			m.Idle += b.bytes
		}
		m.Run += b.bytes
		switch {
		case b.role == temp:
			m.Temp += b.bytes
		case b.role == fast:
			m.Fast += b.bytes
		case b.role == piece && b.resident:
			m.Persistent += b.bytes
		}
	}
	for i := range h.demand.Spans {
		if s := &h.demand.Spans[i]; s.Kind == Scratch {
			m.Scratch += s.Bytes
		}
	}
	return m
}
