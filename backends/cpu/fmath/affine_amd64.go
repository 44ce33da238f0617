package fmath

func lineFast(dst, src []float32, scale, shift float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxLine(n, &dst[0], &src[0], scale, shift)
	}
	return n
}

func standardiseFast(dst, src []float32, mean, scale, shift float64) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxStandardise(n, &dst[0], &src[0], mean, scale, shift)
	}
	return n
}

func standardiseEachFast(dst, src, weight, bias []float32, mean, scale float64) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxStandardiseEach(n, &dst[0], &src[0], &weight[0], &bias[0], mean, scale)
	}
	return n
}

//go:noescape
func avxLine(n int, dst, src *float32, scale, shift float32)

//go:noescape
func avxStandardise(n int, dst, src *float32, mean, scale, shift float64)

//go:noescape
func avxStandardiseEach(n int, dst, src, weight, bias *float32, mean, scale float64)

func standardiseRowsFast(dst, src, weight, bias, mean, rstd []float32, eps float64) bool {
	n := len(dst) / len(mean)
	if !haveAVX2 || n == 0 {
		return false
	}
	var w, b *float32
	if weight != nil {
		w, b = &weight[:n][0], &bias[:n][0]
	}
	avxStandardiseRows(len(mean), n, &dst[0], &src[:len(dst)][0], w, b, &mean[0], &rstd[:len(mean)][0], eps, &tails[n&7])
	return true
}

// tails mask the numbers of a last, incomplete vector, by how many those are.
var tails = [8][8]int32{{}, {-1}, {-1, -1}, {-1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1, -1}}

//go:noescape
func avxStandardiseRows(rows, n int, dst, src, weight, bias, mean, rstd *float32, eps float64, tail *[8]int32)

func blendFast(dst, u0, u1, l0, l1 []float32, vx, wx, vy, wy float32) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxBlend(n, &dst[0], &u0[0], &u1[0], &l0[0], &l1[0], vx, wx, vy, wy)
	}
	return n
}

//go:noescape
func avxBlend(n int, dst, u0, u1, l0, l1 *float32, vx, wx, vy, wy float32)

func lineF64Fast(dst, src []float64, scale, shift float64) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxLineF64(n, &dst[0], &src[0], scale, shift)
	}
	return n
}

//go:noescape
func avxLineF64(n int, dst, src *float64, scale, shift float64)

func linesFast(dst, src, scale, shift []float32, n int) bool {
	if !haveAVX2 {
		return false
	}
	avxLines(len(scale), n, &dst[0], &src[0], &scale[0], &shift[0], &tails[n&7])
	return true
}

//go:noescape
func avxLines(runs, n int, dst, src, scale, shift *float32, tail *[8]int32)
