package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/plane"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// Acc is what a reduction knows of the elements it has seen. Which fields count is up to the Fold; sums of floats use the
// eight lanes, one for every eighth element.
type Acc struct {
	F  [8]float64
	I  int64
	At int64 // index of the element that was picked

	Mean complex128 // between two passes; of real numbers it is real
}

// Sum is the total of the lanes, added in a fixed tree.
func (a *Acc) Sum() float64 {
	return ((a.F[0] + a.F[4]) + (a.F[2] + a.F[6])) + ((a.F[1] + a.F[5]) + (a.F[3] + a.F[7]))
}

// Product is that of the lanes, in the same tree.
func (a *Acc) Product() float64 {
	return ((a.F[0] * a.F[4]) * (a.F[2] * a.F[6])) * ((a.F[1] * a.F[5]) * (a.F[3] * a.F[7]))
}

// Fold takes packed elements into a; at is the index of the first among those that are reduced.
type Fold func(a *Acc, x []byte, at int)

// Outputs are pieces of the outputs of a reduction, in the types of its results; there may be only one.
type Outputs [2][]byte

// Sink writes the results of one output, number j of the piece. It is called from several goroutines.
type Sink interface {
	Put(outs *Outputs, j int, a *Acc)
}

// Reduce folds dimensions of a tensor. It is the state of a call site; Run allocates nothing.
//
//	for each position of the output:  Start → First over all → (Middle → Second over all) → Sink
//
// Columns, and short rows turned into columns, are folded many at a time by a StripFold, with the same results.
type Reduce struct {
	Start      Acc
	First      Fold
	Middle     func(a *Acc, n int) // between two passes
	Second     Fold                // nil: one pass
	Sink       Sink
	Strip      *StripFold        // nil: outputs one by one
	Results    [2]executor.DType // what Sink and Strip write
	Outs       [2]*executor.Tensor
	Round      executor.DType // F16 or BF16: elements of other types are rounded to it first
	Correction float64        // what the divisor of a variance is less by

	in       *executor.Tensor
	as       executor.DType // what the folds take
	cast     Cast           // to that
	round    Load
	store    [2]Cast // of the results
	kept     View
	gone     View
	straight bool // the folds take elements where they lie
	mode     stripMode
	width    int       // outputs of a piece
	way      plane.Way // how a piece is brought into a block
	unit     int       // outputs that stay in one part
	parts    int
	one      int // bytes of packed elements that make the one output, which is written as it is; 0: another case
	space    space
	pieces   []piece
	known    [8]byte // the one result, where there is none but that
	temp     []byte
}

// piece is what a part is at work on: some neighbouring outputs.
type piece struct {
	acc     Acc
	strip   Strip
	outs    Outputs
	results Outputs
	block   []byte
}

// blockBytes is the elements that are loaded at a time.
const blockBytes = 8 << 10

// space is how a part's temp memory is divided.
type space struct {
	block, acc, aux int
	results         [2]int
}

func (s *space) bytes() int { return s.block + s.acc + s.aux + s.results[0] + s.results[1] }

// Plan sets the reduction of the dimensions dims of in up. as is the type that the folds take. out, whose shape is final,
// gives the order of the results; keep says whether it kept the reduced dimensions. inOrder keeps the reduced elements in
// logical order, for reductions that tell which element it was.
func (r *Reduce) Plan(out, in *executor.Tensor, dims arg.Dims, keep, inOrder bool, as executor.DType) error {
	if err := r.cast.Set(in.DType, as); err != nil {
		return err
	}
	for k, t := range r.Outs {
		if t != nil {
			if err := r.store[k].Set(r.Results[k], t.DType); err != nil {
				return err
			}
		}
	}
	r.in, r.as, r.round = in, as, nil
	if arg.IsHalf(r.Round) && in.DType != r.Round {
		r.round = rounder(r.Round)
	}
	r.kept.Start(out)
	g := &r.gone
	*g = View{N: 1}
	k := 0
	for d, n := range in.Sizes {
		if dims.Has(d) {
			g.Add(n, in.Strides[d])
			if keep {
				k++
			}
			continue
		}
		r.kept.Stride[k] = in.Strides[d]
		k++
	}
	if inOrder {
		g.Join()
	} else {
		g.Merge(g.Stride[:])
	}
	r.kept.Merge(out.Strides)
	r.straight = r.cast.Same() && r.round == nil
	r.lay()
	r.measure()
	r.one = 0
	if r.mode == rowwise && r.kept.N == 1 && g.Rank == 1 && r.packed() && r.space.bytes() == 0 {
		r.one = g.N * as.Size()
	}
	r.parts = max(1, min(Parts(r.kept.N*max(g.N, 1)), (r.kept.N+r.unit-1)/r.unit))
	if len(r.pieces) < r.parts {
		r.pieces = make([]piece, r.parts)
	}
	return nil
}

