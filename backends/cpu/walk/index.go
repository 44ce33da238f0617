package walk

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// Index goes through the elements of a tensor that index tensors choose, together with those of the other side: what is
// read (index, gather, embedding) or what is written there (index_put, scatter). It is the state of a call site; Run
// allocates nothing.
//
//	tensor   dimensions: some chosen by Picks, the rest taken whole
//	picks    broadcast to one shape, the positions; each position is a place in the tensor, and at each place lies a block
//	         of the dimensions that are taken whole
//	other    the positions and the block, in any layout, elements repeated where strides are 0
//
// Positions go in logical order, so that of several that choose the same place the last one wins.
type Index struct {
	Wrap bool // negative indices count from the end
	Line bool // the positions have a dimension even if the index tensor has none

	tensor *executor.Tensor
	size   [arg.MaxRank]int // of the tensor; rank 0 counts as one dimension of size 1
	stride [arg.MaxRank]int
	rank   int
	picks  []pick
	npicks int
	whole  arg.Dims // dimensions that no pick chooses
	masks  bool

	at     View // of the tensor, by position: what the picks do not add
	side   View // of the other, by position
	block  View // of the tensor, in the block
	beside View // of the other, in the block
	inner  bool // the other side's neighbours are positions, not in the block
	listed bool // see list
}

// indexBlock is the number of positions that are looked up at a time.
const indexBlock = 512

// IndexNeeds is the temp memory that Run takes for at most n positions.
func IndexNeeds(n int) []memory.Need { return blocks(8 * min(indexBlock, n)) }

// Start begins a plan: t is the tensor that is indexed, n bounds the number of picks.
func (x *Index) Start(t *executor.Tensor, n int) {
	x.tensor, x.rank, x.npicks, x.masks = t, t.Rank(), 0, false
	copy(x.size[:], t.Sizes)
	copy(x.stride[:], t.Strides)
	if x.rank == 0 {
		x.rank, x.size[0], x.stride[0] = 1, 1, 1
	}
	x.whole = 1<<uint(x.rank) - 1
	if len(x.picks) < n {
		x.picks = make([]pick, n)
	}
}

// IndexTypes are the types of index tensors; MaskTypes those of masks.
var (
	IndexTypes = arg.Of(arg.I32, arg.I64)
	MaskTypes  = arg.Of(arg.Bool, arg.U8)
)

// Pick chooses dimension dim by the numbers of t, or the dimensions from dim on by the mask t, and gives the number of
// dimensions chosen.
func (x *Index) Pick(t *executor.Tensor, dim int) (int, error) {
	mask, n := MaskTypes.Has(t.DType), 1
	if mask {
		n = t.Rank()
	} else if !IndexTypes.Has(t.DType) {
		return 0, fault.New(fault.InvalidArgument, "", (IndexTypes | MaskTypes).String(), t.DType.String())
	}
	if dim+n > x.rank {
		return 0, fault.New(fault.InvalidArgument, "", fmt.Sprintf("indices of %d dimensions", x.rank), fmt.Sprintf("of %d", dim+n))
	}
	p := &x.picks[x.npicks]
	x.npicks++
	p.t, p.dim, p.n, p.mask = t, dim, x.size[dim%x.rank], mask
	for d := range n {
		x.whole &^= 1 << uint(dim+d)
	}
	if !mask {
		return n, nil
	}
	x.masks = true
	for d, s := range t.Sizes {
		if s != x.size[dim+d] {
			return 0, fault.New(fault.InvalidArgument, "", fmt.Sprintf("a mask of %d in dimension %d", x.size[dim+d], dim+d), fmt.Sprint(s))
		}
	}
	p.view.Logical(t)
	p.picked.Broadcast(t.Sizes, x.stride[dim:dim+n], t.Sizes)
	return n, nil
}

// Masks says whether there is a mask, so that shapes depend on data.
func (x *Index) Masks() bool { return x.masks }

