package executor_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// small3 is a board of three pools of the given sizes, for mem_id 1, 3 and everything else that the file does not plan.
func small3(t *testing.T, one, three, rest uint64) *memory.Space {
	t.Helper()
	pool := func(name string, base, size uint64) hal.Pool {
		return hal.Pool{Name: name, Class: hal.SRAM, Attr: hal.CPURead | hal.CPUWrite | hal.Coherent, Base: base, Size: size, Align: 64}
	}
	b, err := sim.Open(hal.Spec{Name: "small", Pools: []hal.Pool{pool("ONE", 0x1000_0000, one), pool("THREE", 0x2000_0000, three), pool("REST", 0x3000_0000, rest)},
		Placement: hal.Placement{Arenas: map[uint32]hal.PoolID{1: 0, 3: 1}, Default: hal.NoPool, Temp: 2, Fast: hal.NoPool, Constants: 2}}, sim.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	return memory.NewSpace(b)
}

// banked uses mem_id 1 and the given one, and 1000 B of temp.
func banked(t *testing.T, memID uint32) *executor.Linked {
	t.Helper()
	b := ptebuild.New()
	m := b.Method("forward")
	x, y := m.Input(pte.Float, 64), m.Tensor(pte.Float, 64).Arena(memID)
	m.BufferBytes(1, 256)
	m.Kernel("test::temp.out", x, m.Int(1000), y, y)
	m.Output(y)
	l, err := executor.Link(b.Parse(t), "", executor.Config{Ops: stubs()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	return l
}

// F01: exactly as much as Fit says is enough, 4 bytes less is not, and the error says what, how much, and where.
func TestF01ExactlyEnough(t *testing.T) {
	l := banked(t, 3)
	layout, err := l.Fit(small3(t, 256, 256, 1000))
	require.NoError(t, err)
	require.True(t, layout.Fits())
	for i, size := range [][3]uint64{{252, 256, 1000}, {256, 252, 1000}, {256, 256, 996}} {
		_, err := l.Fit(small3(t, size[0], size[1], size[2]))
		wantCode(t, fault.MemoryAllocationFailed, err, []string{"ONE", "THREE", "REST"}[i])
	}
	// F06: everything at once.
	_, err = l.Fit(small3(t, 128, 128, 128))
	wantCode(t, fault.MemoryAllocationFailed, err, "ONE", "THREE", "REST")
}

func TestRunOnSmallPools(t *testing.T) {
	l, space := banked(t, 3), small3(t, 256, 256, 1000)
	layout, err := l.Fit(space)
	require.NoError(t, err)
	m, err := l.Bind(space, layout)
	require.NoError(t, err)
	in := make([]float32, 64)
	in[63] = 7
	require.NoError(t, m.SetInputTensor(0, floats(in...)))
	require.NoError(t, m.Run(context.Background()))
	y := m.Output(0).Tensor()
	require.Equal(t, in, executor.Slice[float32](y))
	require.Equal(t, uint64(0x2000_0000), y.Addr)
	require.Equal(t, hal.PoolID(1), y.Pool)
	require.NoError(t, m.Close())
}

// S28, F31: an arena for which the board has no pool.
func TestF31UnknownMemID(t *testing.T) {
	_, err := banked(t, 4).Fit(small3(t, 256, 256, 1000))
	require.ErrorContains(t, err, "4")
	require.ErrorContains(t, err, "mem_id")
}

// S02: an amount that wraps round when it is added to an address.
func TestS02TempWraps(t *testing.T) {
	s := executor.NewScope(nil, 4096).GiveFast(64)
	for _, n := range []uint64{math.MaxUint64, math.MaxUint64 - 15, math.MaxUint64 - 4095, 1 << 63, 4097} {
		for _, place := range []memory.Place{memory.Temp, memory.Fast} {
			_, err := s.Temp(place, n, 16)
			wantCode(t, fault.MemoryAllocationFailed, err)
		}
	}
	a, err := s.Temp(memory.Temp, 100, 64)
	require.NoError(t, err)
	b, err := s.Temp(memory.Temp, 3900, 64)
	require.NoError(t, err)
	require.Len(t, a.Bytes, 100)
	require.Len(t, b.Bytes, 3900)
	a.Bytes[99], b.Bytes[0] = 1, 2
	require.Equal(t, byte(1), a.Bytes[99])
	s.Reset()
	_, err = s.Temp(memory.Temp, 4096, 16)
	require.NoError(t, err)
}
