package memory

import (
	"fmt"

	"github.com/ptero-rt/ptero/internal/fault"
)

// Strategy says how long a method holds the memory that only matters during a run: activation arenas, planned scratch,
// temp and fast scratch. Program, constants and persistent state stay where they are under every strategy.
type Strategy uint8

// Strategies.
const (
	Static  Strategy = iota // held for the method's life
	Dynamic                 // leased from the pools for each run
	Shared                  // one region for all methods of a space with this strategy, as large as the largest; one runs at a time
)

// String gives the name as flags spell it.
func (s Strategy) String() string {
	switch s {
	case Static:
		return "static"
	case Dynamic:
		return "dynamic"
	case Shared:
		return "shared"
	}
	return fmt.Sprintf("strategy(%d)", uint8(s))
}

// ParseStrategy reads the name of a strategy.
func ParseStrategy(s string) (Strategy, error) {
	for _, one := range []Strategy{Static, Dynamic, Shared} {
		if s == one.String() {
			return one, nil
		}
	}
	return 0, fault.New(fault.InvalidArgument, "strategy", "static, dynamic or shared", fmt.Sprintf("%q", s))
}

// Outcome says what becomes of leased memory when a run ends.
type Outcome uint8

// Outcomes of a run.
const (
	Released    Outcome = iota // nobody looks at it any more
	Pinned                     // outputs lie in it: kept until Unpin, or until the next Enter
	Quarantined                // a device may still write to it: kept until Recover
)
