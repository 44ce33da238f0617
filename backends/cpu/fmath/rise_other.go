//go:build !amd64

package fmath

func riseFast([]float32, float64, float64) int { return 0 }

func riseF64Fast([]float64, float64, float64) int { return 0 }
