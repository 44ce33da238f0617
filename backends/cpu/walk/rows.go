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
	Kernel  RowKernel
	Columns Columns       // nil: row by row
	Beside  ColumnsKernel // instead of Columns, where there are more outputs; may be nil
	Narrow  bool          // either is faster than row by row for few rows too

	in     *executor.Tensor
	as     executor.DType // what the kernel takes
	cast   Cast           // to that
	n      int            // elements of a row
	count  int            // rows
	across View
	along  View
	direct bool
	outs   [3]rowOut
	nouts  int
	parts  int
	width  int     // rows that go to Columns together; 0: none
	least  int     // rows that are worth that
	sides  [2]side // what Columns takes and gives
	there  bool    // those are where they lie
	step   int     // rows behind one another that go to Kernel together; 0: none
	tile   int     // rows that are read and written together, line by line
	block  int     // bytes of temp memory for each part
	temp   []byte
	slots  []rowSlot // by part, so that kernels behind an interface do not make them escape
}

type rowSlot struct{ outs, all [3][]byte }

type rowOut struct {
	t      *executor.Tensor
	cast   Cast // from what the kernel gives
	n      int
	across View
	along  View
	direct bool
	there  bool // rows that go to Kernel together are where they lie
	buf    int
	wide   int // where converted elements of one row wait to be scattered
}

// Out is an output of Rows: a tensor of the input's rank, equal to it outside the row's dimensions, and the type in which
// the kernel writes it.
type Out struct {
	Tensor *executor.Tensor
	As     executor.DType
}

// Plan sets up rows of in along dims, which the kernel takes as type as.
func (r *Rows) Plan(in *executor.Tensor, dims arg.Dims, as executor.DType, outs ...Out) error {
	if err := r.cast.Set(in.DType, as); err != nil {
		return err
	}
	r.in, r.as, r.nouts = in, as, len(outs)
	order := outs[0].Tensor.Strides
	cut(&r.across, &r.along, in, dims, order)
	r.count, r.n = r.across.N, r.along.N
	r.direct = r.cast.Same() && r.along.Packed()
	r.tile = 1
	if !r.direct && r.across.Stride[r.across.Rank-1] == 1 && r.along.Rank == 1 {
		widest := as.Size()
		for _, o := range outs {
			widest = max(widest, o.As.Size())
		}
		r.tile = max(1, min(lines, r.across.Size[r.across.Rank-1], tileMemory/max(r.n*widest, 1)))
	}
	r.block = 0
	if !r.direct {
		r.block = r.tile * pitch(r.n, as)
	}
	for k, o := range outs {
		ro := &r.outs[k]
		ro.t = o.Tensor
		if err := ro.cast.Set(o.As, o.Tensor.DType); err != nil {
			return err
		}
		cut(&ro.across, &ro.along, o.Tensor, dims, order)
		ro.n = ro.along.N
		ro.direct = ro.cast.Same() && ro.along.Packed()
		ro.buf = r.block
		if !ro.direct {
			r.block += r.tile * pitch(ro.n, ro.cast.From)
			if ro.wide = r.block; !ro.cast.Same() {
				r.block += pad(ro.n * ro.cast.To.Size())
			}
		}
	}
	r.step = 0
	if r.columns(); r.width == 0 {
		r.together()
	}
	work := r.count * max(r.n, 1)
	r.parts = max(1, min(Parts(work), (r.count+r.unit()-1)/r.unit()))
	if r.block > 0 {
		r.parts = min(r.parts, max(1, rowMemory/r.block))
	}
	if len(r.slots) < r.parts {
		r.slots = make([]rowSlot, r.parts)
	}
	return nil
}

// lines is how many neighbouring rows are read together where a row's elements lie apart: as many as share a cache line.
// tileMemory bounds what they take.
const (
	lines      = 16
	tileMemory = 1 << 17
)

// pitch is the bytes from one row of a tile to the next; the odd line keeps rows of 2ⁿ elements from sharing a cache set.
func pitch(n int, d executor.DType) int { return pad(n*d.Size()) + 64 }

// rowMemory bounds the temp memory that several parts take together; a single row may need more.
const rowMemory = 1 << 20

// pad is what a block of n bytes takes.
func pad(n int) int { return (n + 63) &^ 63 }

// cut lays one view over the dimensions outside dims, in the given order, and one over those inside, in logical order.
func cut(across, along *View, t *executor.Tensor, dims arg.Dims, order []int) {
	var outer [arg.MaxRank]int
	*across, *along = View{N: 1}, View{N: 1}
	for d, n := range t.Sizes {
		if dims.Has(d) {
			along.Add(n, t.Strides[d])
			continue
		}
		outer[across.Rank] = order[d]
		across.Add(n, t.Strides[d])
	}
	across.Merge(outer[:])
	along.Join()
}

// Len is the number of elements of a row.
func (r *Rows) Len() int { return r.n }

// Parts is the number of parts, for kernels that keep scratch for each.
func (r *Rows) Parts() int { return r.parts }

// Needs is the temp memory that Run takes.
func (r *Rows) Needs() []memory.Need { return blocks(r.block * r.parts) }