// Shape counts masks and gives the shape of the other side in buf: the positions stand where the chosen dimensions stood
// if these are neighbours, else in front.
func (x *Index) Shape(buf []int) (shape []int, positions arg.Dims, err error) {
	var pos [arg.MaxRank]int
	rank := 0
	for k := range x.npicks {
		p := &x.picks[k]
		sizes := p.t.Sizes
		if p.mask {
			p.hits = Count(p.t.Data)
			sizes = []int{p.hits}
		}
		if rank, err = widen(&pos, rank, sizes); err != nil {
			return nil, 0, err
		}
	}
	if x.Line && rank == 0 {
		rank, pos[arg.MaxRank-1] = 1, 1
	}
	var right [arg.MaxRank]int // pos is right-aligned
	copy(right[:], pos[arg.MaxRank-rank:])
	first, last := -1, -1
	chosen := 0
	for d := range x.rank {
		if !x.whole.Has(d) {
			if first < 0 {
				first = d
			}
			last = d
			chosen++
		}
	}
	if chosen > 0 && last-first+1 != chosen {
		first = 0
	}
	if rank+x.rank-chosen > arg.MaxRank {
		return nil, 0, fault.New(fault.InvalidArgument, "", fmt.Sprintf("at most %d dimensions", arg.MaxRank), fmt.Sprint(rank+x.rank-chosen))
	}
	shape = buf[:0]
	put := func() {
		for d := range rank {
			positions |= 1 << uint(len(shape))
			shape = append(shape, right[d])
		}
	}
	placed := false
	for d := range x.rank {
		if x.npicks > 0 && !placed && d >= first {
			put()
			placed = true
		}
		if x.whole.Has(d) {
			shape = append(shape, x.size[d])
		}
	}
	return shape, positions, nil
}

// Beside lays out the other side: its strides over the shape that Shape gave.
func (x *Index) Beside(shape, strides []int, positions arg.Dims) {
	x.at, x.side = View{N: 1}, View{N: 1}
	x.block, x.beside = View{N: 1}, View{N: 1}
	var order [arg.MaxRank]int
	near, nearBlock := math.MaxInt, math.MaxInt
	d := -1
	for i, n := range shape {
		if positions.Has(i) {
			x.at.Add(n, 0)
			x.side.Add(n, strides[i])
			if n > 1 && strides[i] > 0 {
				near = min(near, strides[i])
			}
			continue
		}
		for d++; !x.whole.Has(d); d++ {
		}
		order[x.block.Rank] = strides[i]
		if strides[i] == 0 {
			order[x.block.Rank] = x.stride[d]
		}
		x.block.Add(n, x.stride[d])
		x.beside.Add(n, strides[i])
		if n > 1 && strides[i] > 0 {
			nearBlock = min(nearBlock, strides[i])
		}
	}
	for k := range x.npicks {
		x.picks[k].lay(&x.side)
	}
	x.at.Join()
	x.side.Join()
	x.block.Merge(order[:])
	x.beside.Merge(order[:])
	x.inner = x.block.N > 1 && near < nearBlock && x.side.N > 1
	x.listed = x.isList()
}

// Along is the plan of gather and scatter: index has a number for each position, which stands in place of the position's
// coordinate in dimension dim of the tensor. strides are the other side's, over index's shape.
func (x *Index) Along(t *executor.Tensor, dim int, index *executor.Tensor, strides []int) error {
	x.Start(t, 1)
	if !IndexTypes.Has(index.DType) {
		return fault.New(fault.InvalidArgument, "", IndexTypes.String(), index.DType.String())
	}
	if _, err := x.Pick(index, dim); err != nil {
		return err
	}
	x.at, x.side = View{N: 1}, View{N: 1}
	x.block, x.beside = View{N: 1, Rank: 1, Size: [arg.MaxRank]int{1}}, View{N: 1, Rank: 1, Size: [arg.MaxRank]int{1}}
	x.inner = false
	for d, n := range index.Sizes {
		stride := x.stride[d]
		if d == dim {
			stride = 0
		}
		x.at.Add(n, stride)
		x.side.Add(n, strides[d])
	}
	x.picks[0].lay(&x.side)
	x.at.Join()
	x.side.Join()
	x.listed = x.isList()
	return nil
}

// Exchange is what happens between places of the indexed tensor and elements of the other side: see Fetch, Store and Add.
type Exchange struct {
	run   func(t []byte, i, di int, o []byte, j, dj, n int) // n elements, both strided
	table func(t []byte, at []int64, base int, o []byte, j, dj int)
	rows  func(t []byte, at []int64, base int, o []byte, j, dj, n int) // n packed elements at each place; nil: by run
}

