package fmath

// walshFast does the transform in vectors, and says with which step the portable loop goes on.
func walshFast(x []float32) int {
	n := fast(len(x), 8)
	if n == 0 {
		return 1
	}
	avxWalsh(n, &x[0])
	return n
}

//go:noescape
func avxWalsh(n int, x *float32)
