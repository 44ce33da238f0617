package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Copy moves elements into an output as a View says, converting where the types differ: the whole of permute, slice,
// expand, cast and change of dim order. It is the state of a call site; Run allocates nothing.
//
// The elements that the view touches must lie inside the source: the caller has checked sizes and bounds.
type Copy struct {
	View View

	out, in *executor.Tensor
	load    Load
	from    executor.DType
	to      executor.DType
	parts   int
	unit    int  // positions that stay in one part
	turned  bool // the last two dimensions are a transposed matrix
	short   bool // the last dimension is: elements are copied by the last two
}

// Plan sets the copy up for the View that the caller has filled in and merged. from is the type that in's bytes are taken
// for, which is its own but for parts of complex numbers.
func (c *Copy) Plan(out, in *executor.Tensor, from executor.DType) error {
	c.out, c.in = out, in
	if c.load == nil || c.from != from || c.to != out.DType {
		c.from, c.to = from, out.DType
		if c.load = Loader(c.from, c.to); c.load == nil {
			return arg.NoConversion(c.from, c.to)
		}
	}
	c.parts, c.unit = Parts(c.View.N), 64
	v := &c.View
	last := v.Rank - 1
	c.turned = v.Rank > 1 && c.from == c.to && c.to.Size() <= 8 && v.Stride[last-1] == 1 && v.Stride[last] > 1 && v.Size[last-1] >= 4 && v.Size[last] >= 4
	c.short = !c.turned && v.Rank > 1 && c.from == c.to && v.Size[last] <= shortRun
	switch {
	case c.turned:
		c.unit = v.Size[last] * v.Size[last-1]
	case c.short:
		c.unit = v.Size[last]
	}
	return nil
}

// Run does the copy.
func (c *Copy) Run(s *executor.Scope) error {
	switch {
	case c.View.N == 0:
	case c.View.Packed() && c.from == c.to && c.parts == 1:
		size := c.to.Size()
		copy(c.out.Data, c.in.Data[c.View.Base*size:])
	case c.parts == 1:
		c.Do(0)
	default:
		s.Parallel(c.parts, c)
	}
	return nil
}

// Do does one part; it is called by the worker pool.
func (c *Copy) Do(part int) {
	if c.turned && c.View.N/c.unit < c.parts {
		c.doRows(part)
		return
	}
	lo, hi := Part(c.View.N, c.parts, part, c.unit)
	if lo == hi {
		return
	}
	var cur Cursor
	c.View.Seek(&cur, lo)
	size := c.to.Size()
	if c.turned {
		v := &c.View
		rows := v.Size[v.Rank-2]
		for p := lo; p < hi; p += c.unit {
			c.turn(cur.Off, p, rows)
			for range rows {
				v.Skip(&cur, v.Size[v.Rank-1])
			}
		}
		return
	}
	if c.short {
		c.doShort(&cur, lo, hi)
		return
	}
	c.View.Gather(&cur, c.load, c.out.Data[lo*size:hi*size], c.in.Data, size, hi-lo)
}

// shortRun is up to which length runs are copied many at a time.
const shortRun = 32

// doShort does positions lo to hi, which are whole runs.
func (c *Copy) doShort(cur *Cursor, lo, hi int) {
	v := &c.View
	last := v.Rank - 1
	width := v.Size[last]
	for p := lo; p < hi; {
		runs := min(v.Size[last-1]-cur.index[last-1], (hi-p)/width)
		Runs(c.out.Data, p, width, c.in.Data, cur.Off, v.Stride[last-1], v.Stride[last], c.to.Size(), width, runs)
		if p += runs * width; p < hi {
			v.Seek(cur, p)
		}
	}
}

// Runs copies short runs of width elements of the given size: to dst from element i on, di apart, from src from element j
// on, dj apart; within a run the elements of src are step apart.
func Runs(dst []byte, i, di int, src []byte, j, dj, step, size, width, runs int) {
	switch size {
	case 1:
		copyRuns[uint8](dst, i, di, src, j, dj, step, width, runs)
	case 2:
		copyRuns[uint16](dst, i, di, src, j, dj, step, width, runs)
	case 4:
		copyRuns[uint32](dst, i, di, src, j, dj, step, width, runs)
	case 8:
		copyRuns[uint64](dst, i, di, src, j, dj, step, width, runs)
	default:
		copyRuns[complex128](dst, i, di, src, j, dj, step, width, runs)
	}
}

func copyRuns[T executor.Element](dst []byte, i, di int, src []byte, j, dj, step, width, runs int) {
	y, x := executor.SliceBytes[T](dst), executor.SliceBytes[T](src)
	for range runs {
		to := y[i:][:width]
		switch {
		case step == 1 && width > 8:
			copy(to, x[j:])
		case step == 1:
			for k, v := range x[j:][:width] {
				to[k] = v
			}
		case step == 0:
			v := x[j]
			for k := range to {
				to[k] = v
			}
		default:
			at := j
			for k := range to {
				to[k] = x[at]
				at += step
			}
		}
		i += di
		j += dj
	}
}

// doRows does one part of a few large matrices: some of the rows of each.
func (c *Copy) doRows(part int) {
	v := &c.View
	rows, width := v.Size[v.Rank-2], v.Size[v.Rank-1]
	lo, hi := Part(rows, c.parts, part, 8)
	if lo == hi {
		return
	}
	var cur Cursor
	for p := 0; p < v.N; p += c.unit {
		v.Seek(&cur, p+lo*width)
		c.turn(cur.Off, p+lo*width, hi-lo)
	}
}

// turn writes rows of a matrix at position p, whose columns lie one after the other in the input from element off on.
func (c *Copy) turn(off, p, rows int) {
	v := &c.View
	width, stride := v.Size[v.Rank-1], v.Stride[v.Rank-1]
	switch c.to.Size() {
	case 1:
		turn[uint8](c.out.Data, c.in.Data, p, off, rows, width, stride)
	case 2:
		turn[uint16](c.out.Data, c.in.Data, p, off, rows, width, stride)
	case 4:
		turn[uint32](c.out.Data, c.in.Data, p, off, rows, width, stride)
	default:
		turn[uint64](c.out.Data, c.in.Data, p, off, rows, width, stride)
	}
}

// turn goes through the matrix in squares, so that the lines of both sides stay in the cache.
func turn[T executor.Element](dst, src []byte, p, off, rows, width, stride int) {
	const square = 16
	d, s := executor.SliceBytes[T](dst)[p:], executor.SliceBytes[T](src)[off:]
	for i := 0; i < rows; i += square {
		n := min(square, rows-i)
		for j := 0; j < width; j += square {
			for k := j; k < min(j+square, width); k++ {
				line := s[k*stride+i:][:n]
				at := i*width + k
				for _, x := range line {
					d[at] = x
					at += width
				}
			}
		}
	}
}
