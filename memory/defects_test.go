package memory_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/memory"
)

// The tests of this file are one for each defect that reading Torch-TensorRT's resource allocation strategy showed
// (pytorch/TensorRT core/runtime/TRTEngine.cpp, execute_engine.cpp, py/torch_tensorrt/runtime at v2.14.0a0).

var bg = context.Background()

// There, memory is handed over before the engine's mutex is taken: two threads can run in each other's memory.
func TestDefectHandOverOutsideOfLock(t *testing.T) {
	s := open(t, small())
	hs := take(t, s, with(arenas("a", 0, 0, 40*kib), memory.Dynamic), with(arenas("b", 0, 0, 40*kib), memory.Dynamic))
	require.NoError(t, hs[0].Enter(bg))
	require.ErrorIs(t, hs[0].Enter(bg), memory.ErrInUse)
	hs[0].Leave(memory.Released)

	var inside atomic.Int32
	var wg sync.WaitGroup
	for i := range 8 {
		h := hs[i%2]
		wg.Go(func() {
			for range 200 {
				if err := h.Enter(bg); errors.Is(err, memory.ErrInUse) {
					continue
				} else if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two runs hold the same 40 KiB of 64 at once")
				}
				inside.Add(-1)
				h.Leave(memory.Released)
			}
		})
	}
	wg.Wait()
}

// There, the setter takes no lock and can destroy a context that runs.
func TestDefectSetterDuringRun(t *testing.T) {
	s := open(t, small())
	h := take(t, s, arenas("a", 0, 0, 8*kib))[0]
	require.NoError(t, h.Enter(bg))
	r, ok := h.Arena(3)
	require.True(t, ok)
	h.SetStrategy(memory.Dynamic)
	require.Equal(t, memory.Dynamic, h.Strategy())
	again, ok := h.Arena(3)
	require.True(t, ok, "the run keeps its memory")
	require.Equal(t, r.Addr, again.Addr)
	require.EqualValues(t, 8*kib, pool(t, s, "SRAM").Resident)
	h.Leave(memory.Released)
	require.Zero(t, pool(t, s, "SRAM").Used, "applied at the next idle moment")
}

// There, one of two setters forgets to say that addresses changed, and a captured graph replays stale ones.
func TestDefectStaleAddresses(t *testing.T) {
	s := open(t, small())
	hs := take(t, s, arenas("a", 0, 0, 8*kib), arenas("b", 0, 0, 8*kib))
	a := hs[0]
	before, g := mustArena(t, a, 3), a.Generation()
	a.SetStrategy(memory.Dynamic)
	squatter := take(t, s, arenas("c", 0, 0, 8*kib))[0] // takes a's old place
	require.Equal(t, before.Addr, mustArena(t, squatter, 3).Addr)
	require.NoError(t, a.Enter(bg))
	require.NotEqual(t, before.Addr, mustArena(t, a, 3).Addr)
	require.NotEqual(t, g, a.Generation(), "a moved base is a new generation")
	a.Leave(memory.Released)
}

// There, a captured graph bakes in an address that is freed after each call. Here the address comes back while it can.
func TestDefectAddressChangesEachRun(t *testing.T) {
	s := open(t, small())
	h := take(t, s, with(arenas("a", 1*kib, 0, 8*kib), memory.Dynamic))[0]
	require.NoError(t, h.Enter(bg))
	at, g := mustArena(t, h, 3).Addr, h.Generation()
	h.Leave(memory.Released)
	other := take(t, s, with(arenas("b", 0, 0, 8*kib), memory.Dynamic))[0]
	for range 10 {
		require.NoError(t, h.Enter(bg))
		require.Equal(t, at, mustArena(t, h, 3).Addr)
		require.Equal(t, g, h.Generation())
		h.Leave(memory.Released)
		require.NoError(t, other.Enter(bg))
		other.Leave(memory.Released)
	}
}

