package memory

// standing is the state of a holding whose memory stands: under Static, with nothing to decide when a run begins or ends.
// Such runs change it without the space's lock. Whoever has the lock and looks at the holding first calls unstand, after
// which the holding's own fields say how it is.
const (
	locked      uint32 = iota // ask the fields, with the lock
	standIdle                 // no run, the last one ended with Released
	standPinned               // no run, the last one ended with Pinned: its outputs are kept
	standInRun
)

// enterStanding begins a run without the lock, where that is possible.
func (h *Holding) enterStanding() bool {
	was := h.standing.Load()
	return (was == standIdle || was == standPinned) && h.standing.CompareAndSwap(was, standInRun)
}

// unstand moves the state into the fields; the lock is held.
func (h *Holding) unstand() {
	switch h.standing.Swap(locked) {
	case standPinned:
		h.pinned = true
	case standInRun:
		h.running = true
		h.space.running++
	}
}

// stand lets runs do without the lock if that is possible; the lock is held.
func (h *Holding) stand() {
	if !h.have || h.current != Static || h.running || h.waiting || h.quarantined || h.closed {
		return
	}
	state := standIdle
	if h.pinned {
		state = standPinned
	}
	h.pinned = false
	h.standing.Store(state)
}
