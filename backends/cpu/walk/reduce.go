package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// Acc is what a reduction knows of the elements it has seen. Which fields count is up to the Fold; sums of floats use the
// eight lanes, one for every eighth element.
type Acc struct {
	F  [8]float64
	I  int64
	At int64 // index of the element that was picked

	Mean float64 // between two passes
}

// Sum is the total of the lanes, added in a fixed tree.
func (a *Acc) Sum() float64 {
	return ((a.F[0] + a.F[4]) + (a.F[2] + a.F[6])) + ((a.F[1] + a.F[5]) + (a.F[3] + a.F[7]))
}

// Fold takes packed elements into a; at is the index of the first among those that are reduced.
type Fold func(a *Acc, x []byte, at int)

// Sink takes the result for the output at position p (in the output's memory order). It is called from several goroutines.
type Sink interface {
	Put(p int, a *Acc)
}

// Reduce folds dimensions of a tensor. It is the state of a call site; Run allocates nothing.
//
//	for each position of the output:  Start → First over all → (Middle → Second over all) → Sink
//
// Short rows and columns of common types have a Strip instead, which writes many outputs with the same results.
//
// Where the reduced elements do not lie together, neighbouring outputs take turns over short stretches, so that each
// cache line is used by all of them.
type Reduce struct {
	Start  Acc
	First  Fold
	Middle func(a *Acc, n int) // between two passes
	Second Fold                // nil: one pass
	Sink   Sink
	Round  executor.DType // F16 or BF16: elements of other types are rounded to it first
	Strip  Strip          // nil: outputs one by one
	Outs   [2]*executor.Tensor

	in    *executor.Tensor
	as    executor.DType // what the folds take
	load  Load
	round Load
	from  executor.DType
	kept  View
	gone  View
	parts int
	tiles []tile
	temp  []byte
}

type tile struct {
	acc  [columns]Acc
	outs Outputs
}

const (
	columns = 16 // outputs that take turns
	stretch = 64 // elements of a turn
)

// Plan sets the reduction of the dimensions dims of in up. as is the type that the folds take. out, whose shape is final,
// gives the order of the results; keep says whether it kept the reduced dimensions. inOrder keeps the reduced elements in
// logical order, for reductions that tell which element it was.
func (r *Reduce) Plan(out, in *executor.Tensor, dims arg.Dims, keep, inOrder bool, as executor.DType) error {
	if r.load == nil || r.from != in.DType || r.as != as {
		r.from, r.as = in.DType, as
		if r.load = Loader(in.DType, as); r.load == nil {
			return arg.NoConversion(in.DType, as)
		}
	}
	r.in, r.round = in, nil
	if arg.IsHalf(r.Round) && in.DType != r.Round {
		r.round = rounder(r.Round)
	}
	r.kept.Start(out)
	g := &r.gone
	g.N, g.Rank, g.Base = 1, 0, 0
	var order [arg.MaxRank]int
	k, logical := 0, 1
	for d, n := range in.Sizes {
		if dims.Has(d) {
			g.Size[g.Rank], g.Stride[g.Rank], order[g.Rank] = n, in.Strides[d], in.Strides[d]
			g.N *= n
			g.Rank++
			if keep {
				k++
			}
			continue
		}
		r.kept.Stride[k] = in.Strides[d]
		k++
	}
	if inOrder {
		for i := g.Rank - 1; i >= 0; i-- {
			order[i] = logical
			logical *= max(g.Size[i], 1)
		}
	}
	g.Merge(order[:])
	r.kept.Merge(out.Strides)
	r.parts = 1
	if r.kept.N > 1 {
		r.parts = min(Parts(r.kept.N*max(g.N, 1)), r.kept.N)
	}
	if len(r.tiles) < r.parts {
		r.tiles = make([]tile, r.parts)
	}
	return nil
}

// Count is the number of elements that each output is made of.
func (r *Reduce) Count() int { return r.gone.N }

// ReduceNeeds is the temp memory that a reduction of a tensor takes at most.
func ReduceNeeds(in *executor.Tensor) []memory.Need {
	return []memory.Need{{Role: "element blocks", Place: memory.Temp, Bytes: uint64(reduceBlock * Parts(in.Bound())), Align: 64}}
}

// reduceBlock is the bytes of a part: the elements of a turn as they are, and one output's converted.
const reduceBlock = columns*stretch*8 + stretch*16

