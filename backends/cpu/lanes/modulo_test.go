package lanes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/lanes"
)

// Remainders are exact: those of math.Mod, over all exponents and for quotients close to whole numbers.
func TestModulo(t *testing.T) {
	if lanes.ModF64 == nil {
		t.Skip("this machine has no fused operations")
	}
	floorMod := func(a, b float64) float64 {
		r := math.Mod(a, b)
		if r != 0 && (r < 0) != (b < 0) {
			r += b
		}
		return r
	}
	for name, c := range map[string]struct {
		loop lanes.Loop
		f    func(a, b float64) float64
	}{
		"mod":       {lanes.ModF64, math.Mod},
		"floor mod": {lanes.FloorModF64, floorMod},
		"floor div": {lanes.FloorDivF64, func(a, b float64) float64 {
			r := math.Mod(a, b)
			q := (a - r) / b
			if r != 0 && (r < 0) != (b < 0) {
				q--
			}
			if q == 0 {
				return math.Copysign(0, a/b)
			}
			f := math.Floor(q)
			if q-f > 0.5 {
				f++
			}
			return f
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(11, 12))
			from, a := room[float64](4)
			by, b := room[float64](4)
			to, dst := room[float64](4)
			done := 0
			for range 60000 {
				for i := range a {
					b[i] = math.Ldexp(r.NormFloat64(), r.IntN(200)-100)
					q := math.Trunc(math.Ldexp(r.NormFloat64(), r.IntN(56)))
					a[i] = q * b[i]
					switch r.IntN(4) {
					case 0:
						a[i] = math.Nextafter(a[i], math.Inf(-1))
					case 1:
						a[i] = math.Nextafter(a[i], math.Inf(1))
					case 2:
						a[i] += b[i] * r.Float64()
					}
				}
				if r.IntN(50) == 0 {
					a[r.IntN(4)] = []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN(), 5e-324, math.MaxFloat64}[r.IntN(6)]
					b[r.IntN(4)] = []float64{0, math.Inf(-1), math.NaN(), 5e-324, -1e-310, 1e308}[r.IntN(6)]
				}
				n := c.loop(to, from, by)
				done += n
				for i := range n / 8 {
					want := c.f(a[i], b[i])
					if math.Float64bits(want) != math.Float64bits(dst[i]) {
						t.Fatalf("%g, %g: %g, want %g", a[i], b[i], dst[i], want)
					}
				}
			}
			require.Greater(t, done, 30000*32)
		})
	}
}
