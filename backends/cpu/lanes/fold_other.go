//go:build !amd64

package lanes

import "math"

// Other machines have the portable loops alone.

var MaxI64, MinI64, TakeMaxF64, TakeMinF64 Loop

func maxU8Fast([]uint8) (uint8, int)        { return 0, 0 }
func minU8Fast([]uint8) (uint8, int)        { return math.MaxUint8, 0 }
func maxI8Fast([]int8) (int8, int)          { return math.MinInt8, 0 }
func minI8Fast([]int8) (int8, int)          { return math.MaxInt8, 0 }
func maxI16Fast([]int16) (int16, int)       { return math.MinInt16, 0 }
func minI16Fast([]int16) (int16, int)       { return math.MaxInt16, 0 }
func maxI32Fast([]int32) (int32, int)       { return math.MinInt32, 0 }
func minI32Fast([]int32) (int32, int)       { return math.MaxInt32, 0 }
func maxI64Fast(*[4]int64, []int64) int     { return 0 }
func minI64Fast(*[4]int64, []int64) int     { return 0 }
func maxF64Fast(*[4]float64, []float64) int { return 0 }
func minF64Fast(*[4]float64, []float64) int { return 0 }
func sumI64Fast([]int64) (int64, int)       { return 0, 0 }
func sumI32Fast([]int32) (int64, int)       { return 0, 0 }
func sumU8Fast([]uint8) (int64, int)        { return 0, 0 }
func countFast([]uint8) (int64, int)        { return 0, 0 }
func sumF64Fast(*[8]float64, []float64) int { return 0 }
func addU8Fast([]int64, []uint8) int        { return 0 }
func addI8Fast([]int64, []int8) int         { return 0 }
func addI16Fast([]int64, []int16) int       { return 0 }
func addI32Fast([]int64, []int32) int       { return 0 }
func addBoolFast([]int64, []uint8) int      { return 0 }
