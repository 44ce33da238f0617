package lanes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/executor"
)

// divided compares a division with Go's on numbers of every size, and finds out where it stops.
func divided[T interface {
	executor.Element
	whole
}](t *testing.T, name string, loop lanes.Loop, bits int, f func(a, b T) T) {
	t.Run(name, func(t *testing.T) {
		if loop == nil {
			t.Skip("this machine has no vectors")
		}
		r := rand.New(rand.NewPCG(3, 4))
		size := bits / 8
		step := 32 / size
		number := func() T {
			x := T(r.Int64()) >> r.IntN(bits)
			if r.IntN(4) == 0 {
				x = []T{1, 2, T(0) - 1, T(1) << (bits - 2), T(1)<<(bits-1) - 1, T(1) << (bits - 1)}[r.IntN(6)]
			}
			return x
		}
		far := func(x T) bool { return bits == 64 && (int64(x) < -1<<51 || int64(x) >= 1<<51) }
		for n := range 900 {
			n %= 300
			from, a := room[T](n)
			by, b := room[T](n)
			to, dst := room[T](n)
			stop := n - n%step
			for i := range a {
				a[i], b[i] = number(), number()
				if b[i] == 0 && i%61 != 0 {
					b[i] = 3
				}
				if i%97 != 0 && far(a[i]) {
					a[i] >>= bits / 5
				}
				if far(b[i]) {
					b[i] = b[i]>>(bits/5) | 1
				}
				if b[i] == 0 || far(a[i]) || far(b[i]) {
					stop = min(stop, i-i%step)
				}
			}
			require.Equal(t, stop*size, loop(to, from, by))
			for i := range stop {
				if want := f(a[i], b[i]); want != dst[i] {
					t.Fatalf("%d, %d: %d, want %d", a[i], b[i], dst[i], want)
				}
			}
		}
	})
}

func floorDiv[T whole](a, b T) T {
	q := a / b
	if r := a % b; r != 0 && (r < 0) != (b < 0) {
		q--
	}
	return q
}

func divisions[T interface {
	executor.Element
	whole
}](t *testing.T, name string, bits int, div, mod, floored, floorMod lanes.Loop) {
	divided(t, "div "+name, div, bits, func(a, b T) T { return a / b })
	divided(t, "mod "+name, mod, bits, func(a, b T) T { return a % b })
	divided(t, "floor div "+name, floored, bits, floorDiv[T])
	divided(t, "floor mod "+name, floorMod, bits, func(a, b T) T { return a - floorDiv(a, b)*b })
}

func TestDivisions(t *testing.T) {
	divisions[uint8](t, "u8", 8, lanes.DivU8, lanes.ModU8, lanes.DivU8, lanes.ModU8)
	divisions[int8](t, "i8", 8, lanes.DivI8, lanes.ModI8, lanes.FloorDivI8, lanes.FloorModI8)
	divisions[int16](t, "i16", 16, lanes.DivI16, lanes.ModI16, lanes.FloorDivI16, lanes.FloorModI16)
	divisions[int32](t, "i32", 32, lanes.DivI32, lanes.ModI32, lanes.FloorDivI32, lanes.FloorModI32)
	divisions[int64](t, "i64", 64, lanes.DivI64, lanes.ModI64, lanes.FloorDivI64, lanes.FloorModI64)
}

// Every quotient of two numbers of 8 bits, and the hard ones of 51: just below a whole number.
func TestHardQuotients(t *testing.T) {
	if lanes.DivI64 == nil {
		t.Skip("this machine has no vectors")
	}
	for b := range 255 {
		from, a := room[int8](256)
		by, d := room[int8](256)
		to, dst := room[int8](256)
		for i := range a {
			a[i], d[i] = int8(i), int8(b+1)
		}
		require.Equal(t, 256, lanes.FloorDivI8(to, from, by))
		for i := range a {
			if want := floorDiv(a[i], d[i]); want != dst[i] {
				t.Fatalf("%d, %d: %d, want %d", a[i], d[i], dst[i], want)
			}
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	from, a := room[int64](4)
	by, b := room[int64](4)
	to, dst := room[int64](4)
	for range 20000 {
		for i := range a {
			b[i] = 1 + r.Int64N(1<<r.IntN(40))
			a[i] = (math.MaxInt64>>12)/b[i]*b[i] - 1
			if r.IntN(2) == 0 {
				a[i] = -a[i]
			}
		}
		require.Equal(t, 32, lanes.DivI64(to, from, by))
		for i := range a {
			if want := a[i] / b[i]; want != dst[i] {
				t.Fatalf("%d, %d: %d, want %d", a[i], b[i], dst[i], want)
			}
		}
		require.Equal(t, 32, lanes.FloorModI64(to, from, by))
		for i := range a {
			if want := a[i] - floorDiv(a[i], b[i])*b[i]; want != dst[i] {
				t.Fatalf("%d, %d: %d, want %d", a[i], b[i], dst[i], want)
			}
		}
	}
}
