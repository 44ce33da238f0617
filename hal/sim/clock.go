package sim

import "time"

// clock is the machine's monotonic clock, counted from when the board was opened.
type clock struct{ start time.Time }

func newClock() clock { return clock{time.Now()} }

// Name says what a report calls the clock.
func (clock) Name() string { return "host monotonic clock, 1 ns steps" }

// Hz is one count a nanosecond.
func (clock) Hz() uint64 { return 1e9 }

// Bits is the width of the counter.
func (clock) Bits() uint { return 63 }

// Now gives nanoseconds since the board was opened.
func (c clock) Now() uint64 { return uint64(time.Since(c.start)) }
