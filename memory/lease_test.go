package memory_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/memory"
)

func mustArena(t testing.TB, h *memory.Holding, id uint32) hal.Region {
	t.Helper()
	r, ok := h.Arena(id)
	require.True(t, ok, "arena %d", id)
	return r
}

// state is a demand whose arena 3 has 64 B of state in the middle of transient bytes.
func state(name string) memory.Demand {
	d := arenas(name, 4*kib, 0, 8*kib)
	d.Spans = []memory.Buffer{
		{Label: "x", Kind: memory.Activations, MemID: 3, Offset: 0, Bytes: 1000, Last: 3},
		{Label: "cache", Kind: memory.Persistent, MemID: 3, Offset: 1008, Bytes: 64, Last: 9},
		{Label: "y", Kind: memory.Activations, MemID: 3, Offset: 1072, Bytes: 7000, First: 2, Last: 5},
	}
	d.Fixed = []memory.Fixed{{Kind: memory.Program, Label: "a.pte", Bytes: 5000, Share: "a.pte"}}
	return d
}

// Idle, a dynamic method holds its constants and its state, to the byte; state survives any number of runs.
func TestDynamicIdleBytes(t *testing.T) {
	s := open(t, small(), memory.Poison())
	h := take(t, s, with(state("a"), memory.Dynamic))[0]
	for i := range 100 {
		require.EqualValues(t, 64, pool(t, s, "SRAM").Used)
		require.EqualValues(t, 5000, pool(t, s, "DDR").Used)
		require.EqualValues(t, 5064, s.Metrics().Methods[0].Idle)
		require.NoError(t, h.Enter(bg))
		require.EqualValues(t, 8*kib, pool(t, s, "SRAM").Used)
		r, ok := h.Slice(3, 1008, 64)
		require.True(t, ok)
		require.EqualValues(t, i, r.Bytes[7])
		r.Bytes[7]++
		scratch, ok := h.Slice(3, 0, 1000)
		require.True(t, ok)
		require.EqualValues(t, 0xA5, scratch.Bytes[999], "poisoned")
		require.Zero(t, (scratch.Addr)%64)
		h.Leave(memory.Released)
	}
}

// State stays where it is while the strategy changes around it.
func TestStateSurvivesStrategies(t *testing.T) {
	s := open(t, small(), memory.Poison())
	hs := take(t, s, state("a"), state("b"))
	h := hs[0]
	r, ok := h.Slice(3, 1008, 64)
	require.True(t, ok)
	require.Equal(t, make([]byte, 64), r.Bytes, "state begins zeroed")
	r.Bytes[0] = 42
	for i := range 30 {
		h.SetStrategy(memory.Strategy(i % 3))
		require.NoError(t, h.Enter(bg))
		r, ok := h.Slice(3, 1008, 64)
		require.True(t, ok)
		require.EqualValues(t, 42, r.Bytes[0])
		h.Leave(memory.Released)
	}
}

// Memory that state gets is zero even if somebody used it before.
func TestStateIsZeroedAgain(t *testing.T) {
	s := open(t, small(), memory.Poison())
	a := take(t, s, with(arenas("a", 0, 0, 64*kib), memory.Dynamic))[0]
	require.NoError(t, a.Enter(bg))
	clear(mustArena(t, a, 3).Bytes)
	a.Leave(memory.Released) // poisoned
	require.NoError(t, a.Release())
	b := take(t, s, state("b"))[0]
	r, ok := b.Slice(3, 1008, 64)
	require.True(t, ok)
	require.Equal(t, make([]byte, 64), r.Bytes)
}

// Methods that run one after the other need the maximum, not the sum, to the byte.
func TestSerialPeakIsMaximum(t *testing.T) {
	for _, st := range []memory.Strategy{memory.Dynamic, memory.Shared} {
		t.Run(st.String(), func(t *testing.T) {
			s := open(t, small())
			var ds []memory.Demand
			for _, n := range []uint64{10 * kib, 60 * kib, 33 * kib, 1 * kib} {
				ds = append(ds, with(arenas("m", n, 0, n), st))
			}
			l, err := s.Fit(ds...)
			require.NoError(t, err)
			rep := l.Report("")
			require.EqualValues(t, 60*kib, rep.Pools[1].Used)
			for _, h := range take(t, s, ds...) {
				require.NoError(t, h.Enter(bg))
				h.Leave(memory.Released)
			}
			require.EqualValues(t, 60*kib, pool(t, s, "SRAM").UsedPeak)
			require.EqualValues(t, 60*kib, pool(t, s, "DDR").UsedPeak)
			require.Zero(t, pool(t, s, "SRAM").Leased)
		})
	}
}

