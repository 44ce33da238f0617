package dense

import "math"

// Norm is how the differences of two rows are taken together.
type Norm uint8

// Norms: sums of squares, of magnitudes, the number of differences, the largest magnitude. NaN makes all of these NaN; Peaks
// is the largest magnitude of those that are not.
const (
	Squares Norm = iota
	Sums
	Counts
	Largest
	Peaks
)

// DistanceRows is the number of rows that Distances takes, DistanceColumns that of columns.
const (
	DistanceRows    = 4
	DistanceColumns = tileCols
)

// stretch is how many differences are summed before the sum is added to those of others, to keep sums of f32 exact.
const stretch = 64

// Distances takes the differences of four rows of A, k elements each, which begin at the given places, and the sixteen
// columns of a panel of PackPanels, and leaves what the norm makes of them in c, row by row. The result is the same on
// every tier.
func Distances[T float32 | float64](t Tier, n Norm, k int, a []T, at [DistanceRows]int, panel []T, c *[DistanceRows * DistanceColumns]T) {
	clear(c[:])
	for k0 := 0; k0 < k; k0 += stretch {
		m := min(stretch, k-k0)
		for _, i := range at {
			_ = a[i+k0 : i+k0+m]
		}
		if p := panel[k0*tileCols:][:m*tileCols]; t == Generic || !distance(n, m, a[k0:], at, p, c) {
			genericDistances(n, m, a[k0:], at, p, c)
		}
	}
}

func genericDistances[T float32 | float64](n Norm, k int, a []T, at [DistanceRows]int, panel []T, c *[DistanceRows * DistanceColumns]T) {
	for r, i := range at {
		row := c[r*tileCols:][:tileCols]
		var sums [tileCols]T
		for k, x := range a[i:][:k] {
			b := panel[k*tileCols:][:tileCols]
			for j, s := range sums {
				d := b[j] - x
				switch n {
				case Squares:
					s += T(d * d)
				case Sums:
					s += T(math.Abs(float64(d)))
				case Counts:
					switch {
					case d != d:
						s = d
					case d != 0:
						s++
					}
				case Largest:
					s = max(s, T(math.Abs(float64(d))))
				default:
					if m := T(math.Abs(float64(d))); m > s {
						s = m
					}
				}
				sums[j] = s
			}
		}
		for j, s := range sums {
			if n >= Largest {
				row[j] = max(row[j], s)
			} else {
				row[j] = s + row[j]
			}
		}
	}
}
