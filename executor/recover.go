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

// retake takes the memory for a run where that failed with err. Memory that a device may still write to becomes usable
// again once the delegate whose call it was has recovered it; where that cannot, the run fails and the memory stays out of
// use.
func (m *Method) retake(ctx context.Context, err error) error {
	if !errors.Is(err, memory.ErrQuarantined) {
		return err
	}
	r, ok := m.linked.delegates[m.stuck].(Recoverer)
	if !ok {
		return err
	}
	if err := r.Recover(ctx); err != nil {
		place := fmt.Sprintf("%s.delegates[%d] %s", m.linked.path(), m.stuck, m.linked.plan.Delegates[m.stuck].ID)
		return fault.Under(place, fmt.Errorf("%w: reset failed: %v", ErrDeviceBusy, err))
	}
	m.hold.Recover()
	return m.hold.Enter(ctx)
}
