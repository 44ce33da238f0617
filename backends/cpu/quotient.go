package cpu

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
)

// Divisions of whole numbers, by divisors that must not be 0.

func floorDivInts[T integer](p *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i, d := range z {
		if d == 0 {
			p.DivideByZero()
			return
		}
		q := x[i] / d
		if r := x[i] - q*d; r != 0 && (r < 0) != (d < 0) {
			q--
		}
		y[i] = q
	}
}

func truncDivInts[T integer](p *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i, d := range z {
		if d == 0 {
			p.DivideByZero()
			return
		}
		y[i] = x[i] / d
	}
}

func fmodInts[T integer](p *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i, d := range z {
		if d == 0 {
			p.DivideByZero()
			return
		}
		y[i] = x[i] % d
	}
}

func remainderInts[T integer](p *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i, d := range z {
		if d == 0 {
			p.DivideByZero()
			return
		}
		r := x[i] % d
		if r != 0 && (r < 0) != (d < 0) {
			r += d
		}
		y[i] = r
	}
}

func truncDiv32(_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[float32, float32](dst, a, b)
	fmath.Div(y, x, z)
	fmath.Trunc(y, y)
}

var (
	divF64   = vector(lanes.DivF64, div[float64])
	truncF64 = vector(lanes.TruncF64, each(math.Trunc))
)

func truncDiv64(p *walk.Params, dst, a, b, _ []byte) {
	divF64(p, dst, a, b, nil)
	truncF64(p, dst, dst, nil, nil)
}

// fmod32 is exact: the quotient of two f32 is taken in f64, where below 2²⁹ it cannot round up to a whole number that it
// does not reach, and where its product with the divisor is exact.
func fmod32(a, b float32) float32 {
	x, y := float64(a), float64(b)
	q := x / y
	if !(math.Abs(q) < 1<<29) || math.IsInf(y, 0) {
		return float32(math.Mod(x, y))
	}
	return float32(math.Copysign(x-float64(math.Trunc(q)*y), x))
}

// remainder32 is Python's: with the sign of the divisor. See fmod32.
func remainder32(a, b float32) float32 {
	x, y := float64(a), float64(b)
	q := x / y
	if !(math.Abs(q) < 1<<29) || math.IsInf(y, 0) {
		return float32(remainder(x, y))
	}
	r := x - float64(math.Floor(q)*y)
	if r == 0 {
		r = math.Copysign(0, x)
	}
	return float32(r)
}

func remainder(a, b float64) float64 {
	r := math.Mod(a, b)
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

// floorDiv32 takes the quotient in f64, which gives what the steps in f32 give as long as those can tell halves: below 2²¹.
func floorDiv32(a, b float32) float32 {
	q := float64(a) / float64(b)
	if b != 0 && math.Abs(q) < 1<<21 && !math.IsInf(float64(b), 0) {
		return float32(math.Floor(q))
	}
	if b == 0 {
		return a / b
	}
	r := fmod32(a, b)
	w := (a - r) / b
	if r != 0 && (r < 0) != (b < 0) {
		w--
	}
	if w == 0 {
		return float32(math.Copysign(0, q))
	}
	f := float32(math.Floor(float64(w)))
	if w-f > 0.5 {
		f++
	}
	return f
}

// floorDiv follows Python: the quotient of a multiple, not the floor of a rounded quotient.
func floorDiv(a, b float64) float64 {
	if b == 0 {
		return a / b
	}
	r := math.Mod(a, b)
	q := (a - r) / b
	if r != 0 && (r < 0) != (b < 0) {
		q--
	}
	if q == 0 {
		return math.Copysign(0, a/b)
	}
	f := math.Floor(q)
	if q-f > 0.5 {
		f++
	}
	return f
}
