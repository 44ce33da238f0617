package fmath

//go:generate go run assembly_gen.go

// The assembly of amd64 does the first elements, in vectors, with the same operations in the same order as the portable
// loops; what follows is left to those. Elsewhere there is none: the names are those of functions that are never called,
// but known not to keep their arguments, so that arrays of callers stay on the stack.

// worthwhile is the length from which a call of the assembly pays.
const worthwhile = 8

// fast is how many of n elements the assembly does, step at a time.
func fast(n, step int) int {
	if n < worthwhile || !haveAVX2 {
		return 0
	}
	return n &^ (step - 1)
}

// unary runs vectors of one operand, step elements at a time, and says how many elements they did.
func unary[D, S any](dst []D, src []S, step int, vectors func(n int, dst *D, src *S)) int {
	n := fast(len(src), step)
	if n > 0 {
		vectors(n, &dst[0], &src[0])
	}
	return n
}

// binary is unary for two operands.
func binary[D, S any](dst []D, a, b []S, step int, vectors func(n int, dst *D, a, b *S)) int {
	n := fast(len(dst), step)
	if n > 0 {
		vectors(n, &dst[0], &a[0], &b[0])
	}
	return n
}

// begin runs the vectors of a function that know all numbers, four at a time, and says how many they did. It is short enough
// to be inlined, so that arrays of callers stay on the stack.
func begin[F float32 | float64](dst, src []F, vectors func(n int, dst, src *F) int) int {
	n := fast(len(src), 4)
	if n > 0 {
		vectors(n, &dst[0], &src[0])
	}
	return n
}

// finish takes the portable function for the numbers from n on.
func finish[F float32 | float64](dst, src []F, n int, f func(float64) float64) {
	dst = dst[:len(src)]
	for i := n; i < len(src); i++ {
		dst[i] = F(f(float64(src[i])))
	}
}

// stepwise runs vectors that stop before four numbers of which one is out of their range: the portable function takes a few
// from there on.
func stepwise[F float32 | float64](dst, src []F, vectors func(n int, dst, src *F) int, f func(float64) float64) {
	dst = dst[:len(src)]
	for i := 0; i < len(src); {
		if n := fast(len(src)-i, 4); n > 0 {
			i += vectors(n, &dst[i], &src[i])
		}
		for end := min(i+worthwhile, len(src)); i < end; i++ {
			dst[i] = F(f(float64(src[i])))
		}
	}
}
