package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// RowKernel is the arithmetic of an operator that works along dimensions: one row in, one row of each output out, all
// packed, in the types that Rows was told. row counts in the first output's memory order. It is called from several
// goroutines at once, with another part each.
type RowKernel interface {
	Row(part, row int, outs *[3][]byte, in []byte)
}

// Rows cuts a tensor into rows along some dimensions (in logical order inside a row) and gives each to a kernel: softmax,
// normalisation, scans, sorting. It is the state of a call site; Run allocates nothing.
type Rows struct {
	Kernel RowKernel

	in     *executor.Tensor
	as     executor.DType
	from   executor.DType
	load   Load
	n      int // elements of a row
	count  int // rows
	across View
	along  View
	direct bool
	outs   [3]rowOut
	nouts  int
	parts  int
	block  int
	temp   []byte
	slots  []rowSlot // by part, so that kernels behind an interface do not make them escape
}

type rowSlot struct{ outs [3][]byte }

type rowOut struct {
	t      *executor.Tensor
	as     executor.DType
	to     executor.DType
	store  Load
	n      int
	across View
	along  View
	direct bool
	buf    int
	wide   int // where converted elements wait to be scattered
}

// Out is an output of Rows: a tensor of the input's rank, equal to it outside the row's dimensions, and the type in which
// the kernel writes it.
type Out struct {
	Tensor *executor.Tensor
	As     executor.DType
}

// Plan sets up rows of in along dims, which the kernel takes as type as.
func (r *Rows) Plan(in *executor.Tensor, dims arg.Dims, as executor.DType, outs ...Out) error {
	if r.load == nil || r.from != in.DType || r.as != as {
		r.from, r.as = in.DType, as
		if r.load = Loader(in.DType, as); r.load == nil {
			return arg.NoConversion(in.DType, as)
		}
	}
	r.in, r.nouts = in, len(outs)
	order := outs[0].Tensor.Strides
	cut(&r.across, &r.along, in, dims, order)
	r.count, r.n = r.across.N, r.along.N
	r.direct = r.from == as && r.along.Packed()
	r.block = 0
	if !r.direct {
		r.block = pad(r.n * as.Size())
	}
	for k, o := range outs {
		ro := &r.outs[k]
		ro.t = o.Tensor
		if ro.as != o.As || ro.to != o.Tensor.DType || ro.store == nil {
			ro.as, ro.to = o.As, o.Tensor.DType
			if ro.store = Loader(ro.as, ro.to); ro.store == nil {
				return arg.NoConversion(ro.as, ro.to)
			}
		}
		cut(&ro.across, &ro.along, o.Tensor, dims, order)
		ro.n = ro.along.N
		ro.direct = ro.as == ro.to && ro.along.Packed()
		ro.buf = r.block
		if !ro.direct {
			r.block += pad(ro.n * ro.as.Size())
			ro.wide = r.block
			r.block += pad(ro.n * ro.to.Size())
		}
	}
	work := r.count * max(r.n, 1)
	r.parts = max(1, min(Parts(work), r.count))
	if r.block > 0 {
		r.parts = min(r.parts, max(1, rowMemory/r.block))
	}
	if len(r.slots) < r.parts {
		r.slots = make([]rowSlot, r.parts)
	}
	return nil
}

// rowMemory bounds the temp memory that several parts take together; a single row may need more.
const rowMemory = 1 << 20

func pad(n int) int { return (n + 63) &^ 63 }

// cut lays one view over the dimensions outside dims, in the given order, and one over those inside, in logical order.
func cut(across, along *View, t *executor.Tensor, dims arg.Dims, order []int) {
	var outer, inner [arg.MaxRank]int
	*across, *along = View{N: 1}, View{N: 1}
	for d, n := range t.Sizes {
		v, o := across, &outer
		if dims.Has(d) {
			v, o = along, &inner
		}
		v.Size[v.Rank], v.Stride[v.Rank] = n, t.Strides[d]
		v.N *= n
		if v == across {
			o[v.Rank] = order[d]
		} else {
			o[v.Rank] = arg.MaxRank - d
		}
		v.Rank++
	}
	across.Merge(outer[:])
	along.Merge(inner[:])
}

// Len is the number of elements of a row.
func (r *Rows) Len() int { return r.n }

// Parts is the number of parts, for kernels that keep scratch for each.
func (r *Rows) Parts() int { return r.parts }

// Needs is the temp memory that Run takes.
func (r *Rows) Needs() []memory.Need { return blocks(r.block * r.parts) }

// RowNeeds is the temp memory that rows of at most n elements take at most, where shapes may change: each row is copied
// in and out in the widest of the types.
func RowNeeds(n, outs int) []memory.Need {
	block := pad(8*n) * (1 + 2*outs)
	return blocks(max(block, min(MaxParts*block, rowMemory)))
}

// Run does the call.
func (r *Rows) Run(s *executor.Scope) error {
	if r.count == 0 {
		return nil
	}
	if r.block > 0 {
		var err error
		if r.temp, err = s.TempBytes(r.block * r.parts); err != nil {
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

// Do does one part; it is called by the worker pool.
func (r *Rows) Do(part int) {
	lo, hi := Part(r.count, r.parts, part, 1)
	if lo == hi {
		return
	}
	temp := r.temp[part*r.block:][:r.block]
	var cur, step Cursor
	var ocur [3]Cursor
	r.across.Seek(&cur, lo)
	for k := range r.nouts {
		r.outs[k].across.Seek(&ocur[k], lo)
	}
	outs := &r.slots[part].outs
	size := r.as.Size()
	for row := lo; row < hi; row++ {
		var src []byte
		if r.direct {
			src = r.in.Data[cur.Off*size:][:r.n*size]
		} else {
			src = temp[:r.n*size]
			r.along.Seek(&step, 0)
			step.Off += cur.Off
			r.along.Gather(&step, r.load, src, r.in.Data, size, r.n)
		}
		for k := range r.nouts {
			o := &r.outs[k]
			if o.direct {
				s := o.to.Size()
				outs[k] = o.t.Data[ocur[k].Off*s:][:o.n*s]
			} else {
				outs[k] = temp[o.buf:][:o.n*o.as.Size()]
			}
		}
		r.Kernel.Row(part, row, outs, src)
		for k := range r.nouts {
			o := &r.outs[k]
			if !o.direct {
				wide := outs[k]
				if o.as != o.to {
					wide = temp[o.wide:][:o.n*o.to.Size()]
					o.store(wide, outs[k], 0, 1, o.n)
				}
				o.along.Seek(&step, 0)
				step.Off += ocur[k].Off
				o.along.Scatter(&step, o.t.Data, wide, o.to.Size(), o.n)
			}
			o.across.Skip(&ocur[k], 1)
		}
		r.across.Skip(&cur, 1)
	}
}
