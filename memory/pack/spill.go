package pack

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// spill makes a layout from a choice that could not be placed: first fit into each pool in turn, in the order that loses
// least, and what does not find room goes on to its next cheapest pool. Items of later pools that would rather be here
// fill the holes. It returns nil if an item is left over.
func (a *assignment) spill(c *selection) *layout {
	l := &layout{method: "spill", spilt: true}
	at := slices.Clone(c.pool)
	for p := range a.pools {
		items, chosen := a.candidates(at, p)
		m := a.model(items)
		f := newFitter(m)
		loss := make([]int64, len(items))
		for k, i := range items {
			loss[k] = a.loss(i, p)
		}
		base := a.leastLoss(f, chosen, loss, a.capacity(p))
		var blocks []block
		t := &tower{method: "spill"}
		for k, i := range items {
			if base[k] < 0 {
				if loss[k] == stuck {
					return nil
				}
				if at[i] == p {
					at[i] = a.next(i, p)
				}
				continue
			}
			at[i] = p
			blocks = append(blocks, m.blocks[k])
			t.base = append(t.base, base[k])
			t.height = max(t.height, base[k]+m.blocks[k].size)
		}
		l.models = append(l.models, newModel(blocks))
		t.bound = l.models[p].bound
		l.towers = append(l.towers, t)
	}
	l.cost = a.s.cost(at)
	return l
}

// candidates returns the items that may be placed in pool p: those chosen for it, then those of later pools that cost
// less here, and how many are of the first kind.
func (a *assignment) candidates(at []int, p int) (items []int, chosen int) {
	for i, q := range at {
		if q == p {
			items = append(items, i)
		}
	}
	chosen = len(items)
	for i, q := range at {
		it := &a.s.items[i]
		if q > p && slices.Contains(it.pools, p) && it.cost[p] < it.cost[q] && a.m.blocks[it.block].fixed < 0 {
			items = append(items, i)
		}
	}
	return items, chosen
}

// stuck is the loss of an item that no later pool may take.
const stuck = math.MaxInt64

// next is the cheapest pool after p that an item may lie in, or -1.
func (a *assignment) next(i, p int) int {
	it, best := &a.s.items[i], -1
	for _, q := range it.pools {
		if q > p && (best < 0 || it.cost[q] < it.cost[best]) {
			best = q
		}
	}
	return best
}

// loss is what it costs more not to place an item in pool p.
func (a *assignment) loss(i, p int) int64 {
	q := a.next(i, p)
	if q < 0 {
		return stuck
	}
	return max(0, a.s.items[i].cost[q]-a.s.items[i].cost[p])
}

// leastLoss tries orders of first fit below a limit, then changes of the best, and returns its bases; -1 is spilled.
func (a *assignment) leastLoss(f *fitter, chosen int, loss []int64, limit int64) []int64 {
	var best []int64
	var order []int32
	least := math.Inf(1)
	try := func(ids []int32) bool {
		f.fitBelow(ids, limit)
		sum := 0.0
		for k, b := range f.base {
			if b < 0 && loss[k] == stuck {
				sum += maxBytes
			} else if b < 0 {
				sum += float64(loss[k])
			}
		}
		if sum >= least {
			return false
		}
		least = sum
		best = append(best[:0], f.base...)
		order = append(order[:0], ids...)
		return true
	}
	s := newSearch(f.m)
	for _, o := range portfolio {
		ids := s.ordered(o)
		// Who can go nowhere else comes first, who was not chosen last.
		turn := func(i int32) int { return boolInt(loss[i] != stuck) + boolInt(int(i) >= chosen) }
		slices.SortStableFunc(ids, func(x, y int32) int { return cmp.Compare(turn(x), turn(y)) })
		try(ids)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	ids := make([]int32, len(order))
	for range min(2000, 500000/(len(order)+1)) {
		var out []int
		for k, i := range order {
			if best[i] < 0 && k > 0 {
				out = append(out, k)
			}
		}
		if len(out) == 0 {
			break
		}
		from := out[rng.IntN(len(out))]
		to := rng.IntN(from)
		copy(ids, order)
		copy(ids[to+1:from+1], order[to:from])
		ids[to] = order[from]
		try(ids)
	}
	return best
}
