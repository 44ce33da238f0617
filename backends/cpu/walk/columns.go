package walk

// Columns is the arithmetic of Rows for many neighbouring rows at once, of one type on both sides: element i of row j is
// x[i*dx+j], and y[i*dy+j] is its result, for i < n and j < width, which is at most ColumnWidth. x and y may not overlap.
type Columns func(y, x []byte, n, width, dy, dx int)

// ColumnWidth is the most rows of one call of Columns.
const ColumnWidth = 256

// sideBySide is how many rows at least are worth taking together, and how many stay in one part.
const sideBySide = 16

// shortest rows are turned into columns first, shortTile at a time.
const (
	shortest  = 32
	shortTile = 128
)

type columnMode uint8

const (
	byRow  columnMode = iota
	lying             // rows lie side by side already
	turned            // short rows behind each other
)

// columnMode says how rows go to Columns.
func (r *Rows) columnMode() columnMode {
	o := &r.outs[0]
	if r.Columns == nil || r.nouts != 1 || r.from != r.as || o.as != o.to || r.as != o.as || r.n == 0 || r.n != o.n || r.along.Rank != 1 || o.along.Rank != 1 || r.n == 1 {
		return byRow
	}
	in, out := &r.across, &o.across
	switch {
	case in.Stride[in.Rank-1] == 1 && out.Stride[out.Rank-1] == 1 && in.Size[in.Rank-1] == out.Size[out.Rank-1] && in.Size[in.Rank-1] >= min(max(8, r.n), sideBySide):
		return lying
	case r.direct && o.direct && r.n <= shortest && in.Rank == 1 && out.Rank == 1 && in.Stride[0] == r.n && out.Stride[0] == r.n:
		return turned
	}
	return byRow
}

// doColumns does rows lo to hi, whose temp memory is temp.
func (r *Rows) doColumns(lo, hi int, temp []byte) {
	o, size := &r.outs[0], r.as.Size()
	if r.mode == turned {
		tile := r.n * shortTile * size
		x, y := temp[:tile], temp[tile:2*tile]
		for lo < hi {
			rows := min(shortTile, hi-lo)
			at := lo * r.n
			transpose(x, r.in.Data[at*size:], size, rows, r.n, r.n, rows)
			r.Columns(y, x, r.n, rows, rows, rows)
			transpose(o.t.Data[at*size:], y, size, r.n, rows, rows, r.n)
			lo += rows
		}
		return
	}
	var in, out Cursor
	r.across.Seek(&in, lo)
	o.across.Seek(&out, lo)
	for lo < hi {
		rows := min(ColumnWidth, hi-lo, r.across.Left(&in))
		r.Columns(o.t.Data[out.Off*size:], r.in.Data[in.Off*size:], r.n, rows, o.along.Stride[0], r.along.Stride[0])
		r.across.Skip(&in, rows)
		o.across.Skip(&out, rows)
		lo += rows
	}
}
