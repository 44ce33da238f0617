package executor

import (
	"context"
	"fmt"
	"time"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/workers"
	"github.com/ptero-rt/ptero/memory"
)

// Scope is what a call may touch beside its arguments. It belongs to the method and is valid during the call only.
type Scope struct {
	board   hal.Board
	workers *workers.Pool
	ctx     context.Context
	temp    bump
	fast    bump
}

// bump hands out one instruction's share of an arena.
type bump struct {
	region hal.Region
	used   uint64
	peak   uint64
}

// NewScope makes a scope over plain memory, for tests of operators and backends; temp is the size of the temp arena.
func NewScope(w *workers.Pool, temp int) *Scope {
	s := &Scope{workers: w, ctx: context.Background()}
	s.temp.region = hal.Region{Bytes: alignedBytes(temp), Pool: hal.NoPool}
	return s
}

// ScopeFor is NewScope with just the temp memory that a call stated in Prepare.
func ScopeFor(w *workers.Pool, needs []memory.Need) *Scope {
	return NewScope(w, int(memory.Together(needs, memory.Temp)))
}

// GiveFast gives a scope of NewScope n bytes of fast scratch.
func (s *Scope) GiveFast(n int) *Scope {
	s.fast.region = hal.Region{Bytes: alignedBytes(n), Pool: hal.NoPool}
	return s
}

// Reset gives back all temp memory; the executor does it after every instruction, tests between calls.
func (s *Scope) Reset() { s.temp.used, s.fast.used = 0, 0 }

// Temp gives n bytes for the rest of the call, aligned to align (a power of two), with undefined content. It fails only
// if Prepare did not state the need.
func (s *Scope) Temp(place memory.Place, n uint64, align uint32) (hal.Region, error) {
	b := &s.temp
	if place == memory.Fast {
		b = &s.fast
	}
	off, ok := b.take(n, uint64(max(align, 16)))
	if !ok {
		return hal.Region{}, b.short(n, uint64(max(align, 16)))
	}
	return b.region.Slice(off, n), nil
}

// TempBytes is Temp from the temp arena for operators, which need no address.
func (s *Scope) TempBytes(n int) ([]byte, error) {
	off, ok := s.temp.take(uint64(n), 64)
	if !ok {
		return nil, s.temp.short(uint64(n), 64)
	}
	return s.temp.region.Bytes[off:][:n:n], nil
}

func (b *bump) take(n, align uint64) (off uint64, ok bool) {
	off = (b.region.Addr+b.used+align-1)&^(align-1) - b.region.Addr
	have := uint64(len(b.region.Bytes))
	if off > have || n > have-off {
		return 0, false
	}
	b.used = off + n
	b.peak = max(b.peak, b.used)
	return off, true
}

// short says that n bytes are not there.
func (b *bump) short(n, align uint64) error {
	have := uint64(len(b.region.Bytes))
	return fault.New(fault.MemoryAllocationFailed, "temp", fmt.Sprintf("%d B aligned to %d", n, align), fmt.Sprintf("%d of %d B free", have-min(b.used, have), have))
}

// Board is the board that the method is bound to; nil in tests of operators.
func (s *Scope) Board() hal.Board { return s.board }

// Parallel runs the parts of t on the method's workers.
func (s *Scope) Parallel(parts int, t workers.Task) { s.workers.Run(parts, t) }

// Workers is the number of cores that Parallel uses.
func (s *Scope) Workers() int { return s.workers.Size() }

// Context carries cancellation and the deadline of the run, for calls that wait on a device.
func (s *Scope) Context() context.Context { return s.ctx }

// Deadline is the earlier of the run's deadline and d from now.
func (s *Scope) Deadline(d time.Duration) time.Time {
	t := time.Now().Add(d)
	if c, ok := s.ctx.Deadline(); ok && c.Before(t) {
		return c
	}
	return t
}
