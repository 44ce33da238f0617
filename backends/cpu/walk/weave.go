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
	if r.mode == woven {
		r.weave(t, off, n)
	} else {
		r.turn(t, off, n)
	}
}

// weave brings n outputs' elements together, a line of all behind the other. They are whole runs.
func (r *Reduce) weave(t *piece, off, n int) {
	k, g := &r.kept, &r.gone
	run := k.Size[k.Rank-1]
	way := plane.Plane{
		Size: r.as.Size(), Rows: n / run, Columns: run,
		To: plane.Strides{Row: run, Column: 1}, From: plane.Strides{Row: k.Stride[k.Rank-2], Column: 1},
	}.Way()
	for i := range g.N {
		way.Move(t.block, i*n, r.in.Data, off+i*g.Stride[0])
	}
}
