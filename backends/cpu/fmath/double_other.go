//go:build !amd64

package fmath

// Other machines have the portable loops alone.
var exp64Fast, sigmoid64Fast, tanh64Fast, sinh64Fast, cosh64Fast, log64Fast, log264Fast, log1064Fast, log1p64Fast,
	asinh64Fast, acosh64Fast, asin64Fast, acos64Fast, erf64Fast, gelu64Fast, geluTanh64Fast func(dst, src []float64) int

func expm164Fast(_, _ []float64) int { return 0 }
