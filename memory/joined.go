package memory

// Joined says whether another method held the bytes of an arena, by the name of their share, before this one took them:
// what it keeps there is not to be overwritten with initial content.
func (h *Holding) Joined(memID uint32) bool {
	h.space.mu.Lock()
	defer h.space.mu.Unlock()
	for i := range h.blocks {
		if b := &h.blocks[i]; b.role == piece && b.memID == memID && b.share != "" {
			return h.space.ledger.shares[b.share].refs > 1
		}
	}
	return false
}
