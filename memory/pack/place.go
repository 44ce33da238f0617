package pack

import (
	"fmt"
	"math"
)

// orders are the static orders that the search tries in turn, those of MiniMalloc.
var orders = []order{"WAT", "TAW", "TWA"}

// Place packs all buffers into one pool and returns the lowest placement found. Pools and Accesses are ignored.
//
// Errors: all that is wrong with the buffers; ErrNoRoom if fixed buffers overlap.
func Place(buffers []Buffer, opt Options) (*Placement, error) {
	return place(buffers, least, opt)
}

// Fit packs all buffers into one pool of the capacity given, without looking for the lowest placement.
//
// Errors: as Place; a *RoomError that wraps ErrNoRoom if it is proved that they do not fit, and ErrBudget if neither
// was found out within the budget.
func Fit(buffers []Buffer, capacity uint64, opt Options) (*Placement, error) {
	limit := int64(min(capacity, maxBytes))
	p, err := place(buffers, limit, opt)
	if err != nil || p.Height <= capacity {
		return p, err
	}
	e := &RoomError{Capacity: capacity, Need: p.LowerBound, Best: p.Height, Err: ErrBudget}
	if p.LowerBound > capacity {
		e.Err = ErrNoRoom
	}
	return nil, e
}

// Peak returns the moment at which the most bytes are alive, how many, and the indices of the buffers that are alive then:
// what to shrink if a pool is too small. Without buffers all are zero.
//
// Errors: all that is wrong with the buffers.
func Peak(buffers []Buffer) (at int64, bytes uint64, alive []int, err error) {
	blocks, err := bodies(buffers)
	if err != nil {
		return 0, 0, nil, err
	}
	m := newModel(blocks)
	section := -1
	for s, n := range m.needs() {
		if section < 0 || uint64(n) > bytes {
			section, at, bytes = s, m.times[s], uint64(n)
		}
	}
	for i := range buffers {
		if buffers[i].Size > 0 && buffers[i].aliveAt(at) {
			alive = append(alive, i)
		}
	}
	return at, bytes, alive, nil
}

// aliveAt reports whether a buffer's bytes matter at a moment.
func (b *Buffer) aliveAt(at int64) bool {
	for _, v := range b.Live {
		if v.Lower <= at && at < v.Upper {
			return true
		}
	}
	return len(b.Live) == 0
}

// least asks for the lowest placement.
const least = -1

// place looks for a height of at most enough, or the least one; it may come out higher.
func place(buffers []Buffer, enough int64, opt Options) (*Placement, error) {
	blocks, err := bodies(buffers)
	if err != nil {
		return nil, err
	}
	m := newModel(blocks)
	if err := m.checkFixed(buffers); err != nil {
		return nil, err
	}
	t := m.solve(enough, opt.withDefaults().Steps)
	p := t.placement()
	p.Offsets = fixedOffsets(buffers)
	m.offsets(t.base, p.Offsets)
	if err := VerifyPlacement(buffers, p.Height, p); err != nil {
		panic(fmt.Sprintf("BUG: pack.Place made a wrong placement: %v", err))
	}
	return p, nil
}

// offsets sets the offsets of the buffers that the model's blocks are made of.
func (m *model) offsets(base []int64, offsets []uint64) {
	for i := range m.blocks {
		for k, member := range m.blocks[i].members {
			offsets[member] = uint64(base[i] + m.blocks[i].rels[k])
		}
	}
}

// checkFixed reports fixed blocks that overlap.
func (m *model) checkFixed(buffers []Buffer) (err error) {
	m.fixedPairs(func(i, j int) bool {
		err = fmt.Errorf("%s and %s: %w: both are fixed, live at the same time and overlap", label(buffers, m.blocks[i].members[0]),
			label(buffers, m.blocks[j].members[0]), ErrNoRoom)
		return false
	})
	return err
}

// fixedPairs calls yield for each pair of fixed blocks that overlap, until it returns false.
func (m *model) fixedPairs(yield func(i, j int) bool) {
	for i := range m.blocks {
		b := &m.blocks[i]
		for _, e := range m.above[i] {
			if o := &m.blocks[e.to]; b.fixed >= 0 && o.fixed >= 0 && i < int(e.to) && b.collides(o, b.fixed, o.fixed) && !yield(i, int(e.to)) {
				return
			}
		}
	}
}

