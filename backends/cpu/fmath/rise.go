package fmath

// Rise is start + i·step in f64, the product and the sum rounded, then rounded to f32.
func Rise(dst []float32, start, step float64) {
	for i := riseFast(dst, start, step); i < len(dst); i++ {
		dst[i] = float32(start + float64(float64(i)*step))
	}
}

// RiseF64 is start + i·step, the product and the sum rounded.
func RiseF64(dst []float64, start, step float64) {
	for i := riseF64Fast(dst, start, step); i < len(dst); i++ {
		dst[i] = start + float64(float64(i)*step)
	}
}
