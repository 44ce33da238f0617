package executor

import (
	"context"
	"errors"
	"fmt"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// Recoverer is a Delegate whose device can be brought back after a call that ended with ErrDeviceBusy. Recover resets the
// device; when it has returned nil, the device no longer writes to the memory of that call.
type Recoverer interface {
	Recover(ctx context.Context) error
}

// take takes the memory for a run. Memory that a device may still write to becomes usable again once all delegates have
// recovered theirs; where one cannot, the run fails and the memory stays out of use.
func (m *Method) take(ctx context.Context) error {
	err := m.hold.Enter(ctx)
	if !errors.Is(err, memory.ErrQuarantined) {
		return err
	}
	for i, d := range m.linked.delegates {
		if r, ok := d.(Recoverer); ok {
			if err := r.Recover(ctx); err != nil {
				place := fmt.Sprintf("%s.delegates[%d] %s", m.linked.path(), i, m.linked.plan.Delegates[i].ID)
				return fault.Under(place, fmt.Errorf("%w: reset failed: %w", ErrDeviceBusy, err))
			}
		}
	}
	m.hold.Recover()
	return m.hold.Enter(ctx)
}