// There, the workspace comes from whatever device is current. Here every block names its pool.
func TestDefectAmbientPool(t *testing.T) {
	s := open(t, small())
	h := take(t, s, with(arenas("a", 1*kib, 0, 2*kib, 4*kib), memory.Dynamic))[0]
	require.NoError(t, h.Enter(bg))
	require.EqualValues(t, 2, mustArena(t, h, 1).Pool)
	require.EqualValues(t, 1, mustArena(t, h, 3).Pool)
	require.EqualValues(t, 0, mustArena(t, h, 4).Pool)
	h.Leave(memory.Released)
}

// There, a call gets the maximum over all profiles. Here each method leases its own size.
func TestDefectMaximumOfProgram(t *testing.T) {
	s := open(t, small())
	hs := take(t, s, with(arenas("large", 0, 0, 40*kib), memory.Dynamic), with(arenas("little", 0, 0, 1*kib), memory.Dynamic))
	require.NoError(t, hs[1].Enter(bg))
	require.EqualValues(t, 1*kib, pool(t, s, "SRAM").Leased)
	hs[1].Leave(memory.Released)
}

// There, the Python runtime keeps the workspace after the call and makes the new one before it drops the old.
func TestDefectKeptAndDoubled(t *testing.T) {
	s := open(t, small())
	h := take(t, s, with(arenas("a", 0, 0, 40*kib), memory.Dynamic))[0]
	for range 5 {
		func() {
			defer func() { require.NotNil(t, recover()) }()
			require.NoError(t, h.Enter(bg))
			defer h.Leave(memory.Released)
			panic("in the run")
		}()
		require.Zero(t, pool(t, s, "SRAM").Leased)
	}
	require.EqualValues(t, 40*kib, pool(t, s, "SRAM").UsedPeak, "never twice")
}

// There, leaving a scope sets static whatever was before, and members are found by a part of their name.
func TestDefectScopeForgets(t *testing.T) {
	s := open(t, small())
	hs := take(t, s, with(arenas("a", 1*kib), memory.Dynamic), arenas("a2", 1*kib))
	restore := s.Push(memory.Shared, hs[0])
	require.Equal(t, memory.Shared, hs[0].Strategy())
	require.Equal(t, memory.Static, hs[1].Strategy())
	restore()
	require.Equal(t, memory.Dynamic, hs[0].Strategy())
}

// There, the document describes names that the code does not have: see the examples, which are compiled.

// There, a size in bytes was taken as a number of elements: four times too much (pull request 4503).
func TestDefectUnits(t *testing.T) {
	s := open(t, small())
	d := with(arenas("a", 0, 0, 1000), memory.Dynamic)
	d.Calls = []memory.Call{{Label: "npu", Needs: []memory.Need{{Role: "scratch", Bytes: 1000}}}}
	h := take(t, s, d)[0]
	require.NoError(t, h.Enter(bg))
	require.EqualValues(t, 2000, pool(t, s, "SRAM").Leased)
	require.Len(t, h.Temp().Bytes, 1000)
	h.Leave(memory.Released)
	require.EqualValues(t, 2000, pool(t, s, "SRAM").UsedPeak)
}

// An attempt that got a new place in one pool and none in another must not make the new place look like the old one when
// a later attempt succeeds.
func TestFailedAttemptDoesNotHideMove(t *testing.T) {
	s := open(t, small())
	hs := take(t, s, with(arenas("a", 8*kib, 0, 40*kib), memory.Dynamic), with(arenas("b", 0, 0, 40*kib), memory.Dynamic))
	a, b := hs[0], hs[1]
	require.NoError(t, a.Enter(bg))
	at, g := mustArena(t, a, 1).Addr, a.Generation()
	a.Leave(memory.Released)
	take(t, s, arenas("squatter", 8*kib)) // takes a's place in DDR
	require.NoError(t, b.Enter(bg))       // and b its SRAM for a while
	done := make(chan error)
	go func() { done <- a.Enter(bg) }()
	waitFor(t, s, 1)
	b.Leave(memory.Released)
	require.NoError(t, <-done)
	require.NotEqual(t, at, mustArena(t, a, 1).Addr)
	require.NotEqual(t, g, a.Generation())
	a.Leave(memory.Released)
}
