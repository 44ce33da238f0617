//go:build !amd64

package fmath

import "math"

func maxOfFast([]float32) (float32, int) { return float32(math.Inf(-1)), 0 }
func minOfFast([]float32) (float32, int) { return float32(math.Inf(1)), 0 }
