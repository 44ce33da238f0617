package sim

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

// dot4x16 adds the products of taps source bytes and weights to the sums of 16
// channels at four positions, which lie step bytes apart. Weights are
// [pair of taps][channel][tap of the pair]; with an odd number of taps the last
// pair has a zero. It needs AVX2.
//
//go:noescape
func dot4x16(acc *[4][16]int32, in *byte, step int, weights *int16, taps int)
