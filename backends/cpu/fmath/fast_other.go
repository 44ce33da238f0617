//go:build !amd64

package fmath

// Other machines have the portable loops alone.

func expFast(dst, src []float32) int                                { return 0 }
func sigmoidFast(dst, src []float32) int                            { return 0 }
func tanhFast(dst, src []float32) int                               { return 0 }
func geluFast(dst, src []float32) int                               { return 0 }
func addFast(dst, a, b []float32) int                               { return 0 }
func subFast(dst, a, b []float32) int                               { return 0 }
func mulFast(dst, a, b []float32) int                               { return 0 }
func divFast(dst, a, b []float32) int                               { return 0 }
func affineFast(dst, x, scale, shift []float32) int                 { return 0 }
func clampFast(dst, src []float32, lo, hi float32) int              { return 0 }
func sqrtFast(dst, src []float32) int                               { return 0 }
func sumFast(lanes *[8]float64, src []float32) int                  { return 0 }
func spreadFast(lanes *[8]float64, src []float32, mean float64) int { return 0 }