// Count is the number of elements that each output is made of.
func (r *Reduce) Count() int { return r.gone.N }

// measure finds what a part needs.
func (r *Reduce) measure() {
	outs := (min(r.width, r.kept.N) + 7) &^ 7
	r.space = space{}
	switch r.mode {
	case rowwise:
		if !r.packed() {
			r.space.block = min(blockBytes, pad(r.gone.N*r.as.Size()))
		}
	case always:
		return
	case single:
		if !r.straight {
			r.space.block = pad(outs * r.as.Size())
		}
	case short, woven:
		r.space.block = min(blockBytes, pad(outs*r.gone.N*r.as.Size()))
		r.space.acc = max(outs*stripAcc, r.space.block) // of which turn makes use as well
		r.space.aux = outs * stripAux * partsOf(r.as)
	default:
		if !r.straight {
			r.space.block = min(blockBytes, pad(outs*r.gone.N*r.as.Size()))
		}
		// Narrow lines are taken several at once.
		r.space.acc, r.space.aux = max(outs*stripAcc/r.wider(), min(StripWidth*stripAcc/2, pad(outs*r.gone.N*8))), outs*stripAux*partsOf(r.as)
	}
	for k := range r.Outs {
		if r.Outs[k] != nil && !r.store[k].Same() {
			r.space.results[k] = pad(outs * r.Results[k].Size())
		}
	}
}

// Needs is the temp memory that Run takes.
func (r *Reduce) Needs() []memory.Need { return blocks(r.space.bytes() * r.parts) }

// ReduceNeeds is the temp memory that a reduction of at most n elements to at most results takes at most, where shapes may
// change: what measure can find. A strip has four outputs or more, so rounding up to eight doubles them at most.
func ReduceNeeds(n, results int, as executor.DType) []memory.Need {
	most := space{block: min(blockBytes, pad(2*n*max(8, as.Size())))}
	outs := (min(mostWide*StripWidth, max(n, results)) + 7) &^ 7
	most.acc, most.aux = max(min(outs, StripWidth)*stripAcc, most.block, min(StripWidth*stripAcc/2, pad(2*n*8))), outs*stripAux*partsOf(as)
	most.results = [2]int{pad(outs * 16), pad(outs * 8)}
	return blocks(most.bytes() * Parts(n))
}

// Run does the reduction.
func (r *Reduce) Run(s *executor.Scope) error {
	switch {
	case r.kept.N == 0:
		return nil
	case r.one > 0:
		r.single()
		return nil
	}
	if n := r.space.bytes() * r.parts; n > 0 {
		var err error
		if r.temp, err = s.TempBytes(n); err != nil {
			return err
		}
	}
	if r.parts == 1 {
		r.Do(0)
	} else {
		s.Parallel(r.parts, r)
	}
	r.temp = nil
	return nil
}

// single is Run where all elements lie together and make one output, as they are: the fold may end at the first of them.
func (r *Reduce) single() {
	t, x := &r.pieces[0], r.in.Data[:r.one]
	t.acc = r.Start
	r.First(&t.acc, x, 0)
	if r.Second != nil {
		r.Middle(&t.acc, r.gone.N)
		r.Second(&t.acc, x, 0)
	}
	t.outs[0] = r.Outs[0].Data
	if r.Outs[1] != nil {
		t.outs[1] = r.Outs[1].Data
	}
	r.Sink.Put(&t.outs, 0, &t.acc)
}

