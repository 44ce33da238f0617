package fft

// Real is the tables for the transform of an even number of reals, by one of half as many complex numbers. It is
// immutable.
type Real struct {
	half  *Plan
	turns []complex128 // e^(-2πi·k/n) up to a quarter of the circle
}

// NewReal makes a plan for n reals, n even and at least 2.
func NewReal(n int) *Real {
	return &Real{half: NewPlan(n / 2), turns: unity(n)[:n/4+1]}
}

// Len is the number of reals.
func (p *Real) Len() int { return 2 * p.half.n }

// Scratch is the number of complex numbers that both directions need beside their own.
func (p *Real) Scratch() int { return p.half.Scratch() }

// Forward takes n reals as n/2 pairs at the start of x, and leaves the first n/2+1 numbers of their transform there.
func (p *Real) Forward(x, scratch []complex128) {
	m := p.half.n
	p.half.Transform(x[:m], scratch, false)
	x[0], x[m] = complex(real(x[0])+imag(x[0]), 0), complex(real(x[0])-imag(x[0]), 0)
	for k := 1; k <= m/2; k++ {
		a, b := x[k], x[m-k]
		even := complex(real(a)+real(b), imag(a)-imag(b)) / 2
		odd := complex(imag(a)+imag(b), real(b)-real(a)) / 2 * p.turns[k]
		x[k] = even + odd
		d := even - odd
		x[m-k] = complex(real(d), -imag(d))
	}
}

// Backward is the inverse of Forward but for a factor of n. Imaginary parts of the first and the last number do not count.
func (p *Real) Backward(x, scratch []complex128) {
	m := p.half.n
	first, last := real(x[0]), real(x[m])
	x[0] = complex(first+last, first-last)
	for k := 1; k <= m/2; k++ {
		a, b := x[k], x[m-k]
		even := complex(real(a)+real(b), imag(a)-imag(b))
		w := p.turns[k]
		odd := complex(real(a)-real(b), imag(a)+imag(b)) * complex(real(w), -imag(w))
		x[k] = complex(real(even)-imag(odd), imag(even)+real(odd))
		x[m-k] = complex(real(even)+imag(odd), real(odd)-imag(even))
	}
	p.half.Transform(x[:m], scratch, true)
}
