package lanes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/executor"
)

// Remainders are exact: those of math.Mod, over all exponents and for quotients close to whole numbers.
func TestModulo(t *testing.T) {
	few := []float64{0, math.Inf(-1), math.NaN(), 5e-324, -1e-310, 1e308}
	many := []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN(), 5e-324, math.MaxFloat64}
	dividedFloats(t, "mod", lanes.ModF64, 56, many, few, math.Nextafter, rest)
	dividedFloats(t, "floor mod", lanes.FloorModF64, 56, many, few, math.Nextafter, floorRest)
	dividedFloats(t, "floor div", lanes.FloorDivF64, 56, many, few, math.Nextafter, floorDivided)
}

// Those of f32 are, too, and what follows are the steps that PyTorch takes in f32.
func TestModuloOfSingles(t *testing.T) {
	few := []float32{0, float32(math.Inf(-1)), float32(math.NaN()), 1e-45, -1e-40, 1e38}
	many := []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.NaN()), 1e-45, math.MaxFloat32}
	dividedFloats(t, "mod", lanes.ModF32, 31, many, few, math.Nextafter32, rest)
	dividedFloats(t, "floor mod", lanes.FloorModF32, 31, many, few, math.Nextafter32, floorRest)
	dividedFloats(t, "floor div", lanes.FloorDivF32, 23, many, few, math.Nextafter32, floorDivided)
}

type floating interface{ float32 | float64 }

func rest[T floating](a, b T) T { return T(math.Mod(float64(a), float64(b))) }

func floorRest[T floating](a, b T) T {
	r := rest(a, b)
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

func floorDivided[T floating](a, b T) T {
	r := rest(a, b)
	q := T(a-r) / b
	if r != 0 && (r < 0) != (b < 0) {
		q--
	}
	if q == 0 {
		return T(math.Copysign(0, float64(a/b)))
	}
	f := T(math.Floor(float64(q)))
	if q-f > 0.5 {
		f++
	}
	return f
}

// dividedFloats compares a loop with a function on random numbers whose quotients have up to most bits, and are whole, close to
// whole or neither; now and then some of them are telling ones.
func dividedFloats[T floating](t *testing.T, name string, loop lanes.Loop, most int, tellingA, tellingB []T, next func(x, to T) T, f func(a, b T) T) {
	t.Run(name, func(t *testing.T) {
		if loop == nil {
			t.Skip("this machine has no such vectors")
		}
		size := len(executor.SliceBytes[T](make([]byte, 32)))
		r := rand.New(rand.NewPCG(11, 12))
		from, a := room[T](size)
		by, b := room[T](size)
		to, dst := room[T](size)
		done := 0
		for range 60000 {
			for i := range a {
				b[i] = T(math.Ldexp(r.NormFloat64(), r.IntN(200)-100))
				a[i] = T(math.Trunc(math.Ldexp(r.NormFloat64(), r.IntN(most)))) * b[i]
				switch r.IntN(4) {
				case 0:
					a[i] = next(a[i], T(math.Inf(-1)))
				case 1:
					a[i] = next(a[i], T(math.Inf(1)))
				case 2:
					a[i] += b[i] * T(r.Float64())
				}
			}
			if r.IntN(50) == 0 {
				a[r.IntN(size)] = tellingA[r.IntN(len(tellingA))]
				b[r.IntN(size)] = tellingB[r.IntN(len(tellingB))]
			}
			n := loop(to, from, by)
			done += n
			for i := range n * size / 32 {
				want := f(a[i], b[i])
				if math.Float64bits(float64(want)) != math.Float64bits(float64(dst[i])) {
					t.Fatalf("%g, %g: %g, want %g", a[i], b[i], dst[i], want)
				}
			}
		}
		require.Greater(t, done, 30000*32)
	})
}
