package pack

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

const (
	maxPools = 64
	maxCuts  = 64 // bits of a state
	// reduceSteps is the search budget of one test whether fewer items are still too many.
	reduceSteps = 1 << 20
	// few items may be forbidden together without proof: there are not many other choices like it.
	few = 16
	// maxLoose rounds may end without proof; each costs a search.
	maxLoose = 6
)

// Assign chooses a pool for each buffer and places the buffers of each pool within its capacity, as low as it can. First
// it chooses by live bytes alone; if the choice cannot be placed, it forbids it and chooses again.
//
// Errors: all that is wrong with the buffers or pools; a *RoomError, or one that wraps ErrNoRoom, if there is no plan;
// ErrBudget if none was found within the budgets.
func Assign(buffers []Buffer, pools []Pool, opt Options) (*Plan, error) {
	if len(pools) == 0 || len(pools) > maxPools {
		return nil, fmt.Errorf("pools: want 1 to %d, have %d", maxPools, len(pools))
	}
	blocks, err := bodies(buffers)
	if err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	m := newModel(blocks)
	s, err := newSpread(buffers, m, pools, opt.Objective)
	if err != nil {
		return nil, err
	}
	a := &assignment{buffers: buffers, pools: pools, opt: opt, m: m, s: s, room: slices.Clone(s.capacity), steps: opt.Steps, proved: true}
	if err := a.forbidFixed(); err != nil {
		return nil, err
	}
	l, err := a.rounds()
	if err != nil {
		return nil, err
	}
	plan, err := a.plan(l)
	if err != nil {
		return nil, err
	}
	if err := Verify(buffers, pools, plan); err != nil {
		panic(fmt.Sprintf("BUG: pack.Assign made a wrong plan: %v", err))
	}
	return plan, nil
}

// assignment is a call of Assign under way.
type assignment struct {
	buffers []Buffer
	pools   []Pool
	opt     Options
	m       *model
	s       *spread
	room    []int64 // by pool, live bytes that may be chosen
	steps   int64   // left
	proved  bool    // all cuts and capacities so far are true of every plan
	loose   bool    // what Height kept the live bytes to is not proved least
	states  int
	bound   int64 // of the cost of any plan
}

// forbidFixed keeps fixed blocks that overlap out of one another's pools.
func (a *assignment) forbidFixed() (err error) {
	at := make([]int, len(a.m.blocks)) // item of a block
	for i := range a.s.items {
		at[a.s.items[i].block] = i
	}
	a.m.fixedPairs(func(i, j int) bool {
		for _, p := range a.s.items[at[i]].pools {
			if !slices.Contains(a.s.items[at[j]].pools, p) {
				continue
			}
			if len(a.s.cuts) == maxCuts {
				err = fmt.Errorf("more than %d overlaps of fixed buffers that may share a pool: say in which pool each lies", maxCuts)
				return false
			}
			a.s.forbid(p, []int{at[i], at[j]})
		}
		return true
	})
	return err
}

// choose solves the spread as it is now.
func (a *assignment) choose() (*selection, error) {
	copy(a.s.capacity, a.room)
	if a.opt.Objective != Height {
		return a.s.choose(a.opt, nil)
	}
	known, err := a.lower()
	if err != nil {
		return nil, err
	}
	return a.s.choose(a.opt, known)
}

// lower makes the capacities of all pools but the first as small as the live bytes allow, the last first, and returns
// a choice that keeps to them; nil if there is only one pool.
func (a *assignment) lower() (pool []int, err error) {
	for p := len(a.pools) - 1; p > 0; p-- {
		bytes, proved := int64(math.MaxInt64), false
		for most := min(1<<10, a.opt.States); !proved; most = min(most*8, a.opt.States) {
			f := &frontier{s: a.s, watch: p, ceiling: bytes, most: most}
			fewer, n, dropped := f.choose()
			a.states = max(a.states, f.peak)
			if fewer != nil {
				pool, bytes = fewer, n
			}
			proved = dropped >= float64(bytes) || bytes <= a.s.mustHold(p)
			if most == a.opt.States {
				break
			}
		}
		if bytes == math.MaxInt64 {
			if proved {
				return nil, ErrNoRoom
			}
			return nil, errNoChoice
		}
		a.loose = a.loose || !proved
		a.s.capacity[p] = bytes
	}
	return pool, nil
}

var errNoChoice = fmt.Errorf("pools: %w: no choice found that fits", ErrBudget)

