package lanes

import "math"

// fold takes rows of n bytes, next bytes apart, to a number for each or, with no dst, one row to the result's bits. It is
// nil where the machine has no such vectors, and so are the others that are called below.
type fold[T element] func(dst, src *T, n, next, count int) int

// Extreme is the largest or the smallest of whole numbers; of none, it is the one that any number beats.
type Extreme[T element] struct {
	vectors fold[T]
	none    T
	rest    func(T, []T) T
	size    int
}

// The extremes, by the type of the numbers.
var (
	MaxOfU8  = largest(mostU8, 0, 1)
	MinOfU8  = smallest(leastU8, math.MaxUint8, 1)
	MaxOfI8  = largest(mostI8, math.MinInt8, 1)
	MinOfI8  = smallest(leastI8, math.MaxInt8, 1)
	MaxOfI16 = largest(mostI16, math.MinInt16, 2)
	MinOfI16 = smallest(leastI16, math.MaxInt16, 2)
	MaxOfI32 = largest(mostI32, math.MinInt32, 4)
	MinOfI32 = smallest(leastI32, math.MaxInt32, 4)
	MaxOfI64 = largest(mostI64, math.MinInt64, 8)
	MinOfI64 = smallest(leastI64, math.MaxInt64, 8)
)

const (
	vector = 32 // bytes
	half   = vector / 2
)

func largest[T element](vectors fold[T], none T, size int) Extreme[T] {
	return Extreme[T]{vectors, none, most[T], size}
}

func smallest[T element](vectors fold[T], none T, size int) Extreme[T] {
	return Extreme[T]{vectors, none, least[T], size}
}

// Row is the extreme of x.
func (e *Extreme[T]) Row(x []T) T {
	if n := len(x) * e.size; n >= half && e.vectors != nil {
		return T(e.vectors(nil, &x[0], n, 0, 1))
	}
	return e.rest(e.none, x)
}

// Rows writes the extremes of rows of n numbers, that of x[j*next:][:n] to dst[j].
func (e *Extreme[T]) Rows(dst, x []T, n, next int) {
	if n*e.size >= half && e.vectors != nil && len(dst) > 0 {
		_ = x[(len(dst)-1)*next:][:n]
		e.vectors(&dst[0], &x[0], n*e.size, next*e.size, len(dst))
		return
	}
	for j := range dst {
		dst[j] = e.rest(e.none, x[j*next:][:n])
	}
}

// MaxOfF64 is the largest, NaN if any is; -∞ of none. Which zero it is depends on the order of zeros.
func MaxOfF64(x []float64) float64 {
	if len(x) >= half/8 && mostF64 != nil {
		return math.Float64frombits(uint64(mostF64(nil, &x[0], 8*len(x), 0, 1)))
	}
	return most(math.Inf(-1), x)
}

// MinOfF64 is the smallest, NaN if any is; ∞ of none. Which zero it is depends on the order of zeros.
func MinOfF64(x []float64) float64 {
	if len(x) >= half/8 && leastF64 != nil {
		return math.Float64frombits(uint64(leastF64(nil, &x[0], 8*len(x), 0, 1)))
	}
	return least(math.Inf(1), x)
}

func most[T element](m T, x []T) T {
	for _, v := range x {
		m = max(m, v)
	}
	return m
}

func least[T element](m T, x []T) T {
	for _, v := range x {
		m = min(m, v)
	}
	return m
}
