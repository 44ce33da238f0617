// Package fft is the discrete Fourier transform of complex numbers, for every length: mixed radix for products of small
// primes, Bluestein's chirp for the rest.
//
//	n = 2ᵃ·3ᵇ·5ᶜ·…  ──Stockham passes──▶  one pass a factor, between two buffers, no reordering
//	else            ──chirp──▶            a convolution, by transforms of a power of two
//
// Sources: Cooley and Tukey 1965; Stockham 1966 for the ordering; Bluestein 1970.
package fft

import (
	"math"
	"math/bits"
)

// Plan is the tables for one length. It is immutable; several goroutines may use it at once.
type Plan struct {
	n       int
	factors []int
	roots   []complex128 // e^(-2πi·k/n)
	// For a chirp:
	inner    *Plan
	chirp    []complex128
	spectrum []complex128
}

// largest factor that has a pass of its own; it costs as many multiplications an element.
const largest = 61

// NewPlan makes a plan for n numbers, n ≥ 1.
func NewPlan(n int) *Plan {
	p := &Plan{n: n}
	rest := n
	for _, f := range [...]int{4, 2, 3, 5} {
		for rest%f == 0 {
			p.factors = append(p.factors, f)
			rest /= f
		}
	}
	for f := 7; f <= largest; f += 2 {
		for rest%f == 0 {
			p.factors = append(p.factors, f)
			rest /= f
		}
	}
	if rest > 1 {
		p.makeChirp()
		return p
	}
	p.roots = unity(n)
	return p
}

func unity(n int) []complex128 {
	roots := make([]complex128, n)
	for k := range roots {
		s, c := math.Sincos(-2 * math.Pi * float64(k) / float64(n))
		roots[k] = complex(c, s)
	}
	return roots
}

func (p *Plan) makeChirp() {
	n := p.n
	m := 1 << bits.Len(uint(2*n-2))
	p.inner = NewPlan(m)
	p.chirp = make([]complex128, n)
	for k := range p.chirp {
		// k² modulo 2n keeps the angle exact.
		s, c := math.Sincos(-math.Pi * float64(uint64(k)*uint64(k)%uint64(2*n)) / float64(n))
		p.chirp[k] = complex(c, s)
	}
	p.spectrum = make([]complex128, m)
	for k, v := range p.chirp {
		w := complex(real(v), -imag(v))
		p.spectrum[k] = w
		if k > 0 {
			p.spectrum[m-k] = w
		}
	}
	p.inner.Transform(p.spectrum, make([]complex128, p.inner.Scratch()), false)
}

// Len is the number of numbers.
func (p *Plan) Len() int { return p.n }

// Scratch is the number of complex numbers that Transform needs beside its own.
func (p *Plan) Scratch() int {
	if p.inner != nil {
		return p.inner.n + p.inner.Scratch()
	}
	return p.n
}

// ScratchBound is the most that Scratch and Len together give for any length up to n.
func ScratchBound(n int) int { return 9*n + 8 }

// Transform replaces x by its transform, or by the inverse without the factor 1/n.
func (p *Plan) Transform(x, scratch []complex128, inverse bool) {
	if inverse {
		conjugate(x)
	}
	if p.inner != nil {
		p.bluestein(x, scratch)
	} else {
		p.stockham(x, scratch[:p.n])
	}
	if inverse {
		conjugate(x)
	}
}

func conjugate(x []complex128) {
	for i, v := range x {
		x[i] = complex(real(v), -imag(v))
	}
}

func (p *Plan) bluestein(x, scratch []complex128) {
	m := p.inner.n
	a, rest := scratch[:m], scratch[m:]
	for k, v := range x {
		a[k] = v * p.chirp[k]
	}
	clear(a[len(x):])
	p.inner.Transform(a, rest, false)
	for k, v := range p.spectrum {
		a[k] *= v
	}
	p.inner.Transform(a, rest, true)
	scale := complex(1/float64(m), 0)
	for k := range x {
		x[k] = a[k] * p.chirp[k] * scale
	}
}

// stockham does one pass a factor. Before a pass, x holds `done` interleaved transforms of length n/done... after it,
// done·f.
func (p *Plan) stockham(x, y []complex128) {
	from, to := x, y
	stride, rest := 1, p.n
	for _, f := range p.factors {
		rest /= f
		switch f {
		case 2:
			p.pass2(to, from, stride, rest)
		case 4:
			p.pass4(to, from, stride, rest)
		default:
			p.pass(to, from, f, stride, rest)
		}
		from, to = to, from
		stride *= f
	}
	if len(p.factors)%2 == 1 {
		copy(x, from)
	}
}

// pass2 and pass4 are pass for their factors.
func (p *Plan) pass2(to, from []complex128, stride, rest int) {
	for j := range rest {
		w := p.roots[j*stride]
		a, b := from[j*stride:][:stride], from[(j+rest)*stride:][:stride]
		c, d := to[2*j*stride:][:stride], to[(2*j+1)*stride:][:stride]
		for q, u := range a {
			v := b[q]
			c[q], d[q] = u+v, (u-v)*w
		}
	}
}

func (p *Plan) pass4(to, from []complex128, stride, rest int) {
	for j := range rest {
		w1, w2, w3 := p.roots[j*stride], p.roots[2*j*stride], p.roots[3*j*stride]
		a, b := from[j*stride:][:stride], from[(j+rest)*stride:][:stride]
		c, d := from[(j+2*rest)*stride:][:stride], from[(j+3*rest)*stride:][:stride]
		out := to[4*j*stride:][:4*stride]
		for q, u := range a {
			s, t := u+c[q], u-c[q]
			e, g := b[q]+d[q], b[q]-d[q]
			turned := complex(imag(g), -real(g)) // −i·g
			out[q] = s + e
			out[stride+q] = (t + turned) * w1
			out[2*stride+q] = (s - e) * w2
			out[3*stride+q] = (t - turned) * w3
		}
	}
}

// pass splits each of stride interleaved transforms of f·rest numbers into f, turned by their roots of unity.
func (p *Plan) pass(to, from []complex128, f, stride, rest int) {
	var in [largest]complex128
	turn := p.n / f
	for j := range rest {
		for q := range stride {
			for r := range f {
				in[r] = from[(j+r*rest)*stride+q]
			}
			for k := range f {
				sum, at := in[0], 0
				for r := 1; r < f; r++ {
					if at += k * turn; at >= p.n {
						at -= p.n
					}
					sum += in[r] * p.roots[at]
				}
				to[(f*j+k)*stride+q] = sum * p.roots[j*k*stride]
			}
		}
	}
}
