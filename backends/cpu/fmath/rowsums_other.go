//go:build !amd64

package fmath

func sumRowsFast([]float64, []float32, int, int) bool       { return false }
func sumHalfRowsFast([]float64, []uint16, int, int) bool    { return false }
func sumBrainRowsFast([]float64, []uint16, int, int) bool   { return false }
func sumDoubleRowsFast([]float64, []float64, int, int) bool { return false }
func joinLanesFast([]float64, int) int                      { return 0 }
