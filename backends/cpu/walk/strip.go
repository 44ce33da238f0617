package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/plane"
	"github.com/ptero-rt/ptero/executor"
)

// Strip is neighbouring outputs that are folded together, line by line of the tensor, so that each line is read once.
type Strip struct {
	Width      int // outputs, at most StripWidth, or 4·StripWidth where there are few elements to each
	Count      int // elements that each is made of
	Results    [2]executor.DType
	Correction float64
	Acc        []byte // what the fold keeps: 8 bytes for each output and element, or part of a complex one, 16 to 64, as it likes to arrange them
	Aux        []byte // another 8, or 16 for complex ones
	Lanes      int    // how many lines of Acc the fold has put into use; 0 to begin with
}

// StripFold is the arithmetic of a reduction for strips.
//
//	Lines over all → (Centre → Second over all) → Finish
//	Rows                                        → Finish
//	Single
type StripFold struct {
	Lines  Lines
	Rows   func(s *Strip, x []byte, next int) // does whole rows that lie packed, row j from x[j*next] on; may be nil
	Centre func(s *Strip)                     // between two passes
	Second Lines                              // nil: one pass
	Finish func(s *Strip, outs *Outputs)

	Single func(s *Strip, x []byte, outs *Outputs)       // does outputs of one element each, with results of its type; may be nil
	Always func(correction float64) (x float64, ok bool) // what is the result then, whatever the elements; may be nil
}

// Lines takes n more elements of each output of a strip: those of output j are x[i*step+j] for i < n, and x ends with the
// last of them. at is the number of elements that each had before.
type Lines func(s *Strip, x []byte, n, step, at int)

// StripWidth is the most outputs of a Strip whose folds keep all that they may; others have as many more.
const StripWidth = 128

const (
	stripAcc = 64
	stripAux = 8
	mostWide = 4 // times StripWidth
)

// partsOf is how many floats an element is made of.
func partsOf(d executor.DType) int {
	if arg.Complex.Has(d) {
		return 2
	}
	return 1
}

// wider is how many times StripWidth a strip may have, for the elements of each output, of which complex ones count twice.
func (r *Reduce) wider() int {
	n := r.gone.N * partsOf(r.as)
	switch {
	case n <= 2:
		return mostWide
	case n <= 4:
		return mostWide / 2
	}
	return 1
}

// shortRow is up to which length rows are turned into columns, if that makes fewer lines than there are rows, or a fold of
// rows as they lie is missing. narrowest are the fewest outputs for which that pays, and narrowRun the fewest that must lie
// side by side to be folded as they are.
const (
	shortRow  = 64
	narrowest = 8
	narrowRun = 4
)

type stripMode uint8

const (
	rowwise stripMode = iota
	abreast           // outputs whose elements lie side by side
	woven             // short runs of such outputs, each line of several brought together
	short             // short rows, turned
	packed            // rows that lie as they are folded
	single            // outputs of one element each, side by side
	always            // such whose result is known
)

// lay chooses how outputs are folded.
func (r *Reduce) lay() {
	last := r.kept.Rank - 1
	run, next := r.kept.Size[last], r.kept.Stride[last]
	r.mode, r.width, r.unit = rowwise, StripWidth, 1
	if r.Strip == nil || r.gone.N == 0 || r.kept.N == 0 {
		return
	}
	if next == 1 && run >= narrowRun && r.lone() {
		if r.width, r.unit = mostWide*StripWidth, StripWidth; r.straight {
			r.width = blockBytes
		}
		return
	}
	rows := r.gone.Rank == 1 && r.packed() && r.Strip.Rows != nil // can be done as they lie
	switch {
	case r.weaves():
		r.mode = woven
		r.width = min(StripWidth, blockBytes/(r.gone.N*r.as.Size())) / run * run
		r.unit = (StripWidth + run - 1) / run * run
		r.way = r.wayOf(r.width)
		return
	case next == 1 && run >= narrowRun:
		r.mode = abreast
		r.width = min(StripWidth, blockBytes/(8*r.as.Size())) * r.wider()
	case r.gone.Rank == 1 && r.gone.N <= shortRow && run >= narrowest && (run > r.gone.N || !rows):
		r.mode = short
		r.width = min(StripWidth, blockBytes/(r.gone.N*r.as.Size())&^7, run)
		r.way = r.wayOf(r.width)
	case rows && run > 1:
		r.mode = packed
		return
	default:
		return
	}
	if r.unit = 32; r.kept.N >= 8*StripWidth {
		r.unit = StripWidth // parts of whole strips
	}
}

