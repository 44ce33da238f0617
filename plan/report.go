package plan

import (
	"slices"
	"strings"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
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
	Optimal       bool    `json:"optimal"` // no plan that keeps each buffer in its pool is lower
	TrafficBefore uint64  `json:"traffic_before"`
	TrafficAfter  uint64  `json:"traffic_after"`
	MemcpyBefore  uint64  `json:"memcpy_before"`
	MemcpyAfter   uint64  `json:"memcpy_after"`
	Seconds       float64 `json:"seconds"` // solving took, all pools together
}

func report(methods []*method, p *pools) Report {
	r := Report{Pools: []PoolReport{}}
	all := p.board.Pools()
	rows := make([]PoolReport, len(all))
	for i := range all {
		rows[i] = PoolReport{Name: all[i].Name, Optimal: true}
	}
	for _, m := range methods {
		before, after, bound := m.before(p), m.after(p), m.bound(p)
		for i := range rows {
			w := &rows[i]
			w.Before, w.After, w.LowerBound = max(w.Before, before[i]), max(w.After, after[i]), max(w.LowerBound, bound[i])
			w.Seconds += m.took.Seconds()
		}
		for i, id := range p.ids {
			rows[id].Optimal = rows[id].Optimal && m.plan.Pools[i].Optimal
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
	return r
}

func up(n uint64) uint64 { return (n + 15) &^ 15 }

func sum(list []uint64) (n uint64) {
	for _, x := range list {
		n += x
	}
	return n
}

// before gives the bytes of each pool of the board that the file as it is wants.
func (m *method) before(p *pools) []uint64 {
	list := make([]uint64, len(p.board.Pools()))
	place := p.board.Placement()
	for _, a := range m.demand.Arenas {
		if id := place.Arena(a.MemID); int(id) < len(list) {
			list[id] += up(a.Bytes)
		}
	}
	m.addTemp(list, place, false)
	return list
}

// after is before for the new plan.
func (m *method) after(p *pools) []uint64 {
	list := m.beside(p)
	for i, id := range p.ids {
		list[id] += up(m.plan.Pools[i].Height)
	}
	return list
}

// bound is a lower bound of after with the pools that were chosen.
func (m *method) bound(p *pools) []uint64 {
	list := m.beside(p)
	for i, id := range p.ids {
		list[id] += up(m.plan.Pools[i].LowerBound)
	}
	return list
}

// beside is the part of after that is not in the plan: state that methods share, and what calls need beside it.
func (m *method) beside(p *pools) []uint64 {
	list := make([]uint64, len(p.board.Pools()))
	place := p.board.Placement()
	for _, a := range m.demand.Arenas {
		if id := place.Arena(a.MemID); a.Share != "" && int(id) < len(list) {
			list[id] += up(a.Bytes)
		}
	}
	m.addTemp(list, place, true)
	return list
}

// addTemp adds the peaks of the temp and the fast scratch arena to the pools that hold them: in the new plan or in the file.
func (m *method) addTemp(pools []uint64, place hal.Placement, after bool) {
	temp, fast := m.peaks(m.items, after)
	if int(place.Temp) < len(pools) {
		pools[place.Temp] += temp
	}
	if int(place.Fast) < len(pools) {
		pools[place.Fast] += fast
	}
}

// peaks gives the bytes that the temp and the fast scratch arena must have: with the scratch among items planned, or as the
// file has it.
func (m *method) peaks(items []item, after bool) (tempBytes, fastBytes uint64) {
	temp, fast := map[int]uint64{}, map[int]uint64{} // by instruction
	add := func(instruction int, at memory.Place, n uint64) {
		switch at {
		case memory.Temp:
			temp[instruction] += up(n)
		case memory.Fast:
			fast[instruction] += up(n)
		}
	}
	planned := map[int][]string{} // roles that the new plan holds, by instruction
	if after {
		for i := range items {
			if it := &items[i]; it.call >= 0 {
				at := m.calls[it.call].Instruction
				planned[at] = append(planned[at], it.role)
			}
		}
	}
	call := map[int]*executor.DelegateCall{}
	for i := range m.calls {
		c := &m.calls[i]
		call[c.Instruction] = c
		if after && c.Form != 0 && planned[c.Instruction] == nil { // stripped: it comes back
			for _, s := range c.Arity.Forms[c.Form] {
				at := memory.Temp
				if strings.HasPrefix(s.Role, "fast") {
					at = memory.Fast
				}
				add(c.Instruction, at, s.Size)
			}
		}
	}
	for i := range m.demand.Calls {
		c := &m.demand.Calls[i]
		for _, n := range c.Needs {
			if d := call[c.Instruction]; d == nil || !holds(d, planned[c.Instruction], n.Role) {
				add(c.Instruction, n.Place, n.Bytes)
			}
		}
	}
	peak := func(m map[int]uint64) (most uint64) {
		for _, n := range m {
			most = max(most, n)
		}
		return most
	}
	return peak(temp), peak(fast)
}

// holds says whether planned roles of a call have the bytes that the call would want for a role: by name, or as one block
// for all, which is a role that no longer form has.
func holds(c *executor.DelegateCall, planned []string, role string) bool {
	if slices.Contains(planned, role) || len(planned) != 1 {
		return slices.Contains(planned, role)
	}
	has := func(f []executor.Scratch, role string) bool {
		return slices.ContainsFunc(f, func(s executor.Scratch) bool { return s.Role == role })
	}
	return slices.ContainsFunc(c.Arity.Forms, func(f []executor.Scratch) bool { return has(f, role) && !has(f, planned[0]) })
}

// operatorsWantTemp says whether any instruction needs temporary memory that is no delegate's scratch.
func (m *method) operatorsWantTemp() bool {
	return slices.ContainsFunc(m.demand.Calls, func(c memory.Call) bool {
		return slices.ContainsFunc(c.Needs, func(n memory.Need) bool { return n.Place == memory.Temp && n.Device == "" && n.Bytes > 0 })
	})
}

// traffic adds the bytes that tensors of the method move, and those that delegates copy in and out of their scratch.
func (m *method) traffic(p *pools, rows []PoolReport) {
	place := p.board.Placement()
	row := func(id hal.PoolID) *PoolReport {
		if int(id) < len(rows) {
			return &rows[id]
		}
		return new(PoolReport)
	}
	of := map[int]int{} // item of a tensor
	for i := range m.items {
		it := &m.items[i]
		moved := it.traffic.Read + it.traffic.Write
		row(p.ids[m.plan.Pool[i]]).TrafficAfter += moved
		if it.MemID == 0 {
			row(place.Temp).TrafficBefore += moved
		} else {
			row(place.Arena(it.MemID)).TrafficBefore += moved
		}
		if it.call < 0 {
			of[it.value] = i
		}
	}
	for c := range m.calls {
		call := &m.calls[c]
		a, ok := call.Delegate.(executor.Aliaser)
		if !ok {
			continue
		}
		for arg, v := range call.Args[:own(call)] {
			i, moves := of[int(v)]
			if !moves {
				continue
			}
			it := &m.items[i]
			before, after := row(place.Arena(it.MemID)), row(p.ids[m.plan.Pool[i]])
			if laidInside(m.file, a, call, call.Args, arg) {
				before.TrafficBefore -= min(it.Bytes, before.TrafficBefore)
			} else {
				before.MemcpyBefore += it.Bytes
			}
			if slices.ContainsFunc(m.aliases, func(x alias) bool { return x.call == c && x.arg == arg }) {
				after.TrafficAfter -= min(it.Bytes, after.TrafficAfter)
			} else {
				after.MemcpyAfter += it.Bytes
			}
		}
	}
}

// laidInside says whether a plan has an argument of a call exactly where the call's scratch expects it.
func laidInside(p *pte.Plan, a executor.Aliaser, c *executor.DelegateCall, args []int32, arg int) bool {
	k, offset, ok := a.ScratchOffset(arg)
	at := own(c) + k
	if !ok || at >= len(args) {
		return false
	}
	tensor, scratch := p.Values[args[arg]].Tensor, p.Values[args[at]].Tensor
	if tensor == nil || scratch == nil || tensor.Alloc == nil || scratch.Alloc == nil {
		return false
	}
	return tensor.Alloc.MemID == scratch.Alloc.MemID && tensor.Alloc.Offset == scratch.Alloc.Offset+offset
}
