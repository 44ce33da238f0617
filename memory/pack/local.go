package pack

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// filling is a choice of pools under construction, and the best complete one so far.
type filling struct {
	s       *spread
	pool    []int // by item; -1: none yet
	used    [][]int64
	in      []int // by cut: its members in its pool
	missing int   // items without a pool
	sum     int64
	lowest  []int // the best complete choice; nil: none yet
	least   int64 // its cost
	order   []int
	keys    []float64
	undo    []turn
}

// turn is a move of an item out of a pool.
type turn struct{ item, from int }

func newFilling(s *spread) *filling {
	f := &filling{s: s, pool: make([]int, len(s.items)), in: make([]int, len(s.cuts)), keys: make([]float64, len(s.items))}
	for range s.capacity {
		f.used = append(f.used, make([]int64, s.sections))
	}
	for i := range s.items {
		f.order = append(f.order, i)
	}
	f.clear()
	return f
}

func (f *filling) clear() {
	for i := range f.pool {
		f.pool[i] = -1
	}
	for p := range f.used {
		clear(f.used[p])
	}
	clear(f.in)
	f.missing, f.sum = len(f.pool), 0
}

// fits reports whether an item may go to a pool as things are.
func (f *filling) fits(i, p int) bool {
	it := &f.s.items[i]
	for _, c := range it.cuts {
		if cut := &f.s.cuts[c]; cut.pool == p && f.in[c]+1 == len(cut.items) {
			return false
		}
	}
	for _, d := range it.loads {
		room := f.s.capacity[p] - d.bytes
		for _, used := range f.used[p][d.first:d.last] {
			if used > room {
				return false
			}
		}
	}
	return true
}

// shift moves an item from where it is to pool p; -1 is nowhere.
func (f *filling) shift(i, p int) {
	it, from := &f.s.items[i], f.pool[i]
	if from >= 0 {
		f.fill(it, from, -1)
		f.missing++
		f.sum -= it.cost[from]
	}
	if p >= 0 {
		f.fill(it, p, 1)
		f.missing--
		f.sum += it.cost[p]
	}
	f.pool[i] = p
}

// fill adds an item's bytes to a pool, or takes them away.
func (f *filling) fill(it *item, p int, sign int64) {
	for _, d := range it.loads {
		row := f.used[p][d.first:d.last]
		for t := range row {
			row[t] += sign * d.bytes
		}
	}
	for _, c := range it.cuts {
		if f.s.cuts[c].pool == p {
			f.in[c] += int(sign)
		}
	}
}

// keep remembers the choice if it is complete and the cheapest.
func (f *filling) keep() bool {
	if f.missing > 0 || f.lowest != nil && f.sum >= f.least {
		return false
	}
	f.lowest = append(f.lowest[:0], f.pool...)
	f.least = f.sum
	return true
}

// load starts again from a complete choice.
func (f *filling) load(pool []int) {
	f.clear()
	for i, p := range pool {
		f.shift(i, p)
	}
}

// byReducedCost fills from nothing: the items that lose most by their second choice go first.
func (f *filling) byReducedCost(l *prices) {
	for i := range f.keys {
		f.keys[i] = noChoice
		for _, p := range f.s.items[i].pools {
			if p != l.best[i] {
				f.keys[i] = min(f.keys[i], l.reduced[i][p]-l.reduced[i][l.best[i]])
			}
		}
	}
	f.greedy(func(i, p int) float64 { return l.reduced[i][p] })
}

// noChoice is the key of an item with only one pool.
const noChoice = math.MaxFloat64

// byGain fills from nothing: the items that save most, by the measure given, go first to where they cost least.
func (f *filling) byGain(measure func(i int, saved float64) float64) {
	for i := range f.keys {
		it := &f.s.items[i]
		low, high := it.cost[it.pools[0]], it.cost[it.pools[0]]
		for _, p := range it.pools {
			low, high = min(low, it.cost[p]), max(high, it.cost[p])
		}
		f.keys[i] = measure(i, float64(high-low))
		if len(it.pools) == 1 {
			f.keys[i] = noChoice
		}
	}
	f.greedy(func(i, p int) float64 { return float64(f.s.items[i].cost[p]) })
}

// greedy gives pools to items by descending keys, to each the pool of least cost that has room.
func (f *filling) greedy(cost func(i, p int) float64) {
	f.clear()
	slices.SortFunc(f.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.keys[b], f.keys[a]), cmp.Compare(a, b))
	})
	for _, i := range f.order {
		at := -1
		for _, p := range f.s.items[i].pools {
			if (at < 0 || cost(i, p) < cost(i, at)) && f.fits(i, p) {
				at = p
			}
		}
		if at < 0 {
			return
		}
		f.shift(i, at)
	}
	f.settle()
	f.keep()
}

