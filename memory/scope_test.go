package memory_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/memory"
)

func TestScopesNestAndEndInAnyOrder(t *testing.T) {
	s := open(t, small())
	h := take(t, s, with(arenas("a", 1*kib), memory.Dynamic))[0]
	outer := s.Push(memory.Shared, h)
	inner := s.Push(memory.Static, h)
	again := s.Push(memory.Dynamic, h, h)
	require.Equal(t, memory.Dynamic, h.Strategy())
	inner()
	require.Equal(t, memory.Dynamic, h.Strategy())
	again()
	require.Equal(t, memory.Shared, h.Strategy())
	again()
	inner()
	require.Equal(t, memory.Shared, h.Strategy())
	h.SetStrategy(memory.Static)
	require.Equal(t, memory.Shared, h.Strategy(), "the scope covers the method's own strategy")
	outer()
	require.Equal(t, memory.Static, h.Strategy())
}

func TestScopeRestoresOnPanicAndError(t *testing.T) {
	s := open(t, small())
	h := take(t, s, arenas("a", 1*kib))
	fail := errors.New("no")
	require.ErrorIs(t, s.With(memory.Dynamic, h, func() error {
		require.Equal(t, memory.Dynamic, h[0].Strategy())
		return fail
	}), fail)
	require.Equal(t, memory.Static, h[0].Strategy())
	require.Panics(t, func() { _ = s.With(memory.Shared, h, func() error { panic("x") }) })
	require.Equal(t, memory.Static, h[0].Strategy())
}

func TestScopeAndMethodsThatComeAndGo(t *testing.T) {
	s := open(t, small())
	a := take(t, s, arenas("a", 1*kib))[0]
	restore := s.PushAll(memory.Dynamic)
	b := take(t, s, arenas("b", 1*kib))[0]
	require.Equal(t, memory.Dynamic, a.Strategy())
	require.Equal(t, memory.Dynamic, b.Strategy(), "taken while the scope lasts")
	require.NoError(t, a.Release())
	restore()
	require.Equal(t, memory.Static, b.Strategy())
	c := take(t, s, arenas("c", 1*kib))[0]
	require.Equal(t, memory.Static, c.Strategy())
}

// Any nesting, any order of ends, any runs in between: afterwards every method has its own strategy, and works.
func TestScopesAtRandom(t *testing.T) {
	s := open(t, small())
	ds := []memory.Demand{arenas("a", 4*kib, 0, 8*kib), with(arenas("b", 0, 0, 16*kib), memory.Dynamic), with(arenas("c", 8*kib, 0, 4*kib), memory.Shared)}
	hs := take(t, s, ds...)
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var ends []func()
		for range 30 {
			switch rng.IntN(4) {
			case 0:
				ends = append(ends, s.Push(memory.Strategy(rng.IntN(3)), hs[rng.IntN(3)], hs[rng.IntN(3)]))
			case 1:
				if len(ends) > 0 {
					ends[rng.IntN(len(ends))]()
				}
			case 2:
				ends = append(ends, s.PushAll(memory.Strategy(rng.IntN(3))))
			case 3:
				h := hs[rng.IntN(3)]
				require.NoError(t, h.Enter(bg))
				h.Leave(memory.Released)
			}
		}
		for _, i := range rng.Perm(len(ends)) {
			ends[i]()
		}
		for i, h := range hs {
			require.Equal(t, ds[i].Strategy, h.Strategy())
		}
	}
	for _, h := range hs {
		require.NoError(t, h.Release())
	}
	for _, p := range s.Metrics().Pools {
		require.Zero(t, pool(t, s, p.Name).Used)
	}
}
