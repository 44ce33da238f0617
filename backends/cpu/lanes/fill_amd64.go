package lanes

import "golang.org/x/sys/cpu"

// Fill writes a pattern of eight bytes over the first bytes of dst and says how many.
func Fill(dst []byte, pattern uint64) int {
	n := len(dst) &^ 31
	if n == 0 || !cpu.X86.HasAVX2 {
		return 0
	}
	avxFill(n, &dst[0], pattern)
	return n
}

//go:noescape
func avxFill(n int, dst *byte, pattern uint64)
