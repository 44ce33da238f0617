package memory

import (
	"context"
	"sync/atomic"

	"github.com/ptero-rt/ptero/hal"
)

// Holding is the memory of one bound method. Enter and Leave bracket every run; between them all of the method's bytes
// are there. Outside of a run there are: the persistent pieces always; the rest under Static, or while outputs are kept.
//
// Enter, Leave and Generation belong to the goroutine that runs the method. Everything else may come from any goroutine at
// any time.
type Holding struct {
	space  *Space
	demand *Demand
	blocks []block
	needs  []part // of the shared region

	base    Strategy
	current Strategy // in effect since the last idle moment
	scopes  []*token // innermost last

	have        bool // the transient blocks are held
	running     bool
	pinned      bool
	quarantined bool
	closed      bool // by the owner
	gone        bool // nothing is held any more
	waiting     bool
	patient     bool // the wait can be cancelled
	ready       chan error
	generation  uint64
	standing    atomic.Uint32 // what of this is known without the lock
}

// Generation changes whenever bytes of the method lie elsewhere than before: compare it after Enter and bind values
// again if it differs.
func (h *Holding) Generation() uint64 { return h.generation }

// Enter gets the memory for one run, all pools at once. Under Static this does nothing but checks. It waits its turn,
// first come first served, until ctx is done; it fails at once where waiting cannot help. Outputs that were kept from
// the last run are no longer valid.
func (h *Holding) Enter(ctx context.Context) error {
	if h.enterStanding() {
		return nil
	}
	return h.enter(ctx)
}

func (h *Holding) enter(ctx context.Context) error {
	s := h.space
	s.mu.Lock()
	h.unstand()
	if err := h.enterable(); err != nil {
		s.mu.Unlock()
		return err
	}
	h.pinned = false
	s.settle(h)
	if h.current != Static && len(s.queue) > 0 { // kept outputs are no way past those who wait
		s.letGo(h)
		s.serve()
	}
	if h.have || (len(s.queue) == 0 && s.grant(h)) {
		h.running = true
		s.running++
		s.mu.Unlock()
		return nil
	}
	return s.wait(ctx, h) // unlocks
}

func (h *Holding) enterable() error {
	switch {
	case h.closed:
		return ErrClosed
	case h.running || h.waiting:
		return ErrInUse
	case h.quarantined:
		return ErrQuarantined
	}
	return nil
}

// Leave ends a run. It does nothing outside of one.
func (h *Holding) Leave(o Outcome) {
	if o < Quarantined && h.standing.CompareAndSwap(standInRun, standIdle+uint32(o)) {
		return // without the lock, see standing
	}
	h.leave(o)
}

func (h *Holding) leave(o Outcome) {
	s := h.space
	s.mu.Lock()
	defer s.mu.Unlock()
	h.unstand()
	if !h.running {
		return
	}
	h.running = false
	s.running--
	h.pinned = o == Pinned
	h.quarantined = o == Quarantined
	s.rest(h)
	s.serve()
	h.stand()
}

// Unpin says that nobody looks at the outputs of the last run any more.
func (h *Holding) Unpin() {
	h.space.mu.Lock()
	defer h.space.mu.Unlock()
	h.unstand()
	if h.pinned && !h.running {
		h.pinned = false
		h.space.rest(h)
		h.space.serve()
	}
}

// Recover says that the device was reset and no longer touches the memory of a quarantined run.
func (h *Holding) Recover() {
	h.space.mu.Lock()
	defer h.space.mu.Unlock()
	if h.quarantined {
		h.quarantined = false
		h.space.rest(h)
		h.space.serve()
	}
}

// Trim gives up memory that is only kept for speed: a static method gets it again with the next Enter. Outputs of the last
// run are no longer valid. During a run it fails with ErrInUse.
func (h *Holding) Trim() error {
	h.space.mu.Lock()
	defer h.space.mu.Unlock()
	h.unstand()
	if err := h.enterable(); err != nil {
		return err
	}
	h.pinned = false
	h.space.letGo(h)
	h.space.rest(h)
	h.space.serve()
	return nil
}

// Prewarm gets the memory for a run now and gives it back (Static: keeps it), so that a lack of space shows early.
func (h *Holding) Prewarm(ctx context.Context) error {
	if err := h.Enter(ctx); err != nil {
		return err
	}
	h.Leave(Released)
	return nil
}

// Release gives everything back. During a run it fails with ErrInUse; while a device may still write, the memory stays
// out of use until Recover. A second Release does nothing.
func (h *Holding) Release() error {
	s := h.space
	s.mu.Lock()
	defer s.mu.Unlock()
	h.unstand()
	if h.closed {
		return nil
	}
	if h.running || h.waiting {
		return ErrInUse
	}
	h.closed, h.pinned = true, false
	s.rest(h)
	s.serve()
	return nil
}

// Slice gives n bytes of an arena from an offset on; false where the arena does not have them, where they are not held
// now, or where persistent state begins or ends inside of them and the pieces do not lie side by side.
func (h *Holding) Slice(memID uint32, offset, n uint64) (hal.Region, bool) {
	h.space.mu.Lock()
	defer h.space.mu.Unlock()
	end := offset + n
	if end < offset {
		return hal.Region{}, false
	}
	var first *block
	var at uint64 // end of what has been found, in the arena
	for i := range h.blocks {
		b := &h.blocks[i]
		if b.role != piece || b.memID != memID {
			continue
		}
		if first == nil {
			if offset < b.start || offset > b.start+b.bytes || (offset == b.start+b.bytes && n > 0) {
				continue
			}
			first = b
		} else if b.start != at || b.off-first.off != at-first.start {
			break
		}
		if !h.holds(b) {
			return hal.Region{}, false
		}
		if at = b.start + b.bytes; at >= end {
			return h.space.windows[first.pool].Slice(first.off+offset-first.start, n), true
		}
	}
	return hal.Region{}, false
}

// Arena gives a whole arena, under the conditions of Slice.
func (h *Holding) Arena(memID uint32) (hal.Region, bool) {
	for i := range h.demand.Arenas {
		if a := &h.demand.Arenas[i]; a.MemID == memID {
			return h.Slice(memID, 0, a.Bytes)
		}
	}
	return hal.Region{}, false
}

// Temp gives the temp arena, empty where it is not held now or nothing needs one.
func (h *Holding) Temp() hal.Region { return h.only(temp) }

// Fast gives the fast scratch that the file does not plan, empty where it is not held now or nothing needs any.
func (h *Holding) Fast() hal.Region { return h.only(fast) }

func (h *Holding) only(r role) hal.Region {
	h.space.mu.Lock()
	defer h.space.mu.Unlock()
	for i := range h.blocks {
		if b := &h.blocks[i]; b.role == r && h.holds(b) {
			return h.space.windows[b.pool].Slice(b.off, b.bytes)
		}
	}
	return hal.Region{Pool: hal.NoPool}
}

// holds says whether the bytes of b are the method's now.
func (h *Holding) holds(b *block) bool {
	return b.held || (h.have && h.current == Shared && !b.resident)
}
