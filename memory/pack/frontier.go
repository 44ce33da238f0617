package pack

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// frontier is the exact dynamic program of pool assignment. It sweeps over time; a state is the pools of the items
// alive, and of all choices of the past that lead to a state only the cheapest can matter. A state dies when its bound
// says that nothing better than the known choice comes of it.
type frontier struct {
	s        *spread
	prices   *prices
	rent     [][]float64 // by item and pool: price of its bytes from the current section on
	watch    int         // pool whose greatest live bytes are minimised, instead of costs; -1: costs
	ceiling  int64       // only what is cheaper is of interest
	most     int         // states allowed
	alive    []int       // items in the frontier, by slot
	states   []state
	next     []state
	slots    []uint8 // of all states, one after the other
	nextSlot []uint8
	used     []int64 // of all states, by pool
	nextUsed []int64
	history  []turn // choices, linked by from
	kept     int    // entries of history left when it was last tidied
	peak     int    // most states at one moment
	dropped  float64
}

// state is one way to have chosen so far.
type state struct {
	cost  int64   // of the items born, or the bytes watched
	bound float64 // of any completion
	cuts  uint64  // cuts all of whose members born so far lie in their pool
	last  int32   // index of history, -1: none
}

// choose runs the program. It returns the best choice cheaper than the ceiling, nil if there is none, and a lower
// bound of what was not looked at: +Inf if the search was exhaustive.
func (f *frontier) choose() (pool []int, cost int64, dropped float64) {
	s := f.s
	k := len(s.capacity)
	f.dropped = math.Inf(1)
	f.rent = make([][]float64, len(s.items))
	for i := range f.rent {
		f.rent[i] = make([]float64, k)
		for _, p := range s.items[i].pools {
			if f.watch < 0 {
				f.rent[i][p] = f.prices.rent(&s.items[i], p)
			}
		}
	}
	start := state{last: -1, cuts: math.MaxUint64}
	if f.watch < 0 {
		start.bound = f.prices.bound
	}
	f.states, f.used = []state{start}, make([]int64, k)
	born := 0
	for t := range s.sections {
		f.reload(t)
		for ; born < len(s.items) && s.items[born].first == t; born++ {
			f.birth(born, t)
		}
		f.leave(t)
		if len(f.states) == 0 {
			return nil, 0, f.dropped
		}
	}
	best := slices.MinFunc(f.states, func(a, b state) int { return cmp.Compare(a.cost, b.cost) })
	pool = make([]int, len(s.items))
	for i := range pool {
		pool[i] = s.items[i].pools[0]
	}
	f.trace(best.last, pool)
	return pool, best.cost, f.dropped
}

// trace follows the history of a state. An entry is item and pool in one number.
func (f *frontier) trace(at int32, pool []int) {
	for k := int(at); k >= 0; k = f.history[k].from {
		pool[f.history[k].item/64] = f.history[k].item % 64
	}
}

// reload recounts the bytes that states use in a section.
func (f *frontier) reload(t int) {
	k := len(f.s.capacity)
	clear(f.used)
	n := len(f.alive)
	for slot, i := range f.alive {
		bytes := f.s.items[i].at(t)
		if bytes == 0 {
			continue
		}
		for a := range f.states {
			f.used[a*k+int(f.slots[a*n+slot])] += bytes
		}
	}
	// An item may grow while it lives.
	kept := 0
	for a := range f.states {
		ok := true
		for p := range k {
			ok = ok && f.used[a*k+p] <= f.s.capacity[p]
		}
		if st := &f.states[a]; f.watch >= 0 {
			st.cost = max(st.cost, f.used[a*k+f.watch])
			st.bound = float64(st.cost)
			ok = ok && st.cost < f.ceiling
		}
		if ok {
			f.move(a, kept, n, k)
			kept++
		}
	}
	f.states, f.slots, f.used = f.states[:kept], f.slots[:kept*n], f.used[:kept*k]
}

// move copies state a to place b.
func (f *frontier) move(a, b, n, k int) {
	if a == b {
		return
	}
	f.states[b] = f.states[a]
	copy(f.slots[b*n:(b+1)*n], f.slots[a*n:(a+1)*n])
	copy(f.used[b*k:(b+1)*k], f.used[a*k:(a+1)*k])
}

// at is the bytes of an item in a section.
func (it *item) at(t int) int64 {
	for _, d := range it.loads {
		if d.first <= t && t < d.last {
			return d.bytes
		}
	}
	return 0
}

// birth branches over the pools of an item.
func (f *frontier) birth(i, t int) {
	it := &f.s.items[i]
	k, n := len(f.s.capacity), len(f.alive)
	bytes := it.at(t)
	cheapest := math.Inf(1)
	for _, p := range it.pools {
		cheapest = min(cheapest, float64(it.cost[p])+f.rent[i][p])
	}
	f.next, f.nextSlot, f.nextUsed = f.next[:0], f.nextSlot[:0], f.nextUsed[:0]
	for a, st := range f.states {
		for _, p := range it.pools {
			if f.used[a*k+p]+bytes > f.s.capacity[p] {
				continue
			}
			b := st
			if f.watch < 0 {
				b.cost += it.cost[p]
				b.bound += float64(it.cost[p]) + f.rent[i][p] - cheapest
			} else if p == f.watch {
				b.cost = max(b.cost, f.used[a*k+p]+bytes)
				b.bound = float64(b.cost)
			}
			if surely(b.bound) > float64(f.ceiling-1) || !f.cut(&b, it, i, p) {
				continue
			}
			if len(it.pools) > 1 {
				f.history = append(f.history, turn{i*64 + p, int(b.last)})
				b.last = int32(len(f.history) - 1)
			}
			f.next = append(f.next, b)
			f.nextSlot = append(append(f.nextSlot, f.slots[a*n:(a+1)*n]...), uint8(p))
			f.nextUsed = append(f.nextUsed, f.used[a*k:(a+1)*k]...)
			f.nextUsed[len(f.nextUsed)-k+p] += bytes
		}
	}
	f.alive = append(f.alive, i)
	f.swap()
	f.trim()
}

