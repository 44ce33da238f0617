package pack

import (
	"cmp"
	"slices"
)

// rect is a range of bytes, relative to its block's base, held during a range of sections.
type rect struct {
	first, last int   // sections [first, last)
	lo, hi      int64 // bytes [lo, hi)
}

// block is what moves as one: a buffer alone or a rigid group, its lowest byte at 0.
type block struct {
	members []int   // indices of the caller's buffers
	rels    []int64 // per member, its offset from the base
	size    int64   // bytes from the lowest to past the highest
	align   int64
	phase   int64 // base ≡ phase (mod align): the members' alignment seen from the lowest byte
	fixed   int64 // base, or -1
	live    []span
	rects   []rect // exact bytes, for the portfolio
	hull    []rect // one range a section at most, for the search
}

// span is a member's bytes during one interval of its life.
type span struct {
	lower, upper int64
	lo, hi       int64
}

// edge says how far above this block's base the other's base must be to lie on top of it.
type edge struct {
	to   int32
	dist int64
}

// member is a block alive in a section; its hull there starts at lo.
type member struct {
	block int32
	lo    int64
}

// model is a placement problem ready for the portfolio and the search: blocks over sections. A section is a
// moment at which a maximal set of blocks is alive; what holds in all sections holds always.
type model struct {
	blocks   []block
	sections [][]member
	times    []int64  // per section, a moment in it
	above    [][]edge // per block, the blocks that share a section with it
	bound    int64    // no height can be smaller
	slack    int64    // most bytes that rounding a size up to unit can add
	unit     int64    // all bases are multiples of it
	proof    proof    // which search proves something when it finds nothing
}

// proof says which search, having found nothing, proves that there is nothing.
type proof uint8

const (
	byBase     proof = iota // of two blocks that meet, the one above has the higher base: search in order of base
	byPosition              // it may have the lower base, since groups may be lower at other times: search in any order
	unproved                // one may be above the other and below it at once: no search sees all
)

// event is a rectangle beginning or ending its life.
type event struct {
	at    int64
	start bool
	block int
	rect  int
}

// newModel cuts time into sections and finds which blocks meet.
func newModel(blocks []block) *model {
	m := &model{blocks: blocks, unit: maxAlign}
	for i := range blocks {
		b := &blocks[i]
		m.unit = min(m.unit, b.align)
		for _, base := range []int64{b.phase, b.fixed} {
			if base > 0 {
				m.unit = min(m.unit, base&-base)
			}
		}
	}
	m.sweep()
	m.hulls()
	m.edges()
	m.bound = m.lowerBound()
	return m
}

