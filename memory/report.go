package memory

import (
	"strconv"

	"github.com/ptero-rt/ptero/hal"
)

// Report is a layout for people and scripts: what `fit --json` prints. The owners of a pool add up to its Used exactly.
type Report struct {
	File       string       `json:"file"`
	Board      string       `json:"board"`
	Fits       bool         `json:"fits"`
	Pools      []PoolReport `json:"pools"`
	Arenas     []Placed     `json:"arenas"`
	Violations []Violation  `json:"-"` // printed by whoever prints errors
	Notes      []string     `json:"notes,omitempty"`
}

// PoolReport is one pool. Headroom is Capacity less Used, negative where it does not fit.
type PoolReport struct {
	Name     string  `json:"name"`
	Class    string  `json:"class"`
	Capacity uint64  `json:"capacity"`
	Used     uint64  `json:"used"`
	Headroom int64   `json:"headroom"`
	Owners   []Owner `json:"owners"`
}

// Placed is where an arena, or what else a run works in, lies: the first byte's CPU bus address. An arena with persistent
// state is cut into pieces; those that do not lie side by side are listed one by one. Addr is 0 where there is no room.
type Placed struct {
	Method string `json:"method"`
	What   string `json:"what"` // "arena 1", "temp", "fast scratch"
	MemID  uint32 `json:"mem_id"`
	Pool   string `json:"pool"`
	Addr   uint64 `json:"addr"`
	Bytes  uint64 `json:"bytes"`
}

// Report gives the layout as data. File is repeated in it.
func (l *Layout) Report(file string) Report {
	r := Report{File: file, Board: l.board.Name(), Fits: l.Fits(), Violations: l.violations, Notes: l.notes, Pools: []PoolReport{}, Arenas: []Placed{}}
	for i := range l.ledger.pools {
		p := &l.ledger.pools[i]
		owners := l.owners(hal.PoolID(i))
		if owners == nil {
			owners = []Owner{}
		}
		used, capacity := total(owners), p.capacity()
		r.Pools = append(r.Pools, PoolReport{Name: p.pool.Name, Class: p.pool.Class.String(), Capacity: capacity, Used: used,
			Headroom: int64(capacity) - int64(used), Owners: owners})
	}
	for i := range l.methods {
		m := &l.methods[i]
		for j := range m.blocks {
			r.Arenas = l.appendPlaced(r.Arenas, m.demand, &m.blocks[j])
		}
	}
	return r
}

func (l *Layout) appendPlaced(list []Placed, d *Demand, b *block) []Placed {
	if b.role == fixed {
		return list
	}
	p := Placed{Method: d.Method, What: b.label, MemID: b.memID, Pool: l.ledger.pools[b.pool].pool.Name, Bytes: b.bytes}
	if b.known {
		p.Addr = l.ledger.pools[b.pool].pool.Base + b.off
	}
	switch b.role {
	case piece:
		p.What = "arena"
	case temp:
		p.What = "temp"
	case fast:
		p.What = "fast scratch"
	}
	if n := len(list); b.role == piece && n > 0 {
		if q := &list[n-1]; q.Method == p.Method && q.MemID == p.MemID && q.What == p.What && q.Addr != 0 && q.Addr+q.Bytes == p.Addr {
			q.Bytes += p.Bytes
			return list
		}
	}
	return append(list, p)
}

// Grouped writes a number of bytes with a comma between groups of three digits.
func Grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
