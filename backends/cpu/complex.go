package cpu

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// The kernels take the parts of complex numbers as they lie, two T for each.

// conjugate turns the sign of the imaginary part.
func conjugate[T float](_ *walk.Params, dst, a, _, _ []byte) {
	y, x := one[T, T](dst, a)
	for i := 0; i+1 < len(y); i += 2 {
		y[i], y[i+1] = x[i], -x[i+1]
	}
}

// addScaledComplex makes a kernel that adds F times the second operand. Like PyTorch it takes F for a complex number even if it
// is 1, so that infinite parts give NaN.
func addScaledComplex[T float](f lanes.Scaled, bits func(T) uint64) walk.Kernel {
	return func(p *walk.Params, dst, a, b, _ []byte) {
		s, n := T(p.F[0]), 0
		if f != nil {
			n = f(dst, a, b, bits(s))
		}
		y, x, z := two[T, T](dst[n:], a[n:], b[n:])
		for i := 0; i+1 < len(y); i += 2 {
			re, im := product(s, 0, z[i], z[i+1])
			y[i], y[i+1] = x[i]+re, x[i+1]+im
		}
	}
}

func bits32(x float32) uint64 { return uint64(math.Float32bits(x)) }

func multiplyComplex[T float](_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[T, T](dst, a, b)
	for i := 0; i+1 < len(y); i += 2 {
		y[i], y[i+1] = product(x[i], x[i+1], z[i], z[i+1])
	}
}

// product is (a+bi)·(c+di), every product rounded.
func product[T float](a, b, c, d T) (re, im T) { return T(a*c) - T(b*d), T(a*d) + T(b*c) }

func divideComplex[T float](fma func(x, y, z T) T) walk.Kernel {
	return func(_ *walk.Params, dst, a, b, _ []byte) {
		y, x, z := two[T, T](dst, a, b)
		for i := 0; i+1 < len(y); i += 2 {
			y[i], y[i+1] = quotient(fma, x[i], x[i+1], z[i], z[i+1])
		}
	}
}

// partwise makes a kernel of a function of one number's parts.
func partwise[T float](f func(a, b T) (re, im T)) walk.Kernel {
	return func(_ *walk.Params, dst, a, _, _ []byte) {
		y, x := one[T, T](dst, a)
		for i := 0; i+1 < len(y); i += 2 {
			y[i], y[i+1] = f(x[i], x[i+1])
		}
	}
}

func reciprocalComplex[T float](fma func(x, y, z T) T) walk.Kernel {
	return partwise(func(a, b T) (re, im T) { return quotient(fma, 1, 0, a, b) })
}

// quotient is (a+bi)/(c+di) after Smith's method, as c10::complex has it, with the fused products that PyTorch's CPU build
// makes of it.
func quotient[T float](fma func(x, y, z T) T, a, b, c, d T) (re, im T) {
	absC, absD := c, d
	if c < 0 {
		absC = -c
	}
	if d < 0 {
		absD = -d
	}
	switch {
	case c == 0 && d == 0:
		var zero T // the sign of the divisor does not count
		return a / zero, b / zero
	case absC >= absD:
		q := d / c
		s := 1 / fma(d, q, c)
		return fma(b, q, a) * s, fma(-a, q, b) * s
	}
	q := c / d
	s := 1 / fma(c, q, d)
	return fma(a, q, b) * s, fma(b, q, -a) * s
}

func fma64(x, y, z float64) float64 { return math.FMA(x, y, z) }

// fma32 rounds once. The product is exact in f64; the sum is rounded to odd there, which leaves the last rounding as if it
// had seen all digits.
func fma32(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	t := s - p
	lost := (p - (s - t)) + (c - t)
	if b := math.Float64bits(s); b&1 == 0 && (lost > 0 || lost < 0) {
		if (lost > 0) == (s > 0) {
			s = math.Float64frombits(b + 1)
		} else {
			s = math.Float64frombits(b - 1)
		}
	}
	return float32(s)
}

// part asks a question about complex numbers of two T: true where it is of either part.
func part[T float](f func(T) bool) walk.Kernel {
	return func(_ *walk.Params, dst, a, _, _ []byte) {
		x := executor.SliceBytes[T](a)
		for i := range dst {
			dst[i] = truth(f(x[2*i]) || f(x[2*i+1]))
		}
	}
}

func isNaN[T float](x T) bool { return x != x }

func isInfinite[T float](x T) bool { return math.IsInf(float64(x), 0) }