// settle moves items to cheaper pools that have room until none does.
func (f *filling) settle() {
	for again := true; again; {
		again = false
		for _, i := range f.order {
			if p := f.cheaper(i); p >= 0 {
				f.shift(i, p)
				again = true
			}
		}
	}
}

// cheaper returns the cheapest pool with room in which an item costs less than where it is, or -1.
func (f *filling) cheaper(i int) int {
	it, at := &f.s.items[i], -1
	best := it.cost[f.pool[i]]
	for _, p := range it.pools {
		if it.cost[p] < best && f.fits(i, p) {
			at, best = p, it.cost[p]
		}
	}
	return at
}

// search improves the best choice by moves that force one item into a pool and push out what is in its way, then let
// others use the room. It accepts what is not much worse, and starts again from the best when lost.
func (f *filling) search(moves int) {
	if f.lowest == nil {
		return
	}
	rng := rand.New(rand.NewPCG(3, 4))
	var able []int
	for i := range f.s.items {
		if len(f.s.items[i].pools) > 1 {
			able = append(able, i)
		}
	}
	if len(able) == 0 {
		return
	}
	f.load(f.lowest)
	idle := 0
	for range moves {
		i := able[rng.IntN(len(able))]
		pools := f.s.items[i].pools
		p := pools[rng.IntN(len(pools))]
		if p == f.pool[i] {
			continue
		}
		before := f.sum
		slack := before / 50 * int64(rng.IntN(3)) / 2
		f.undo = f.undo[:0]
		if !f.force(i, p, rng) || f.sum > before+slack {
			for k := len(f.undo) - 1; k >= 0; k-- {
				f.shift(f.undo[k].item, f.undo[k].from)
			}
			continue
		}
		if idle++; f.keep() {
			idle = 0
		}
		if idle > 200 {
			f.load(f.lowest)
			idle = 0
		}
	}
}

// force moves an item into a pool and others out of its way; false if they have nowhere to go.
func (f *filling) force(i, p int, rng *rand.Rand) bool {
	f.turn(i, -1)
	for !f.fits(i, p) {
		j := f.victim(i, p, rng)
		if j < 0 {
			return false
		}
		f.turn(j, -1)
	}
	f.turn(i, p)
	for k := 0; k < len(f.undo); k++ {
		j := f.undo[k].item
		if f.pool[j] >= 0 {
			continue
		}
		at := -1
		for _, q := range f.s.items[j].pools {
			if (at < 0 || f.s.items[j].cost[q] < f.s.items[j].cost[at]) && f.fits(j, q) {
				at = q
			}
		}
		if at < 0 {
			return false
		}
		f.turn(j, at)
	}
	for _, j := range f.order {
		if q := f.cheaper(j); q >= 0 {
			f.turn(j, q)
		}
	}
	return true
}

func (f *filling) turn(i, p int) {
	f.undo = append(f.undo, turn{i, f.pool[i]})
	f.shift(i, p)
}

// victim picks an item of the pool that shares an overfilled section with item i: the one that loses least a byte,
// most of the time.
func (f *filling) victim(i, p int, rng *rand.Rand) int {
	it := &f.s.items[i]
	best, bestLoss := -1, 0.0
	for _, d := range it.loads {
		for t := d.first; t < d.last; t++ {
			if f.used[p][t]+d.bytes <= f.s.capacity[p] {
				continue
			}
			for j := range f.s.items {
				o := &f.s.items[j]
				if f.pool[j] != p || len(o.pools) == 1 || t < o.first || o.last <= t {
					continue
				}
				loss := f.loss(j, p) * (0.5 + rng.Float64())
				if best < 0 || loss < bestLoss {
					best, bestLoss = j, loss
				}
			}
			return best
		}
	}
	for _, c := range it.cuts { // room enough, so a cut is in the way
		if cut := &f.s.cuts[c]; cut.pool == p && f.in[c]+1 == len(cut.items) {
			for _, j := range cut.items {
				if j != i && f.pool[j] == p && len(f.s.items[j].pools) > 1 {
					return j
				}
			}
		}
	}
	return -1
}

// loss is what the cheapest other pool costs more for an item, a byte.
func (f *filling) loss(j, p int) float64 {
	it := &f.s.items[j]
	other := int64(-1)
	for _, q := range it.pools {
		if q != p && (other < 0 || it.cost[q] < other) {
			other = it.cost[q]
		}
	}
	return float64(other-it.cost[p]) / float64(it.loads[0].bytes)
}
