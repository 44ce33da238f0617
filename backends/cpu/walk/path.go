package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/plane"
)

// Path is how elements go from their places in one tensor to those in another: two views of one shape whose dimensions
// are merged where both allow it. The plane of two of the dimensions is gone through at once, the others one by one.
//
// A Path is a value without pointers; making one allocates nothing.
type Path struct {
	To, From int // the first element on either side
	rank     int // dimensions outside the plane
	planes   int
	size     [arg.MaxRank]int
	to, from [arg.MaxRank]int
	plane    plane.Plane
	way      plane.Way // of the plane
}

// smallPlane is up to which size the loop around planes counts.
const smallPlane = 512

// Lay makes the path between two views over the same sizes, neither of them merged. size is that of an element, on the
// far side if it is converted on the way.
func (p *Path) Lay(to, from *View, size int) {
	*p = Path{To: to.Base, From: from.Base, planes: 1}
	for d := range to.Rank {
		n := to.Size[d]
		if n == 1 {
			continue
		}
		i := p.rank
		for i > 0 && p.to[i-1] < to.Stride[d] {
			p.put(i, p.size[i-1], p.to[i-1], p.from[i-1])
			i--
		}
		p.put(i, n, to.Stride[d], from.Stride[d])
		p.rank++
	}
	p.merge()
	p.plane = plane.Plane{Size: size, Rows: 1, Columns: 1, To: plane.Strides{Column: 1}, From: plane.Strides{Column: 1}}
	if p.rank > 0 {
		d := p.rank - 1
		p.plane.Columns, p.plane.To.Column, p.plane.From.Column = p.take(d)
	}
	if p.rank > 0 {
		p.plane.Rows, p.plane.To.Row, p.plane.From.Row = p.take(p.rows())
	}
	for _, n := range p.size[:p.rank] {
		p.planes *= n
	}
	p.way = p.plane.Way()
}

func (p *Path) put(d, size, to, from int) { p.size[d], p.to[d], p.from[d] = size, to, from }

// merge joins neighbours.
func (p *Path) merge() {
	m := 0
	for d := range p.rank {
		n, to, from := p.size[d], p.to[d], p.from[d]
		if m > 0 && p.to[m-1] == to*n && p.from[m-1] == from*n {
			p.put(m-1, p.size[m-1]*n, to, from)
			continue
		}
		p.put(m, n, to, from)
		m++
	}
	p.rank = m
}

// take takes a dimension out.
func (p *Path) take(d int) (size, to, from int) {
	size, to, from = p.size[d], p.to[d], p.from[d]
	for p.rank--; d < p.rank; d++ {
		p.put(d, p.size[d+1], p.to[d+1], p.from[d+1])
	}
	return size, to, from
}

// rows chooses the dimension that makes a plane with the columns: the one that lies together in the input if the columns
// do not, so that the plane is a matrix to turn, else the next one outside, unless that makes a small plane.
func (p *Path) rows() int {
	if p.plane.From.Column != 1 {
		for d, step := range p.from[:p.rank] {
			if step == 1 && p.size[d] >= 4 {
				return d
			}
		}
	}
	best := p.rank - 1
	if p.size[best]*p.plane.Columns >= smallPlane {
		return best
	}
	for d := p.rank - 1; d >= 0 && p.size[best] < 16; d-- {
		if p.size[d] > p.size[best] {
			best = d
		}
	}
	return best
}

// Single says whether the elements are one run, or one element, on both sides.
func (p *Path) Single() bool {
	q := &p.plane
	return p.planes == 1 && q.Rows == 1 && (q.Columns == 1 || q.To.Column == 1 && q.From.Column == 1)
}

// N is the number of elements.
func (p *Path) N() int { return p.planes * p.plane.Rows * p.plane.Columns }

// Parts is the number of parts that are worth moving the elements in.
func (p *Path) Parts() int { return Parts(p.N() * p.plane.Size / 8) }

// part is what one of parts does: planes lo to hi of the path q.
func (p *Path) part(parts, part int) (q Path, lo, hi int) {
	q = *p
	if p.planes >= parts {
		lo, hi = Part(p.planes, parts, part, 1)
		return q, lo, hi
	}
	if q.plane.Rows >= parts {
		first, last := Part(p.plane.Rows, parts, part, min(16, q.plane.Rows/parts))
		q.plane.Rows = last - first
		q.To += first * p.plane.To.Row
		q.From += first * p.plane.From.Row
	} else {
		first, last := Part(p.plane.Columns, parts, part, 64)
		q.plane.Columns = last - first
		q.To += first * p.plane.To.Column
		q.From += first * p.plane.From.Column
	}
	return q, 0, p.planes
}

// each calls f for planes lo to hi with the first elements of each.
func (p *Path) each(lo, hi int, f func(to, from int)) {
	if lo >= hi {
		return
	}
	var index [arg.MaxRank]int
	to, from := p.To, p.From
	for d, at := p.rank-1, lo; d >= 0 && at > 0; d-- {
		index[d] = at % p.size[d]
		at /= p.size[d]
		to += index[d] * p.to[d]
		from += index[d] * p.from[d]
	}
	for range hi - lo {
		f(to, from)
		for d := p.rank - 1; d >= 0; d-- {
			to += p.to[d]
			from += p.from[d]
			if index[d]++; index[d] < p.size[d] {
				break
			}
			to -= p.size[d] * p.to[d]
			from -= p.size[d] * p.from[d]
			index[d] = 0
		}
	}
}

// Move moves elements as they are: one of parts of them.
func (p *Path) Move(dst, src []byte, parts, part int) {
	switch {
	case parts > 1:
		q, lo, hi := p.part(parts, part)
		q.way = q.plane.Way()
		q.each(lo, hi, func(to, from int) { q.way.Move(dst, to, src, from) })
	case p.planes == 1: // small tensors are often so
		p.way.Move(dst, p.To, src, p.From)
	default:
		p.each(0, p.planes, func(to, from int) { p.way.Move(dst, to, src, from) })
	}
}

// Convert moves elements and converts them: one of parts of them. temp is a block of Block elements for what does not lie
// together in dst; see Straight.
func (p *Path) Convert(load Load, dst, src []byte, parts, part int, temp []byte) {
	q, lo, hi := p, 0, p.planes
	if parts > 1 {
		var own Path
		own, lo, hi = p.part(parts, part)
		q = &own
	}
	size, columns, rows := q.plane.Size, q.plane.Columns, q.plane.Rows
	step, out := q.plane.From.Column, q.plane.To
	q.each(lo, hi, func(to, from int) {
		for range rows {
			if out.Column == 1 {
				load(dst[to*size:], src, from, step, columns)
			}
			for c := 0; c < columns && out.Column != 1; c += Block {
				n := min(Block, columns-c)
				load(temp, src, from+c*step, step, n)
				plane.Plane{Size: size, Rows: 1, Columns: n, To: out, From: plane.Strides{Column: 1}}.Move(dst, to+c*out.Column, temp, 0)
			}
			to += out.Row
			from += q.plane.From.Row
		}
	})
}

// Straight says that Convert needs no temp memory.
func (p *Path) Straight() bool { return p.plane.To.Column == 1 }
