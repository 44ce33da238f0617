package walk

// Strip folds the elements of many neighbouring outputs at once: output j, of len(outs[0]) in all, is made of x[j*next+i*step]
// for i < n. One of step and next is 1. scratch is StripWidth·64 bytes that nobody else uses.
type Strip func(outs *Outputs, x []byte, n, step, next int, scratch []byte)

// Outputs are pieces of the outputs of a reduction; there may be only one.
type Outputs [2][]byte

// StripWidth is the most outputs of one Strip.
const StripWidth = 128

// shortRow is up to which length rows are folded many at a time.
const shortRow = 64

// strips says whether the elements lie as a Strip takes them, and whether that is worth it.
func (r *Reduce) strips() bool {
	if r.Strip == nil || r.gone.Rank != 1 || r.gone.N == 0 {
		return false
	}
	run, next := r.kept.Size[r.kept.Rank-1], r.kept.Stride[r.kept.Rank-1]
	return next == 1 && (run >= StripWidth || run >= 8 && r.gone.N <= shortRow) || r.gone.Stride[0] == 1 && r.gone.N <= shortRow && next > 0
}

// doStrips is Do for whole strips.
func (r *Reduce) doStrips(part, lo, hi int, buf []byte) {
	size := r.from.Size()
	var cur Cursor
	r.kept.Seek(&cur, lo)
	outs := &r.tiles[part].outs
	for p := lo; p < hi; {
		n := min(StripWidth, hi-p, r.kept.Left(&cur))
		for k, t := range r.Outs {
			if t != nil {
				w := t.DType.Size()
				outs[k] = t.Data[p*w : (p+n)*w]
			}
		}
		r.Strip(outs, r.in.Data[cur.Off*size:], r.gone.N, r.gone.Stride[0], r.kept.Stride[r.kept.Rank-1], buf[:64*StripWidth])
		r.kept.Skip(&cur, n)
		p += n
	}
}
