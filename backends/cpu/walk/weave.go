package walk

import "github.com/ptero-rt/ptero/backends/cpu/plane"

// weaves says whether lines of several runs of outputs are worth bringing together: runs of few elements in all, of a
// length that the folds do not take as it is.
func (r *Reduce) weaves() bool {
	k, g := &r.kept, &r.gone
	if k.Rank < 2 || g.Rank > 1 || !r.straight {
		return false
	}
	run, next := k.Size[k.Rank-1], k.Stride[k.Rank-1]
	return next == 1 && run > 1 && run%8 != 0 && run*g.N < 2*StripWidth && g.N > 1 && k.Size[k.Rank-2] > 1
}

// leftRuns is the number of outputs up to the end of the innermost two dimensions; the cursor is at the beginning of a run.
func (r *Reduce) leftRuns(c *Cursor) int {
	k := &r.kept
	return (k.Size[k.Rank-2] - c.index[k.Rank-2]) * k.Size[k.Rank-1]
}

// bring fills the block with n outputs' elements, a line of all behind the other.
func (r *Reduce) bring(t *piece, off, n int) {
	way := &r.way
	if n != r.width {
		last := r.wayOf(n)
		way = &last
	}
	if r.mode == short {
		r.turn(t, off, n, way)
		return
	}
	for i := range r.gone.N { // whole runs
		way.Move(t.block, i*n, r.in.Data, off+i*r.gone.Stride[0])
	}
}

// wayOf is how a piece of n outputs is brought: short rows as columns, or a line of some runs.
func (r *Reduce) wayOf(n int) plane.Way {
	k, size := &r.kept, r.as.Size()
	run, next := k.Size[k.Rank-1], k.Stride[k.Rank-1]
	if r.mode == short {
		return plane.Plane{Size: size, Rows: r.gone.N, Columns: n, To: plane.Strides{Row: n, Column: 1}, From: plane.Strides{Row: 1, Column: next}}.Way()
	}
	return plane.Plane{Size: size, Rows: n / run, Columns: run, To: plane.Strides{Row: run, Column: 1}, From: plane.Strides{Row: k.Stride[k.Rank-2], Column: 1}}.Way()
}
