package plane

import "fmt"

// Way is how a Plane is gone through, chosen once for planes that differ only in where they begin. The zero Way moves
// nothing. It is a value without pointers; strides and places are in bytes.
type Way struct {
	Plane
	kind     wayKind
	to, from reach
}

// reach is how far a plane's bytes go around its first: from lo on, up to hi.
type reach struct{ lo, hi int }

type wayKind uint8

const (
	nothing  wayKind = iota
	together         // rows that lie together on both sides
	spread           // rows of one element each
	matrix           // a matrix to turn, of rows in one piece and lines of the source in one piece
	apart            // elements one by one, along the columns, of which there are more than rows
)

// least is the fewest columns, those of one line of the source each, for which it pays to turn a matrix.
const least = 4

// narrow is up to how many elements are written in columns rather than in rows of one element each.
const narrow = 8

// Way chooses how the plane is gone through.
func (p Plane) Way() (w Way) {
	if p.Rows <= 0 || p.Columns <= 0 {
		return w
	}
	if p.Columns == 1 || p.Rows > 1 && !p.along() && p.better(p.turned()) {
		p = p.turned()
	}
	p.To.Row, p.To.Column, p.From.Row, p.From.Column = p.To.Row*p.Size, p.To.Column*p.Size, p.From.Row*p.Size, p.From.Column*p.Size
	w.kind = apart
	switch {
	case p.To.Column == p.Size && p.From.Column == p.Size:
		w.kind = together
	case p.To.Column == p.Size && p.From.Column == 0 && p.Rows > p.Columns && p.Columns <= narrow && p.To.Row != p.Columns*p.Size:
		p = p.turned() // a column each in one go
	case p.To.Column == p.Size && p.From.Column == 0:
		w.kind = spread
	case p.To.Column == p.Size && p.From.Row == p.Size || p.To.Row == p.Size && p.From.Column == p.Size:
		if p.To.Column != p.Size {
			p = p.turned()
		}
		switch {
		case p.Columns >= least && p.Rows > 1:
			w.kind = matrix
		case p.Rows > p.Columns:
			p = p.turned()
		}
	}
	w.Plane, w.to, w.from = p, p.reach(p.To), p.reach(p.From)
	return w
}

// reach needs strides in bytes.
func (p *Plane) reach(s Strides) reach {
	row, column := (p.Rows-1)*s.Row, (p.Columns-1)*s.Column
	return reach{min(row, 0) + min(column, 0), max(row, 0) + max(column, 0) + p.Size}
}

// Move does the move of a plane that begins at element i of dst and at element j of src.
func (w *Way) Move(dst []byte, i int, src []byte, j int) {
	i, j = i*w.Size, j*w.Size
	if w.kind == nothing {
		return
	}
	if i+w.to.lo < 0 || i+w.to.hi > len(dst) || j+w.from.lo < 0 || j+w.from.hi > len(src) {
		panic(fmt.Sprintf("BUG: bytes %d to %d of %d, from bytes %d to %d of %d", i+w.to.lo, i+w.to.hi, len(dst), j+w.from.lo, j+w.from.hi, len(src)))
	}
	switch w.kind {
	case together:
		if w.Rows == 1 {
			Copy(dst[i:i+w.to.hi], src[j:j+w.to.hi])
			return
		}
		runs(dst, i, w.To.Row, src, j, w.From.Row, w.Size*w.Columns, w.Rows)
	case spread:
		spreadRows(dst, i, w.To.Row, src, j, w.From.Row, w.Size, w.Size*w.Columns, w.Rows)
	case matrix:
		w.turn(dst, i, src, j)
	default:
		w.strided(dst, i, src, j)
	}
}