func (f *frontier) swap() {
	f.states, f.next = f.next, f.states
	f.slots, f.nextSlot = f.nextSlot, f.slots
	f.used, f.nextUsed = f.nextUsed, f.used
}

// cut keeps the books of cuts; false if the last member completes one.
func (f *frontier) cut(b *state, it *item, i, p int) bool {
	for _, c := range it.cuts {
		cut := &f.s.cuts[c]
		if cut.pool != p {
			b.cuts &^= 1 << c
		} else if cut.last == i && b.cuts>>c&1 != 0 {
			return false
		}
	}
	return true
}

// trim keeps the most promising states if there are too many.
func (f *frontier) trim() {
	f.peak = max(f.peak, len(f.states))
	if len(f.states) <= f.most {
		return
	}
	ids := make([]int, len(f.states))
	for a := range ids {
		ids[a] = a
	}
	slices.SortFunc(ids, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.states[a].bound, f.states[b].bound), cmp.Compare(f.states[a].cost, f.states[b].cost), cmp.Compare(a, b))
	})
	f.dropped = min(f.dropped, f.states[ids[f.most]].bound)
	ids = ids[:f.most]
	slices.Sort(ids)
	k, n := len(f.s.capacity), len(f.alive)
	for b, a := range ids {
		f.move(a, b, n, k)
	}
	f.states, f.slots, f.used = f.states[:f.most], f.slots[:f.most*n], f.used[:f.most*k]
}

// leave ends a section: the prices of its free bytes are lost, and states with the same future are joined, the
// cheapest of each kind kept. The future depends on how many bytes each pool holds until when, not on which items they are.
func (f *frontier) leave(t int) {
	k, n := len(f.s.capacity), len(f.alive)
	keep, ends := f.kinds(t + 1)
	for _, i := range f.alive {
		if f.watch < 0 {
			for _, p := range f.s.items[i].pools {
				f.rent[i][p] -= float64(f.prices.price[p][t] * float64(f.s.items[i].at(t)))
			}
		}
	}
	f.next, f.nextSlot, f.nextUsed = f.next[:0], f.nextSlot[:0], f.nextUsed[:0]
	seen := map[string]int{}
	key, kind := make([]byte, 0, n+8), 0
	for a, st := range f.states {
		if f.watch < 0 {
			for p := range k {
				st.bound += float64(f.prices.price[p][t] * float64(f.s.capacity[p]-f.used[a*k+p]))
			}
			if surely(st.bound) > float64(f.ceiling-1) {
				continue
			}
		}
		key, kind = key[:0], 0
		for j, slot := range keep {
			key = append(key, f.slots[a*n+slot])
			if ends[j] {
				slices.Sort(key[kind:])
				kind = j + 1
			}
		}
		if len(f.s.cuts) > 0 {
			key = binary.LittleEndian.AppendUint64(key, st.cuts)
		}
		if b, ok := seen[string(key)]; ok {
			if st.cost < f.next[b].cost {
				f.next[b] = st
			}
			continue
		}
		seen[string(key)] = len(f.next)
		f.next = append(f.next, st)
		f.nextSlot = append(f.nextSlot, key[:len(keep)]...)
		f.nextUsed = append(f.nextUsed, f.used[a*k:(a+1)*k]...)
	}
	alive := make([]int, len(keep))
	for j, slot := range keep {
		alive[j] = f.alive[slot]
	}
	f.alive = alive
	f.swap()
	f.forget()
}

// forget drops the history that no state comes from, if it has become long.
func (f *frontier) forget() {
	if len(f.history) < 1<<20 || len(f.history) < 2*f.kept {
		return
	}
	at := make([]int32, len(f.history)) // 0: unreachable
	for a := range f.states {
		for k := f.states[a].last; k >= 0 && at[k] == 0; k = int32(f.history[k].from) {
			at[k] = 1
		}
	}
	f.kept = 0
	for k, h := range f.history { // what an entry comes from lies before it
		if at[k] == 0 {
			continue
		}
		if h.from >= 0 {
			h.from = int(at[h.from])
		}
		f.history[f.kept] = h
		at[k] = int32(f.kept)
		f.kept++
	}
	f.history = f.history[:f.kept]
	for a := range f.states {
		if k := f.states[a].last; k >= 0 {
			f.states[a].last = at[k]
		}
	}
}

// kinds returns the slots of the items that are alive in a section or later, those with equal bytes from then on side by
// side; ends marks the last of each kind.
func (f *frontier) kinds(t int) (slots []int, ends []bool) {
	at := map[string]int{}
	kind := make([]int, len(f.alive))
	var text []byte
	for slot, i := range f.alive {
		it := &f.s.items[i]
		if it.last <= t {
			continue
		}
		text = text[:0]
		for _, d := range it.loads {
			if d.last > t {
				for _, v := range [3]int64{int64(max(d.first, t)), int64(d.last), d.bytes} {
					text = binary.LittleEndian.AppendUint64(text, uint64(v))
				}
			}
		}
		if _, ok := at[string(text)]; !ok {
			at[string(text)] = len(at)
		}
		kind[slot] = at[string(text)]
		slots = append(slots, slot)
	}
	slices.SortStableFunc(slots, func(a, b int) int { return cmp.Compare(kind[a], kind[b]) })
	for j, slot := range slots {
		ends = append(ends, j+1 == len(slots) || kind[slots[j+1]] != kind[slot])
	}
	return slots, ends
}
