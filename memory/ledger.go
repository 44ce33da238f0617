package memory

import "github.com/ptero-rt/ptero/hal"

// ledger is who holds which bytes of all pools of a board. Fit places demands on a copy, Take and leases on the
// original, with the same code.
type ledger struct {
	pools  []extents
	shares map[string]*share
	region region
}

// share is a block that several methods hold together.
type share struct {
	pool  hal.PoolID
	off   uint64
	bytes uint64
	refs  int
}

func newLedger(b hal.Board) ledger {
	l := ledger{shares: map[string]*share{}}
	pools := b.Pools()
	for i := range pools {
		l.pools = append(l.pools, newExtents(&pools[i]))
	}
	l.region.parts = make([]part, len(pools))
	return l
}

func (l *ledger) clone() *ledger {
	c := &ledger{shares: map[string]*share{}}
	for i := range l.pools {
		c.pools = append(c.pools, l.pools[i].clone())
	}
	for k, s := range l.shares {
		one := *s
		c.shares[k] = &one
	}
	c.region = l.region
	c.region.parts = append([]part(nil), l.region.parts...)
	return c
}

// holdResident holds all resident blocks, and the transient ones with them if the method is static. Pieces of one arena
// lie side by side where that is possible. It gives the indices of blocks that found no place; the others are held.
func (l *ledger) holdResident(list []block, static bool) (failed []int) {
	for i := 0; i < len(list); i++ {
		n := 1
		for list[i].role == piece && i+n < len(list) && list[i+n].role == piece && list[i+n].memID == list[i].memID {
			n++
		}
		if static && n > 1 && l.holdRun(list[i:i+n]) {
			i += n - 1
			continue
		}
		b := &list[i]
		if (b.resident || static) && !b.held && !l.holdOne(b) {
			failed = append(failed, i)
		}
	}
	return failed
}

// holdRun holds the pieces of one arena side by side.
func (l *ledger) holdRun(run []block) bool {
	w := run[0].want
	for i := range run {
		if run[i].held {
			return false
		}
		if i > 0 {
			w.bytes += run[i].bytes
		}
	}
	e := &l.pools[run[0].pool]
	off, ok := e.find(w, run[0].off)
	if !ok {
		return false
	}
	for i := range run {
		t := resident
		run[i].off, run[i].held, run[i].known = off, true, true
		e.hold(off, run[i].bytes, t)
		off += run[i].bytes
	}
	return true
}

func (l *ledger) holdOne(b *block) bool {
	if b.share != "" {
		if s := l.shares[b.share]; s != nil {
			if s.pool != b.pool || s.bytes < b.bytes {
				return false
			}
			s.refs++
			b.off, b.held, b.known = s.off, true, true
			return true
		}
	}
	e := &l.pools[b.pool]
	var off uint64
	var ok bool
	if b.role == fixed {
		off, ok = e.findLast(b.want)
	} else {
		off, ok = e.find(b.want, b.off)
	}
	if !ok {
		e.failed++
		return false
	}
	e.hold(off, b.bytes, resident)
	b.off, b.held, b.known = off, true, true
	if b.share != "" {
		l.shares[b.share] = &share{pool: b.pool, off: off, bytes: b.bytes, refs: 1}
	}
	return true
}

// lease holds all transient blocks at once, or none.
func (l *ledger) lease(list []block, t tenure) bool {
	for i := range list {
		b := &list[i]
		if b.resident || b.held {
			continue
		}
		e := &l.pools[b.pool]
		off, found := e.find(b.want, b.off)
		if !found {
			e.failed++
			l.dropTransient(list)
			return false
		}
		e.hold(off, b.bytes, t)
		b.off, b.held, b.known = off, true, true
	}
	return true
}

// rebound notes where a run has all of its memory, and says whether a block lies elsewhere than in the run before.
func rebound(list []block) (moved bool) {
	for i := range list {
		if b := &list[i]; b.bound != b.off+1 {
			b.bound, moved = b.off+1, true
		}
	}
	return moved
}

// dropTransient gives back what lease or a static method holds for runs.
func (l *ledger) dropTransient(list []block) {
	for i := range list {
		if b := &list[i]; b.held && !b.resident {
			l.pools[b.pool].dropTouched(b.off, b.bytes)
			b.held = false
		}
	}
}

// dropResident gives back the rest.
func (l *ledger) dropResident(list []block) {
	for i := range list {
		b := &list[i]
		if !b.held || !b.resident {
			continue
		}
		b.held = false
		if s := l.shares[b.share]; b.share != "" && s != nil {
			if s.refs--; s.refs > 0 {
				continue
			}
			delete(l.shares, b.share)
		}
		if b.role == fixed {
			l.pools[b.pool].drop(b.off, b.bytes)
		} else {
			l.pools[b.pool].dropTouched(b.off, b.bytes)
		}
	}
}
