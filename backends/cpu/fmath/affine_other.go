//go:build !amd64

package fmath

func lineFast(dst, src []float32, scale, shift float32) int                         { return 0 }
func standardiseFast(dst, src []float32, mean, scale, shift float64) int            { return 0 }
func standardiseEachFast(dst, src, weight, bias []float32, mean, scale float64) int { return 0 }
func standardiseRowsFast(dst, src, weight, bias, mean, rstd []float32, eps float64) bool {
	return false
}

func blendFast(dst, u0, u1, l0, l1 []float32, vx, wx, vy, wy float32) int { return 0 }

func lineF64Fast(dst, src []float64, scale, shift float64) int { return 0 }

func linesFast(dst, src, scale, shift []float32, n int) bool { return false }
