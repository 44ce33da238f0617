package hal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/hal"
)

func TestIsKind(t *testing.T) {
	for _, c := range []struct {
		kind, family string
		want         bool
	}{
		{"ethos-u55-256", "ethos-u", true}, {"ethos-u55-256", "ethos-u55", true}, {"ethos-u55-256", "ethos-u55-256", true}, {"ethos-u55", "ethos-u55", true},
		{"ethos-u55-256", "ethos-u5", false}, {"ethos-u55-256", "ethos-u55-2", false}, {"ethos-u55-256", "ethos", true}, {"ethos-u55", "ethos-u65", false},
		{"neutron-n3-64", "neutron", true}, {"neutron-s", "neutron", true}, {"neutronium", "neutron", false}, {"ethos-u55", "", false}, {"", "ethos-u", false}, {"", "", false},
	} {
		require.Equal(t, c.want, hal.IsKind(c.kind, c.family), "%q is %q", c.kind, c.family)
	}
}

func TestPlacement(t *testing.T) {
	p := hal.Placement{Arenas: map[uint32]hal.PoolID{3: 1}, Default: hal.NoPool}
	require.EqualValues(t, 1, p.Arena(3))
	require.Equal(t, hal.NoPool, p.Arena(1))
	p.Default = 0
	require.EqualValues(t, 0, p.Arena(1))
}

func TestNames(t *testing.T) {
	require.Equal(t, "tcm sram dram flash any class(9)", hal.TCM.String()+" "+hal.SRAM.String()+" "+hal.DRAM.String()+" "+hal.Flash.String()+" "+hal.AnyClass.String()+" "+hal.Class(9).String())
}

func TestRegionSlice(t *testing.T) {
	r := hal.Region{Bytes: make([]byte, 100), Addr: 0x1000, Pool: 2}
	s := r.Slice(10, 20)
	require.EqualValues(t, 0x100a, s.Addr)
	require.Equal(t, 20, cap(s.Bytes), "appending cannot reach the neighbour")
	require.Panics(t, func() { r.Slice(90, 20) })
}
