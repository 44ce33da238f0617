package memory

import (
	"errors"
	"slices"

	"github.com/ptero-rt/ptero/hal"
)

// Layout is where everything that some methods want would lie on a board, and whether it fits. It holds no memory.
type Layout struct {
	board      hal.Board
	methods    []placed
	held       []placed // what the space held before
	ledger     *ledger  // with all of the demands held
	violations []Violation
	notes      []string
}

// placed is one demand with its blocks.
type placed struct {
	demand *Demand
	blocks []block
}

// Fits says whether the board can hold it all.
func (l *Layout) Fits() bool { return len(l.violations) == 0 }

// Violations gives everything that is wrong. The slice belongs to the layout.
func (l *Layout) Violations() []Violation { return l.violations }

// Notes gives what is allowed but costs speed or needs care. The slice belongs to the layout.
func (l *Layout) Notes() []string { return l.notes }

// Err gives all violations as one error, nil where the layout fits.
func (l *Layout) Err() error {
	errs := make([]error, len(l.violations))
	for i := range l.violations {
		errs[i] = l.violations[i].Error
	}
	return errors.Join(errs...)
}

// Fit lays demands out on the board beside what the space holds already, each with its own strategy. It is arithmetic:
// nothing is mapped or held. The layout comes also with an error, which is all of its violations, so that it can be
// reported.
func (s *Space) Fit(demands ...Demand) (*Layout, error) {
	l := &Layout{board: s.board}
	s.mu.Lock()
	l.ledger = s.ledger.clone()
	for _, o := range s.holdings {
		list := slices.Clone(o.blocks)
		d := *o.demand
		d.Strategy = o.current
		l.held = append(l.held, placed{&d, list})
		if o.have && o.current == Dynamic { // only leased now: it comes back
			l.ledger.dropTransient(slices.Clone(list))
		}
	}
	s.mu.Unlock()

	for i := range demands {
		d := demands[i]
		l.violations = append(l.violations, check(s.board, &d)...)
		l.notes = append(l.notes, notes(s.board, &d)...)
		l.methods = append(l.methods, placed{demand: &d, blocks: blocks(s.board, &d)})
	}
	if short := l.place(); len(short) > 0 {
		l.violations = append(l.violations, l.shortage(short)...)
	}
	return l, l.Err()
}

// place holds every block on the layout's own ledger and gives the pools that are too small.
func (l *Layout) place() map[hal.PoolID]bool {
	short := map[hal.PoolID]bool{}
	l.widenShares()
	for i := range l.methods {
		m := &l.methods[i]
		for _, f := range l.ledger.holdResident(m.blocks, m.demand.Strategy == Static) {
			short[m.blocks[f].pool] = true
		}
	}
	needs := make([]part, len(l.ledger.pools))
	for i := range l.methods {
		m := &l.methods[i]
		if m.demand.Strategy != Shared {
			continue
		}
		pack(m.blocks, needs)
		for id := range needs {
			one := make([]part, len(needs))
			one[id] = needs[id]
			if !l.ledger.grow(one) {
				short[hal.PoolID(id)] = true
			}
		}
	}
	for i := range l.methods { // at least one at a time must have room
		m := &l.methods[i]
		if m.demand.Strategy == Shared {
			l.ledger.enterRegion(m.blocks)
			for j := range m.blocks {
				m.blocks[j].known = m.blocks[j].known && (m.blocks[j].resident || !short[m.blocks[j].pool])
			}
			continue
		}
		if m.demand.Strategy != Dynamic {
			continue
		}
		for j := range m.blocks {
			b := &m.blocks[j]
			if b.resident || short[b.pool] {
				continue
			}
			if !l.ledger.lease(m.blocks[j:j+1], leased) {
				short[b.pool] = true
			}
		}
		l.ledger.dropTransient(m.blocks)
	}
	return short
}

// widenShares gives all blocks of one share the size of the largest, whoever comes first.
func (l *Layout) widenShares() {
	most := map[string]uint64{}
	each := func(f func(*block)) {
		for i := range l.methods {
			for j := range l.methods[i].blocks {
				if b := &l.methods[i].blocks[j]; b.share != "" {
					f(b)
				}
			}
		}
	}
	each(func(b *block) { most[b.share] = max(most[b.share], b.bytes) })
	each(func(b *block) { b.bytes = most[b.share] })
}
