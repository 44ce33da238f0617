package haltest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/hal/board"
	"github.com/ptero-rt/ptero/hal/haltest"
	"github.com/ptero-rt/ptero/hal/sim"
)

// Every built-in board, simulated, is a board.
func TestBoards(t *testing.T) {
	for _, name := range board.Names() {
		t.Run(name, func(t *testing.T) {
			p, err := board.Load(name)
			require.NoError(t, err)
			for _, o := range []sim.Options{{}, {EvictSeed: 5}} {
				haltest.Run(t, func(t *testing.T) hal.Board {
					b, err := sim.Open(p.Spec, o)
					require.NoError(t, err)
					return b
				})
			}
		})
	}
}

func TestFaulty(t *testing.T) {
	haltest.Run(t, func(t *testing.T) hal.Board {
		b, err := sim.Host()
		require.NoError(t, err)
		return haltest.NewFaulty(b, 0)
	})
	b, err := sim.Host()
	require.NoError(t, err)
	f := haltest.NewFaulty(b, 2)
	w, err := f.Window(0)
	require.NoError(t, err)
	require.ErrorIs(t, f.Sync(w, hal.Clean), haltest.ErrInjected)
	require.NoError(t, f.Sync(w, hal.Clean))
	require.Equal(t, 3, f.Calls())
	require.NoError(t, f.Close())
}
