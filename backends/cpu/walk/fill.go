package walk

import "github.com/ptero-rt/ptero/backends/cpu/plane"

// Fill writes one element, el, over all of dst, which holds a whole number of them.
func Fill(dst, el []byte) {
	for _, b := range el {
		if b != 0 {
			plane.Fill(dst, el)
			return
		}
	}
	clear(dst)
}
