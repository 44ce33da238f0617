package memory

import (
	"slices"

	"github.com/ptero-rt/ptero/hal"
)

// extents is the ledger of one pool: which bytes somebody holds, by offset, never overlapping.
type extents struct {
	pool    *hal.Pool
	list    []extent
	touched uint64 // bytes from here on were never handed out: they are still zero
	used    uint64 // sum of all extents but reserved ones
	leased  uint64 // of those, for the time of a run
	peak    uint64 // of used
	leasedPeak,
	acquired, failed uint64 // counts
}

// extent is a run of held bytes.
type extent struct {
	off, size uint64
	tenure    tenure
}

// tenure says how long an extent is held.
type tenure uint8

const (
	reserved tenure = iota // by the board, for somebody else
	resident
	leased
)

// want is a request for bytes of one pool. The address of the first byte leaves phase when divided by align.
type want struct {
	bytes, align, phase, limit uint64
}

func newExtents(p *hal.Pool) extents {
	e := extents{pool: p, list: make([]extent, 0, 16)}
	for _, r := range p.Reserved {
		if r.Size > 0 {
			e.list = append(e.list, extent{r.Offset, r.Size, reserved})
		}
	}
	slices.SortFunc(e.list, func(a, b extent) int { return compare(a.off, b.off) })
	return e
}

func compare(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (e *extents) clone() extents {
	c := *e
	c.list = slices.Clone(e.list)
	return c
}

// capacity is what the pool can hold beside what the board reserves.
func (e *extents) capacity() uint64 {
	n := e.pool.Size
	for _, x := range e.list {
		if x.tenure == reserved {
			n -= min(n, x.size)
		}
	}
	return n
}

// fit gives the first offset at or after from that meets w's alignment.
func (e *extents) fit(w want, from uint64) uint64 {
	a := max(w.align, 1)
	return from + (w.phase-e.pool.Base-from)&(a-1)
}

// end is the first offset that w may not use.
func (e *extents) end(w want) uint64 { return min(e.pool.Size, w.limit) }

// find gives the offset for w: hint where it is free, otherwise the first that fits.
func (e *extents) find(w want, hint uint64) (uint64, bool) {
	if e.free(w, hint) {
		return hint, true
	}
	pos := uint64(0)
	for i := 0; ; i++ {
		stop := e.end(w)
		if i < len(e.list) {
			stop = min(stop, e.list[i].off)
		}
		if off := e.fit(w, pos); off >= pos && off <= stop && w.bytes <= stop-off {
			return off, true
		}
		if i == len(e.list) {
			return 0, false
		}
		pos = max(pos, e.list[i].off+e.list[i].size)
	}
}

// findLast gives the highest offset for w.
func (e *extents) findLast(w want) (uint64, bool) {
	stop := e.end(w)
	for i := len(e.list) - 1; i >= -1; i-- {
		start := uint64(0)
		if i >= 0 {
			start = e.list[i].off + e.list[i].size
		}
		if stop >= w.bytes && stop-w.bytes >= start {
			off := stop - w.bytes
			if over := (e.pool.Base + off - w.phase) & (max(w.align, 1) - 1); over <= off && off-over >= start {
				return off - over, true
			}
		}
		if i >= 0 {
			stop = min(stop, e.list[i].off)
		}
	}
	return 0, false
}

// free says whether w fits at off.
func (e *extents) free(w want, off uint64) bool {
	if e.fit(w, off) != off || off > e.end(w) || w.bytes > e.end(w)-off {
		return false
	}
	i := e.after(off)
	return (i == 0 || e.list[i-1].off+e.list[i-1].size <= off) && (i == len(e.list) || off+w.bytes <= e.list[i].off)
}

// after gives the index of the first extent that begins after off.
func (e *extents) after(off uint64) int {
	lo, hi := 0, len(e.list)
	for lo < hi {
		mid := (lo + hi) / 2
		if e.list[mid].off <= off {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// hold enters bytes that find gave.
func (e *extents) hold(off, size uint64, t tenure) {
	if size == 0 {
		return
	}
	if !e.free(want{bytes: size, align: 1, limit: e.pool.Size}, off) {
		panic("BUG: memory: bytes of pool " + e.pool.Name + " handed out twice")
	}
	e.list = slices.Insert(e.list, e.after(off), extent{off, size, t})
	e.used += size
	e.acquired++
	e.peak = max(e.peak, e.used)
	if t == leased {
		e.leased += size
		e.leasedPeak = max(e.leasedPeak, e.leased)
	}
}

// drop takes back bytes that hold entered.
func (e *extents) drop(off, size uint64) {
	if size == 0 {
		return
	}
	i := e.after(off) - 1
	if i < 0 || e.list[i].off != off || e.list[i].size != size || e.list[i].tenure == reserved {
		panic("BUG: memory: bytes of pool " + e.pool.Name + " given back that nobody holds")
	}
	if e.list[i].tenure == leased {
		e.leased -= size
	}
	e.used -= size
	e.list = slices.Delete(e.list, i, i+1)
}

// dropTouched is drop for bytes that somebody wrote to.
func (e *extents) dropTouched(off, size uint64) {
	e.drop(off, size)
	e.touched = max(e.touched, off+size)
}

// holes calls f for every run of bytes that nobody holds.
func (e *extents) holes(f func(off, size uint64)) {
	pos := uint64(0)
	for _, x := range e.list {
		if x.off > pos {
			f(pos, x.off-pos)
		}
		pos = max(pos, x.off+x.size)
	}
	if pos < e.pool.Size {
		f(pos, e.pool.Size-pos)
	}
}
