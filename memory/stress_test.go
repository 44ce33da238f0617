package memory_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/memory"
)

// Every ordered pair of states, with runs before, between and after.
func TestAllPairsOfStates(t *testing.T) {
	type st struct {
		base   memory.Strategy
		scope  bool
		warm   bool
		pinned bool
	}
	var all []st
	for b := range memory.Strategy(3) {
		for i := range 8 {
			all = append(all, st{b, i&1 != 0, i&2 != 0, i&4 != 0})
		}
	}
	for _, x := range all {
		for _, y := range all {
			s := open(t, small())
			h := take(t, s, state("a"))[0]
			var state []byte
			for round, z := range []st{x, y} {
				h.SetStrategy(z.base)
				restore := func() {}
				if z.scope {
					restore = s.Push(memory.Strategy((z.base+1)%3), h)
				}
				if z.warm {
					require.NoError(t, h.Prewarm(bg))
				}
				for i := range 3 {
					require.NoError(t, h.Enter(bg))
					r, ok := h.Slice(3, 1008, 64)
					require.True(t, ok)
					if state != nil {
						require.Equal(t, state, r.Bytes)
					}
					r.Bytes[i] += byte(round + 1)
					state = append(state[:0], r.Bytes...)
					out := memory.Released
					if z.pinned {
						out = memory.Pinned
					}
					h.Leave(out)
				}
				restore()
				require.Equal(t, z.base, h.Strategy())
				h.Unpin()
				require.Zero(t, pool(t, s, "SRAM").Leased)
			}
			require.NoError(t, h.Release())
			require.Zero(t, pool(t, s, "SRAM").Used)
			require.Zero(t, pool(t, s, "DDR").Used)
		}
	}
}

// A method that keeps its outputs and runs again and again lets those who wait come first.
func TestKeptOutputsDoNotStarveOthers(t *testing.T) {
	for _, st := range []memory.Strategy{memory.Dynamic, memory.Shared} {
		s := open(t, small())
		hs := take(t, s, with(arenas("a", 0, 0, 40*kib), st), with(arenas("b", 0, 0, 40*kib), st))
		require.NoError(t, hs[0].Enter(bg))
		hs[0].Leave(memory.Pinned)
		ctx, cancel := context.WithCancel(bg)
		defer cancel()
		b := make(chan error, 1)
		go func() {
			err := hs[1].Enter(ctx)
			hs[1].Leave(memory.Released)
			b <- err
		}()
		waitFor(t, s, 1)
		require.NoError(t, hs[0].Enter(bg))
		require.NoError(t, <-b, "b ran before a's second run")
		hs[0].Leave(memory.Released)
	}
}

// 16 goroutines flip strategies, nest scopes and run four methods that do not all fit at once. Every run finds its own
// pattern in its memory at the end, so no two live leases overlap; state counts every run.
func TestManyGoroutinesManyFlips(t *testing.T) {
	t.Run("more than fits at once", func(t *testing.T) {
		flips(t, []uint64{30 * kib, 24 * kib, 20 * kib, 8 * kib}, memory.Dynamic, memory.Shared)
	})
	t.Run("all strategies", func(t *testing.T) {
		flips(t, []uint64{4 * kib, 3 * kib, 2 * kib, 8 * kib}, memory.Static, memory.Dynamic, memory.Shared)
	})
}

func flips(t *testing.T, sizes []uint64, strategies ...memory.Strategy) {
	s := open(t, small())
	var ds []memory.Demand
	for i, n := range sizes {
		d := arenas(string(rune('a'+i)), 4*kib, 0, n)
		d.Spans = []memory.Buffer{{Kind: memory.Persistent, MemID: 1, Offset: 64, Bytes: 8, Last: 1}}
		ds = append(ds, with(d, memory.Dynamic))
	}
	hs := take(t, s, ds...)
	var locks [4]sync.Mutex
	var runs [4]byte
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 2))
			ctx, cancel := context.WithCancel(bg)
			defer cancel()
			for range 150 {
				i := rng.IntN(4)
				h := hs[i]
				switch rng.IntN(5) {
				case 0:
					h.SetStrategy(strategies[rng.IntN(len(strategies))])
				case 1:
					restore := s.Push(strategies[rng.IntN(len(strategies))], h, hs[rng.IntN(4)])
					runtime.Gosched()
					restore()
				default:
					locks[i].Lock()
					if err := h.Enter(ctx); err != nil {
						t.Error(err)
						locks[i].Unlock()
						return
					}
					id := byte(i<<4 | g&15)
					big, ok := h.Slice(3, 0, sizes[i])
					if !ok {
						t.Error("no arena")
					}
					for j := range big.Bytes {
						big.Bytes[j] = id
					}
					runtime.Gosched()
					for j := range big.Bytes {
						if big.Bytes[j] != id {
							t.Errorf("method %d: somebody wrote to its memory", i)
							break
						}
					}
					count, _ := h.Slice(1, 64, 8)
					count.Bytes[0]++
					runs[i]++
					if rng.IntN(8) == 0 {
						h.Leave(memory.Pinned)
						runtime.Gosched()
						h.Unpin()
					} else {
						h.Leave(memory.Released)
					}
					locks[i].Unlock()
				}
			}
		})
	}
	wg.Wait()
	for i, h := range hs {
		count, _ := h.Slice(1, 64, 8)
		require.Equal(t, runs[i], count.Bytes[0])
		require.NoError(t, h.Release())
	}
	require.Zero(t, pool(t, s, "SRAM").Used)
	require.Zero(t, pool(t, s, "DDR").Used)
}

func TestLeaseAllocatesNothing(t *testing.T) {
	for _, st := range []memory.Strategy{memory.Static, memory.Dynamic, memory.Shared} {
		s := open(t, small())
		hs := take(t, s, with(state("a"), st), with(state("b"), st))
		require.NoError(t, hs[0].Prewarm(bg))
		require.Zero(t, testing.AllocsPerRun(100, func() {
			if err := hs[0].Enter(bg); err != nil {
				panic(err)
			}
			hs[0].Leave(memory.Released)
		}), st.String())
	}
}

func BenchmarkLease(b *testing.B) {
	for _, st := range []memory.Strategy{memory.Static, memory.Dynamic, memory.Shared} {
		b.Run(st.String(), func(b *testing.B) {
			s := open(b, small())
			hs := take(b, s, with(state("a"), st), with(state("b"), st))
			b.ReportAllocs()
			var slow [1 << 12]int // by nanoseconds
			n := 0
			for b.Loop() {
				begin := time.Now()
				if err := hs[0].Enter(bg); err != nil {
					b.Fatal(err)
				}
				hs[0].Leave(memory.Released)
				slow[min(time.Since(begin), 1<<12-1)]++
				n++
			}
			for ns, seen := 0, 0; ns < len(slow); ns++ {
				if seen += slow[ns]; seen*100 >= n*99 {
					b.ReportMetric(float64(ns), "p99-ns")
					break
				}
			}
		})
	}
}

// BenchmarkFitAndTake lays out and takes a method of 5,000 calls.
func BenchmarkFitAndTake(b *testing.B) {
	d := arenas("a", 64*kib, 0, 8*kib)
	for i := range 5000 {
		d.Calls = append(d.Calls, memory.Call{Instruction: i, Label: "op", Needs: []memory.Need{{Role: "x", Bytes: uint64(i)}}})
	}
	s := open(b, small())
	b.ReportAllocs()
	for b.Loop() {
		l, err := s.Fit(d)
		require.NoError(b, err)
		h, err := s.Take(l, 0)
		require.NoError(b, err)
		require.NoError(b, h.Release())
	}
}
