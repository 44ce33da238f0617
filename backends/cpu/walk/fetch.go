package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/plane"
	"github.com/ptero-rt/ptero/executor"
)

// run says what a block is filled with: n times element off, or n elements of runs that are all the same, from their
// element at on, which is off.
type run struct{ off, at, n int }

// gathering is where the gathered operands of a call stand, and what their blocks hold.
type gathering struct {
	cur  [3]Cursor
	held [3]run
}

// fetch gives the next n elements of operand k, in place where they lie together, else in its block.
func (x *mixed) fetch(k int, g *gathering, src, temp []byte, n int) []byte {
	in, v, c, held := &x.in[k], &x.views[k], &g.cur[k], &g.held[k]
	block := temp[in.buf:][:n*in.size]
	moved := in.Tensor.DType == in.Type && in.round == nil
	last := v.Rank - 1
	if moved && v.Stride[last] == 1 && v.Left(c) >= n {
		block = src[c.Off*in.size:][:n*in.size]
		v.Skip(c, n)
		return block
	}
	repeats := v.repeats(c, n)
	next := run{off: c.Off, n: n}
	if v.Stride[last] != 0 {
		next.at = c.index[last]
	}
	if repeats && held.n >= n && held.off == next.off && held.at == next.at {
		v.skip(c, n)
		return block
	}
	if *held = next; !repeats {
		held.n = 0
	}
	if moved && v.Rank > 1 && (v.Size[last] <= fewInRun || v.Stride[last] == 0) {
		v.gatherShort(c, in.load, block, src, in.size, n)
		return block
	}
	v.Gather(c, in.load, block, src, in.size, n)
	if in.round != nil {
		in.round(block, nil, 0, 1, n)
	}
	return block
}

// repeats says whether the next n positions see one element, or runs that are all the same.
func (v *View) repeats(c *Cursor, n int) bool {
	last := v.Rank - 1
	if v.Left(c) >= n {
		return v.Stride[last] == 0
	}
	if last == 0 || v.Stride[last-1] != 0 {
		return false
	}
	width := v.Size[last]
	return n%width == 0 && (v.Size[last-1]-c.index[last-1])*width-c.index[last] >= n
}

// skip moves the cursor over positions that repeat.
func (v *View) skip(c *Cursor, n int) {
	last := v.Rank - 1
	if v.Left(c) >= n {
		v.Skip(c, n)
		return
	}
	// Whole runs, after which the cursor is at the same place of one.
	runs := n / v.Size[last]
	if c.index[last] == 0 {
		v.skipRuns(c, runs)
		return
	}
	c.index[last-1] += runs
}

// fewInRun is up to which length runs are gathered many at a time.
const fewInRun = 32

// fewBytes are less than it pays to lay a plane for.
const fewBytes = 256

// gatherShort is Gather for short runs of elements that are not converted: many runs in one loop.
func (v *View) gatherShort(c *Cursor, load Load, dst, src []byte, size, n int) {
	last := v.Rank - 1
	width, step := v.Size[last], v.Stride[last]
	for n > 0 {
		runs := min(n/width, v.Size[last-1]-c.index[last-1])
		k := runs * width
		if c.index[last] > 0 || runs == 0 {
			k = min(n, v.Left(c))
			load(dst, src, c.Off, step, k)
			v.Skip(c, k)
		} else {
			v.runs(dst[:k*size], src, c.Off, load, size)
			v.skipRuns(c, runs)
		}
		dst = dst[k*size:]
		n -= k
	}
}

// runs writes whole runs from element off on.
func (v *View) runs(dst, src []byte, off int, load Load, size int) {
	last := v.Rank - 1
	width, step, next := v.Size[last], v.Stride[last], v.Stride[last-1]
	if step == 0 && (width > fewInRun || len(dst) >= fewBytes) {
		plane.Spread(dst, src, off, next, size, width)
		return
	}
	if width > fewInRun {
		for ; len(dst) > 0; dst, off = dst[width*size:], off+next {
			load(dst, src, off, step, width)
		}
		return
	}
	gatherRuns(size)(dst, src, off, next, step, width)
}

// skipRuns moves a cursor at the beginning of an innermost run over some of them, at most to the end of those around.
func (v *View) skipRuns(c *Cursor, runs int) {
	d := v.Rank - 2
	c.index[d] += runs
	c.Off += runs * v.Stride[d]
	v.carry(c, d)
}

// gatherRuns reads runs of width elements, step apart, which begin next apart.
func gatherRuns(size int) func(dst, src []byte, off, next, step, width int) {
	switch size {
	case 1:
		return runsOf[uint8]
	case 2:
		return runsOf[uint16]
	case 4:
		return runsOf[uint32]
	case 8:
		return runsOf[uint64]
	}
	return runsOf[complex128]
}

func runsOf[T executor.Element](dst, src []byte, off, next, step, width int) {
	d, s := executor.SliceBytes[T](dst), executor.SliceBytes[T](src)
	for ; len(d) >= width; d, off = d[width:], off+next {
		to := d[:width]
		switch {
		case step == 0:
			x := s[off]
			for i := range to {
				to[i] = x
			}
		case step == 1 && width > 8:
			copy(to, s[off:])
		default:
			at := off
			for i := range to {
				to[i] = s[at]
				at += step
			}
		}
	}
}
