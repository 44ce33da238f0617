package pack

import (
	"errors"
	"fmt"
	"math"
)

const (
	maxPools = 64
	maxCuts  = 64   // bits of a state
	moves    = 4000 // of the local search
	// reduceNodes is the search budget of one test whether fewer items are still too many.
	reduceNodes = 20000
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
	opt = opt.withDefaults()
	blocks, err := bodies(buffers)
	if err != nil {
		return nil, err
	}
	m := newModel(blocks)
	s, err := newSpread(buffers, m, pools, opt.Objective)
	if err != nil {
		return nil, err
	}
	a := &assignment{buffers: buffers, pools: pools, opt: opt, m: m, s: s, proved: true}
	a.forbidFixed()
	if opt.Objective == Height {
		if err := a.lower(); err != nil {
			return nil, err
		}
	}
	plan, err := a.rounds()
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
	proved  bool // all cuts and capacities so far are true of every plan
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
			a.proved = false
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

// rounds chooses and places until the placement works.
func (a *assignment) rounds() (*Plan, error) {
	var last error
	for range 2 * maxCuts {
		c, err := a.s.choose(a.opt)
		if err != nil {
			if errors.Is(err, ErrNoRoom) {
				if last != nil {
					return nil, last
				}
				return nil, a.noChoice(math.Inf(1))
			}
			return nil, err
		}
		a.states = max(a.states, c.states)
		if a.proved {
			a.bound = max(a.bound, c.bound)
		}
		plan := &Plan{Pool: make([]int, len(a.buffers)), Offsets: fixedOffsets(a.buffers), Method: c.method, States: a.states}
		if last = a.place(plan, c.pool); last != nil {
			continue
		}
		a.price(plan, c.cost)
		return plan, nil
	}
	return nil, last
}

// price fills in the costs of a plan, the accesses of buffers of size 0 included.
func (a *assignment) price(plan *Plan, cost int64) {
	for i := range a.buffers {
		c, _ := accessCost(&a.buffers[i], &a.pools[plan.Pool[i]], a.opt.Objective)
		plan.Cost += uint64(c)
	}
	plan.CostBound = plan.Cost - uint64(cost-min(a.bound, cost))
	plan.CostOptimal = a.proved && plan.CostBound == plan.Cost
}

// place places the buffers of each pool; if one does not work, the spread is narrower afterwards.
func (a *assignment) place(plan *Plan, pool []int) error {
	var first error
	for i := range a.buffers { // those of size 0
		for p := range a.pools {
			if a.buffers[i].Pools.Has(p) {
				plan.Pool[i] = p
				break
			}
		}
	}
	for p := range a.pools {
		var items []int
		for i, q := range pool {
			if q == p {
				items = append(items, i)
			}
		}
		sub := a.model(items)
		capacity := int64(min(a.pools[p].Capacity, maxBytes))
		t := sub.solve(least, a.opt.Nodes)
		if t.height > capacity && t.bound <= capacity {
			t = sub.solve(capacity, a.opt.Nodes)
		}
		if t.height > capacity {
			e := &RoomError{Pool: a.pools[p].Name, Capacity: uint64(capacity), Need: uint64(t.bound), Best: uint64(t.height), Err: ErrBudget}
			if t.bound > capacity {
				e.Err = ErrNoRoom
			}
			a.narrow(p, items, t, capacity)
			if first == nil {
				first = e
			}
			continue
		}
		sub.offsets(t.base, plan.Offsets)
		for _, b := range sub.blocks {
			for _, k := range b.members {
				plan.Pool[k] = p
			}
		}
		plan.Pools = append(plan.Pools, *t.placement())
	}
	return first
}

// model is the placement problem of some items.
func (a *assignment) model(items []int) *model {
	var blocks []block
	for _, i := range items {
		blocks = append(blocks, a.m.blocks[a.s.items[i].block])
	}
	return newModel(blocks)
}

// narrow rules out that items share a pool where they were not placed: if that is impossible, the smallest set of them
// that is impossible, else these very items. After too many cuts it lowers the pool's live bytes instead.
func (a *assignment) narrow(p int, items []int, t *tower, capacity int64) {
	if t.bound <= capacity {
		a.proved = false
	} else {
		for k := 0; k < len(items) && len(items) > 1; {
			fewer := append(append([]int(nil), items[:k]...), items[k+1:]...)
			if a.model(fewer).solve(capacity, reduceNodes).bound > capacity {
				items = fewer
			} else {
				k++
			}
		}
	}
	if len(a.s.cuts) < maxCuts {
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
		f.search(moves)
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
