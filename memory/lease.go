package memory

import (
	"context"
	"slices"
	"time"
)

// The functions of this file are called with the space's lock held.

// grant gives h its transient memory if it is there now.
func (s *Space) grant(h *Holding) bool {
	if h.current == Shared {
		r := &s.ledger.region
		if r.user != nil || !s.ledger.grow(h.needs) {
			return false
		}
		r.user = h
		s.ledger.enterRegion(h.blocks)
	} else {
		t := leased
		if h.current == Static {
			t = resident
		}
		if !s.ledger.lease(h.blocks, t) {
			// An idle region makes room; its next user gets another.
			if s.ledger.region.user != nil || !s.ledger.dissolve() || !s.ledger.lease(h.blocks, t) {
				return false
			}
		}
	}
	h.have = true
	if rebound(h.blocks) {
		h.generation++
	}
	if s.poison {
		s.fill(h, 0xA5)
	}
	return true
}

// letGo takes the transient memory of an idle h back.
func (s *Space) letGo(h *Holding) {
	if !h.have {
		return
	}
	if s.poison {
		s.fill(h, 0xDD)
	}
	h.have = false
	if h.current == Shared {
		s.ledger.region.user = nil
		return
	}
	s.ledger.dropTransient(h.blocks)
}

func (s *Space) fill(h *Holding, v byte) {
	for i := range h.blocks {
		if b := &h.blocks[i]; !b.resident {
			m := s.at(b)
			for j := range m {
				m[j] = v
			}
		}
	}
}

// rest brings an h that has just become idle to what its strategy wants of an idle method, and takes everything from
// a closed one.
func (s *Space) rest(h *Holding) {
	h.unstand()
	if h.running || h.waiting || h.pinned || h.quarantined {
		return
	}
	s.settle(h)
	if h.current != Static || h.closed {
		s.letGo(h)
	}
	if h.closed && !h.gone {
		h.gone = true
		s.leaveRegion(h)
		s.ledger.dropResident(h.blocks)
		s.holdings = slices.DeleteFunc(s.holdings, func(x *Holding) bool { return x == h })
	}
}

// settle applies a change of strategy to an idle h. Memory that the new strategy keeps is got with the next Enter.
func (s *Space) settle(h *Holding) {
	next := h.effective()
	if next == h.current {
		return
	}
	s.letGo(h)
	s.leaveRegion(h)
	h.current = next
	if next == Shared {
		s.ledger.region.members++
	}
}

// leaveRegion counts h out of the shared region.
func (s *Space) leaveRegion(h *Holding) {
	if h.current != Shared {
		return
	}
	r := &s.ledger.region
	if r.members--; r.members == 0 {
		s.ledger.dissolve()
	}
	h.current = Dynamic
}

// wait queues h until serve gives it memory, refuses it, or ctx is done. It gives the lock back.
func (s *Space) wait(ctx context.Context, h *Holding) error {
	h.waiting, h.patient = true, ctx.Done() != nil
	s.queue = append(s.queue, h)
	s.serve()
	s.mu.Unlock()
	begin := time.Now()
	var err error
	select {
	case err = <-h.ready:
	case <-ctx.Done():
		s.mu.Lock()
		if h.waiting {
			h.waiting = false
			s.queue = slices.DeleteFunc(s.queue, func(x *Holding) bool { return x == h })
			s.rest(h)
			s.serve()
			s.mu.Unlock()
			return ctx.Err()
		}
		s.mu.Unlock()
		err = <-h.ready // granted or refused at the same moment
	}
	s.mu.Lock()
	s.waited += uint64(time.Since(begin))
	s.mu.Unlock()
	return err
}

// serve gives memory to those who wait, strictly in order, and refuses those for whom waiting is in vain.
func (s *Space) serve() {
	for len(s.queue) > 0 {
		h := s.queue[0]
		var err error
		if s.grant(h) {
			h.running = true
			s.running++
		} else if err = s.hopeless(h); err == nil {
			return
		}
		h.waiting = false
		s.queue = slices.Delete(s.queue, 0, 1)
		if err != nil {
			s.rest(h)
		}
		h.ready <- err
	}
}

// hopeless says why h need not wait: it would not fit even if no run held anything, or nobody runs whose end could help.
func (s *Space) hopeless(h *Holding) error {
	l := s.ledger.clone()
	for _, o := range s.holdings {
		if o != h && o.have && o.current == Dynamic {
			l.dropTransient(slices.Clone(o.blocks))
		}
	}
	l.dissolve()
	list := slices.Clone(h.blocks)
	if h.current == Shared {
		if !l.grow(h.needs) {
			return s.lack(h)
		}
	} else if !l.lease(list, leased) {
		return s.lack(h)
	}
	if s.running == 0 && !h.patient {
		return ErrPinned
	}
	return nil
}

// lack names the largest transient block of h as what does not fit.
func (s *Space) lack(h *Holding) error {
	var most *block
	for i := range h.blocks {
		if b := &h.blocks[i]; !b.resident && !b.held && (most == nil || b.bytes > most.bytes) {
			most = b
		}
	}
	if most == nil {
		return ErrNoSpace
	}
	return s.noSpace(h, most)
}
