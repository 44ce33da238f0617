//go:build !amd64

package fmath

// Other machines have the portable loops alone.

func expFast(dst, src []float32) int                                         { return 0 }
func sigmoidFast(dst, src []float32) int                                     { return 0 }
func tanhFast(dst, src []float32) int                                        { return 0 }
func geluFast(dst, src []float32) int                                        { return 0 }
func geluTanhFast(dst, src []float32) int                                    { return 0 }
func expm1Fast(dst, src []float32) int                                       { return 0 }
func sinhFast(dst, src []float32) int                                        { return 0 }
func coshFast(dst, src []float32) int                                        { return 0 }
func logFast(dst, src []float32) int                                         { return 0 }
func log2Fast(dst, src []float32) int                                        { return 0 }
func log10Fast(dst, src []float32) int                                       { return 0 }
func log1pFast(dst, src []float32) int                                       { return 0 }
func sinFast(dst, src []float32) int                                         { return 0 }
func cosFast(dst, src []float32) int                                         { return 0 }
func tanFast(dst, src []float32) int                                         { return 0 }
func atanFast(dst, src []float32) int                                        { return 0 }
func asinFast(dst, src []float32) int                                        { return 0 }
func acosFast(dst, src []float32) int                                        { return 0 }
func erfFast(dst, src []float32) int                                         { return 0 }
func sqrtFast(dst, src []float32) int                                        { return 0 }
func absFast(dst, src []float32) int                                         { return 0 }
func negFast(dst, src []float32) int                                         { return 0 }
func signFast(dst, src []float32) int                                        { return 0 }
func reciprocalFast(dst, src []float32) int                                  { return 0 }
func rsqrtFast(dst, src []float32) int                                       { return 0 }
func floorFast(dst, src []float32) int                                       { return 0 }
func ceilFast(dst, src []float32) int                                        { return 0 }
func truncFast(dst, src []float32) int                                       { return 0 }
func roundFast(dst, src []float32) int                                       { return 0 }
func addFast(dst, a, b []float32) int                                        { return 0 }
func subFast(dst, a, b []float32) int                                        { return 0 }
func mulFast(dst, a, b []float32) int                                        { return 0 }
func divFast(dst, a, b []float32) int                                        { return 0 }
func maxFast(dst, a, b []float32) int                                        { return 0 }
func minFast(dst, a, b []float32) int                                        { return 0 }
func equalFast(dst []uint8, a, b []float32) int                              { return 0 }
func unequalFast(dst []uint8, a, b []float32) int                            { return 0 }
func lessFast(dst []uint8, a, b []float32) int                               { return 0 }
func lessEqualFast(dst []uint8, a, b []float32) int                          { return 0 }
func addScaledFast(dst, a, b []float32, alpha float32) int                   { return 0 }
func affineFast(dst, x, scale, shift []float32) int                          { return 0 }
func clampFast(dst, src []float32, lo, hi float32) int                       { return 0 }
func leakyFast(dst, src []float32, slope float32) int                        { return 0 }
func chooseFast(dst []float32, mask []uint8, a, b []float32) int             { return 0 }
func sumFast(lanes *[8]float64, src []float32) int                           { return 0 }
func spreadFast(lanes *[8]float64, src []float32, mean float64) int          { return 0 }
func fromHalfFast(dst []float32, src []uint16) int                           { return 0 }
func toHalfFast(dst []uint16, src []float32) int                             { return 0 }
func asinhFast(dst, src []float32) int                                       { return 0 }
func acoshFast(dst, src []float32) int                                       { return 0 }
func atanhFast(dst, src []float32) int                                       { return 0 }
func atan2Fast(dst, a, b []float32) int                                      { return 0 }
func accumulateFast(sums []float64, src []float32) int                       { return 0 }
func subNumberFast(dst, src []float32, x float32) int                        { return 0 }
func divNumberFast(dst, src []float32, x float32) int                        { return 0 }
func truncateFast(dst []int32, src []float32) int                            { return 0 }
func powFast(dst, a, b []float32) int                                        { return 0 }
func decodeI8Fast(dst []float32, src []int8, zero int32, scale float32) int  { return 0 }
func decodeU8Fast(dst []float32, src []uint8, zero int32, scale float32) int { return 0 }
func toBrainFast(dst []uint16, src []float32) int                            { return 0 }
func fromBrainFast(dst []float32, src []uint16) int                          { return 0 }
func absComplexFast(dst []float32, src []complex64) int                      { return 0 }
