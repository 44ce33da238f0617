package hal

import "time"

// hostClock is the machine's monotonic clock.
type hostClock struct{ start time.Time }

// NewHostClock gives the machine's monotonic clock, counted in nanoseconds from now.
func NewHostClock() Clock { return hostClock{time.Now()} }

func (hostClock) Name() string  { return "host monotonic clock, 1 ns steps" }
func (hostClock) Hz() uint64    { return 1e9 }
func (hostClock) Bits() uint    { return 63 }
func (c hostClock) Now() uint64 { return uint64(time.Since(c.start)) }
