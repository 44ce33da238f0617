package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// View is how an output sees one input: for each position of the output in its memory order (outputs are packed by
// construction, so the position is a count), which element of the input belongs there. Strides are in elements, 0 where
// the input is broadcast, negative where it is read backwards. Dimensions of size 1 are left out and neighbours are
// merged where possible, so that tensors that lie alike become one run, whatever their dim order.
//
// A View is a value without pointers; making one allocates nothing.
type View struct {
	N      int // elements of the output
	Rank   int // dimensions left, at least 1
	Base   int // element of the input that the first position sees
	Size   [arg.MaxRank]int
	Stride [arg.MaxRank]int
}

// See lays a view of in, which must broadcast to out's shape. A nil input is a single number.
func (v *View) See(out, in *executor.Tensor) error {
	v.Start(out)
	if in != nil {
		lead := len(out.Sizes) - len(in.Sizes)
		if lead < 0 {
			return broadcastError(in.Sizes, out.Sizes)
		}
		for d, n := range in.Sizes {
			switch {
			case n == out.Sizes[d+lead]:
				v.Stride[d+lead] = in.Strides[d]
			case n != 1:
				return broadcastError(in.Sizes, out.Sizes)
			}
		}
	}
	v.Merge(out.Strides)
	return nil
}

func broadcastError(from, to []int) error {
	return fault.New(fault.InvalidArgument, "", "a shape that broadcasts to "+arg.List(to), arg.List(from))
}

// Start begins a view by hand: over out's shape, with all strides 0. The caller sets Base and, by out's dimensions,
// Stride, then calls Merge with out's strides.
func (v *View) Start(out *executor.Tensor) {
	v.N, v.Rank, v.Base = 1, len(out.Sizes), 0
	for d, n := range out.Sizes {
		v.Size[d], v.Stride[d] = n, 0
		v.N *= n
	}
}

// Add adds a dimension to a view that is begun by hand, with N at 1 at first.
func (v *View) Add(n, stride int) {
	v.Size[v.Rank], v.Stride[v.Rank] = n, stride
	v.Rank++
	v.N *= n
}

// Broadcast lays a view in row-major order over a shape that elements of the given sizes and strides broadcast to.
func (v *View) Broadcast(sizes, strides, shape []int) {
	*v = View{N: 1}
	lead := len(shape) - len(sizes)
	for d, n := range shape {
		if d >= lead && sizes[d-lead] != 1 {
			v.Add(n, strides[d-lead])
		} else {
			v.Add(n, 0)
		}
	}
	v.Join()
}

// Merge puts the dimensions into the output's memory order and joins what can be joined. strides are the output's.
func (v *View) Merge(strides []int) {
	var order [arg.MaxRank]int
	n := 0
	for d := range v.Rank {
		if v.Size[d] != 1 {
			order[n] = d
			n++
		}
	}
	OutermostFirst(order[:n], strides)
	size, stride := v.Size, v.Stride
	for i, d := range order[:n] {
		v.Size[i], v.Stride[i] = size[d], stride[d]
	}
	v.Rank = n
	v.Join()
}

// OutermostFirst puts dimensions into memory order, those of larger strides first; those of equal ones stay as they are.
func OutermostFirst(dims, strides []int) {
	for n, d := range dims {
		i := n
		for i > 0 && strides[dims[i-1]] < strides[d] {
			dims[i] = dims[i-1]
			i--
		}
		dims[i] = d
	}
}

// Join is Merge for dimensions that are in their order already.
func (v *View) Join() {
	m := 0
	for d := range v.Rank {
		n, stride := v.Size[d], v.Stride[d]
		switch {
		case n == 1:
		case m > 0 && v.Stride[m-1] == stride*n:
			v.Size[m-1] *= n
			v.Stride[m-1] = stride
		default:
			v.Size[m], v.Stride[m] = n, stride
			m++
		}
	}
	if m == 0 {
		v.Size[0], v.Stride[0] = 1, 1
		m = 1
	}
	v.Rank = m
}

// Packed says whether the output sees the input's elements one after the other.
func (v *View) Packed() bool { return v.Rank == 1 && v.Stride[0] == 1 }

// Single says whether every position sees the same element.
func (v *View) Single() bool { return v.Rank == 1 && (v.Stride[0] == 0 || v.Size[0] == 1) }

// Bounds gives the lowest and the highest element that the view touches; it must not be empty.
func (v *View) Bounds() (lo, hi int) {
	lo, hi = v.Base, v.Base
	for d := range v.Rank {
		if x := (v.Size[d] - 1) * v.Stride[d]; x < 0 {
			lo += x
		} else {
			hi += x
		}
	}
	return lo, hi
}

// Cursor is a position in a view: the element of the input that belongs there.
type Cursor struct {
	Off   int
	index [arg.MaxRank]int
}

