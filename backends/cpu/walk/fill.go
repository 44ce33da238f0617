package walk

// fillBlock is how much of what was filled already is copied at a time: it stays in the first-level cache.
const fillBlock = 4096

// Fill writes one element, el, over all of dst, which holds a whole number of them.
func Fill(dst, el []byte) {
	zero := true
	for _, b := range el {
		zero = zero && b == 0
	}
	if zero {
		clear(dst)
		return
	}
	n := copy(dst, el)
	for n < len(dst) {
		n += copy(dst[n:], dst[:min(n, fillBlock)])
	}
}
