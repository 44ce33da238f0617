package fmath

func fast64(f func(n int, dst, src *float64) int) func(dst, src []float64) int {
	return func(dst, src []float64) int {
		n := fast(len(dst), 4)
		if n > 0 {
			n = f(n, &dst[0], &src[0])
		}
		return n
	}
}

func expm164Fast(dst, src []float64) int {
	n := fast(len(dst), 4)
	if n > 0 {
		avxExpm164(n, &dst[0], &src[0])
	}
	return n
}

var (
	exp64Fast      = fast64(avxExp64)
	sigmoid64Fast  = fast64(avxSigmoid64)
	tanh64Fast     = fast64(avxTanh64)
	sinh64Fast     = fast64(avxSinh64)
	cosh64Fast     = fast64(avxCosh64)
	log64Fast      = fast64(avxLog64)
	log264Fast     = fast64(avxLog264)
	log1064Fast    = fast64(avxLog1064)
	log1p64Fast    = fast64(avxLog1p64)
	asinh64Fast    = fast64(avxAsinh64)
	acosh64Fast    = fast64(avxAcosh64)
	asin64Fast     = fast64(avxAsin64)
	acos64Fast     = fast64(avxAcos64)
	erf64Fast      = fast64(avxErf64)
	gelu64Fast     = fast64(avxGelu64)
	geluTanh64Fast = fast64(avxGeluTanh64)
)

//go:noescape
func avxExp64(n int, dst, src *float64) int

//go:noescape
func avxExpm164(n int, dst, src *float64) int

//go:noescape
func avxSigmoid64(n int, dst, src *float64) int

//go:noescape
func avxTanh64(n int, dst, src *float64) int

//go:noescape
func avxSinh64(n int, dst, src *float64) int

//go:noescape
func avxCosh64(n int, dst, src *float64) int

//go:noescape
func avxLog64(n int, dst, src *float64) int

//go:noescape
func avxLog264(n int, dst, src *float64) int

//go:noescape
func avxLog1064(n int, dst, src *float64) int

//go:noescape
func avxLog1p64(n int, dst, src *float64) int

//go:noescape
func avxAsinh64(n int, dst, src *float64) int

//go:noescape
func avxAcosh64(n int, dst, src *float64) int

//go:noescape
func avxAsin64(n int, dst, src *float64) int

//go:noescape
func avxAcos64(n int, dst, src *float64) int

//go:noescape
func avxErf64(n int, dst, src *float64) int

//go:noescape
func avxGelu64(n int, dst, src *float64) int

//go:noescape
func avxGeluTanh64(n int, dst, src *float64) int
