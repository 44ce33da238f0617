package lanes

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