// mustHold is a lower bound of the live bytes of a pool: what the others cannot take.
func (s *spread) mustHold(p int) (most int64) {
	total, forced := make([]int64, s.sections), make([]int64, s.sections)
	for i := range s.items {
		it := &s.items[i]
		for _, d := range it.loads {
			for t := d.first; t < d.last; t++ {
				total[t] += d.bytes
				if len(it.pools) == 1 && it.pools[0] == p {
					forced[t] += d.bytes
				}
			}
		}
	}
	var others int64
	for q, c := range s.capacity {
		if q != p {
			others += min(c, maxBytes-others)
		}
	}
	for t := range total {
		most = max(most, total[t]-others, forced[t])
	}
	return most
}

// refuse is the error when there is nothing left to choose; last is why the latest choice did not work, if there was one.
func (a *assignment) refuse(last error) error {
	var room *RoomError
	switch {
	case errors.As(last, &room):
		if !a.proved {
			room.Err = ErrBudget
		}
		return last
	case a.m.bound > a.total():
		return &RoomError{Pool: "all pools", Capacity: uint64(a.total()), Need: uint64(a.m.bound), Err: ErrNoRoom}
	}
	return fmt.Errorf("pools: %w: no choice of pools fits the live bytes, at most %d B, into %d B", ErrNoRoom, a.m.bound, a.total())
}

// total is the bytes of all pools.
func (a *assignment) total() (sum int64) {
	for p := range a.pools {
		sum += min(a.capacity(p), maxBytes-sum)
	}
	return sum
}

// layout is a choice of pools with a placement of each.
type layout struct {
	models []*model
	towers []*tower
	cost   int64
	method string
	spilt  bool // not by choice
}

// rounds chooses and places until the placement works or what is left to choose costs more than what was found.
func (a *assignment) rounds() (*layout, error) {
	var best *layout
	var last error
	loose := 0 // rounds that ended without proof
	for range 2 * maxCuts {
		c, err := a.choose()
		switch {
		case err != nil && best != nil:
			return best, nil
		case errors.Is(err, ErrNoRoom):
			return nil, a.refuse(last)
		case err != nil:
			return nil, err
		}
		a.states = max(a.states, c.states)
		if a.proved {
			a.bound = max(a.bound, c.bound)
		}
		if best != nil && c.cost >= best.cost {
			return best, nil
		}
		l, err := a.place(c)
		if err == nil {
			return l, nil
		}
		last = err
		if l := a.spill(c); l != nil && (best == nil || l.cost < best.cost) {
			best = l
		}
		if errors.Is(err, ErrBudget) {
			loose++
		}
		if best != nil && loose > maxLoose {
			return best, nil
		}
	}
	if best != nil {
		return best, nil
	}
	return nil, last
}

// place places the items of each pool; if one does not work, the spread is narrower afterwards.
func (a *assignment) place(c *selection) (*layout, error) {
	l := &layout{models: make([]*model, len(a.pools)), towers: make([]*tower, len(a.pools)), cost: c.cost, method: c.method}
	var first error
	for p := range a.pools {
		var items []int
		for i, q := range c.pool {
			if q == p {
				items = append(items, i)
			}
		}
		capacity := a.capacity(p)
		l.models[p] = a.model(items)
		l.towers[p] = a.solve(l.models[p], capacity, a.share())
		if t := l.towers[p]; t.height > capacity {
			e := &RoomError{Pool: a.pools[p].Name, Capacity: uint64(capacity), Need: uint64(t.bound), Best: uint64(t.height), Err: ErrBudget}
			if t.bound > capacity {
				e.Err = ErrNoRoom
			}
			a.narrow(p, items, t, capacity)
			if first == nil || errors.Is(first, ErrNoRoom) {
				first = e
			}
		}
	}
	if first != nil {
		return nil, first
	}
	for p, t := range l.towers {
		if t.height > t.bound {
			if lower := a.solve(l.models[p], least, a.share()); lower.height <= t.height {
				l.towers[p] = lower
			}
		}
	}
	return l, nil
}

// plan turns a layout into what the caller sees.
func (a *assignment) plan(l *layout) (*Plan, error) {
	plan := &Plan{Pool: make([]int, len(a.buffers)), Offsets: fixedOffsets(a.buffers), Method: l.method, States: a.states}
	for p, m := range l.models {
		m.offsets(l.towers[p].base, plan.Offsets)
		for _, b := range m.blocks {
			for _, k := range b.members {
				plan.Pool[k] = p
			}
		}
		plan.Pools = append(plan.Pools, *l.towers[p].placement())
	}
	for i := range a.buffers {
		b := &a.buffers[i]
		if b.Size == 0 {
			plan.Pool[i] = 0
			for plan.Pool[i] < len(a.pools) && !b.Pools.Has(plan.Pool[i]) {
				plan.Pool[i]++
			}
			if plan.Pool[i] == len(a.pools) {
				return nil, fmt.Errorf("%s: %w: no pool that it may lie in", label(a.buffers, i), ErrNoRoom)
			}
		}
		c, _ := accessCost(b, &a.pools[plan.Pool[i]], a.opt.Objective)
		plan.Cost += uint64(c)
	}
	plan.CostBound = plan.Cost - uint64(l.cost-min(a.bound, l.cost)) // the same part is due to buffers of size 0 in both
	plan.CostOptimal = plan.CostBound == plan.Cost && !(a.opt.Objective == Height && (a.loose || l.spilt))
	return plan, nil
}