// sweep fills the exact rectangles of all blocks, in sections.
func (m *model) sweep() {
	var events []event
	for i := range m.blocks {
		b := &m.blocks[i]
		b.rects = make([]rect, len(b.live))
		for k, s := range b.live {
			b.rects[k] = rect{lo: s.lo, hi: s.hi}
			events = append(events, event{s.lower, true, i, k}, event{s.upper, false, i, k})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int {
		if c := cmp.Compare(a.at, b.at); c != 0 {
			return c
		}
		return cmp.Compare(boolInt(a.start), boolInt(b.start))
	})
	grown, newest := false, int64(0)
	for _, e := range events {
		r := &m.blocks[e.block].rects[e.rect]
		if e.start {
			r.first, grown, newest = len(m.times), true, e.at
			continue
		}
		if grown {
			m.times, grown = append(m.times, newest), false
		}
		r.last = len(m.times)
	}
	m.sections = make([][]member, len(m.times))
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// hulls joins the rectangles of a block that share a section, and fills the sections.
func (m *model) hulls() {
	for i := range m.blocks {
		b := &m.blocks[i]
		if len(b.rects) == 1 {
			b.hull = b.rects
		} else {
			b.hull = joinRects(b.rects)
		}
		for _, r := range b.hull {
			for s := r.first; s < r.last; s++ {
				m.sections[s] = append(m.sections[s], member{int32(i), r.lo})
			}
		}
	}
}

// joinRects returns rectangles in order of time, disjoint in time, that cover the given ones.
func joinRects(rects []rect) []rect {
	var cuts []int
	for _, r := range rects {
		cuts = append(cuts, r.first, r.last)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var out []rect
	for k := 0; k+1 < len(cuts); k++ {
		j := rect{first: cuts[k], last: cuts[k+1], lo: -1}
		for _, r := range rects {
			if r.first <= j.first && j.last <= r.last {
				if j.lo < 0 {
					j.lo, j.hi = r.lo, r.hi
				}
				j.lo, j.hi = min(j.lo, r.lo), max(j.hi, r.hi)
			}
		}
		if j.lo < 0 {
			continue
		}
		if n := len(out); n > 0 && out[n-1].last == j.first && out[n-1].lo == j.lo && out[n-1].hi == j.hi {
			out[n-1].last = j.last
			continue
		}
		out = append(out, j)
	}
	return out
}

// edges finds the pairs of blocks that share a section.
func (m *model) edges() {
	m.above = make([][]edge, len(m.blocks))
	at := make([]int, len(m.blocks)) // position+1 in the list being built
	var list []edge
	var taken []rect
	for i := range m.blocks {
		list = list[:0]
		for _, r := range m.blocks[i].hull {
			for s := r.first; s < r.last; s++ {
				for _, o := range m.sections[s] {
					if int(o.block) == i {
						continue
					}
					d := r.hi - o.lo
					if k := at[o.block]; k > 0 {
						list[k-1].dist = max(list[k-1].dist, d)
						continue
					}
					list = append(list, edge{o.block, d})
					at[o.block] = len(list)
				}
			}
		}
		for _, e := range list {
			at[e.to] = 0
		}
		slices.SortFunc(list, func(a, b edge) int { return cmp.Compare(a.to, b.to) })
		m.above[i] = slices.Clone(list)
		for _, e := range list {
			if o := &m.blocks[e.to]; m.proof != unproved && (len(m.blocks[i].rects) > 1 || len(o.rects) > 1) {
				var p proof
				p, taken = relation(&m.blocks[i], o, taken[:0])
				m.proof = max(m.proof, p)
			}
		}
	}
}

// relation looks at the differences of two blocks' bases at which they overlap: an open range around 0 if one is always
// below the other and has the lower base, one range if one is always below the other. It works in taken and gives it back.
func relation(b, o *block, taken []rect) (proof, []rect) { // taken: differences lo < d < hi
	for _, r := range b.rects {
		for _, p := range o.rects {
			if r.first < p.last && p.first < r.last {
				taken = append(taken, rect{lo: r.lo - p.hi, hi: r.hi - p.lo})
			}
		}
	}
	slices.SortFunc(taken, func(a, b rect) int { return cmp.Compare(a.lo, b.lo) })
	low, high := taken[0].lo, taken[0].hi
	for _, t := range taken[1:] {
		if t.lo >= high {
			return unproved, taken
		}
		high = max(high, t.hi)
	}
	if low < 0 && 0 < high {
		return byBase, taken
	}
	return byPosition, taken
}

// meet reports whether two blocks share a section.
func (m *model) meet(i, j int32) bool {
	_, ok := slices.BinarySearchFunc(m.above[i], j, func(e edge, to int32) int { return cmp.Compare(e.to, to) })
	return ok
}

// lowerBound is the most bytes that any section needs, counted in the coarsest unit that all bases share.
func (m *model) lowerBound() int64 {
	var bound int64
	for i := range m.blocks {
		b := &m.blocks[i]
		bound = max(bound, b.size+max(b.fixed, b.phase))
		for _, r := range b.hull {
			m.slack = max(m.slack, roundUp(r.hi-r.lo, m.unit)-(r.hi-r.lo))
		}
	}
	for _, bytes := range m.needs() {
		bound = max(bound, bytes)
	}
	return bound
}

// needs returns, per section, the least bytes that its blocks fit in.
func (m *model) needs() []int64 {
	held := make([]int64, len(m.sections))  // rounded
	slack := make([]int64, len(m.sections)) // the topmost block need not be rounded
	for i := range m.blocks {
		b := &m.blocks[i]
		for _, r := range b.hull {
			for s := r.first; s < r.last; s++ {
				bytes := unionBytes(b, s, r)
				up := roundUp(bytes, m.unit)
				held[s] += up
				slack[s] = max(slack[s], up-bytes)
			}
		}
	}
	for s := range held {
		held[s] -= slack[s]
	}
	return held
}

// unionBytes counts the bytes a block holds in a section, holes left out.
func unionBytes(b *block, section int, hull rect) int64 {
	if len(b.rects) == 1 {
		return hull.hi - hull.lo
	}
	var here []rect
	for _, r := range b.rects {
		if r.first <= section && section < r.last {
			here = append(here, r)
		}
	}
	slices.SortFunc(here, func(a, b rect) int { return cmp.Compare(a.lo, b.lo) })
	var bytes, end int64
	for _, r := range here {
		bytes += max(0, r.hi-max(r.lo, end))
		end = max(end, r.hi)
	}
	return bytes
}

func roundUp(n, align int64) int64 {
	return (n + align - 1) &^ (align - 1)
}

// settle returns the lowest base at or above n that the block's alignment allows.
func (b *block) settle(n int64) int64 {
	return roundUp(n-b.phase, b.align) + b.phase
}

// maxAlign is the greatest alignment a buffer may ask for.
const maxAlign = 1 << 30
