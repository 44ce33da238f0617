package sim

import (
	"context"
	"time"

	"github.com/ptero-rt/ptero/backends/nxp"
)

// glance is the work, in multiplications, between two looks at the clock.
const glance = 1 << 22

// watch ends a run when its time is up or its context ends.
type watch struct {
	ctx      context.Context
	deadline time.Time
	spent    int
	err      error
}

// spend counts work about to be done and says whether to go on.
func (w *watch) spend(work int) bool {
	w.spent += work
	return w.spent < glance || w.look()
}

func (w *watch) look() bool {
	w.spent = 0
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	if w.err == nil && !time.Now().Before(w.deadline) {
		w.err = nxp.ErrTimeout
	}
	if w.err != nil {
		w.spent = glance // so that the next spend looks here again
	}
	return w.err == nil
}
