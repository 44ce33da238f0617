package walk

import "github.com/ptero-rt/ptero/backends/cpu/plane"

// Columns is the arithmetic of Rows for many neighbouring rows at once, in the types of one row: element i of row j is
// x[i*dx+j], and y[i*dy+j] is its result, for i < n and j < width, which is at most ColumnWidth. Results may lie where the
// elements do.
type Columns func(y, x []byte, n, width, dy, dx int)

// ColumnsKernel is what Columns is for kernels of several outputs: outs[0] is y, and each of the others has one element for
// each row, side by side. row is the first of the rows.
type ColumnsKernel interface {
	Columns(row int, outs *[3][]byte, x []byte, n, width, dy, dx int)
}

// ColumnWidth is the most rows of one call of Columns.
const ColumnWidth = 256

const (
	sideBySide   = 16      // rows at least that are worth taking together, and stay in one part
	fewest       = 4       // likewise where they lie side by side, of kernels for which that pays
	shortest     = 32      // elements of rows up to which they are turned into columns though they lie together
	columnMemory = 1 << 19 // bytes of the columns that rows are turned into
	quickMemory  = 1 << 14 // likewise, for kernels of little arithmetic
)

// side is the input or the output of Columns: rows across, elements along.
type side struct {
	across  *View
	along   int  // from one element of a row to the next
	there   bool // rows lie side by side in the type of the kernel
	convert Load // nil: none
	size    int  // bytes of an element as it lies
	wide    int  // bytes of one for the kernel
	tile    int  // where the columns are in a part's temp memory
	raw     int  // where elements are before or after they are converted
}

// columns takes the call up if its rows go to Columns; width is then how many at a time.
func (r *Rows) columns() {
	r.width = 0
	o := &r.outs[0]
	if !r.abreast() || r.n == 0 || r.n != o.n || r.along.Rank != 1 || o.along.Rank != 1 {
		return
	}
	in, out := &r.across, &o.across
	if in.Rank != out.Rank || !sameSizes(in, out) {
		return
	}
	q := in.Size[in.Rank-1]
	x, y := &r.sides[0], &r.sides[1]
	*x = side{across: in, along: r.along.Stride[0], size: r.cast.From.Size(), wide: r.as.Size()}
	*y = side{across: out, along: o.along.Stride[0], size: o.cast.To.Size(), wide: o.cast.From.Size()}
	if !r.cast.Same() {
		x.convert = r.cast.Load
	}
	if !o.cast.Same() {
		y.convert = o.cast.Load
	}
	bytes := 0
	if r.least = sideBySide; r.Narrow && q >= fewest && x.lies() && y.lies() {
		r.least = fewest
	}
	if r.count < r.least {
		return
	}
	for _, s := range []*side{x, y} {
		lines := s.across.Stride[s.across.Rank-1] == 1 && q >= r.least
		s.there = lines && s.convert == nil
		if !s.there {
			bytes += s.wide
		}
		if s.convert != nil && !lines {
			bytes += s.size
		}
	}
	width := ColumnWidth
	if bytes > 0 {
		if r.along.Packed() && o.along.Packed() && r.n > shortest || in.Rank > 2 && q < sideBySide {
			return
		}
		if width = min(width, columnMemory/(r.n*bytes)); r.Beside != nil {
			width = min(width, max(sideBySide, quickMemory/(r.n*bytes))&^7)
		}
	}
	if width = min(width, r.count); q < r.least {
		width -= width % q // whole runs
	}
	if r.width = width; width < r.least {
		r.width = 0
		return
	}
	at := 0
	for _, s := range []*side{x, y} {
		if !s.there {
			s.tile = at
			at += pad(r.n * width * s.wide)
		}
		if s.raw = at; s.convert != nil {
			at += pad(r.n * width * s.size)
		}
	}
	r.block = at
}

// lies says whether rows lie side by side in the type of the kernel.
func (s *side) lies() bool { return s.convert == nil && s.across.Stride[s.across.Rank-1] == 1 }

// abreast says whether the kernel does rows side by side, into outputs that have them so.
func (r *Rows) abreast() bool {
	if r.Beside == nil {
		return r.Columns != nil && r.nouts == 1
	}
	for k := 1; k < r.nouts; k++ {
		if o := &r.outs[k]; o.n != 1 || !o.cast.Same() || !o.across.Packed() {
			return false
		}
	}
	return true
}

func sameSizes(a, b *View) bool {
	for d, n := range a.Size[:a.Rank] {
		if b.Size[d] != n {
			return false
		}
	}
	return true
}