// lone says whether each output is made of one element and the strip has a short way for that; it sets the mode.
func (r *Reduce) lone() bool {
	f := r.Strip
	if r.gone.N != 1 || f.Single == nil {
		return false
	}
	if f.Always != nil && r.Outs[1] == nil && arg.Floats.Has(r.Outs[0].DType) {
		if x, ok := f.Always(r.Correction); ok {
			r.mode, r.known = always, [8]byte{}
			Put(r.known[:], r.Outs[0].DType, arg.Scalar{Kind: executor.KindDouble, F: x})
			return true
		}
	}
	for k, t := range r.Outs {
		if t != nil && (r.Results[k] != r.as || r.straight && !r.store[k].Same()) {
			return false
		}
	}
	r.mode = single
	return true
}

// foldStrip folds n outputs, of which the first element of the first is at off.
func (r *Reduce) foldStrip(t *piece, off, n int) {
	s, f := &t.strip, r.Strip
	s.Width, s.Count, s.Results, s.Correction, s.Lanes = n, r.gone.N, r.Results, r.Correction, 0
	switch r.mode {
	case single:
		x := t.block
		if r.straight {
			x = r.in.Data[off*r.as.Size():]
		} else {
			r.loaded(x, off, 1, n)
		}
		f.Single(s, x[:n*r.as.Size()], &t.outs)
		return
	case packed:
		size, next := r.as.Size(), r.kept.Stride[r.kept.Rank-1]
		f.Rows(s, r.in.Data[off*size:(off+(n-1)*next+s.Count)*size], next)
	case short, woven:
		r.bring(t, off, n)
		x := t.block[:n*r.gone.N*r.as.Size()]
		f.Lines(s, x, r.gone.N, n, 0)
		if f.Second != nil {
			f.Centre(s)
			f.Second(s, x, r.gone.N, n, 0)
		}
	default:
		r.lines(t, off, f.Lines)
		if f.Second != nil {
			f.Centre(s)
			r.lines(t, off, f.Second)
		}
	}
	f.Finish(s, &t.outs)
}

// lines passes the lines of a strip to a fold, where they lie or block by block.
func (r *Reduce) lines(t *piece, off int, fold Lines) {
	s, g, size := &t.strip, &r.gone, r.as.Size()
	width, step := s.Width, g.Stride[g.Rank-1]
	if r.straight && g.Rank == 1 {
		fold(s, r.in.Data[off*size:(off+(g.N-1)*step+width)*size], g.N, step, 0)
		return
	}
	most := blockBytes / (width * size)
	if most < g.N {
		most &^= 7 // so that lanes go on
	}
	var cur Cursor
	g.Seek(&cur, 0)
	for at := 0; at < g.N; {
		n, first := g.Left(&cur), off+cur.Off
		if r.straight {
			fold(s, r.in.Data[first*size:(first+(n-1)*step+width)*size], n, step, at)
		} else {
			n = min(n, most)
			lines, length := n, width
			if step == width {
				lines, length = 1, n*width
			}
			for i := range lines {
				r.loaded(t.block[i*width*size:], first+i*step, 1, length)
			}
			fold(s, t.block[:n*width*size], n, width, at)
		}
		g.Skip(&cur, n)
		at += n
	}
}

// turn loads n short rows as columns.
func (r *Reduce) turn(t *piece, off, n int, way *plane.Way) {
	g, size := &r.gone, r.as.Size()
	next, step := r.kept.Stride[r.kept.Rank-1], g.Stride[0]
	switch {
	case r.straight && step == 1:
		way.Move(t.block, 0, r.in.Data, off)
	case step == 1 && next == g.N: // converted in one go; what the fold keeps has not begun
		r.loaded(t.strip.Acc, off, 1, n*g.N)
		way.Move(t.block, 0, t.strip.Acc, 0)
	default:
		for i := range g.N {
			r.loaded(t.block[i*n*size:], off+i*step, next, n)
		}
	}
}

// loaded fills a block with n elements, converted and rounded.
func (r *Reduce) loaded(block []byte, off, stride, n int) {
	r.cast.Load(block, r.in.Data, off, stride, n)
	if r.round != nil {
		r.round(block, nil, 0, 1, n)
	}
}
