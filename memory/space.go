package memory

import (
	"errors"
	"fmt"
	"sync"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
)

// Space is the ledger of one board: it knows who holds which bytes of which pool and hands the same bytes to two methods
// only where both name the same share. All methods may be called by several goroutines at once.
//
//	Demand ──Fit──▶ Layout ──Take──▶ Holding ──Enter──▶ bytes for one run ──Leave──▶
//
// Whoever makes a Space for a board is the only one to carve that board's pools.
type Space struct {
	board  hal.Board
	poison bool

	mu       sync.Mutex
	ledger   ledger
	windows  []hal.Region // by pool, mapped when first used
	holdings []*Holding
	queue    []*Holding // waiting for memory, in order of arrival
	running  int
	scopes   []*token // live scopes that include methods taken later
	waited   uint64   // nanoseconds
}

// Option changes how a Space works.
type Option func(*Space)

// Poison makes a space fill memory when a run gets it (0xA5) and when a run gives it back (0xDD), so that a read of
// undefined scratch or of a released output is a wrong result at once. It costs a pass over the memory on each run.
func Poison() Option { return func(s *Space) { s.poison = true } }

// NewSpace makes the ledger of a board whose pools nobody else carves.
func NewSpace(b hal.Board, options ...Option) *Space {
	s := &Space{board: b, ledger: newLedger(b), windows: make([]hal.Region, len(b.Pools())), poison: poisonByDefault}
	for _, o := range options {
		o(s)
	}
	return s
}

// Board gives the board.
func (s *Space) Board() hal.Board { return s.board }

// Take holds what one demand of a layout needs, counted from 0 in the order in which Fit was given them. A layout that does not
// fit is refused with its violations; so is one for which others took the room since. State is zeroed, everything else
// undefined.
func (s *Space) Take(l *Layout, demand int) (*Holding, error) {
	if err := l.Err(); err != nil {
		return nil, err
	}
	if demand < 0 || demand >= len(l.methods) {
		return nil, fault.New(fault.InvalidArgument, "take", fmt.Sprintf("a demand below %d", len(l.methods)), fmt.Sprint(demand))
	}
	m := &l.methods[demand]
	h := &Holding{space: s, demand: m.demand, base: m.demand.Strategy, current: m.demand.Strategy, ready: make(chan error, 1)}
	h.blocks = append(h.blocks, m.blocks...)
	for i := range h.blocks {
		h.blocks[i].held, h.blocks[i].known, h.blocks[i].bound = false, false, 0
	}
	h.needs = make([]part, len(s.windows))

	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.mapPools(h.blocks); err != nil {
		return nil, err
	}
	pack(h.blocks, h.needs)
	h.scopes = append(h.scopes, s.scopes...)
	h.current = h.effective()
	if failed := s.ledger.holdResident(h.blocks, h.current == Static); len(failed) > 0 {
		err := s.refuse(h, failed)
		s.ledger.dropTransient(h.blocks)
		s.ledger.dropResident(h.blocks)
		return nil, err
	}
	h.have = h.current == Static
	if h.current == Shared {
		s.ledger.region.members++
		if s.ledger.region.user == nil && !s.ledger.grow(h.needs) {
			err := s.lack(h)
			s.leaveRegion(h)
			s.ledger.dropResident(h.blocks)
			return nil, err
		}
	}
	h.generation = 1
	if h.have {
		rebound(h.blocks)
	}
	s.clearState(h)
	s.holdings = append(s.holdings, h)
	return h, nil
}

// mapPools makes the windows of all pools in which blocks lie that somebody reads or writes, and keeps blocks inside.
func (s *Space) mapPools(list []block) error {
	for i := range list {
		b := &list[i]
		if b.role == fixed {
			continue
		}
		w := &s.windows[b.pool]
		if w.Bytes == nil {
			var err error
			if *w, err = s.board.Window(b.pool); err != nil {
				return &fault.Error{Path: "pool " + s.board.Pools()[b.pool].Name, Code: fault.AccessFailed, Err: err}
			}
		}
		b.limit = min(b.limit, uint64(len(w.Bytes)))
	}
	return nil
}

// clearState zeroes the persistent blocks that h is the first to hold, where the memory was used before.
func (s *Space) clearState(h *Holding) {
	for i := range h.blocks {
		b := &h.blocks[i]
		if b.role != piece || !b.resident || (b.share != "" && s.ledger.shares[b.share].refs > 1) {
			continue
		}
		if e := &s.ledger.pools[b.pool]; b.off < e.touched {
			s.clearBlock(h.demand, b)
		}
	}
}

// clearBlock zeroes the state in a block: a shared arena may be much larger than what it keeps.
func (s *Space) clearBlock(d *Demand, b *block) {
	if b.share == "" {
		clear(s.at(b))
		return
	}
	for i := range d.Spans {
		if a := &d.Spans[i]; a.MemID == b.memID && a.Kind == Persistent && a.Offset <= b.bytes {
			clear(s.at(b)[a.Offset:min(b.bytes, a.Offset+a.Bytes)])
		}
	}
}

// at gives the bytes of a block.
func (s *Space) at(b *block) []byte {
	w := s.windows[b.pool].Bytes
	return w[b.off : b.off+b.bytes : b.off+b.bytes]
}

// refuse says which blocks found no place.
func (s *Space) refuse(h *Holding, failed []int) error {
	var errs []error
	for _, i := range failed {
		errs = append(errs, s.noSpace(h, &h.blocks[i]))
	}
	return errors.Join(errs...)
}

func (s *Space) noSpace(h *Holding, b *block) error {
	e := &s.ledger.pools[b.pool]
	var free, hole uint64
	e.holes(func(_, n uint64) { free, hole = free+n, max(hole, n) })
	rule := "pool_capacity"
	found := fmt.Sprintf("%d B free, the largest run %d B", free, hole)
	if sh := s.ledger.shares[b.share]; b.share != "" && sh != nil {
		rule, found = "share_size", fmt.Sprintf("%q is held with %d B", b.share, sh.bytes)
	}
	return &fault.Error{Path: h.demand.Method + "." + b.name(), Rule: rule, Code: fault.MemoryAllocationFailed, Err: ErrNoSpace,
		Want: fmt.Sprintf("%d B in pool %s", b.bytes, e.pool.Name), Found: found}
}

// name is how errors call a block.
func (b *block) name() string {
	switch b.role {
	case piece:
		return fmt.Sprintf("mem_id[%d]", b.memID)
	case temp:
		return "temp"
	case fast:
		return "fast_scratch"
	}
	return string(b.kind)
}

// Trim gives memory that nobody holds back to the system, where the board can.
func (s *Space) Trim() error {
	t, ok := s.board.(hal.Trimmer)
	if !ok {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for i := range s.ledger.pools {
		e := &s.ledger.pools[i]
		w := s.windows[i]
		if w.Bytes == nil {
			continue
		}
		e.holes(func(off, n uint64) {
			if off >= min(e.touched, uint64(len(w.Bytes))) {
				return
			}
			n = min(n, e.touched-off, uint64(len(w.Bytes))-off)
			errs = append(errs, t.Trim(w.Slice(off, n)))
		})
	}
	return errors.Join(errs...)
}
