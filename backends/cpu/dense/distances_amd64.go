package dense

//go:generate go run distances_gen.go

// distance is one stretch of Distances in assembly; it says whether there is one.
func distance[T float32 | float64](n Norm, k int, a []T, at [DistanceRows]int, panel []T, c *[DistanceRows * DistanceColumns]T) bool {
	s1, s2, s3 := at[1]-at[0], at[2]-at[0], at[3]-at[0]
	if x, p, y, _, ok := pointers[float32](a[at[0]:], panel, c[:], nil); ok {
		switch n {
		case Squares:
			squaresF32(k, x, s1, s2, s3, p, y)
		case Sums:
			sumsF32(k, x, s1, s2, s3, p, y)
		case Counts:
			countsF32(k, x, s1, s2, s3, p, y)
		case Peaks:
			peaksF32(k, x, s1, s2, s3, p, y)
		default:
			largestF32(k, x, s1, s2, s3, p, y)
		}
		return true
	}
	x, p, y, _, _ := pointers[float64](a[at[0]:], panel, c[:], nil)
	switch n {
	case Squares:
		squaresF64(k, x, s1, s2, s3, p, y)
	case Sums:
		sumsF64(k, x, s1, s2, s3, p, y)
	case Counts:
		countsF64(k, x, s1, s2, s3, p, y)
	case Peaks:
		peaksF64(k, x, s1, s2, s3, p, y)
	default:
		return false
	}
	return true
}

//go:noescape
func squaresF32(k int, a *float32, s1, s2, s3 int, panel, c *float32)

//go:noescape
func sumsF32(k int, a *float32, s1, s2, s3 int, panel, c *float32)

//go:noescape
func countsF32(k int, a *float32, s1, s2, s3 int, panel, c *float32)

//go:noescape
func largestF32(k int, a *float32, s1, s2, s3 int, panel, c *float32)

//go:noescape
func peaksF32(k int, a *float32, s1, s2, s3 int, panel, c *float32)

//go:noescape
func squaresF64(k int, a *float64, s1, s2, s3 int, panel, c *float64)

//go:noescape
func sumsF64(k int, a *float64, s1, s2, s3 int, panel, c *float64)

//go:noescape
func countsF64(k int, a *float64, s1, s2, s3 int, panel, c *float64)

//go:noescape
func peaksF64(k int, a *float64, s1, s2, s3 int, panel, c *float64)