// Outputs stay until they are given up; whoever waits meanwhile waits, or is told why it would be in vain.
func TestPinnedOutputs(t *testing.T) {
	for _, st := range []memory.Strategy{memory.Dynamic, memory.Shared} {
		t.Run(st.String(), func(t *testing.T) {
			s := open(t, small(), memory.Poison())
			hs := take(t, s, with(arenas("a", 0, 0, 40*kib), st), with(arenas("b", 0, 0, 40*kib), st))
			require.NoError(t, hs[0].Enter(bg))
			out := mustArena(t, hs[0], 3).Bytes
			out[5] = 7
			hs[0].Leave(memory.Pinned)
			require.EqualValues(t, 7, out[5])
			require.ErrorIs(t, hs[1].Enter(bg), memory.ErrPinned)

			ctx, cancel := context.WithTimeout(bg, 20*time.Millisecond)
			defer cancel()
			require.ErrorIs(t, hs[1].Enter(ctx), context.DeadlineExceeded)
			require.EqualValues(t, 7, out[5])

			done := make(chan error)
			ctx, cancel = context.WithCancel(bg)
			defer cancel()
			go func() { done <- hs[1].Enter(ctx) }()
			waitFor(t, s, 1)
			hs[0].Unpin()
			require.NoError(t, <-done)
			require.EqualValues(t, 0xA5, out[5], "poison shows a use after release")
			hs[1].Leave(memory.Released)
			require.EqualValues(t, 0xDD, out[5])

			require.NoError(t, hs[0].Enter(bg))
			hs[0].Leave(memory.Pinned)
			require.NoError(t, hs[0].Enter(bg), "the next run takes its own kept outputs")
			hs[0].Leave(memory.Released)
		})
	}
}

// waitFor waits until n runs are queued.
func waitFor(t testing.TB, s *memory.Space, n int) {
	t.Helper()
	for s.Metrics().Waiting != n {
		runtime.Gosched()
	}
}

// A change of strategy does not take kept outputs away.
func TestStrategyWaitsForOutputs(t *testing.T) {
	s := open(t, small(), memory.Poison())
	h := take(t, s, arenas("a", 0, 0, 4*kib))[0]
	require.NoError(t, h.Enter(bg))
	out := mustArena(t, h, 3).Bytes
	out[0] = 9
	h.Leave(memory.Pinned)
	h.SetStrategy(memory.Dynamic)
	require.EqualValues(t, 9, out[0])
	h.Unpin()
	require.EqualValues(t, 0xDD, out[0])
	require.Zero(t, pool(t, s, "SRAM").Used)
}

// First come, first served, although a later and smaller request would fit.
func TestFirstComeFirstServed(t *testing.T) {
	s := open(t, small())
	hs := take(t, s, with(arenas("a", 0, 0, 40*kib), memory.Dynamic), with(arenas("b", 0, 0, 60*kib), memory.Dynamic),
		with(arenas("c", 0, 0, 8*kib), memory.Dynamic), with(arenas("d", 0, 0, 8*kib), memory.Dynamic))
	require.NoError(t, hs[0].Enter(bg))
	order := make(chan int, 3)
	var wg sync.WaitGroup
	for i := 1; i < 4; i++ {
		wg.Go(func() {
			if err := hs[i].Enter(bg); err != nil {
				t.Error(err)
				return
			}
			order <- i
			if i == 1 {
				hs[i].Leave(memory.Released)
			}
		})
		waitFor(t, s, i)
	}
	require.ErrorIs(t, hs[1].Enter(bg), memory.ErrInUse)
	hs[0].Leave(memory.Released)
	require.Equal(t, 1, <-order)
	wg.Wait()
	hs[2].Leave(memory.Released)
	hs[3].Leave(memory.Released)
	require.Zero(t, pool(t, s, "SRAM").Leased)
}

// A waiter that gives up leaves the queue as if it had never come.
func TestCancelledWaiter(t *testing.T) {
	s := open(t, small())
	hs := take(t, s, with(arenas("a", 0, 0, 40*kib), memory.Dynamic), with(arenas("b", 0, 0, 60*kib), memory.Dynamic), with(arenas("c", 0, 0, 8*kib), memory.Dynamic))
	require.NoError(t, hs[0].Enter(bg))
	ctx, cancel := context.WithCancel(bg)
	b, c := make(chan error, 1), make(chan error, 1)
	go func() { b <- hs[1].Enter(ctx) }()
	waitFor(t, s, 1)
	go func() { c <- hs[2].Enter(bg) }()
	waitFor(t, s, 2)
	cancel()
	require.ErrorIs(t, <-b, context.Canceled)
	require.NoError(t, <-c, "c fits beside a now that b is gone")
	hs[0].Leave(memory.Released)
	hs[2].Leave(memory.Released)
	require.NoError(t, hs[1].Enter(bg), "b is usable as before")
	hs[1].Leave(memory.Released)
}

