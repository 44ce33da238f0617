//go:build !amd64

package fmath

func sumHalfFast(*[8]float64, []uint16) int                                      { return 0 }
func sumBrainFast(*[8]float64, []uint16) int                                     { return 0 }
func accumulateLinesFast(_ []float64, _ int, _ []float32, _, _, _ int) int       { return 0 }
func accumulateHalfLinesFast(_ []float64, _ int, _ []uint16, _, _, _ int) int    { return 0 }
func accumulateBrainLinesFast(_ []float64, _ int, _ []uint16, _, _, _ int) int   { return 0 }
func accumulateDoubleLinesFast(_ []float64, _ int, _ []float64, _, _, _ int) int { return 0 }
func sumLinesFast(_ []float64, _ []float32, _, _ int) int                        { return 0 }
func sumHalfLinesFast(_ []float64, _ []uint16, _, _ int) int                     { return 0 }
func sumBrainLinesFast(_ []float64, _ []uint16, _, _ int) int                    { return 0 }
func sumDoubleLinesFast(_, _ []float64, _, _ int) int                            { return 0 }
func divideFast(_, _ []float64, _ float64) int                                   { return 0 }
func divideNarrowFast([]float32, []float64, float64) int                         { return 0 }
