package plan

import (
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// Report is what a new plan changes: what `plan --json` prints.
type Report struct {
	Pools       []PoolReport `json:"pools"`
	TotalBefore uint64       `json:"total_before_bytes"`
	TotalAfter  uint64       `json:"total_after_bytes"`
	Aliases     int          `json:"aliases"`
	Scratch     int          `json:"planned_scratch"`
}

// PoolReport is one pool. Bytes are what the largest method wants of arenas and of the temp and fast scratch arenas.
// Traffic is what tensors and scratch in the pool move in one run of all methods, memcpy the part of it that delegates only copy.
type PoolReport struct {
	Name          string  `json:"name"`
	Before        uint64  `json:"before_bytes"`
	After         uint64  `json:"after_bytes"`
	LowerBound    uint64  `json:"lower_bound_bytes"`
	Optimal       bool    `json:"optimal"`
	TrafficBefore uint64  `json:"traffic_before"`
	TrafficAfter  uint64  `json:"traffic_after"`
	MemcpyBefore  uint64  `json:"memcpy_before"`
	MemcpyAfter   uint64  `json:"memcpy_after"`
	Seconds       float64 `json:"seconds"`
}

func report(methods []*method, p *pools) Report {
	r := Report{}
	all, place := p.board.Pools(), p.board.Placement()
	rows := make([]PoolReport, len(all))
	for i := range all {
		rows[i] = PoolReport{Name: all[i].Name, Optimal: true}
	}
	for _, m := range methods {
		before, after := make([]uint64, len(all)), make([]uint64, len(all))
		bound := make([]uint64, len(all))
		for _, a := range m.demand.Arenas {
			if id := place.Arena(a.MemID); int(id) < len(all) {
				before[id] += up(a.Bytes)
				if a.Share != "" {
					after[id] += up(a.Bytes)
					bound[id] += up(a.Bytes)
				}
			}
		}
		addTemp(m, before, place.Temp, memory.Temp, true)
		addTemp(m, before, place.Fast, memory.Fast, true)
		strip := len(m.items) == 0 || !m.hasTrailing()
		addTemp(m, after, place.Temp, memory.Temp, strip)
		addTemp(m, after, place.Fast, memory.Fast, strip)
		addTemp(m, bound, place.Temp, memory.Temp, strip)
		addTemp(m, bound, place.Fast, memory.Fast, strip)
		for i, id := range p.ids {
			after[id] += up(m.plan.Pools[i].Height)
			bound[id] += up(m.plan.Pools[i].LowerBound)
			rows[id].Optimal = rows[id].Optimal && m.plan.Pools[i].Optimal
			rows[id].Seconds += m.took.Seconds()
		}
		for i := range rows {
			rows[i].Before, rows[i].After, rows[i].LowerBound = max(rows[i].Before, before[i]), max(rows[i].After, after[i]), max(rows[i].LowerBound, bound[i])
		}
		m.traffic(p, rows)
		r.Aliases += len(m.aliases)
		for i := range m.items {
			if m.items[i].call >= 0 {
				r.Scratch++
			}
		}
	}
	for i := range rows {
		if w := &rows[i]; w.Before > 0 || w.After > 0 {
			r.Pools = append(r.Pools, *w)
			r.TotalBefore, r.TotalAfter = r.TotalBefore+w.Before, r.TotalAfter+w.After
		}
	}
	if r.Pools == nil {
		r.Pools = []PoolReport{}
	}
	return r
}

func up(n uint64) uint64 { return (n + 15) &^ 15 }

func (m *method) hasTrailing() bool {
	for i := range m.items {
		if m.items[i].call >= 0 {
			return true
		}
	}
	return false
}

// addTemp adds the peak of what calls want of an arena that the file does not plan; delegates' scratch only where it is
// still hidden.
func addTemp[P ~uint8](m *method, pools []uint64, id P, place memory.Place, scratch bool) {
	if int(id) >= len(pools) {
		return
	}
	var peak uint64
	for _, c := range m.demand.Calls {
		var sum uint64
		for _, n := range c.Needs {
			if n.Place == place && (scratch || n.Device == "") {
				sum += up(n.Bytes)
			}
		}
		peak = max(peak, sum)
	}
	pools[id] += peak
}

// traffic adds the bytes that tensors of the method move, and those that delegates copy in and out of their scratch.
func (m *method) traffic(p *pools, rows []PoolReport) {
	place := p.board.Placement()
	for i := range m.items {
		it := &m.items[i]
		moved := it.traffic[0].Read + it.traffic[0].Write
		rows[p.ids[m.plan.Pool[i]]].TrafficAfter += moved
		if it.Offset == unplanned {
			if int(place.Temp) < len(rows) {
				rows[place.Temp].TrafficBefore += moved
			}
		} else if id := place.Arena(it.MemID); int(id) < len(rows) {
			rows[id].TrafficBefore += moved
		}
	}
	for c := range m.calls {
		call := &m.calls[c]
		a, ok := call.Delegate.(executor.Aliaser)
		if !ok {
			continue
		}
		for arg, v := range call.Args[:call.Arity.In+call.Arity.Out] {
			it := m.itemOf(int(v))
			if it < 0 {
				continue
			}
			if _, _, plain := a.ScratchOffset(arg); plain && m.inPlace(c, arg) {
				if id := place.Arena(m.items[it].MemID); int(id) < len(rows) && !m.wasInPlace(call, a, arg) {
					rows[id].MemcpyBefore += m.items[it].Bytes
				}
				continue
			}
			if id := place.Arena(m.items[it].MemID); int(id) < len(rows) {
				rows[id].MemcpyBefore += m.items[it].Bytes
			}
			rows[p.ids[m.plan.Pool[it]]].MemcpyAfter += m.items[it].Bytes
		}
	}
}

// inPlace says whether the new plan has an argument where the scratch expects it.
func (m *method) inPlace(call, arg int) bool {
	for _, a := range m.aliases {
		if a.call == call && a.arg == arg {
			return true
		}
	}
	return false
}

// wasInPlace says whether the file had it there already.
func (m *method) wasInPlace(c *executor.DelegateCall, a executor.Aliaser, arg int) bool {
	k, offset, ok := a.ScratchOffset(arg)
	at := c.Arity.In + c.Arity.Out + k
	if !ok || at >= len(c.Args) {
		return false
	}
	var t, s *memory.Buffer
	for i := range m.demand.Spans {
		switch b := &m.demand.Spans[i]; b.Values[0] {
		case int(c.Args[arg]):
			t = b
		case int(c.Args[at]):
			s = b
		}
	}
	return t != nil && s != nil && t.MemID == s.MemID && t.Offset == s.Offset+offset
}
