// Package plane moves elements that lie in rows and columns on both sides, as they are, whatever their type.
//
//	from   b ─┬─ row 0: column 0, 1, 2 …         to   rows and columns again, with other strides: a slice,
//	          └─ row 1: column 0, 1, 2 …              a transposed matrix, columns woven into each other
//
// What two views of a tensor differ in comes down to planes: package walk finds them. A plane is runs of bytes of one
// length that lie apart in both places, or a matrix that is turned. Its bounds are checked once; the loops beneath check
// nothing. They are vectors where the machine has them, beside portable loops.
package plane

// Plane is a move of Rows × Columns elements of Size bytes.
type Plane struct {
	Size, Rows, Columns int
	To, From            Strides
}

// Strides are how many elements neighbours lie apart: 0 where one element goes to many places, or negative.
type Strides struct{ Row, Column int }

func (s Strides) turned() Strides { return Strides{s.Column, s.Row} }

const (
	chunk = 1 << 13 // bytes that stay in the first-level cache while they are gone through more than once
	block = 16      // rows that are gone through together
	line  = 64      // bytes that the cache holds together
	few   = 16      // columns that are gone through one by one rather than row by row

	little = 64 // elements of a matrix that are turned one by one where vectors turn none
)

// Move does the move: to dst, where the first element is element i, from src, where it is element j. The two may not
// overlap, unless they are the same elements in the same order.
func (p Plane) Move(dst []byte, i int, src []byte, j int) {
	w := p.Way()
	w.Move(dst, i, src, j)
}

// turned swaps rows and columns.
func (p Plane) turned() Plane {
	return Plane{p.Size, p.Columns, p.Rows, p.To.turned(), p.From.turned()}
}

// better says whether the turned plane's rows are better to go through: they lie together, or there are more columns to
// each where there were few, or they are nearer to each other.
func (p Plane) better(turned Plane) bool {
	far := func(q *Plane) int { return abs(q.To.Column) + abs(q.From.Column) }
	switch {
	case turned.along():
		return true
	case min(p.Columns, turned.Columns) < few:
		return turned.Columns > p.Columns
	}
	return far(&turned) < far(&p)
}

// along says whether the elements of a row lie one behind the other where they go, and where they come from or are one
// and the same there.
func (p Plane) along() bool {
	return p.To.Column == 1 && (p.From.Column == 1 || p.From.Column == 0) && p.Columns > 1
}

// strided moves elements one by one, along the columns, of which there are more than rows. Strides are in bytes.
func (p *Plane) strided(dst []byte, i int, src []byte, j int) {
	step := p.Columns
	if p.Rows > 1 && min(abs(p.To.Row), abs(p.From.Row)) < line { // the next row meets the same lines
		step = max(block, chunk/max(abs(p.To.Column), abs(p.From.Column), 1))
	}
	for r := 0; r < p.Rows; r += block {
		for c := 0; c < p.Columns; c += step {
			for k := r; k < min(r+block, p.Rows); k++ {
				elements(dst, i+k*p.To.Row+c*p.To.Column, p.To.Column, src, j+k*p.From.Row+c*p.From.Column, p.From.Column, p.Size, min(step, p.Columns-c))
			}
		}
	}
}

// turn transposes a matrix; strides are in bytes. Vectors do all but a few columns.
func (p *Plane) turn(dst []byte, i int, src []byte, j int) {
	done := 0
	if vectors() {
		done = turnBlocks(dst, i, p.To.Row, src, j, p.From.Column, p.Size, p.Rows, p.Columns)
	}
	switch {
	case done == p.Columns:
	case done == 0 && (!vectors() || p.Rows*p.Columns <= little):
		bySize(p.Size).turn(dst, i/p.Size, p.To.Row/p.Size, src, j/p.Size, p.From.Column/p.Size, p.Rows, p.Columns)
	default:
		right := *p
		right.Columns -= done
		if right.Rows > right.Columns {
			right = right.turned()
		}
		right.strided(dst, i+done*p.To.Column, src, j+done*p.From.Column)
	}
}

func abs(x int) int { return max(x, -x) }