// unit is the rows that stay in one part.
func (r *Rows) unit() int {
	if r.width == 0 {
		return 1
	}
	if q := r.across.Size[r.across.Rank-1]; q < r.least {
		return (sideBySide + q - 1) / q * q
	}
	return sideBySide
}

// doColumns does rows lo to hi, whose temp memory is temp.
func (r *Rows) doColumns(part, lo, hi int, temp []byte) {
	x, y := &r.sides[0], &r.sides[1]
	q := r.across.Size[r.across.Rank-1]
	for lo < hi {
		w := min(r.width, hi-lo)
		if q >= r.least {
			w = min(w, q-lo%q)
		}
		src, dx := r.in.Data, x.along
		if x.there {
			src = src[x.at(lo)*x.size:]
		} else {
			src, dx = x.bring(src, lo, r.n, w, temp), w
		}
		dst, dy := r.outs[0].t.Data, y.along
		if y.there {
			r.sideways(part, lo, dst[y.at(lo)*y.size:], src, w, dy, dx)
		} else {
			tile := temp[y.tile:][:r.n*w*y.wide]
			r.sideways(part, lo, tile, src, w, w, dx)
			y.send(dst, lo, r.n, w, tile, temp)
		}
		lo += w
	}
}

// sideways passes w rows that lie side by side to the kernel.
func (r *Rows) sideways(part, row int, y, x []byte, w, dy, dx int) {
	if r.Beside == nil {
		r.Columns(y, x, r.n, w, dy, dx)
		return
	}
	outs := &r.slots[part].outs
	outs[0] = y
	for k := 1; k < r.nouts; k++ {
		size := r.outs[k].cast.To.Size()
		outs[k] = r.outs[k].t.Data[row*size:][:w*size]
	}
	r.Beside.Columns(row, outs, x, r.n, w, dy, dx)
}

// at is the first element of a row.
func (s *side) at(row int) int {
	v := s.across
	off := 0
	for d := v.Rank - 1; d >= 0; d-- {
		off += row % v.Size[d] * v.Stride[d]
		row /= v.Size[d]
	}
	return off
}

// bring turns rows into columns, w of n elements.
func (s *side) bring(src []byte, row, n, w int, temp []byte) []byte {
	tile, last := temp[s.tile:][:n*w*s.wide], s.across.Stride[s.across.Rank-1]
	switch {
	case s.convert == nil:
		s.planes(row, n, w, func(p plane.Plane, off, col int) {
			p.Move(tile, col, src, off)
		})
	case last == 1 && s.lines(w):
		off := s.at(row)
		for i := range n {
			s.convert(tile[i*w*s.wide:], src, off+i*s.along, 1, w)
		}
	default:
		raw := temp[s.raw:][:n*w*s.size]
		s.planes(row, n, w, func(p plane.Plane, off, col int) {
			p.Move(raw, col, src, off)
		})
		s.convert(tile, raw, 0, 1, n*w)
	}
	return tile
}

// send turns columns back into rows.
func (s *side) send(dst []byte, row, n, w int, tile, temp []byte) {
	last := s.across.Stride[s.across.Rank-1]
	if s.convert != nil && last == 1 && s.lines(w) {
		off := s.at(row)
		for i := range n {
			s.convert(dst[(off+i*s.along)*s.size:], tile, i*w, 1, w)
		}
		return
	}
	if s.convert != nil {
		raw := temp[s.raw:][:n*w*s.size]
		s.convert(raw, tile, 0, 1, n*w)
		tile = raw
	}
	s.planes(row, n, w, func(p plane.Plane, off, col int) {
		p.To, p.From = p.From, p.To
		p.Move(dst, off, tile, col)
	})
}

// lines says whether w rows lie in one run.
func (s *side) lines(w int) bool {
	return s.across.Rank == 1 || s.across.Size[s.across.Rank-1] >= sideBySide
}

// planes lists the moves of w rows from their places to columns.
func (s *side) planes(row, n, w int, move func(p plane.Plane, off, col int)) {
	v := s.across
	last, q := v.Stride[v.Rank-1], v.Size[v.Rank-1]
	off := s.at(row)
	if s.lines(w) {
		move(plane.Plane{Size: s.size, Rows: n, Columns: w, To: plane.Strides{Row: w, Column: 1}, From: plane.Strides{Row: s.along, Column: last}}, off, 0)
		return
	}
	for i := range n {
		move(plane.Plane{Size: s.size, Rows: w / q, Columns: q, To: plane.Strides{Row: q, Column: 1}, From: plane.Strides{Row: v.Stride[0], Column: last}}, off+i*s.along, i*w)
	}
}
