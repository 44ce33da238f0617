package dense

// Number is an element type that can be multiplied and added.
type Number interface {
	Real | ~complex64 | ~complex128
}

// Real is a Number with an order.
type Real interface {
	~uint8 | ~int8 | ~int16 | ~int32 | ~int64 | ~float32 | ~float64
}

// Tier is a set of machine instructions for the tiles.
type Tier uint8

// Tiers: what runs everywhere, and one for each architecture with tiles of its own.
const (
	Generic Tier = iota
	AVX2         // with FMA
	NEON
)

func (t Tier) String() string { return [...]string{"generic", "avx2", "neon"}[t] }

// Best is the fastest tier of this machine.
func Best() Tier { return vector() }

// Tiers lists what this machine can run, for tests.
func Tiers() []Tier {
	if t := vector(); t != Generic {
		return []Tier{Generic, t}
	}
	return []Tier{Generic}
}

const (
	tileRows = 6
	tileCols = 16
	depth    = 512 // k is summed in steps of this many, so that a panel of B stays in the cache
)

// rowsOf says how many of the n remaining rows the next tile takes.
func rowsOf(n int) int {
	switch {
	case n >= 6:
		return 6
	case n >= 4:
		return 4
	case n >= 2:
		return 2
	}
	return 1
}

// genericTile computes rows×cols of C = start + A·B (start nil: C + A·B).
func genericTile[T Number](rows, cols, k int, a []T, lda int, b []T, off []int32, c []T, ldc int, start []T) {
	off = off[:k]
	for r := range rows {
		ar, cr := a[min(r*lda, len(a)):][:len(off)], c[r*ldc:][:cols]
		j := 0
		for ; j+4 <= cols; j += 4 {
			var c0, c1, c2, c3 T
			if start == nil {
				c0, c1, c2, c3 = cr[j], cr[j+1], cr[j+2], cr[j+3]
			} else {
				c0 = start[r]
				c1, c2, c3 = c0, c0, c0
			}
			for i, o := range off {
				x, y := ar[i], (*[4]T)(b[int(o)+j:])
				c0 += x * y[0]
				c1 += x * y[1]
				c2 += x * y[2]
				c3 += x * y[3]
			}
			cr[j], cr[j+1], cr[j+2], cr[j+3] = c0, c1, c2, c3
		}
		for ; j < cols; j++ {
			sum := cr[j]
			if start != nil {
				sum = start[r]
			}
			for i, o := range off {
				sum += ar[i] * b[int(o)+j]
			}
			cr[j] = sum
		}
	}
}

// genericRow computes one row of n columns like genericTile, along B's rows, some at a time: columns would not stay in the
// cache from row to row.
func genericRow[T Number](n, k int, a, b []T, off []int32, c, start []T) {
	c, off = c[:n], off[:k]
	a = a[:len(off)]
	i := 0
	switch {
	case start == nil:
	case len(off) == 0:
		for j := range c {
			c[j] = start[0]
		}
	default: // B's first row begins the sums
		first, x, b0 := start[0], a[0], b[off[0]:][:len(c)]
		for j, y := range b0 {
			c[j] = first + x*y
		}
		i = 1
	}
	for ; i+4 <= len(off); i += 4 {
		x0, x1, x2, x3 := a[i], a[i+1], a[i+2], a[i+3]
		b0, b1, b2, b3 := b[off[i]:][:len(c)], b[off[i+1]:][:len(c)], b[off[i+2]:][:len(c)], b[off[i+3]:][:len(c)]
		for j, sum := range c {
			sum += x0 * b0[j]
			sum += x1 * b1[j]
			sum += x2 * b2[j]
			sum += x3 * b3[j]
			c[j] = sum
		}
	}
	if i+2 <= len(off) {
		x0, x1, b0, b1 := a[i], a[i+1], b[off[i]:][:len(c)], b[off[i+1]:][:len(c)]
		for j, sum := range c {
			sum += x0 * b0[j]
			sum += x1 * b1[j]
			c[j] = sum
		}
		i += 2
	}
	if i < len(off) {
		x, b0 := a[i], b[off[i]:][:len(c)]
		for j, y := range b0 {
			c[j] += x * y
		}
	}
}

// genericDot gives the sum of products of two vectors of equal length, in four strands.
func genericDot[T Number](a, b []T) T {
	var s0, s1, s2, s3 T
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}
