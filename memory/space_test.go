package memory_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/memory"
)

func TestHostStatic(t *testing.T) {
	b, err := sim.Host()
	require.NoError(t, err)
	defer b.Close()
	s := memory.NewSpace(b)
	d := memory.Demand{
		Method: "forward",
		Arenas: []memory.Arena{{MemID: 1, Bytes: 1000, Align: 16}, {MemID: 3, Bytes: 5000}},
		Calls:  []memory.Call{{Instruction: 0, Label: "op", Needs: []memory.Need{{Role: "x", Bytes: 1000}}}},
		Fixed:  []memory.Fixed{{Kind: memory.Program, Label: "file", Bytes: 77}},
		Spans:  []memory.Buffer{{Label: "state", Kind: memory.Persistent, MemID: 3, Offset: 128, Bytes: 64}},
	}
	l, err := s.Fit(d)
	require.NoError(t, err)
	r := l.Report("x.pte")
	require.EqualValues(t, 1000+5000+1000+77, r.Pools[0].Used)
	h, err := s.Take(l, 0)
	require.NoError(t, err)
	a, ok := h.Arena(3)
	require.True(t, ok)
	require.Len(t, a.Bytes, 5000)
	require.Zero(t, a.Addr%64)
	require.NoError(t, h.Enter(context.Background()))
	require.Len(t, h.Temp().Bytes, 1000)
	require.NotNil(t, a)
	h.Leave(memory.Released)
	h.SetStrategy(memory.Dynamic)
	_, ok = h.Arena(3)
	require.False(t, ok)
	p, ok := h.Slice(3, 128, 64)
	require.True(t, ok)
	require.Equal(t, a.Addr+128, p.Addr)
	require.NoError(t, h.Enter(context.Background()))
	_, ok = h.Arena(3)
	require.True(t, ok, "the old place is free again")
	h.Leave(memory.Released)
	require.NoError(t, h.Release())
}
