package fmath

func riseFast(dst []float32, start, step float64) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxRise(n, &dst[0], start, step)
	}
	return n
}

func riseF64Fast(dst []float64, start, step float64) int {
	n := fast(len(dst), 8)
	if n > 0 {
		avxRiseF64(n, &dst[0], start, step)
	}
	return n
}

//go:noescape
func avxRise(n int, dst *float32, start, step float64)

//go:noescape
func avxRiseF64(n int, dst *float64, start, step float64)
