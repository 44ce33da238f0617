// Package lanes has loops over whole numbers and doubles that the machine does in vectors: the ones that a compiler for C
// makes by itself. Floats are in package fmath.
//
// Besides loops over two operands there are folds of a row to its sum or its extreme, and searches of columns for their
// extremes. A program, loops_gen.go, writes their assembly.
package lanes

// Loop does the first elements of dst[i] = f(a[i], b[i]), packed, with the same results as a portable loop, and says how
// many bytes of dst it wrote; the caller's portable loop does the rest. All three are as long as dst. It is nil where the
// machine has no such vectors.
type Loop func(dst, a, b []byte) int
