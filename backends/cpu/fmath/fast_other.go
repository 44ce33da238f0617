//go:build !amd64

package fmath

// Other machines have the portable loops alone.

func expFast(dst, src []float32) int     { return 0 }
func sigmoidFast(dst, src []float32) int { return 0 }
func tanhFast(dst, src []float32) int    { return 0 }
func geluFast(dst, src []float32) int    { return 0 }
