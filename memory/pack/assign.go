package pack

import (
	"errors"
	"fmt"
	"math"
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
	a := &assignment{buffers: buffers, pools: pools, opt: opt, m: m, s: s, steps: opt.Steps, proved: true}
	a.forbidFixed()
	if opt.Objective == Height {
		if err := a.lower(); err != nil {
			return nil, err
		}
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
	steps   int64 // left
	proved  bool  // all cuts and capacities so far are true of every plan
	loose   bool  // Height's capacities are not proved least
	states  int
	bound   int64 // of the cost of any plan
}

// forbidFixed keeps fixed blocks that overlap out of one another's pools.
func (a *assignment) forbidFixed() {
	at := make([]int, len(a.m.blocks)) // item of a block
	for i := range a.s.items {
		at[a.s.items[i].block] = i
	}
	a.m.fixedPairs(func(i, j int) bool {
		for p := range a.pools {
			if len(a.s.cuts) < maxCuts {
				a.s.forbid(p, []int{at[i], at[j]})
			}
		}
		return true
	})
}

// lower makes the capacities of all pools but the first as small as the live bytes allow, the last first.
func (a *assignment) lower() error {
	for p := len(a.pools) - 1; p > 0; p-- {
		f := &frontier{s: a.s, watch: p, ceiling: math.MaxInt64, most: a.opt.States}
		pool, bytes, dropped := f.choose()
		a.states = max(a.states, f.peak)
		if pool == nil {
			return a.noChoice(dropped)
		}
		if dropped < float64(bytes) && bytes > a.s.mustHold(p) {
			a.loose = true
		}
		a.s.capacity[p] = bytes
	}
	return nil
}

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

// noChoice is the error when live bytes alone overfill the pools.
func (a *assignment) noChoice(dropped float64) error {
	if !math.IsInf(dropped, 1) || !a.proved {
		return fmt.Errorf("pools: %w: no choice found that fits", ErrBudget)
	}
	var have, need uint64
	for _, p := range a.pools {
		have += min(p.Capacity, maxBytes)
	}
	need = uint64(a.m.bound)
	if need <= have {
		return fmt.Errorf("pools: %w: no choice of pools fits the live bytes, at most %d B, into %d B", ErrNoRoom, need, have)
	}
	return &RoomError{Pool: "all pools", Capacity: have, Need: need, Err: ErrNoRoom}
}

// layout is a choice of pools with a placement of each.
type layout struct {
	models []*model
	towers []*tower
	cost   int64
	method string
}

// rounds chooses and places until the placement works or what is left to choose costs more than what was found.
func (a *assignment) rounds() (*layout, error) {
	var best *layout
	var last error
	loose := 0 // rounds that ended without proof
	for range 2 * maxCuts {
		c, err := a.s.choose(a.opt)
		if err != nil {
			switch {
			case best != nil:
				return best, nil
			case last != nil:
				return nil, last
			case errors.Is(err, ErrNoRoom):
				return nil, a.noChoice(math.Inf(1))
			}
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
	plan.CostOptimal = plan.CostBound == plan.Cost && !a.loose
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

// narrow rules out that items share a pool where they were not placed: if that is proved impossible, the smallest set of
// them that is impossible, if they are few, these very items. Else it lowers the pool's live bytes.
func (a *assignment) narrow(p int, items []int, t *tower, capacity int64) {
	if t.bound > capacity {
		for k := 0; k < len(items) && len(items) > 1; {
			fewer := append(append([]int(nil), items[:k]...), items[k+1:]...)
			if a.solve(a.model(fewer), capacity, min(reduceSteps, a.share())).bound > capacity {
				items = fewer
			} else {
				k++
			}
		}
	} else {
		a.proved = false
	}
	if len(a.s.cuts) < maxCuts && (t.bound > capacity || len(items) <= few) {
		a.s.forbid(p, items)
		return
	}
	a.proved = false
	a.s.capacity[p] -= max(t.height-capacity, 1)
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
// cheaper than the best of them.
func (s *spread) choose(opt Options) (*selection, error) {
	f := newFilling(s)
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
		return nil, fmt.Errorf("pools: %w: no choice found that fits", ErrBudget)
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
