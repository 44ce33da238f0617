package pack

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// fitter places blocks one by one, each at the lowest base that those before it leave.
type fitter struct {
	m     *model
	base  []int64 // -1: not placed
	taken []rect  // bases that the current block cannot have: lo < base < hi
}

func newFitter(m *model) *fitter {
	return &fitter{m: m, base: make([]int64, len(m.blocks))}
}

// fit places the blocks in the order given, fixed ones first, and returns the height.
func (f *fitter) fit(order []int32) (height int64) {
	return f.fitBelow(order, math.MaxInt64)
}

// fitBelow is fit that leaves out what would end above the limit.
func (f *fitter) fitBelow(order []int32, limit int64) (height int64) {
	for i := range f.base {
		f.base[i] = f.m.blocks[i].fixed
		if f.base[i] >= 0 {
			height = max(height, f.base[i]+f.m.blocks[i].size)
		}
	}
	for _, i := range order {
		b := &f.m.blocks[i]
		if b.fixed >= 0 {
			continue
		}
		at := f.lowest(i)
		if at > limit-b.size {
			continue
		}
		f.base[i] = at
		height = max(height, at+b.size)
	}
	return height
}

// lowest is the lowest base at which a block overlaps none of those placed.
func (f *fitter) lowest(i int32) int64 {
	b := &f.m.blocks[i]
	f.taken = f.taken[:0]
	for _, e := range f.m.above[i] {
		if f.base[e.to] < 0 {
			continue
		}
		o := &f.m.blocks[e.to]
		for _, r := range b.rects {
			for _, p := range o.rects {
				if r.first < p.last && p.first < r.last {
					f.taken = append(f.taken, rect{lo: f.base[e.to] + p.lo - r.hi, hi: f.base[e.to] + p.hi - r.lo})
				}
			}
		}
	}
	// Whoever is in the way pushes the base up past itself, until nobody is. That ends at the lowest base in any order, and
	// after a few rounds; only where it does not, sorting pays.
	at := b.settle(0)
	for range 8 {
		free := true
		for k := range f.taken {
			if t := &f.taken[k]; t.lo < at && at < t.hi {
				at, free = b.settle(t.hi), false
			}
		}
		if free {
			return at
		}
	}
	slices.SortFunc(f.taken, func(a, b rect) int { return cmp.Compare(a.lo, b.lo) })
	for _, t := range f.taken {
		if at <= t.lo {
			break
		}
		if at < t.hi {
			at = b.settle(t.hi)
		}
	}
	return at
}

// portfolio is the static orders of first fit: size then start is TFLite's.
var portfolio = []order{"Z", "A", "WZ", "TZ", "ZW", "OZ", "S"}

// ordered returns all blocks in a static order.
func (s *search) ordered(o order) []int32 {
	s.order = o
	list := make([]open, len(s.m.blocks))
	for i := range list {
		list[i].block = int32(i)
	}
	s.sort(list)
	ids := make([]int32, len(list))
	for k := range list {
		ids[k] = list[k].block
	}
	return ids
}

// climb improves an order of first fit by moving what stands in the highest stacks forward, and returns the best
// height. It accepts what is not worse, and stops at the target.
func (f *fitter) climb(ids []int32, rounds int, target int64, best []int64) int64 {
	rng := rand.New(rand.NewPCG(1, 2))
	height := f.fit(ids)
	base := slices.Clone(f.base)
	lowest := height
	copy(best, base)
	next := make([]int32, len(ids))
	var tops []int
	for range rounds {
		if lowest <= target {
			break
		}
		// A block at the top, or one that it meets, goes to a random earlier turn.
		tops = tops[:0]
		for k, i := range ids {
			if base[i]+f.m.blocks[i].size == height {
				tops = append(tops, k)
			}
		}
		from := tops[rng.IntN(len(tops))]
		if met := f.m.above[ids[from]]; len(met) > 0 && rng.IntN(2) == 0 {
			from = slices.Index(ids, met[rng.IntN(len(met))].to)
		}
		if from == 0 {
			continue
		}
		to := rng.IntN(from)
		copy(next, ids)
		copy(next[to+1:from+1], ids[to:from])
		next[to] = ids[from]
		h := f.fit(next)
		if h > height {
			continue
		}
		height = h
		ids, next = next, ids
		copy(base, f.base)
		if h < lowest {
			lowest = h
			copy(best, base)
		}
	}
	return lowest
}
