package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
)

// The functions below make kernels that do what they can in vectors and leave the rest to a portable loop, k, which is the
// kernel where the machine has no vectors. size is that of an element in bytes.

// vector is for one or two operands as wide as the output.
func vector(f lanes.Loop, k walk.Kernel) walk.Kernel {
	if f == nil {
		return k
	}
	return func(p *walk.Params, dst, a, b, _ []byte) {
		if b == nil {
			b = a
		}
		if n := f(dst, a, b); n < len(dst) {
			k(p, dst[n:], a[n:], b[n:], nil)
		}
	}
}

// numbered is for a number as the second operand, which stands in b a few times.
func numbered(f lanes.Loop, k walk.Kernel) walk.Kernel {
	return func(p *walk.Params, dst, a, b, _ []byte) {
		n := 0
		if f != nil {
			n = f(dst, a, b)
		}
		for n < len(dst) {
			m := min(len(b), len(dst)-n)
			k(p, dst[n:n+m], a[n:n+m], b, nil)
			n += m
		}
	}
}

// stepwise is for a loop that stops at what it does not know: k does a few elements, then the loop goes on.
func stepwise(f lanes.Loop, k walk.Kernel) walk.Kernel {
	if f == nil {
		return k
	}
	const few = 256 // bytes
	return func(p *walk.Params, dst, a, b, _ []byte) {
		for len(dst) > 0 {
			n := f(dst, a, b)
			dst, a, b = dst[n:], a[n:], b[n:]
			n = min(few, len(dst))
			k(p, dst[:n], a, b, nil)
			dst, a, b = dst[n:], a[n:], b[n:]
		}
	}
}

// related is for a relation of two operands.
func related(r lanes.Relation, size int, k walk.Kernel) walk.Kernel {
	if r == nil {
		return k
	}
	return func(p *walk.Params, dst, a, b, _ []byte) {
		if n := r(dst, a, b); n < len(dst) {
			k(p, dst[n:], a[n*size:], b[n*size:], nil)
		}
	}
}

// zero is for the relation of an operand to zero.
func zero(r lanes.Relation, size int, k walk.Kernel) walk.Kernel {
	if r == nil {
		return k
	}
	return func(p *walk.Params, dst, a, _, _ []byte) {
		if n := r.Zero(dst, a, size); n < len(dst) {
			k(p, dst[n:], a[n*size:], nil, nil)
		}
	}
}

// limited keeps whole numbers between the bounds in I.
func limited(f lanes.Limit, k walk.Kernel) walk.Kernel {
	if f == nil {
		return k
	}
	return func(p *walk.Params, dst, a, _, _ []byte) {
		if n := f(dst, a, uint64(p.I[0]), uint64(p.I[1])); n < len(dst) {
			k(p, dst[n:], a[n:], nil, nil)
		}
	}
}

// between keeps an operand between two others.
func between(f lanes.Between, k walk.Kernel) walk.Kernel {
	if f == nil {
		return k
	}
	return func(p *walk.Params, dst, a, b, c []byte) {
		if n := f(dst, a, b, c); n < len(dst) {
			k(p, dst[n:], a[n:], b[n:], c[n:])
		}
	}
}

// multiple adds a multiple of the second operand, of whole numbers: that in I.
func multiple(f lanes.Scaled, k walk.Kernel) walk.Kernel {
	if f == nil {
		return k
	}
	return func(p *walk.Params, dst, a, b, _ []byte) {
		if n := f(dst, a, b, uint64(p.I[0])); n < len(dst) {
			k(p, dst[n:], a[n:], b[n:], nil)
		}
	}
}