// Seek puts the cursor on position p.
func (v *View) Seek(c *Cursor, p int) {
	c.Off = v.Base
	if p == 0 { // most begin there: nothing to divide
		clear(c.index[:v.Rank])
		return
	}
	for d := v.Rank - 1; d >= 0; d-- {
		n := v.Size[d]
		i := p % n
		p /= n
		c.index[d] = i
		c.Off += i * v.Stride[d]
	}
}

// Left is the number of positions up to the end of the innermost run.
func (v *View) Left(c *Cursor) int { return v.Size[v.Rank-1] - c.index[v.Rank-1] }

// Skip moves the cursor n positions on; n is at most Left.
func (v *View) Skip(c *Cursor, n int) {
	d := v.Rank - 1
	c.index[d] += n
	c.Off += n * v.Stride[d]
	v.carry(c, d)
}

// carry moves the cursor on to the next index of outer dimensions where it is at the end of dimension d.
func (v *View) carry(c *Cursor, d int) {
	for c.index[d] == v.Size[d] && d > 0 {
		c.Off += v.Stride[d-1] - v.Size[d]*v.Stride[d]
		c.index[d] = 0
		d--
		c.index[d]++
	}
}

// Gather loads the next n positions into dst and moves the cursor on. size is the size of an element in dst.
func (v *View) Gather(c *Cursor, load Load, dst, src []byte, size, n int) {
	stride := v.Stride[v.Rank-1]
	for n > 0 {
		k := min(n, v.Left(c))
		load(dst, src, c.Off, stride, k)
		dst = dst[k*size:]
		v.Skip(c, k)
		n -= k
	}
}

// Broadcast writes the shape that the tensors broadcast to into buf[:0]; nil tensors do not count.
func Broadcast(buf []int, ts ...*executor.Tensor) ([]int, error) {
	rank := 0
	for _, t := range ts {
		if t != nil {
			rank = max(rank, len(t.Sizes))
		}
	}
	buf = buf[:0]
	for range rank {
		buf = append(buf, 1)
	}
	for _, t := range ts {
		if t == nil {
			continue
		}
		lead := rank - len(t.Sizes)
		for d, n := range t.Sizes {
			have := &buf[d+lead]
			switch {
			case *have == n || n == 1:
			case *have == 1:
				*have = n
			default:
				return nil, broadcastError(t.Sizes, buf)
			}
		}
	}
	return buf, nil
}

// RowMajor lays a view of elements that lie in logical order, one for each of t's.
func (v *View) RowMajor(t *executor.Tensor) {
	v.Start(t)
	n := 1
	for d := len(t.Sizes) - 1; d >= 0; d-- {
		v.Stride[d] = n
		n *= max(t.Sizes[d], 1)
	}
}

// Logical lays a view of t in row-major order, whatever the order in memory.
func (v *View) Logical(t *executor.Tensor) {
	v.Broadcast(t.Sizes, t.Strides, t.Sizes)
}

// Transfer moves the next n positions of one view to the next n positions of another, both strided as they like. size is
// the size of an element, which both share.
func Transfer(dst []byte, to *View, tc *Cursor, src []byte, from *View, fc *Cursor, size, n int) {
	ts, fs := to.Stride[to.Rank-1], from.Stride[from.Rank-1]
	for n > 0 {
		k := min(n, to.Left(tc), from.Left(fc))
		switch size {
		case 1:
			stride[uint8](dst, tc.Off, ts, src, fc.Off, fs, k)
		case 2:
			stride[uint16](dst, tc.Off, ts, src, fc.Off, fs, k)
		case 4:
			stride[uint32](dst, tc.Off, ts, src, fc.Off, fs, k)
		case 8:
			stride[uint64](dst, tc.Off, ts, src, fc.Off, fs, k)
		case 16:
			stride[complex128](dst, tc.Off, ts, src, fc.Off, fs, k)
		}
		to.Skip(tc, k)
		from.Skip(fc, k)
		n -= k
	}
}

func stride[T executor.Element](dst []byte, i, di int, src []byte, j, dj, n int) {
	y, x := executor.SliceBytes[T](dst), executor.SliceBytes[T](src)
	if di == 1 && dj == 1 {
		copy(y[i:i+n], x[j:j+n])
		return
	}
	for range n {
		y[i] = x[j]
		i += di
		j += dj
	}
}

// Scatter stores n packed elements of src at the next n positions and moves the cursor on.
func (v *View) Scatter(c *Cursor, dst, src []byte, size, n int) {
	flat := View{N: n, Rank: 1}
	flat.Size[0], flat.Stride[0] = n, 1
	var from Cursor
	Transfer(dst, v, c, src, &flat, &from, size, n)
}
