// Package pack is the solver of the memory planner: it decides where in which memory pool each buffer lies, knowing
// nothing of tensors, files or boards.
//
//	        bytes
//	          ▲
//	capacity ─┼─────────────────────────────      A buffer is a rectangle: time across, bytes up.
//	          │        ┌───────┐                  [Place] packs rectangles into one pool so that no two
//	  height ─┼──┬─────┤   c   ├──┐               overlap and the height is least (dynamic storage
//	          │  │  b  ├───────┴──┤               allocation, strongly NP-hard). [Assign] spreads them
//	          │  ├─────┴─┬────────┤               over several pools first, by what their accesses cost.
//	          │  │   a   │   d    │
//	          └──┴───────┴────────┴──────▶ time
//
// Placing goes in three steps and stops as soon as the height equals the lower bound, the most bytes alive at one
// moment: first fit in several orders (largest first is what TFLite does), an exact search after MiniMalloc, and for what
// that leaves open a hill climb over orders. Assigning is exact by dynamic programming over the frontier of live
// buffers where the number of states allows it, local search elsewhere; both report a lower bound of the cost. Live bytes
// alone decide the choice; if it cannot be placed it is ruled out and the next one tried, and what is still left over
// spills. [Verify] checks a plan by separate code, and is called on every result.
//
// All functions are pure: equal arguments give equal results on every machine, because budgets count search steps and
// states, not time, and random choices have fixed seeds. Several goroutines may call them.
package pack

import (
	"errors"
	"fmt"
	"strings"
)

// Interval is a half-open range of time, [Lower, Upper), in any unit: usually indices of instructions.
type Interval struct{ Lower, Upper int64 }

// PoolSet is a set of pools, as bits: bit i stands for the pool with index i.
type PoolSet uint64

// Has reports whether pool i is in the set. The empty set has all pools.
func (s PoolSet) Has(i int) bool { return s == 0 || s>>i&1 != 0 }

// Access is the bytes that one actor, such as a CPU or an NPU, moves from and to a buffer in one run.
type Access struct {
	Actor       int // index of Pool.Rates
	Read, Write uint64
}

// Buffer is some bytes needed for some time.
type Buffer struct {
	// ID names the buffer in errors; it need not be unique.
	ID string
	// Live is when its bytes matter, in any order; none means always. Between two intervals others may use them.
	Live []Interval
	// Size in bytes. A buffer of size 0 takes no room, whatever its group; its offset is 0 unless fixed.
	Size uint64
	// Align is the power of two, up to 2^30, that its offset is a multiple of; 0 means 1.
	Align uint64
	// Pools it may lie in; none means any.
	Pools PoolSet
	// Fixed says that it must lie at Offset.
	Fixed  bool
	Offset uint64
	// Group joins the buffers of the same positive number into one rigid body: they lie in the same pool, at
	// offsets that differ as their Rel do. Members may share bytes, also at the same time. 0 means alone.
	Group int
	Rel   uint64
	// Accesses are what a run costs, see [Rate].
	Accesses []Access
}

// Rate is what one byte costs an actor in a pool. Time and energy may have any unit (femtoseconds and femtojoules are
// fine enough for real boards), the same in all pools.
type Rate struct{ ReadTime, WriteTime, ReadEnergy, WriteEnergy uint64 }

// Pool is a memory to plan into.
type Pool struct {
	Name     string
	Capacity uint64 // bytes that offsets may use, from 0
	Rates    []Rate // by actor; an actor without a rate costs nothing
}

// Objective is what Assign makes least.
type Objective uint8

const (
	// Traffic is the time of all accesses, by the rates.
	Traffic Objective = iota
	// Energy is the energy of all accesses.
	Energy
	// Height is the live bytes of the last pool, then of the one before it, and so on, then Traffic. Pools are
	// listed nearest first, so this keeps the distant ones empty.
	Height
)

func (o Objective) String() string {
	switch o {
	case Traffic:
		return "traffic"
	case Energy:
		return "energy"
	case Height:
		return "height"
	}
	return fmt.Sprintf("Objective(%d)", uint8(o))
}

// Options are the budgets of a solver. The zero value is a good default.
type Options struct {
	// Steps bounds the search of a call, more or less; 0 means 2^30, which takes some seconds, but most problems
	// need less than a thousandth of it. A step is about five nanoseconds of work.
	Steps int64
	// States is how many states the frontier may have; 0 means 2^16.
	States int
	// Objective of Assign.
	Objective Objective
}

const (
	defaultSteps  = 1 << 30
	defaultStates = 1 << 16
)

func (o Options) withDefaults() Options {
	if o.Steps == 0 {
		o.Steps = defaultSteps
	}
	if o.States == 0 {
		o.States = defaultStates
	}
	return o
}

// Placement is where the buffers of one pool lie.
type Placement struct {
	Offsets    []uint64 // per buffer; nil in Plan.Pools
	Height     uint64   // bytes from 0 to past the highest buffer
	LowerBound uint64   // no placement is lower
	Optimal    bool     // Height is proved least: it equals LowerBound
	Method     string   // what found it: "first fit AZ", "search TWA", "hill climb"
	Steps      int64    // search steps taken
}

// Plan is where buffers lie in several pools.
type Plan struct {
	Pool    []int    // per buffer, index of its pool
	Offsets []uint64 // per buffer
	Pools   []Placement
	// Cost is the sum of all accesses by the objective's rates (Traffic's for Height); CostBound is a lower bound of it
	// for any plan, under Height for any plan with live bytes as low; CostOptimal says that they are equal.
	Cost, CostBound uint64
	CostOptimal     bool
	Method          string // how pools were chosen: "frontier", "local search" or "spill"
	States          int    // most frontier states at one moment
}

// ErrNoRoom is the error of a problem that has no solution: too little capacity, or fixed buffers in each other's way.
var ErrNoRoom = errors.New("no room")

// ErrBudget is the error of a problem that was not decided within the budget.
var ErrBudget = errors.New("search budget exhausted")

// RoomError is a pool in which buffers found no place. It wraps ErrNoRoom if that is proved and ErrBudget if not.
type RoomError struct {
	Pool     string
	Capacity uint64
	Need     uint64 // a lower bound of the bytes needed
	Best     uint64 // bytes of the lowest placement found; 0: none
	Err      error
}

func (e *RoomError) Error() string {
	var b strings.Builder
	if e.Pool != "" {
		b.WriteString(e.Pool + ": ")
	}
	fmt.Fprintf(&b, "%v: want at least %d B, have %d B", e.Err, e.Need, e.Capacity)
	if e.Best > 0 {
		fmt.Fprintf(&b, ", best placement found needs %d B", e.Best)
	}
	return b.String()
}

// Unwrap returns ErrNoRoom or ErrBudget.
func (e *RoomError) Unwrap() error { return e.Err }
