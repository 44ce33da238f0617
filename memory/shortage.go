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
	over := used - min(used, have)
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
	if l.board.Placement().Temp == id {
		n, devices, class := l.temps(id)
		move("temp", n, devices, class)
	}
	for _, m := range l.memIDs() {
		n, devices, class := l.arena(id, m)
		move(fmt.Sprintf("mem_id %d", m), n, devices, class)
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

// temps is what the temp arenas in a pool need, who must see them, and the nearest class that one of them wants.
func (l *Layout) temps(id hal.PoolID) (n uint64, devices []string, class hal.Class) {
	class = hal.AnyClass
	for i := range l.methods {
		for j := range l.methods[i].blocks {
			if b := &l.methods[i].blocks[j]; b.pool == id && b.role == temp {
				n = saturate(n, b.bytes)
			}
		}
		for _, c := range l.methods[i].demand.Calls {
			for _, need := range c.Needs {
				if need.Place == Temp && need.Device != "" {
					devices, class = append(devices, need.Device), nearer(class, need.Class)
				}
			}
		}
	}
	return n, devices, class
}

// memIDs lists the mem_ids of all methods, in order.
func (l *Layout) memIDs() (ids []uint32) {
	for i := range l.methods {
		for _, a := range l.methods[i].demand.Arenas {
			ids = append(ids, a.MemID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// arena is what the arenas of one mem_id need in a pool, who must see them, and the nearest class that scratch in them wants.
func (l *Layout) arena(id hal.PoolID, memID uint32) (n uint64, devices []string, class hal.Class) {
	class = hal.AnyClass
	for i := range l.methods {
		m := &l.methods[i]
		for j := range m.blocks {
			if b := &m.blocks[j]; b.pool == id && b.role == piece && b.memID == memID {
				n = saturate(n, b.bytes)
			}
		}
		for _, a := range m.demand.Arenas {
			if a.MemID == memID {
				devices = append(devices, a.Devices...)
			}
		}
		for _, s := range m.demand.Spans {
			if s.MemID == memID && s.Kind == Scratch && len(s.Devices) > 0 {
				class = nearer(class, s.Class)
			}
		}
	}
	return n, devices, class
}

// nearer is the stricter of two classes that are wanted.
func nearer(a, b hal.Class) hal.Class {
	if b == hal.TCM { // asks for nothing
		return a
	}
	return min(a, b)
}
