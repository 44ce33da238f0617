package lanes

// Search takes n lines of elements, step apart, into the best so far of each column and the number of its line, which is
// first for the first of them. An element is better if it is more, or less, or NaN; nothing is better than NaN. It does
// the first columns and says how many; the caller's portable loop does the rest. It is nil where the machine has no such
// vectors.
type Search[T element] func(best []T, where []int64, x []T, n, step int, first int64) int

type element interface {
	~uint8 | ~int8 | ~int16 | ~int32 | ~int64 | ~float32 | ~float64
}
