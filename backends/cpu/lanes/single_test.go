package lanes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/lanes"
)

// Divisions of floats are those of the steps that PyTorch takes in f32, with an exact remainder.
func TestSingles(t *testing.T) {
	if lanes.ModF32 == nil {
		t.Skip("this machine has no vectors")
	}
	mod := func(a, b float32) float32 { return float32(math.Mod(float64(a), float64(b))) }
	for name, c := range map[string]struct {
		loop lanes.Loop
		most int // bits of the quotient
		f    func(a, b float32) float32
	}{
		"mod": {lanes.ModF32, 31, mod},
		"floor mod": {lanes.FloorModF32, 31, func(a, b float32) float32 {
			r := mod(a, b)
			if r != 0 && (r < 0) != (b < 0) {
				r += b
			}
			return r
		}},
		"floor div": {lanes.FloorDivF32, 23, func(a, b float32) float32 {
			r := mod(a, b)
			q := (a - r) / b
			if r != 0 && (r < 0) != (b < 0) {
				q--
			}
			if q == 0 {
				return float32(math.Copysign(0, float64(a/b)))
			}
			f := float32(math.Floor(float64(q)))
			if q-f > 0.5 {
				f++
			}
			return f
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(11, 12))
			from, a := room[float32](8)
			by, b := room[float32](8)
			to, dst := room[float32](8)
			done := 0
			for range 60000 {
				scale := r.IntN(200) - 100
				for i := range a {
					b[i] = float32(math.Ldexp(r.NormFloat64(), scale+r.IntN(10)))
					a[i] = float32(math.Trunc(math.Ldexp(r.NormFloat64(), r.IntN(c.most)))) * b[i]
					switch r.IntN(4) {
					case 0:
						a[i] = math.Nextafter32(a[i], float32(math.Inf(-1)))
					case 1:
						a[i] = math.Nextafter32(a[i], float32(math.Inf(1)))
					case 2:
						a[i] += b[i] * r.Float32()
					}
				}
				if r.IntN(50) == 0 {
					a[r.IntN(8)] = []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.NaN()), 1e-45, math.MaxFloat32}[r.IntN(6)]
					b[r.IntN(8)] = []float32{0, float32(math.Inf(-1)), float32(math.NaN()), 1e-45, -1e-40, 1e38}[r.IntN(6)]
				}
				n := c.loop(to, from, by)
				done += n
				for i := range n / 4 {
					want := c.f(a[i], b[i])
					if math.Float32bits(want) != math.Float32bits(dst[i]) {
						t.Fatalf("%g, %g: %g, want %g", a[i], b[i], dst[i], want)
					}
				}
			}
			require.Greater(t, done, 30000*32)
		})
	}
}
