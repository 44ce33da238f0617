package memory

import "errors"

// Sentinels, for errors.Is.
var (
	ErrNoSpace     = errors.New("not enough memory")
	ErrInUse       = errors.New("memory is in use by a run")
	ErrClosed      = errors.New("memory was released")
	ErrQuarantined = errors.New("a device may still write to this memory until it was reset")
	ErrPinned      = errors.New("only kept outputs hold the memory, and the wait could not be cancelled")
)
