package pack

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// item is a block seen by pool assignment: bytes during sections, and a cost in each pool.
type item struct {
	block int
	loads []load
	first int     // section it is born in
	last  int     // section after its last
	pools []int   // it may lie in
	cost  []int64 // by pool
	cuts  []int   // it is a member of
}

// load is the bytes of an item during the sections [first, last), rounded up to what its alignment wastes anyway.
type load struct {
	first, last int
	bytes       int64
}

// cut forbids that all its items lie in its pool together: they were found not to fit.
type cut struct {
	pool  int
	items []int
	last  int // the member born last
}

// spread is a problem of pool assignment: choose a pool for each item, so that no section overfills a pool, and the
// costs add up to the least. It is a relaxation: that live bytes fit does not say that offsets exist.
type spread struct {
	items    []item // in order of birth
	sections int
	capacity []int64 // by pool
	cuts     []cut
}

// newSpread makes the items of a model's blocks.
func newSpread(buffers []Buffer, m *model, pools []Pool, objective Objective) (*spread, error) {
	s := &spread{sections: len(m.sections), capacity: make([]int64, len(pools))}
	for p := range pools {
		s.capacity[p] = int64(min(pools[p].Capacity, maxBytes))
		if s.capacity[p]%m.unit != 0 {
			s.capacity[p] += m.slack // as in the search: the topmost block need not be rounded
		}
	}
	var errs []error
	total := int64(0)
	for i := range m.blocks {
		b := &m.blocks[i]
		it := item{block: i, cost: make([]int64, len(pools))}
		it.first, it.last = b.reach()
		for _, r := range b.hull {
			for t := r.first; t < r.last; t++ {
				bytes := roundUp(unionBytes(b, t, r), m.unit)
				if n := len(it.loads); n > 0 && it.loads[n-1].last == t && it.loads[n-1].bytes == bytes {
					it.loads[n-1].last++
					continue
				}
				it.loads = append(it.loads, load{t, t + 1, bytes})
			}
		}
		dearest := int64(0)
		for p := range pools {
			allowed := max(b.fixed, b.phase)+b.size <= int64(min(pools[p].Capacity, maxBytes))
			for _, k := range b.members {
				allowed = allowed && buffers[k].Pools.Has(p)
				cost, ok := accessCost(&buffers[k], &pools[p], objective)
				it.cost[p] += cost
				if !ok || it.cost[p] > maxBytes {
					return nil, fmt.Errorf("%s: its accesses cost more than %d in %s", label(buffers, k), uint64(maxBytes), pools[p].Name)
				}
			}
			if allowed {
				it.pools = append(it.pools, p)
				dearest = max(dearest, it.cost[p])
			}
		}
		if len(it.pools) == 0 {
			errs = append(errs, fmt.Errorf("%s: %w: no pool that it may lie in has %d B", label(buffers, b.members[0]), ErrNoRoom, b.size))
		}
		if total += dearest; total > maxBytes {
			return nil, fmt.Errorf("%s: costs add up to more than %d", label(buffers, b.members[0]), uint64(maxBytes))
		}
		s.items = append(s.items, it)
	}
	sortByBirth(s.items)
	return s, errors.Join(errs...)
}

// accessCost is what one run's accesses of a buffer cost in a pool; false if that is out of range.
func accessCost(b *Buffer, p *Pool, objective Objective) (int64, bool) {
	var sum uint64
	for _, a := range b.Accesses {
		if a.Actor < 0 || a.Actor >= len(p.Rates) {
			continue
		}
		r := p.Rates[a.Actor]
		read, write := r.ReadTime, r.WriteTime
		if objective == Energy {
			read, write = r.ReadEnergy, r.WriteEnergy
		}
		for _, pair := range [2][2]uint64{{a.Read, read}, {a.Write, write}} {
			high, low := bits.Mul64(pair[0], pair[1])
			if high != 0 || low > maxBytes {
				return math.MaxInt64, false
			}
			if sum += low; sum > maxBytes {
				return math.MaxInt64, false
			}
		}
	}
	return int64(sum), true
}

// cost is the sum over all items of a choice of pools.
func (s *spread) cost(pool []int) (sum int64) {
	for i := range s.items {
		sum += s.items[i].cost[pool[i]]
	}
	return sum
}

// forbid adds a cut over items, given by index.
func (s *spread) forbid(pool int, items []int) {
	c := cut{pool: pool, items: items}
	for _, i := range items {
		c.last = max(c.last, i)
		s.items[i].cuts = append(s.items[i].cuts, len(s.cuts))
	}
	s.cuts = append(s.cuts, c)
}

// sortByBirth puts the items in the order in which the frontier meets them: the largest of a section first.
func sortByBirth(items []item) {
	slices.SortStableFunc(items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(b.loads[0].bytes, a.loads[0].bytes), cmp.Compare(a.block, b.block))
	})
}
