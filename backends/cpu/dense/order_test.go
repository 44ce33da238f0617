package dense

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A row by itself has the bits that it has in a tile, so that small products may go either way.
func TestRowsAreThoseOfTiles(t *testing.T) {
	for _, tier := range Tiers() {
		testRowOfTile[float32](t, tier)
		testRowOfTile[float64](t, tier)
	}
}

func testRowOfTile[T float32 | float64](t *testing.T, tier Tier) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 200 {
		k, n := 1+r.IntN(20), 1+r.IntN(tileCols)
		a, b := make([]T, 2*k), make([]T, k*tileCols)
		for i := range a {
			a[i] = T(r.NormFloat64())
		}
		for i := range b {
			b[i] = T(r.NormFloat64())
		}
		start := []T{T(r.NormFloat64()), T(r.NormFloat64())}
		both, one := make([]T, 2*tileCols), make([]T, n)
		tile(tier, 2, k, a, k, b, packedOffsets[:k], both, tileCols, start)
		for i := range 2 {
			row(tier, n, k, a[i*k:], b, packedOffsets[:k], one, start[i:])
			for j, x := range one {
				require.Equal(t, math.Float64bits(float64(both[i*tileCols+j])), math.Float64bits(float64(x)), "%s: column %d of %d, %d deep", tier, j, n, k)
			}
		}
	}
}