// collides reports whether two blocks at the bases given share a byte at some time.
func (b *block) collides(o *block, base, other int64) bool {
	for _, r := range b.rects {
		for _, p := range o.rects {
			if r.first < p.last && p.first < r.last && base+r.lo < other+p.hi && other+p.lo < base+r.hi {
				return true
			}
		}
	}
	return false
}

// fixedOffsets returns the fixed offsets, and 0 for all others.
func fixedOffsets(buffers []Buffer) []uint64 {
	offsets := make([]uint64, len(buffers))
	for i := range buffers {
		if buffers[i].Fixed {
			offsets[i] = buffers[i].Offset
		}
	}
	return offsets
}

// tower is a placement of a model's blocks.
type tower struct {
	base          []int64
	height, bound int64
	method        string
	steps         int64
}

func (t *tower) placement() *Placement {
	return &Placement{Height: uint64(t.height), LowerBound: uint64(t.bound), Optimal: t.height == t.bound, Method: t.method, Steps: t.steps}
}

// solve runs the portfolio, the search and the hill climb until the height is at most enough or proved least.
func (m *model) solve(enough, budget int64) *tower {
	t := &tower{base: make([]int64, len(m.blocks)), height: math.MaxInt64, bound: m.bound}
	if len(m.blocks) == 0 {
		t.height, t.method = 0, "nothing to place"
		return t
	}
	done := func() bool {
		if enough == least {
			return t.height == t.bound
		}
		return t.height <= enough || t.bound > enough
	}
	f, s := newFitter(m), newSearch(m)
	for _, o := range portfolio {
		if h := f.fit(s.ordered(o)); h < t.height {
			t.height, t.method = h, "first fit "+string(o)
			copy(t.base, f.base)
		}
		if done() {
			return t
		}
	}
	target := enough
	if enough == least {
		m.minimise(t, s, budget)
		target = t.bound
	} else {
		m.decide(t, s, enough, budget)
	}
	if done() {
		return t
	}
	best := make([]int64, len(m.blocks))
	rounds := min(2000, budget/int64(1000*len(m.blocks)))
	if h := f.climb(s.ordered("Z"), int(rounds), target, best); h < t.height {
		t.height, t.method, t.base = h, "hill climb", best
	}
	return t
}

// attempt searches for a height of at most limit, all orders in turn with a budget for each.
func (m *model) attempt(t *tower, s *search, limit, each int64) outcome {
	for _, o := range orders {
		s.free = false
		res := m.try(t, s, limit, each, o)
		if res == none && m.proof != byBase {
			s.free = true
			res = m.try(t, s, limit, each, o)
		}
		if res == none && m.proof != unproved {
			t.bound = max(t.bound, limit+1)
		}
		if res != exhausted {
			return res
		}
	}
	return exhausted
}

// try is one run of the search.
func (m *model) try(t *tower, s *search, limit, each int64, o order) outcome {
	res := s.run(limit, each, o)
	t.steps += each - s.steps
	if res == found {
		t.height = 0
		for i := range m.blocks {
			t.height = max(t.height, s.base[i]+m.blocks[i].size)
		}
		copy(t.base, s.base)
		t.method = "search " + string(o)
	}
	return res
}

// firstBudget is how many steps a first attempt may take, a few dives: placing a block looks at all members of all its
// sections, and once more when it pushes others.
func (m *model) firstBudget() (steps int64) {
	for _, members := range m.sections {
		steps += int64(len(members) * len(members))
	}
	return 8 * steps
}

// decide searches for one height with growing budgets.
func (m *model) decide(t *tower, s *search, limit, budget int64) {
	for each := m.firstBudget(); t.steps < budget; each *= 2 {
		if m.attempt(t, s, limit, each) != exhausted {
			return
		}
	}
}

// minimise narrows the gap between bound and height: a round begins at the bound, which is nearly always reached, then
// halves the gap above the heights it gave up on. Each round doubles the budget of an attempt.
func (m *model) minimise(t *tower, s *search, budget int64) {
	for each, again := m.firstBudget(), true; again && t.bound < t.height && t.steps < budget; each *= 2 {
		again = false
		missed := t.bound - 1
		for limit := t.bound; limit < t.height && t.steps < budget; limit = missed + (t.height-missed+1)/2 {
			switch m.attempt(t, s, limit, each) {
			case exhausted:
				again = true
				missed = limit
			case none:
				missed = limit
			}
		}
	}
}
