package memory

// region is the memory that all Shared methods of a space use in turn: a part in every pool, each as large as the
// largest member that ran needs. It stays while the methods are idle, unless others find no room beside it.
type region struct {
	parts   []part
	members int
	user    *Holding // runs in it, or keeps outputs in it
}

// part is the region's share of one pool.
type part struct {
	want
	off  uint64
	held bool
}

// pack gives every transient block its place in the region and says what part of each pool they need together.
func pack(list []block, needs []part) {
	clear(needs)
	for i := range list {
		b := &list[i]
		if b.resident {
			continue
		}
		n := &needs[b.pool]
		a := max(b.align, 1)
		b.inside = n.bytes + (b.phase-n.bytes)&(a-1)
		n.bytes = b.inside + b.bytes
		n.align = max(n.align, a)
		if n.limit == 0 || b.limit < n.limit {
			n.limit = b.limit
		}
	}
}

// grow makes the region hold needs as well as what it held before. Nobody may be in it. On failure it still holds at
// least what it held.
func (l *ledger) grow(needs []part) bool {
	for i := range needs {
		n, p := &needs[i], &l.region.parts[i]
		if n.bytes == 0 {
			continue
		}
		w := want{bytes: max(n.bytes, p.bytes), align: max(n.align, p.align), limit: n.limit}
		if p.limit != 0 {
			w.limit = min(w.limit, p.limit)
		}
		e := &l.pools[i]
		if p.held && p.bytes == w.bytes && p.align == w.align && e.end(p.want) <= e.end(w) {
			continue
		}
		if p.held {
			e.dropTouched(p.off, p.bytes)
		}
		off, ok := e.find(w, p.off)
		if !ok {
			if p.held {
				e.hold(p.off, p.bytes, resident)
			}
			e.failed++
			return false
		}
		e.hold(off, w.bytes, resident)
		*p = part{want: w, off: off, held: true}
	}
	return true
}

// dissolve gives the memory of the region back and says whether there was any. Nobody may be in it.
func (l *ledger) dissolve() (some bool) {
	for i := range l.region.parts {
		if p := &l.region.parts[i]; p.held {
			l.pools[i].dropTouched(p.off, p.bytes)
			*p = part{}
			some = true
		}
	}
	return some
}

// enterRegion puts the transient blocks of a member into the region.
func (l *ledger) enterRegion(list []block) {
	for i := range list {
		if b := &list[i]; !b.resident {
			b.off, b.known = l.region.parts[b.pool].off+b.inside, true
		}
	}
}