// What can never fit is refused at once, also in the middle of others' runs.
func TestImpossible(t *testing.T) {
	s := open(t, small())
	a := take(t, s, with(arenas("a", 0, 0, 40*kib), memory.Dynamic))[0]
	b := take(t, s, with(arenas("b", 0, 0, 60*kib), memory.Dynamic))[0]
	take(t, s, arenas("resident", 0, 0, 8*kib))
	require.NoError(t, a.Enter(bg))
	err := b.Enter(bg)
	require.ErrorIs(t, err, memory.ErrNoSpace)
	require.ErrorContains(t, err, "b.mem_id[3]: pool_capacity: not enough memory: want 61440 B in pool SRAM, found")
	a.Leave(memory.Released)
	require.Equal(t, memory.Dynamic, b.Strategy())
}

// Requests over two pools in opposite sizes cannot block each other for ever: all pools are taken at once.
func TestNoDeadlockOverTwoPools(t *testing.T) {
	s := open(t, small())
	hs := take(t, s,
		with(arenas("a", 200*kib, 0, 10*kib), memory.Dynamic), with(arenas("b", 100*kib, 0, 50*kib), memory.Dynamic),
		with(arenas("c", 0, 0, 60*kib), memory.Dynamic), with(arenas("d", 250*kib), memory.Dynamic))
	var wg sync.WaitGroup
	for _, h := range hs {
		wg.Go(func() {
			for range 500 {
				if err := h.Enter(bg); err != nil {
					t.Error(err)
					return
				}
				h.Leave(memory.Released)
			}
		})
	}
	wg.Wait()
}

// Memory of a device that did not finish stays out of use until the device was reset.
func TestQuarantine(t *testing.T) {
	for _, st := range []memory.Strategy{memory.Static, memory.Dynamic, memory.Shared} {
		t.Run(st.String(), func(t *testing.T) {
			s := open(t, small())
			hs := take(t, s, with(arenas("a", 0, 0, 40*kib), st), with(arenas("b", 0, 0, 20*kib), memory.Dynamic))
			require.NoError(t, hs[0].Enter(bg))
			at := mustArena(t, hs[0], 3)
			hs[0].Leave(memory.Quarantined)
			require.ErrorIs(t, hs[0].Enter(bg), memory.ErrQuarantined)
			require.ErrorIs(t, hs[0].Trim(), memory.ErrQuarantined)
			hs[0].SetStrategy(memory.Dynamic)
			require.NoError(t, hs[1].Enter(bg))
			other := mustArena(t, hs[1], 3)
			require.True(t, other.Addr >= at.Addr+40*kib || other.Addr+20*kib <= at.Addr)
			hs[1].Leave(memory.Released)
			require.NoError(t, hs[0].Release(), "closing does not free the bytes either")
			require.GreaterOrEqual(t, pool(t, s, "SRAM").Used, uint64(40*kib))
			hs[0].Recover()
			require.Zero(t, pool(t, s, "SRAM").Used)
		})
	}
}

func TestTrim(t *testing.T) {
	s := open(t, small())
	hs := take(t, s, arenas("a", 0, 0, 40*kib), with(arenas("b", 16*kib), memory.Dynamic))
	require.NoError(t, hs[0].Enter(bg))
	require.ErrorIs(t, hs[0].Trim(), memory.ErrInUse)
	copy(mustArena(t, hs[0], 3).Bytes, "dirty")
	hs[0].Leave(memory.Pinned)
	require.NoError(t, hs[0].Trim())
	require.Zero(t, pool(t, s, "SRAM").Used)
	require.NoError(t, s.Trim())
	require.NoError(t, hs[0].Prewarm(bg))
	require.EqualValues(t, 40*kib, pool(t, s, "SRAM").Used, "static again")
	require.NotEqual(t, byte('d'), mustArena(t, hs[0], 3).Bytes[0], "the pages went back")
}

func TestReleaseTwice(t *testing.T) {
	s := open(t, small())
	h := take(t, s, with(state("a"), memory.Shared))[0]
	require.NoError(t, h.Enter(bg))
	require.ErrorIs(t, h.Release(), memory.ErrInUse)
	h.Leave(memory.Pinned)
	require.NoError(t, h.Release())
	require.NoError(t, h.Release())
	require.ErrorIs(t, h.Enter(bg), memory.ErrClosed)
	h.Unpin()
	h.Leave(memory.Released)
	for _, p := range s.Metrics().Pools {
		require.Zero(t, p.Used)
	}
}