// RowNeeds is the temp memory that rows of at most n elements take at most, in a tensor of at most bound elements, where
// shapes may change. No block holds more elements than the tensor has, each as wide as any.
func RowNeeds(n, bound, outs int) []memory.Need {
	row := 8 * min(n, bound)
	tiles := (1+outs)*(min(8*bound, max(row, tileMemory))+2*64*lines) + outs*(row+64)
	columns := min(2*(8+8)*bound, columnMemory) + 4*64
	together := (1 + outs) * (max(row, min(8*bound, 8*convertBlock)) + 64)
	block := max(tiles, columns, together)
	return blocks(max(block, min(Parts(bound)*block, rowMemory)))
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
	lo, hi := Part(r.count, r.parts, part, r.unit())
	if lo == hi {
		return
	}
	temp := r.temp[part*r.block:][:r.block]
	switch {
	case r.width > 0:
		r.doColumns(part, lo, hi, temp)
		return
	case r.step > 0:
		r.doTogether(part, lo, hi, temp)
		return
	}
	var t turnOver
	r.across.Seek(&t.in, lo)
	for k := range r.nouts {
		r.outs[k].across.Seek(&t.out[k], lo)
	}
	for row := lo; row < hi; {
		n := min(r.tile, hi-row, r.across.Left(&t.in))
		r.rowsOf(part, row, n, &t, temp)
		row += n
	}
}

// turnOver is where a part stands.
type turnOver struct {
	in  Cursor
	out [3]Cursor
}

// rowsOf does n neighbouring rows.
func (r *Rows) rowsOf(part, row, n int, t *turnOver, temp []byte) {
	size := r.as.Size()
	together := n > 1 && r.n > 0 && r.cast.Same()
	if together {
		fetchLines(temp, pitch(r.n, r.as), r.in.Data, t.in.Off, r.along.Stride[0], size, r.n, n)
	}
	outs := &r.slots[part].outs
	var first [3]int
	for k := range r.nouts {
		first[k] = t.out[k].Off
	}
	for j := range n {
		var src []byte
		switch {
		case r.n == 0:
		case r.direct:
			src = r.in.Data[t.in.Off*size:][:r.n*size]
		case together:
			src = temp[j*pitch(r.n, r.as):][:r.n*size]
		default:
			src = temp[:r.n*size]
			var step Cursor
			r.along.Seek(&step, 0)
			step.Off += t.in.Off
			r.along.Gather(&step, r.cast.Load, src, r.in.Data, size, r.n)
		}
		for k := range r.nouts {
			o := &r.outs[k]
			s := o.cast.From.Size()
			if o.n == 0 {
				outs[k] = nil
			} else if o.direct {
				outs[k] = o.t.Data[t.out[k].Off*s:][:o.n*s]
			} else {
				outs[k] = temp[o.buf+j*pitch(o.n, o.cast.From):][:o.n*s]
			}
		}
		r.Kernel.Row(part, row+j, outs, src)
		for k := range r.nouts {
			o := &r.outs[k]
			if o.n > 0 && !o.direct && !o.lined(n, first[k]) {
				o.put(t.out[k].Off, outs[k], temp)
			}
			o.across.Skip(&t.out[k], 1)
		}
		r.across.Skip(&t.in, 1)
	}
	for k := range r.nouts {
		if o := &r.outs[k]; o.n > 0 && !o.direct && o.lined(n, first[k]) {
			putLines(o.t.Data, first[k], o.along.Stride[0], temp[o.buf:], pitch(o.n, o.cast.From), o.cast.From.Size(), o.n, n)
		}
	}
}

// lined says whether n rows from element off on lie side by side in the output, one row's elements apart.
func (o *rowOut) lined(n, off int) bool {
	return n > 1 && o.cast.Same() && o.along.Rank == 1 && o.across.Stride[o.across.Rank-1] == 1 && o.across.Size[o.across.Rank-1]-off%o.across.Size[o.across.Rank-1] >= n
}

// put stores one row.
func (o *rowOut) put(off int, row, temp []byte) {
	if !o.cast.Same() {
		wide := temp[o.wide:][:o.n*o.cast.To.Size()]
		o.cast.Load(wide, row, 0, 1, o.n)
		row = wide
	}
	var step Cursor
	o.along.Seek(&step, 0)
	step.Off += off
	o.along.Scatter(&step, o.t.Data, row, o.cast.To.Size(), o.n)
}

// fetchLines turns n elements of each of rows neighbouring rows round: from side by side to one after the other.
func fetchLines(dst []byte, pitch int, src []byte, off, stride, size, n, rows int) {
	switch size {
	case 1:
		readLines[uint8](dst, pitch, src, off, stride, n, rows)
	case 2:
		readLines[uint16](dst, pitch/2, src, off, stride, n, rows)
	case 4:
		readLines[uint32](dst, pitch/4, src, off, stride, n, rows)
	case 8:
		readLines[uint64](dst, pitch/8, src, off, stride, n, rows)
	default:
		readLines[complex128](dst, pitch/16, src, off, stride, n, rows)
	}
}

func putLines(dst []byte, off, stride int, src []byte, pitch, size, n, rows int) {
	switch size {
	case 1:
		writeLines[uint8](dst, off, stride, src, pitch, n, rows)
	case 2:
		writeLines[uint16](dst, off, stride, src, pitch/2, n, rows)
	case 4:
		writeLines[uint32](dst, off, stride, src, pitch/4, n, rows)
	case 8:
		writeLines[uint64](dst, off, stride, src, pitch/8, n, rows)
	default:
		writeLines[complex128](dst, off, stride, src, pitch/16, n, rows)
	}
}

func readLines[T executor.Element](dst []byte, pitch int, src []byte, off, stride, n, rows int) {
	d, s := executor.SliceBytes[T](dst), executor.SliceBytes[T](src)
	for i := range n {
		at := i
		for _, x := range s[off : off+rows] {
			d[at] = x
			at += pitch
		}
		off += stride
	}
}

func writeLines[T executor.Element](dst []byte, off, stride int, src []byte, pitch, n, rows int) {
	d, s := executor.SliceBytes[T](dst), executor.SliceBytes[T](src)
	for i := range n {
		at := i
		line := d[off : off+rows]
		for j := range line {
			line[j] = s[at]
			at += pitch
		}
		off += stride
	}
}
