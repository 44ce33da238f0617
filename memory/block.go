package memory

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ptero-rt/ptero/hal"
)

// baseAlign is the alignment of every arena and of the temp arena: a cache line of large cores, a vector of any.
const baseAlign = 64

// block is a run of bytes that a method wants of one pool: an arena or a piece of one, the temp arena, fast scratch, or
// memory that is only counted.
type block struct {
	role  role
	kind  Kind // of the whole block, for reports
	label string
	pool  hal.PoolID
	want
	call     int    // instruction that decided the size, -1 none
	memID    uint32 // of pieces
	start    uint64 // of pieces: offset in the arena
	resident bool   // held under every strategy
	share    string // held once for all methods with this name

	off    uint64 // in the pool: now, or where it was last tried
	inside uint64 // offset in the shared region
	held   bool
	known  bool   // off has been set
	bound  uint64 // 1 + off of the last run that got all of its memory
}

// role is what a block serves as.
type role uint8

const (
	piece role = iota
	temp
	fast
	fixed // counted, but nobody asks for its bytes
)

// blocks translates a demand to blocks of the board's pools. Blocks whose pool is missing are left out; check reports them.
func blocks(b hal.Board, d *Demand) []block {
	place := b.Placement()
	pools := b.Pools()
	ok := func(id hal.PoolID) bool { return int(id) < len(pools) }
	var list []block
	for _, f := range d.Fixed {
		if id := fixedPool(&place, f.Kind); ok(id) && f.Bytes > 0 {
			list = append(list, block{role: fixed, kind: f.Kind, label: f.Label, pool: id, call: -1, resident: true, share: f.Share,
				want: want{bytes: f.Bytes, align: 16, limit: pools[id].Size}})
		}
	}
	for _, a := range d.Arenas {
		id := place.Arena(a.MemID)
		if !ok(id) || a.Bytes == 0 {
			continue
		}
		w := want{bytes: a.Bytes, align: alignOf(&pools[id], a.Align), limit: reach(b, id, a.Devices)}
		list = append(list, pieces(d, a, id, w)...)
	}
	t := need(d, Temp)
	if ok(place.Temp) && t.bytes > 0 {
		list = append(list, t.block(b, place.Temp, temp, TempArena))
	}
	f := need(d, Fast)
	if ok(place.Fast) && f.bytes > 0 {
		list = append(list, f.block(b, place.Fast, fast, Scratch))
	}
	for _, c := range d.Calls {
		for _, n := range c.Needs {
			if n.Place != Resident || n.Bytes == 0 {
				continue
			}
			kind := Constants
			if n.Device != "" {
				kind = Driver
			}
			if id := fixedPool(&place, kind); ok(id) {
				list = append(list, block{role: fixed, kind: kind, label: c.Label + " " + n.Role, pool: id, call: c.Instruction, resident: true,
					want: want{bytes: n.Bytes, align: uint64(max(n.Align, 16)), limit: pools[id].Size}})
			}
		}
	}
	return list
}

// fixedPool is where the board keeps memory that the file does not plan.
func fixedPool(p *hal.Placement, k Kind) hal.PoolID {
	if k == Program || k == Constants {
		return p.Constants
	}
	if id := p.Arena(1); id != hal.NoPool {
		return id
	}
	return p.Temp
}

func alignOf(p *hal.Pool, align uint32) uint64 { return uint64(max(align, p.Line, baseAlign)) }

// reach is the number of bytes from the start of a pool that all devices see. Devices that do not see it at all are
// reported by check and do not count here.
func reach(b hal.Board, id hal.PoolID, devices []string) uint64 {
	n := b.Pools()[id].Size
	for _, d := range devices {
		if v, ok := hal.ViewOf(b, id, d); ok {
			n = min(n, v.Limit)
		}
	}
	return n
}

// pieces cuts an arena where persistent state begins and ends, so that the rest can be leased while the state stays.
func pieces(d *Demand, a Arena, id hal.PoolID, w want) []block {
	whole := block{role: piece, kind: Activations, pool: id, want: w, memID: a.MemID, call: -1, share: a.Share, resident: a.Share != ""}
	if whole.resident {
		whole.kind = Persistent
		return []block{whole}
	}
	var state [][2]uint64
	for _, s := range d.Spans {
		if s.MemID == a.MemID && s.Kind == Persistent && s.Bytes > 0 && s.Offset < a.Bytes {
			state = append(state, [2]uint64{s.Offset, min(a.Bytes, s.Offset+s.Bytes)})
		}
	}
	slices.SortFunc(state, func(x, y [2]uint64) int { return cmp.Compare(x[0], y[0]) })
	var list []block
	cut := func(from, to uint64, persistent bool) {
		if from >= to {
			return
		}
		p := whole
		p.start, p.bytes, p.phase = from, to-from, from&(w.align-1)
		if persistent {
			p.kind, p.resident = Persistent, true
		}
		list = append(list, p)
	}
	pos := uint64(0)
	for i := 0; i < len(state); {
		from, to := state[i][0], state[i][1]
		for i++; i < len(state) && state[i][0] <= to; i++ {
			to = max(to, state[i][1])
		}
		cut(pos, from, false)
		cut(from, to, true)
		pos = to
	}
	cut(pos, a.Bytes, false)
	return list
}

// peak is the largest need of any one call from one place.
type peak struct {
	bytes, align uint64
	call         int
	label        string
	devices      []string
}

// need gives the largest need from a place over all calls. Every share but one is rounded up to the alignment that
// arenas hand out, so that the order of requests does not matter.
func need(d *Demand, place Place) peak {
	most := peak{align: baseAlign, call: -1}
	var at *Call
	for i := range d.Calls {
		c := &d.Calls[i]
		for k := range c.Needs {
			n := &c.Needs[k]
			if n.Place != place || n.Bytes == 0 {
				continue
			}
			most.align = max(most.align, n.align())
			if n.Device != "" && !slices.Contains(most.devices, n.Device) {
				most.devices = append(most.devices, n.Device)
			}
		}
		if bytes := Together(c.Needs, place); bytes > most.bytes {
			most.bytes, most.call, at = bytes, c.Instruction, c
		}
	}
	if at != nil {
		most.label = at.label(place)
	}
	return most
}

// label names a call with the roles of what it needs from a place.
func (c *Call) label(place Place) string {
	parts := []string{}
	for _, n := range c.Needs {
		if n.Place == place && n.Bytes > 0 && n.Role != "" {
			parts = append(parts, n.Role)
		}
	}
	return strings.TrimSpace(c.Label + " " + strings.Join(parts, " + "))
}

func saturate(a, b uint64) uint64 {
	if a > ^uint64(0)-b {
		return ^uint64(0)
	}
	return a + b
}

func (p *peak) block(b hal.Board, id hal.PoolID, r role, k Kind) block {
	return block{role: r, kind: k, label: p.label, pool: id, call: p.call,
		want: want{bytes: p.bytes, align: max(p.align, uint64(b.Pools()[id].Line)), limit: reach(b, id, p.devices)}}
}
