package lanes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/executor"
)

// All floats of 16 bits.
func TestHalves(t *testing.T) {
	if lanes.AbsHalf == nil {
		t.Skip("this machine has no vectors")
	}
	from, a := room[uint16](1 << 16)
	to, dst := room[uint16](1 << 16)
	for i := range a {
		a[i] = uint16(i)
	}
	positive := func(infinity uint16) func(x uint16) uint16 {
		return func(x uint16) uint16 {
			if x > 0x8000 && x <= 0x8000|infinity {
				return 0
			}
			return x
		}
	}
	for name, c := range map[string]struct {
		loop lanes.Loop
		f    func(x uint16) uint16
	}{
		"abs":           {lanes.AbsHalf, func(x uint16) uint16 { return x & 0x7fff }},
		"neg":           {lanes.NegHalf, func(x uint16) uint16 { return x ^ 0x8000 }},
		"positive f16":  {lanes.PositiveF16, positive(0x7c00)},
		"positive bf16": {lanes.PositiveBF16, positive(0x7f80)},
	} {
		require.Equal(t, len(to), c.loop(to, from, from))
		for i, x := range a {
			if dst[i] != c.f(x) {
				t.Fatalf("%s(%#x) = %#x, want %#x", name, x, dst[i], c.f(x))
			}
		}
	}
}

func TestNotHalf(t *testing.T) {
	if lanes.NotHalf == nil {
		t.Skip("this machine has no vectors")
	}
	from, a := room[uint16](1 << 16)
	dst := make([]byte, len(a))
	for i := range a {
		a[i] = uint16(i)
	}
	require.Equal(t, len(a), lanes.NotHalf(dst, from, from))
	for i, x := range a {
		require.Equal(t, truth(x&0x7fff == 0), dst[i], "%#x", x)
	}
}

func chosen[T executor.Element](t *testing.T, name string, c lanes.Choice) {
	t.Run(name, func(t *testing.T) {
		if c == nil {
			t.Skip("this machine has no vectors")
		}
		for n := range 140 {
			from, a := room[T](n)
			with, b := room[T](n)
			to, dst := room[T](n)
			mask := make([]byte, n)
			for i := range from {
				from[i], with[i] = byte(i*7+1)&0x3f, byte(i*5+3)&0x3f
			}
			for i := range mask {
				mask[i] = byte(i * i % 3 << (i % 8))
			}
			require.Equal(t, n&^31, c(to, mask, from, with))
			for i := range n &^ 31 {
				want := a[i]
				if mask[i] == 0 {
					want = b[i]
				}
				require.Equal(t, want, dst[i])
			}
		}
	})
}

func TestChoices(t *testing.T) {
	chosen[uint8](t, "8", lanes.Choose8)
	chosen[uint16](t, "16", lanes.Choose16)
	chosen[uint64](t, "64", lanes.Choose64)
}
