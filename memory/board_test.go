package memory_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/memory"
)

const kib = 1 << 10

// small is a board with 64 KiB of SRAM that the NPU sees, 16 KiB of TCM that it does not, and 256 KiB of DRAM.
func small() hal.Spec {
	npu := []hal.View{{Device: "npu0", Base: 0x2000_0000, Limit: 64 * kib}}
	return hal.Spec{
		Name: "small",
		Pools: []hal.Pool{
			{Name: "DTCM", Class: hal.TCM, Attr: hal.CPURead | hal.CPUWrite, Base: 0x1000_0000, Size: 16 * kib, Align: 4096},
			{Name: "SRAM", Class: hal.SRAM, Attr: hal.CPURead | hal.CPUWrite | hal.CPUCached, Base: 0x2000_0000, Size: 64 * kib, Align: 4096, Line: 32, Views: npu},
			{Name: "DDR", Class: hal.DRAM, Attr: hal.CPURead | hal.CPUWrite | hal.CPUCached, Base: 0x7000_0000, Size: 256 * kib, Align: 4096, Line: 32,
				Views: []hal.View{{Device: "npu0", Base: 0x7000_0000, Limit: 256 * kib}}},
		},
		Devices:   []hal.Device{{Name: "npu0", Kind: "ethos-u55-128"}},
		Placement: hal.Placement{Arenas: map[uint32]hal.PoolID{1: 2, 2: 2, 3: 1, 4: 0}, Default: hal.NoPool, Temp: 1, Fast: 1, FastBytes: 16 * kib, Constants: 2},
	}
}

func open(t testing.TB, spec hal.Spec, o ...memory.Option) *memory.Space {
	b, err := sim.Open(spec, sim.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	return memory.NewSpace(b, o...)
}

// arenas makes a demand with one arena a mem_id, from mem_id 1 on; 0 leaves one out.
func arenas(name string, sizes ...uint64) memory.Demand {
	d := memory.Demand{Method: name}
	for i, n := range sizes {
		if n > 0 {
			d.Arenas = append(d.Arenas, memory.Arena{MemID: uint32(i + 1), Bytes: n, Align: 16})
		}
	}
	return d
}

func with(d memory.Demand, st memory.Strategy) memory.Demand { d.Strategy = st; return d }

func take(t testing.TB, s *memory.Space, ds ...memory.Demand) []*memory.Holding {
	t.Helper()
	l, err := s.Fit(ds...)
	require.NoError(t, err)
	var hs []*memory.Holding
	for i := range ds {
		h, err := s.Take(l, i)
		require.NoError(t, err)
		hs = append(hs, h)
	}
	return hs
}

func pool(t testing.TB, s *memory.Space, name string) memory.PoolMetrics {
	t.Helper()
	for _, p := range s.Metrics().Pools {
		if p.Name == name {
			var kinds uint64
			for _, n := range p.Kinds {
				kinds += n
			}
			require.Equal(t, p.Used, kinds, "the kinds of %s add up", name)
			require.Equal(t, p.Used, p.Resident+p.Leased)
			return p
		}
	}
	require.FailNow(t, "no pool "+name)
	return memory.PoolMetrics{}
}