// Do does one part; it is called by the worker pool.
func (r *Reduce) Do(part int) {
	lo, hi := 0, r.kept.N
	if r.parts > 1 {
		lo, hi = Part(r.kept.N, r.parts, part, r.unit)
	}
	if lo == hi {
		return
	}
	if r.mode == always {
		size := r.Outs[0].DType.Size()
		plane.Fill(r.Outs[0].Data[lo*size:hi*size], r.known[:size])
		return
	}
	t := &r.pieces[part]
	if n := r.space.bytes(); n > 0 {
		t.place(r.temp[part*n:][:n], &r.space)
	}
	var cur Cursor
	if lo > 0 {
		r.kept.Seek(&cur, lo)
	}
	for p := lo; p < hi; {
		n := min(r.width, hi-p)
		switch r.mode {
		case rowwise:
		case woven:
			n = min(n, r.leftRuns(&cur))
		default:
			n = min(n, r.kept.Left(&cur))
		}
		r.open(t, p, n)
		switch r.mode {
		case rowwise:
			r.rows(t, &cur, n)
		case woven:
			r.foldStrip(t, cur.Off, n)
			r.kept.skipRuns(&cur, n/r.kept.Size[r.kept.Rank-1])
		default:
			r.foldStrip(t, cur.Off, n)
			r.kept.Skip(&cur, n)
		}
		r.close(t, p, n)
		p += n
	}
}

// place divides a part's temp memory.
func (t *piece) place(temp []byte, space *space) {
	take := func(n int) []byte {
		b := temp[:n:n]
		temp = temp[n:]
		return b
	}
	t.block, t.strip.Acc, t.strip.Aux = take(space.block), take(space.acc), take(space.aux)
	t.results = Outputs{take(space.results[0]), take(space.results[1])}
}

// open lets the n outputs from position p on be written.
func (r *Reduce) open(t *piece, p, n int) {
	for k, o := range r.Outs {
		if o == nil {
			continue
		}
		if size := r.Results[k].Size(); r.store[k].Same() {
			t.outs[k] = o.Data[p*size : (p+n)*size]
		} else {
			t.outs[k] = t.results[k][:n*size]
		}
	}
}

// close stores what open did not place in the outputs.
func (r *Reduce) close(t *piece, p, n int) {
	for k, o := range r.Outs {
		if o != nil && !r.store[k].Same() {
			r.store[k].Load(o.Data[p*o.DType.Size():], t.outs[k], 0, 1, n)
		}
	}
}

// rows folds the next n outputs one by one.
func (r *Reduce) rows(t *piece, cur *Cursor, n int) {
	for j := range n {
		t.acc = r.Start
		r.pass(t, cur.Off, r.First)
		if r.Second != nil {
			r.Middle(&t.acc, r.gone.N)
			r.pass(t, cur.Off, r.Second)
		}
		r.Sink.Put(&t.outs, j, &t.acc)
		r.kept.Skip(cur, 1)
	}
}

// packed says whether runs of reduced elements lie as the folds take them.
func (r *Reduce) packed() bool { return r.straight && r.gone.Stride[r.gone.Rank-1] == 1 }

// pass folds the elements of the output whose first is at off.
func (r *Reduce) pass(t *piece, off int, fold Fold) {
	size, g := r.as.Size(), &r.gone
	if g.N == 0 {
		return
	}
	packed := r.packed()
	if packed && g.Rank == 1 {
		fold(&t.acc, r.in.Data[off*size:(off+g.N)*size], 0)
		return
	}
	var cur Cursor
	g.Seek(&cur, 0)
	cur.Off += off
	for at := 0; at < g.N; {
		if packed {
			n := g.Left(&cur)
			fold(&t.acc, r.in.Data[cur.Off*size:(cur.Off+n)*size], at)
			g.Skip(&cur, n)
			at += n
			continue
		}
		n := min(blockBytes/size, g.N-at)
		g.Gather(&cur, r.cast.Load, t.block, r.in.Data, size, n)
		if r.round != nil {
			r.round(t.block, nil, 0, 1, n)
		}
		fold(&t.acc, t.block[:n*size], at)
		at += n
	}
}
