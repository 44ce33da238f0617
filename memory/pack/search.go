package pack

// outcome of a search.
type outcome uint8

const (
	found     outcome = iota // a placement within the capacity
	none                     // there is none
	exhausted                // the budget ran out first
)

// A step is about five nanoseconds of work: a neighbour or the member of a section looked at. tryStep is what refusing a
// choice takes. Steps stand for time where results must not depend on the machine.
const tryStep = 16

// open is a block not yet placed, with its rank in the static order of its partition.
type open struct {
	block int32
	rank  int32
}

// search is a depth-first search for a placement within a capacity. It follows MiniMalloc (Moffitt, "MiniMalloc: A
// Lightweight Memory Allocator for Hardware-Accelerated Machine Learning", ASPLOS 2023): blocks are put down in order
// of their base, each at the lowest base that the blocks under it leave.
type search struct {
	m     *model
	order order
	free  bool  // place in any order instead of by base
	limit int64 // capacity
	bar   int64 // the same for sums of rounded sizes
	steps int64 // left
	base  []int64
	down  []bool  // is placed
	least []int64 // lowest base still possible
	floor []int64 // per section, lowest byte an open block can take
	total []int64 // per section, bytes of the open blocks
	cuts  []int32 // open blocks alive both in this section and in the next

	raised  []change // undo least
	lifted  []change // undo floor
	dirty   []int32
	stamp   []int64
	tick    int64
	opens   []open // stack of lists
	choices []choice
	weights []weight
}

type change struct {
	at  int32
	was int64
}

type choice struct {
	open
	base int64
}

func newSearch(m *model) *search {
	n, k := len(m.blocks), len(m.sections)
	s := &search{m: m, base: make([]int64, n), down: make([]bool, n), least: make([]int64, n),
		floor: make([]int64, k), total: make([]int64, k), cuts: make([]int32, k), stamp: make([]int64, k)}
	for i := range m.blocks {
		b := &m.blocks[i]
		s.least[i] = max(b.fixed, b.phase)
		for _, r := range b.hull {
			for t := r.first; t < r.last; t++ {
				s.total[t] += roundUp(r.hi-r.lo, m.unit)
			}
		}
		first, last := b.reach()
		for t := first; t+1 < last; t++ {
			s.cuts[t]++
		}
	}
	for t := range s.floor {
		s.floor[t] = s.floorOf(t)
	}
	return s
}

// reach is the range of sections from a block's first to its last, gaps included.
func (b *block) reach() (first, last int) {
	return b.hull[0].first, b.hull[len(b.hull)-1].last
}

// run looks for a placement within limit, for about that many steps; base holds it if found.
func (s *search) run(limit, steps int64, o order) outcome {
	s.limit, s.steps, s.order = limit, steps, o
	s.bar = limit
	if limit%s.m.unit != 0 {
		s.bar += s.m.slack
	}
	if limit < s.m.bound {
		return none
	}
	all := make([]open, len(s.m.blocks))
	for i := range all {
		all[i].block = int32(i)
	}
	points := []int{0}
	for t := 0; t+1 < len(s.cuts); t++ {
		if s.cuts[t] == 0 {
			points = append(points, t+1)
		}
	}
	return s.parts(all, append(points, len(s.cuts)))
}

// parts solves the ranges of sections between the points one after the other: no open block crosses a point.
func (s *search) parts(all []open, points []int) outcome {
	for k := 0; k+1 < len(points); k++ {
		mark := len(s.opens)
		for _, o := range all {
			if first, _ := s.m.blocks[o.block].reach(); !s.down[o.block] && points[k] <= first && first < points[k+1] {
				s.opens = append(s.opens, open{block: o.block})
			}
		}
		part := s.opens[mark:]
		res := found
		if len(part) > 0 {
			s.sort(part)
			res = s.visit(part, points[k], points[k+1], choice{open: open{block: -1, rank: -1}})
		}
		s.opens = s.opens[:mark]
		if res != found {
			return res
		}
	}
	return found
}

// visit tries every block that may come next.
func (s *search) visit(list []open, first, last int, before choice) outcome {
	if s.steps <= 0 {
		return exhausted
	}
	if len(list) == 0 {
		return found
	}
	mark := len(s.choices)
	s.choose(list, before)
	end := len(s.choices)
	res := none
	for k := mark; k < end; k++ {
		c := s.choices[k]
		raised, lifted := len(s.raised), len(s.lifted)
		ok, alone := s.put(c.block, c.base, first, last)
		if ok {
			res = s.descend(list, first, last, c)
		}
		s.take(c.block, raised, lifted)
		if res != none || alone {
			// With no open block above it, no other choice does better.
			break
		}
	}
	s.choices = s.choices[:mark]
	return res
}