// capacity is the bytes of a pool that offsets may use.
func (a *assignment) capacity(p int) int64 { return int64(min(a.pools[p].Capacity, maxBytes)) }

// share is the part of the steps left that one placement may take.
func (a *assignment) share() int64 { return max(a.steps/4, 1) }

// solve places a model and counts the steps.
func (a *assignment) solve(m *model, enough, steps int64) *tower {
	t := m.solve(enough, steps)
	a.steps -= t.steps
	return t
}

// model is the placement problem of some items.
func (a *assignment) model(items []int) *model {
	var blocks []block
	for _, i := range items {
		blocks = append(blocks, a.m.blocks[a.s.items[i].block])
	}
	return newModel(blocks)
}

// narrow rules out that items share a pool where they were not placed: if that is proved impossible, a smallest set of
// them that is impossible, if they are few, these very items. Else it lowers the pool's live bytes.
func (a *assignment) narrow(p int, items []int, t *tower, capacity int64) {
	if t.bound > capacity {
		items = a.smallest(items, capacity)
	} else {
		a.proved = false
	}
	if len(a.s.cuts) < maxCuts && (t.bound > capacity || len(items) <= few) {
		a.s.forbid(p, items)
		return
	}
	a.proved = false
	a.room[p] -= max(t.height-capacity, 1)
}

// smallest takes items away, in halves, then in quarters, down to one by one, as long as the rest is proved too many.
func (a *assignment) smallest(items []int, capacity int64) []int {
	for size := (len(items) + 1) / 2; size > 0; size /= 2 {
		for k := 0; k < len(items) && len(items) > size; {
			fewer := slices.Concat(items[:k], items[min(k+size, len(items)):])
			if a.solve(a.model(fewer), capacity, min(reduceSteps, a.share())).bound > capacity {
				items = fewer
			} else {
				k += size
			}
		}
	}
	return items
}

// selection is a solution of a spread.
type selection struct {
	pool   []int
	cost   int64
	bound  int64
	method string
	states int
}

// choose solves pool assignment: prices for a bound and good choices, a local search, then the frontier for what is
// cheaper than the best of them. A choice that is known to fit may be given.
func (s *spread) choose(opt Options, known []int) (*selection, error) {
	f := newFilling(s)
	if known != nil {
		f.load(known)
		f.keep()
	}
	f.heuristics()
	top := newPrices(s).improve(f)
	c := &selection{method: "local search"}
	c.bound = max(0, int64(math.Ceil(surely(top.bound))))
	if f.lowest != nil && f.least > c.bound {
		f.search(max(200, min(4000, 400000/len(s.items))))
	}
	ceiling := int64(math.MaxInt64)
	if f.lowest != nil {
		c.pool, c.cost, ceiling = f.lowest, f.least, f.least
	}
	for most := min(1<<10, opt.States); ceiling > c.bound; most = min(most*8, opt.States) {
		d := &frontier{s: s, prices: top, watch: -1, ceiling: ceiling, most: most}
		pool, cost, dropped := d.choose()
		c.states = max(c.states, d.peak)
		if pool != nil {
			c.pool, c.cost, ceiling, c.method = pool, cost, cost, "frontier"
		}
		if surely(dropped) > float64(ceiling-1) {
			// Nothing cheaper was left out.
			if c.pool == nil {
				return nil, ErrNoRoom
			}
			c.bound, c.method = c.cost, "frontier"
			break
		}
		c.bound = max(c.bound, int64(math.Ceil(surely(dropped))))
		if most == opt.States {
			break
		}
	}
	if c.pool == nil {
		return nil, errNoChoice
	}
	return c, nil
}

// heuristics makes the choices that other planners would: the largest first, and the most saved a byte and moment.
func (f *filling) heuristics() {
	items := f.s.items
	f.byGain(func(i int, saved float64) float64 { return float64(items[i].loads[0].bytes) })
	f.byGain(func(i int, saved float64) float64 { return saved / float64(items[i].loads[0].bytes) })
	f.byGain(func(i int, saved float64) float64 {
		return saved / float64(items[i].loads[0].bytes) / float64(items[i].last-items[i].first)
	})
	f.byGain(func(i int, saved float64) float64 { return saved })
}