// Run does the exchange. t and other are the bytes of the two sides; they are written as e says.
func (x *Index) Run(s *executor.Scope, e *Exchange, t, other []byte) error {
	if x.side.N == 0 {
		return nil
	}
	if x.block.N == 0 { // no element is touched, whatever the indices are
		for k := range x.npicks {
			if p := &x.picks[k]; !p.mask && p.n == 0 {
				return p.outside(0, x.Wrap)
			}
		}
		return nil
	}
	temp, err := s.TempBytes(8 * min(indexBlock, x.side.N))
	if err != nil {
		return err
	}
	table := executor.SliceBytes[int64](temp)
	if x.listed && (e.rows != nil || x.block.N == 1) {
		return x.list(e, t, other, table)
	}
	var at, side Cursor
	x.at.Seek(&at, 0)
	x.side.Seek(&side, 0)
	for k := range x.npicks {
		x.picks[k].rewind()
	}
	fresh := x.at.Single() && x.npicks > 0 && !x.picks[0].mask
	for done := 0; done < x.side.N; done += indexBlock {
		n := min(indexBlock, x.side.N-done)
		if !fresh {
			x.at.offsets(&at, table[:n])
		}
		for k := range x.npicks {
			if err := x.picks[k].add(x, table[:n], fresh && k == 0); err != nil {
				return err
			}
		}
		x.exchange(e, t, other, table[:n], &side)
	}
	return nil
}

// fewPlaces is fewer than which a long block is rather gone through at one place after the other.
const fewPlaces = 16

// exchange does it at the places of a table: for each run of the block at all places, or for each of its elements where the
// other side's neighbours are places; where the block has no runs, at one place after the other.
func (x *Index) exchange(e *Exchange, t, other []byte, table []int64, side *Cursor) {
	even := x.block.Rank == 1 && x.beside.Rank == 1
	few := even && len(table) < fewPlaces && len(table) < x.block.N/2
	single := x.inner && !few || x.block.N == 1
	if !single && (e.rows == nil || x.block.Stride[x.block.Rank-1] != 1 || x.beside.Stride[x.beside.Rank-1] != 1) {
		for _, place := range table {
			x.blockAt(e, t, other, int(place), side.Off)
			x.side.Skip(side, 1)
		}
		return
	}
	if even && (!single || x.block.N == 1) {
		x.points(e, t, other, table, x.block.Base, x.beside.Base, x.block.N, side)
		return
	}
	if even && x.side.Left(side) >= len(table) { // the same places for every element of the block
		step, next, beside := x.side.Stride[x.side.Rank-1], x.block.Stride[0], x.beside.Stride[0]
		for i := range x.block.N {
			e.table(t, table, x.block.Base+i*next, other, side.Off+x.beside.Base+i*beside, step)
		}
		x.side.Skip(side, len(table))
		return
	}
	from := *side
	var b, o Cursor
	x.block.Seek(&b, 0)
	x.beside.Seek(&o, 0)
	for n := x.block.N; n > 0; {
		k := 1
		if !single {
			k = min(x.block.Left(&b), x.beside.Left(&o))
		}
		*side = from
		x.points(e, t, other, table, b.Off, o.Off, k, side)
		x.block.Skip(&b, k)
		x.beside.Skip(&o, k)
		n -= k
	}
}

// points exchanges width elements at each of the places.
func (x *Index) points(e *Exchange, t, other []byte, table []int64, base, beside, width int, side *Cursor) {
	step := x.side.Stride[x.side.Rank-1]
	for len(table) > 0 {
		n := min(len(table), x.side.Left(side))
		if width == 1 {
			e.table(t, table[:n], base, other, side.Off+beside, step)
		} else {
			e.rows(t, table[:n], base, other, side.Off+beside, step, width)
		}
		x.side.Skip(side, n)
		table = table[n:]
	}
}

// blockAt exchanges the block at one place.
func (x *Index) blockAt(e *Exchange, t, other []byte, place, beside int) {
	bs, os := x.block.Stride[x.block.Rank-1], x.beside.Stride[x.beside.Rank-1]
	if x.block.Rank == 1 && x.beside.Rank == 1 {
		e.run(t, place, bs, other, beside, os, x.block.N)
		return
	}
	var b, o Cursor
	x.block.Seek(&b, 0)
	x.beside.Seek(&o, 0)
	for n := x.block.N; n > 0; {
		k := min(x.block.Left(&b), x.beside.Left(&o))
		e.run(t, place+b.Off, bs, other, beside+o.Off, os, k)
		x.block.Skip(&b, k)
		x.beside.Skip(&o, k)
		n -= k
	}
}

// offsets writes where the next positions lie.
func (v *View) offsets(c *Cursor, table []int64) {
	step := int64(v.Stride[v.Rank-1])
	for len(table) > 0 {
		k := min(len(table), v.Left(c))
		off := int64(c.Off)
		for i := range table[:k] {
			table[i] = off
			off += step
		}
		v.Skip(c, k)
		table = table[k:]
	}
}