// choose lists the blocks that may come next, by base.
func (s *search) choose(list []open, before choice) {
	// A block at or above the lowest possible top of another leaves room for that one under it: never better.
	lowTop := s.limit + 1
	for _, o := range list {
		if !s.free {
			lowTop = min(lowTop, s.least[o.block]+s.m.blocks[o.block].size)
		}
	}
	mark := len(s.choices)
	for _, o := range list {
		at := s.least[o.block]
		if at >= lowTop || !s.canonical(o, at, before) {
			continue
		}
		k := len(s.choices)
		s.choices = append(s.choices, choice{})
		for ; k > mark && s.choices[k-1].base > at; k-- {
			s.choices[k] = s.choices[k-1]
		}
		s.choices[k] = choice{o, at}
	}
}

// canonical rules out sequences that differ only in the order of blocks that do not touch each other: bases must not
// descend, nor ranks at one base; without an order of bases, ranks must not between blocks that never meet.
func (s *search) canonical(o open, at int64, before choice) bool {
	if s.free {
		return o.rank > before.rank || s.m.meet(before.block, o.block)
	}
	return at > before.base || at == before.base && o.rank >= before.rank
}

// descend visits what is left after a choice, in independent parts if time falls apart.
func (s *search) descend(list []open, first, last int, c choice) outcome {
	s.base[c.block] = c.base
	from, to := s.m.blocks[c.block].reach()
	var points []int
	for t := from; t+1 < to; t++ {
		if s.cuts[t]--; s.cuts[t] == 0 {
			if points == nil {
				points = append(points, first)
			}
			points = append(points, t+1)
		}
	}
	var res outcome
	if points == nil {
		mark := len(s.opens)
		for _, o := range list {
			if o.block != c.block {
				s.opens = append(s.opens, o)
			}
		}
		res = s.visit(s.opens[mark:len(s.opens):len(s.opens)], first, last, c)
		s.opens = s.opens[:mark]
	} else {
		res = s.parts(list, append(points, last))
	}
	for t := from; t+1 < to; t++ {
		s.cuts[t]++
	}
	return res
}

// put places a block and reports whether what is open may still fit, and whether no open block meets it.
func (s *search) put(i int32, base int64, first, last int) (ok, alone bool) {
	s.down[i] = true
	for _, r := range s.m.blocks[i].hull {
		held := roundUp(r.hi-r.lo, s.m.unit)
		for t := r.first; t < r.last; t++ {
			s.total[t] -= held
		}
	}
	// Whatever comes later lies at base or above, and above this block where it meets it. These cheap
	// tests refuse most choices.
	s.steps -= tryStep
	alone, ok = true, true
	s.tick++
	s.dirty = s.dirty[:0]
	for _, r := range s.m.blocks[i].hull {
		for t := r.first; t < r.last; t++ {
			if s.total[t] == 0 {
				continue
			}
			alone = false
			if base+r.hi+s.total[t] > s.bar {
				return false, false
			}
			s.stamp[t] = s.tick
			s.dirty = append(s.dirty, int32(t))
		}
	}
	if !s.free {
		for _, total := range s.total[first:last] {
			if base+total > s.bar {
				return false, alone
			}
		}
	}
	s.steps -= int64(len(s.m.above[i]))
	for _, e := range s.m.above[i] {
		if s.down[e.to] {
			continue
		}
		was := s.least[e.to]
		if was >= base+e.dist {
			continue
		}
		b := &s.m.blocks[e.to]
		now := b.settle(base + e.dist)
		s.raised = append(s.raised, change{e.to, was})
		s.least[e.to] = now
		if now+b.size > s.limit || b.fixed >= 0 && now > b.fixed {
			return false, false
		}
		for _, r := range b.hull {
			for t := r.first; t < r.last; t++ {
				if s.stamp[t] != s.tick && s.floor[t] == was+r.lo {
					s.stamp[t] = s.tick
					s.dirty = append(s.dirty, int32(t))
				}
			}
		}
	}
	for _, t := range s.dirty {
		s.steps -= int64(len(s.m.sections[t]))
		now := s.floorOf(int(t))
		if now == s.floor[t] {
			continue
		}
		s.lifted = append(s.lifted, change{t, s.floor[t]})
		s.floor[t] = now
		if now+s.total[t] > s.bar {
			return false, false
		}
	}
	return ok, alone
}

// floorOf is the lowest byte that an open block of the section can take.
func (s *search) floorOf(t int) int64 {
	low := int64(-1)
	for _, o := range s.m.sections[t] {
		if s.down[o.block] {
			continue
		}
		if at := s.least[o.block] + o.lo; low < 0 || at < low {
			low = at
		}
	}
	return max(low, 0)
}

// take undoes put.
func (s *search) take(i int32, raised, lifted int) {
	for k := len(s.lifted) - 1; k >= lifted; k-- {
		s.floor[s.lifted[k].at] = s.lifted[k].was
	}
	s.lifted = s.lifted[:lifted]
	for k := len(s.raised) - 1; k >= raised; k-- {
		s.least[s.raised[k].at] = s.raised[k].was
	}
	s.raised = s.raised[:raised]
	for _, r := range s.m.blocks[i].hull {
		held := roundUp(r.hi-r.lo, s.m.unit)
		for t := r.first; t < r.last; t++ {
			s.total[t] += held
		}
	}
	s.down[i] = false
}
