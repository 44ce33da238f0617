package memory

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
)

// shortage reports pools that cannot hold what is wanted of them.
func (l *Layout) shortage(short map[hal.PoolID]bool) (list []Violation) {
	pools := l.board.Pools()
	for i := range pools {
		id := hal.PoolID(i)
		if !short[id] {
			continue
		}
		owners := l.owners(id)
		used, have := total(owners), l.ledger.pools[i].capacity()
		v := Violation{Offenders: owners[:min(5, len(owners))], Fixes: l.fixes(id, used)}
		found := fmt.Sprintf("%d B", have)
		if used > have {
			found += fmt.Sprintf(", %d B short", used-have)
		} else {
			found += ", but no run of free bytes that is long enough, aligned and within the device's reach"
		}
		var most []string
		for _, o := range v.Offenders[:min(3, len(v.Offenders))] {
			most = append(most, fmt.Sprintf("%s %d B", o.name(), o.Bytes))
		}
		if len(most) > 0 {
			found += "; largest: " + strings.Join(most, ", ")
		}
		if len(v.Fixes) > 0 {
			found += "; would fit: " + strings.Join(v.Fixes, ", or ")
		}
		v.Error = &fault.Error{Path: "pool " + pools[i].Name, Rule: "pool_capacity", Code: fault.MemoryAllocationFailed, Err: ErrNoSpace,
			Want: fmt.Sprintf("%d B", used), Found: found}
		list = append(list, v)
	}
	return list
}

// name is how texts call an owner.
func (o *Owner) name() string {
	var parts []string
	if o.Method != "" {
		parts = append(parts, o.Method)
	}
	if o.Instruction >= 0 {
		parts = append(parts, fmt.Sprintf("[%d]", o.Instruction))
	}
	label := o.Label
	if label == "" {
		label = string(o.Kind)
	}
	return strings.Join(append(parts, label), " ")
}

// fixes gives single changes of which each makes the pool large enough.
func (l *Layout) fixes(id hal.PoolID, used uint64) (list []string) {
	pools := l.board.Pools()
	have := l.ledger.pools[id].capacity()
	over := saturate(used, 0) - min(used, have)
	room := func(to hal.PoolID, n uint64) bool {
		u := total(l.owners(to))
		c := l.ledger.pools[to].capacity()
		return u <= c && n <= c-u
	}
	move := func(what string, n uint64, devices []string, class hal.Class) {
		if n == 0 || n < over {
			return
		}
		for i := range pools {
			if to := hal.PoolID(i); to != id && suits(l.board, to, devices, class) && room(to, n) {
				list = append(list, what+" in "+pools[i].Name)
				return
			}
		}
	}
	place := l.board.Placement()
	arenas := map[uint32]uint64{}
	devices := map[uint32][]string{}
	classes := map[uint32]hal.Class{}
	var temps, fasts uint64
	var tempDevices []string
	for i := range l.methods {
		m := &l.methods[i]
		for j := range m.blocks {
			b := &m.blocks[j]
			switch {
			case b.pool != id:
			case b.role == piece:
				arenas[b.memID] = saturate(arenas[b.memID], b.bytes)
			case b.role == temp:
				temps = saturate(temps, b.bytes)
			case b.role == fast:
				fasts = saturate(fasts, b.bytes)
			}
		}
		for _, a := range m.demand.Arenas {
			devices[a.MemID] = append(devices[a.MemID], a.Devices...)
		}
		for _, s := range m.demand.Spans {
			if s.Kind == Scratch && s.Class != hal.AnyClass {
				if c, ok := classes[s.MemID]; !ok || s.Class < c {
					classes[s.MemID] = s.Class
				}
			}
		}
		for _, c := range m.demand.Calls {
			for _, n := range c.Needs {
				if n.Place == Temp {
					tempDevices = append(tempDevices, devicesOf(n)...)
				}
			}
		}
	}
	if place.Temp == id {
		move("temp", temps, tempDevices, hal.AnyClass)
	}
	var ids []uint32
	for m := range arenas {
		ids = append(ids, m)
	}
	slices.Sort(ids)
	for _, m := range ids {
		class, ok := classes[m]
		if !ok {
			class = hal.AnyClass
		}
		move(fmt.Sprintf("mem_id %d", m), arenas[m], devices[m], class)
	}
	if need := l.together(id); len(l.methods) > 1 && need <= have && need < used {
		list = append(list, "--strategy shared")
	}
	if over > 0 {
		list = append(list, fmt.Sprintf("%d B more of %s", over, pools[id].Name))
	}
	return list
}

// together is what a pool would hold if all methods shared one region.
func (l *Layout) together(id hal.PoolID) uint64 {
	all := *l
	all.methods = slices.Clone(l.methods)
	for i := range all.methods {
		d := *all.methods[i].demand
		d.Strategy = Shared
		all.methods[i].demand = &d
	}
	return total(all.owners(id))
}
