package fmath

// Rise is start + i·step in f64, the product and the sum rounded, then rounded to f32.
func Rise(dst []float32, start, step float64) {
	n := fast(len(dst), 8)
	if n > 0 {
		avxRise(n, &dst[0], start, step)
	}
	for i := n; i < len(dst); i++ {
		dst[i] = float32(start + float64(float64(i)*step))
	}
}

// RiseF64 is start + i·step, the product and the sum rounded.
func RiseF64(dst []float64, start, step float64) {
	n := fast(len(dst), 8)
	if n > 0 {
		avxRiseF64(n, &dst[0], start, step)
	}
	for i := n; i < len(dst); i++ {
		dst[i] = start + float64(float64(i)*step)
	}
}
