// Package fmath is floating-point arithmetic over slices: elementary functions, rows and columns summed, scaled and
// compared.
//
// Functions of float32 numbers are computed in float64 with short polynomials: the result is then rounded once, and is
// within one unit in the last place of the true value. Functions of float64 numbers are within about two units. Every
// product is rounded by itself (the conversions forbid fused operations), so that all machines, and the assembly of amd64,
// give the same bits.
//
// The polynomials were fitted for this package by Chebyshev interpolation (relative errors below 5e-9, a tenth of half a
// unit in a float32's last place).
package fmath
