package executor

// Tracer hears of every instruction that ran without error. It is called by the goroutine that runs the method and must not
// allocate; index is the instruction's in the flattened program (Linked.Label, Linked.Place), start and end are counts of
// the board's clock.
type Tracer interface {
	Instruction(index int, start, end uint64)
}

// Trace makes t hear of later runs; nil ends tracing.
func (m *Method) Trace(t Tracer) error {
	if !m.mu.TryLock() {
		return m.busy()
	}
	defer m.mu.Unlock()
	m.tracer = t
	return nil
}
