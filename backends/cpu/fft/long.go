package fft

import "math"

// long is the tables for a transform of many numbers, n = rows·columns, that takes the numbers of one row side by side:
// transforms of all columns, a turn of each number, and transforms of all rows, of which the results lie in columns.
//
//	┌ a b c … ┐  ↓ transforms   ┌ · · · ┐  → transforms   ┌ 0 r … ┐
//	│ d e f … │  ─────────────▶ │ · · · │  ─────────────▶ │ 1 ⋮   │
//	└ ⋮       ┘  turn by j·k    └       ┘  of each row    └ ⋮     ┘
//
// Source: Bailey, FFTs in external or hierarchical memory, 1990 (four steps).
type long[T Float] struct {
	down, across *Plan[T]
	turns        []T // for each group of columns and each row, numbers side by side
}

// longest is the length from which the numbers of one row, rather than of several, lie side by side.
const longest = 4096

// newLong makes the tables for n numbers, or gives nil if one row of them has to be taken at once.
func newLong[T Float](n, lanes int) *long[T] {
	rows := 0
	for i := int(math.Sqrt(float64(n))); i > 1 && rows == 0; i-- {
		if n%i == 0 && n/i < longest {
			rows = i
		}
	}
	if rows < most {
		return nil
	}
	p := &long[T]{down: NewPlan[T](rows), across: NewPlan[T](n / rows)}
	if p.down.inner != nil || p.across.inner != nil {
		return nil
	}
	for g := 0; g < p.across.n; g += lanes {
		for k := range rows {
			var re, im [most]T
			for l := range lanes {
				j := min(g+l, p.across.n-1)
				s, c := math.Sincos(-2 * math.Pi * float64(j*k) / float64(n))
				re[l], im[l] = T(c), T(s)
			}
			p.turns = append(append(p.turns, re[:lanes]...), im[:lanes]...)
		}
	}
	return p
}

// room is how many numbers each of the two buffers must hold.
func (p *long[T]) room() int { return max(p.down.n, p.across.n) }

// transform takes complex numbers in a and leaves their transform in b; x and y are buffers, in and out scratch.
func (p *long[T]) transform(k *kernels[T], a, b, x, y []T, in, out *Side[T]) {
	rows, columns, lanes := p.down.n, p.across.n, k.lanes
	s := complexSlots(lanes, false)
	*in = Complexes(a, 2*columns)
	turns := p.turns
	for j := 0; j < columns; j += lanes {
		in.spread(lanes, j, columns, 2)
		in.gather(k, x, s, 2*rows)
		z := p.down.transform(k, x, y)
		k.twist(lanes, z, turns, rows)
		turns = turns[2*lanes*rows:]
		in.scatter(k, z, s, 2*rows, 1)
	}
	*in, *out = Complexes(a, 2), Complexes(b, 2*rows)
	for i := 0; i < rows; i += lanes {
		in.spread(lanes, i, rows, 2*columns)
		out.spread(lanes, i, rows, 2)
		in.gather(k, x, s, 2*columns)
		out.scatter(k, p.across.transform(k, x, y), s, 2*columns, 1)
	}
}

// spread sets the present rows: those from first on, of count, apart each; the last one again where too few are left.
func (s *Side[T]) spread(lanes, first, count, apart int) {
	for l := range lanes {
		s.off[l] = min(first+l, count-1) * apart
	}
	s.apart = even(s.off[:lanes])
}