// Run does the reduction.
func (r *Reduce) Run(s *executor.Scope) error {
	if r.kept.N == 0 {
		return nil
	}
	var err error
	if r.temp, err = s.TempBytes(reduceBlock * r.parts); err != nil {
		return err
	}
	if r.parts == 1 {
		r.Do(0)
	} else {
		s.Parallel(r.parts, r)
	}
	r.temp = nil
	return nil
}

// Do does one part; it is called by the worker pool.
func (r *Reduce) Do(part int) {
	lo, hi := Part(r.kept.N, r.parts, part, 1)
	acc := &r.tiles[part].acc
	buf := r.temp[part*reduceBlock:][:reduceBlock]
	if lo < hi && r.strips() {
		r.doStrips(part, lo, hi, buf)
		return
	}
	packed := r.from == r.as && r.round == nil && r.gone.Stride[r.gone.Rank-1] == 1
	width := columns
	if packed {
		width = 1
	}
	var cur Cursor
	r.kept.Seek(&cur, lo)
	var off [columns]int
	for p := lo; p < hi; {
		n := min(width, hi-p)
		for j := range n {
			off[j] = cur.Off
			r.kept.Skip(&cur, 1)
			acc[j] = r.Start
		}
		r.pass(acc[:n], off[:n], r.First, packed, buf)
		if r.Second != nil {
			for j := range n {
				r.Middle(&acc[j], r.gone.N)
			}
			r.pass(acc[:n], off[:n], r.Second, packed, buf)
		}
		for j := range n {
			r.Sink.Put(p+j, &acc[j])
		}
		p += n
	}
}

func (r *Reduce) pass(acc []Acc, off []int, fold Fold, packed bool, buf []byte) {
	if r.gone.N == 0 {
		return
	}
	var cur Cursor
	r.gone.Seek(&cur, 0)
	size := r.as.Size()
	for at := 0; at < r.gone.N; {
		if packed {
			n := r.gone.Left(&cur)
			first := (off[0] + cur.Off) * size
			fold(&acc[0], r.in.Data[first:first+n*size], at)
			r.gone.Skip(&cur, n)
			at += n
			continue
		}
		n := min(stretch, r.gone.N-at)
		if r.from.Size() <= 8 && len(acc) > 1 && off[len(acc)-1]-off[0] == len(acc)-1 {
			r.turn(acc, off[0], fold, &cur, buf, n, at)
			at += n
			continue
		}
		var next Cursor
		for j := range acc {
			next = cur
			next.Off += off[j]
			r.gone.Gather(&next, r.load, buf, r.in.Data, size, n)
			if r.round != nil {
				r.round(buf, nil, 0, 1, n)
			}
			fold(&acc[j], buf[:n*size], at)
		}
		next.Off -= off[len(acc)-1]
		cur = next
		at += n
	}
}

// turn folds the next n elements of neighbouring outputs, whose elements lie side by side: they are read line by line
// and turned round, so that each output's lie together.
func (r *Reduce) turn(acc []Acc, off int, fold Fold, cur *Cursor, buf []byte, n, at int) {
	from, as := r.from.Size(), r.as.Size()
	wide := buf[columns*stretch*8:]
	for i := range n {
		first := off + cur.Off
		switch from {
		case 1:
			spreadLine[uint8](buf, r.in.Data, first, i, len(acc))
		case 2:
			spreadLine[uint16](buf, r.in.Data, first, i, len(acc))
		case 4:
			spreadLine[uint32](buf, r.in.Data, first, i, len(acc))
		default:
			spreadLine[uint64](buf, r.in.Data, first, i, len(acc))
		}
		r.gone.Skip(cur, 1)
	}
	for j := range acc {
		line := buf[j*stretch*from:][:n*from]
		if r.from != r.as {
			r.load(wide, line, 0, 1, n)
			line = wide[:n*as]
		}
		if r.round != nil {
			r.round(line, nil, 0, 1, n)
		}
		fold(&acc[j], line, at)
	}
}

func spreadLine[T executor.Element](dst, src []byte, first, i, n int) {
	d, s := executor.SliceBytes[T](dst), executor.SliceBytes[T](src)[first:first+n]
	for j, x := range s {
		d[j*stretch+i] = x
	}
}
