package dense

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func testDistances[T float32 | float64](t *testing.T, r *rand.Rand, tolerance float64) {
	special := []T{0, T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1))}
	for i := range 200 {
		k := 1 + r.IntN(2*stretch)
		number := func() T {
			if i%2 == 1 && r.IntN(k) == 0 {
				return special[r.IntN(len(special))]
			}
			return T(r.IntN(5)) - 2 + T(r.IntN(2))*T(r.Float32())
		}
		a, b := make([]T, DistanceRows*(k+1)), make([]T, DistanceColumns*k)
		for i := range a {
			a[i] = number()
		}
		for i := range b {
			b[i] = number()
		}
		panel := make([]T, PanelCount(DistanceColumns, k))
		PackPanels(panel, b, DistanceColumns, k, k, 1)
		at := [DistanceRows]int{0, k + 1, 2 * (k + 1), r.IntN(3) * (k + 1)}
		for n := Squares; n <= Peaks; n++ {
			var c, generic [DistanceRows * DistanceColumns]T
			Distances(Generic, n, k, a, at, panel, &generic)
			Distances(Best(), n, k, a, at, panel, &c)
			for i := range c {
				want := 0.0
				for x := range k {
					d := math.Abs(float64(a[at[i/DistanceColumns]+x]) - float64(b[i%DistanceColumns*k+x]))
					switch n {
					case Squares:
						want += d * d
					case Sums:
						want += d
					case Counts:
						want += min(math.Ceil(d), 1)
					case Largest:
						want = max(want, d)
					default:
						if d > want {
							want = d
						}
					}
				}
				if want != want {
					require.True(t, c[i] != c[i] && generic[i] != generic[i], "norm %d: %v, %v", n, c[i], generic[i])
					continue
				}
				require.Equal(t, generic[i], c[i], "norm %d of %d", n, k)
				if math.IsInf(want, 1) {
					require.Equal(t, want, float64(c[i]))
					continue
				}
				require.InEpsilon(t, want+1, float64(c[i])+1, tolerance, "norm %d of %d", n, k)
			}
		}
	}
}

func TestDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	testDistances[float32](t, r, 1e-5)
	testDistances[float64](t, r, 1e-13)
}
