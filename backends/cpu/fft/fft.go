// Package fft is the discrete Fourier transform of many rows at once, for every length: mixed radix for products of small
// primes, Bluestein's chirp for the rest. Rows of reals of even length are transformed as half as many complex numbers.
//
//	n = 2ᵃ·3ᵇ·5ᶜ·…  ──Stockham passes──▶  one pass a factor, between two buffers, no reordering
//	else            ──chirp──▶            a convolution, by transforms of a power of two
//
// As many rows as a vector register has lanes lie side by side in a buffer, so that each step of a transform is one
// instruction for all of them:
//
//	row 0  a0 b0 c0 …            ┌ re a0 a1 … a7   im a0 a1 … a7 ┐  number 0
//	row 1  a1 b1 c1 …  ─gather─▶ │ re b0 b1 … b7   im b0 b1 … b7 │  number 1   ─passes─▶  ─scatter─▶
//	…                            └ …                             ┘
//
// Sources: Cooley and Tukey 1965; Stockham 1966 for the ordering; Bluestein 1970.
package fft

import (
	"math"
	"math/bits"
)

// Plan is the tables for complex transforms of one length. It is immutable; several goroutines may use it at once.
type Plan[T Float] struct {
	n      int
	passes []pass[T]
	// For a chirp:
	inner                 *Plan[T]
	chirp, back, spectrum []T // complex numbers
}

// pass is one step of a transform. Before it, there are stride interleaved transforms of factor·rest numbers each.
type pass[T Float] struct {
	factor, stride, rest int
	turns                []T // for each of rest: factor−1 complex numbers
	roots                []T // for an odd factor: cosine and sine of the angles between its roots of unity
}

// largest factor that has a pass of its own; it costs as many multiplications an element.
const largest = 61

// NewPlan makes a plan for n numbers, n ≥ 1.
func NewPlan[T Float](n int) *Plan[T] {
	p := &Plan[T]{n: n}
	var factors []int
	rest := n
	for _, f := range [...]int{4, 2, 3, 5} {
		for rest%f == 0 {
			factors = append(factors, f)
			rest /= f
		}
	}
	for f := 7; f <= largest; f += 2 {
		for rest%f == 0 {
			factors = append(factors, f)
			rest /= f
		}
	}
	if rest > 1 {
		p.makeChirp()
		return p
	}
	stride := 1
	for _, f := range factors {
		p.passes = append(p.passes, newPass[T](n, f, stride))
		stride *= f
	}
	return p
}

func newPass[T Float](n, f, stride int) pass[T] {
	p := pass[T]{factor: f, stride: stride, rest: n / f / stride}
	p.turns = make([]T, 0, 2*p.rest*(f-1))
	for j := range p.rest {
		for i := 1; i < f; i++ {
			k := i
			if f%2 == 1 { // mirrored ones lie together
				if k = (i + 1) / 2; i%2 == 0 {
					k = f - k
				}
			}
			p.turns = unit(p.turns, j*k*stride, n)
		}
	}
	if half := f / 2; f%2 == 1 {
		for k := 1; k <= half; k++ {
			for r := 1; r <= half; r++ {
				s, c := math.Sincos(2 * math.Pi * float64(k*r%f) / float64(f))
				p.roots = append(p.roots, T(c), T(s))
			}
		}
	}
	return p
}

// unit appends e^(-2πi·k/n).
func unit[T Float](to []T, k, n int) []T {
	s, c := math.Sincos(-2 * math.Pi * float64(k) / float64(n))
	return append(to, T(c), T(s))
}

// makeChirp: k² modulo 2n keeps the angles exact. The inverse of the inner transform is a forward one with real and
// imaginary parts exchanged, before and after; the conjugate in back accounts for the second exchange.
func (p *Plan[T]) makeChirp() {
	n := p.n
	m := 1 << bits.Len(uint(2*n-2))
	p.inner = NewPlan[T](m)
	wave := make([]float64, 0, 2*n)
	for k := range n {
		wave = unit(wave, int(uint64(k)*uint64(k)%uint64(2*n)), 2*n)
	}
	exact := NewPlan[float64](m)
	x, y := make([]float64, 2*m), make([]float64, 2*m)
	for k := range n {
		re, im := wave[2*k], wave[2*k+1]
		p.chirp = append(p.chirp, T(re), T(im))
		p.back = append(p.back, T(re/float64(m)), T(-im/float64(m)))
		x[2*k], x[2*k+1] = re, -im
		if k > 0 {
			x[2*(m-k)], x[2*(m-k)+1] = re, -im
		}
	}
	for _, v := range exact.transform(portable[float64](1), x, y) {
		p.spectrum = append(p.spectrum, T(v))
	}
}

// Len is the number of numbers.
func (p *Plan[T]) Len() int { return p.n }

// room is how many numbers each of the two buffers must hold.
func (p *Plan[T]) room() int {
	if p.inner != nil {
		return p.inner.n
	}
	return p.n
}

// roomBound is the most that room gives for any length up to n.
func roomBound(n int) int { return 4*n + 2 }

// transform takes numbers in x and gives back the one of x and y that holds their transform.
func (p *Plan[T]) transform(k *kernels[T], x, y []T) []T {
	if p.inner != nil {
		return p.bluestein(k, x, y)
	}
	for i := range p.passes {
		s := &p.passes[i]
		switch s.factor {
		case 2:
			k.pass2(k.lanes, y, x, s.stride, s.rest, s.turns)
		case 4:
			k.pass4(k.lanes, y, x, s.stride, s.rest, s.turns)
		default:
			k.passOdd(k.lanes, y, x, s.stride, s.rest, s.turns, s.roots, s.factor/2)
		}
		x, y = y, x
	}
	return x
}

func (p *Plan[T]) bluestein(k *kernels[T], x, y []T) []T {
	size, m := 2*k.lanes, p.inner.n
	k.turn(k.lanes, x, x, p.chirp, p.n, false)
	clear(x[p.n*size : m*size])
	a := p.inner.transform(k, x, y)
	b := x
	if &a[0] == &x[0] {
		b = y
	}
	k.turn(k.lanes, a, a, p.spectrum, m, true)
	c := p.inner.transform(k, a, b)
	k.turn(k.lanes, c, c, p.back, p.n, true)
	return c
}
