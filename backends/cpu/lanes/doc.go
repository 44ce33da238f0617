// Package lanes has loops over whole numbers and doubles that the machine does in vectors: the ones that a compiler for C
// makes by itself. Floats are in package fmath.
package lanes

// Loop does the first elements of dst[i] = f(a[i], b[i]), packed, with the same results as a portable loop, and says how
// many bytes of dst it wrote; the caller's portable loop does the rest. All three are as long as dst. It is nil where the
// machine has no such vectors.
type Loop func(dst, a, b []byte) int

// Relation does the first elements of a relation: dst has a byte for each, 1 where it holds and 0 elsewhere, and a and b
// are as many elements. It says how many it did, and is nil where the machine has no such vectors.
type Relation func(dst, a, b []byte) int

// Zero is the relation of a to zeros, whose elements have size bytes.
func (r Relation) Zero(dst, a []byte, size int) int {
	done := 0
	for r != nil && done < len(dst) {
		k := min(len(dst)-done, len(zeros)/size)
		n := r(dst[done:done+k], a[done*size:], zeros[:])
		if done += n; n < k {
			break
		}
	}
	return done
}

var zeros [4096]byte

// Limit is a Loop of numbers kept between two bounds, lo first, which are given as the bits of an element.
type Limit func(dst, a []byte, lo, hi uint64) int

// Between is a Limit with bounds for each element.
type Between func(dst, a, lo, hi []byte) int

// Scaled is a Loop of a + s·b, wrapping around; s is given as the bits of an element.
type Scaled func(dst, a, b []byte, s uint64) int

// Choice takes the first elements of a where the mask, of a byte each, is not 0, and of b elsewhere. The mask says how many
// there are; it gives how many it did.
type Choice func(dst, mask, a, b []byte) int
