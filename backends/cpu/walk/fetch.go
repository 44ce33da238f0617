package walk

import "github.com/ptero-rt/ptero/executor"

// run says which element a block is filled with, and how often.
type run struct{ off, n int }

// fetch gives the next n elements of operand k, in place where they lie together, else in its block.
func (x *mixed) fetch(k int, c *Cursor, held *run, src, temp []byte, n int) []byte {
	in, v := &x.in[k], &x.views[k]
	block := temp[in.buf:][:n*in.size]
	moved := in.Tensor.DType == in.Type && in.round == nil
	if v.Left(c) >= n {
		switch v.Stride[v.Rank-1] {
		case 1:
			if moved {
				block = src[c.Off*in.size:][:n*in.size]
				v.Skip(c, n)
				return block
			}
		case 0:
			if held.n >= n && held.off == c.Off {
				v.Skip(c, n)
				return block
			}
			*held = run{c.Off, n}
			v.Gather(c, in.load, block, src, in.size, n)
			if in.round != nil {
				in.round(block, nil, 0, 1, n)
			}
			return block
		}
	}
	held.n = 0
	if moved && v.Rank > 1 && v.Size[v.Rank-1] <= fewInRun {
		v.gatherShort(c, in.load, block, src, in.size, n)
		return block
	}
	v.Gather(c, in.load, block, src, in.size, n)
	if in.round != nil {
		in.round(block, nil, 0, 1, n)
	}
	return block
}

// fewInRun is up to which length runs are gathered many at a time.
const fewInRun = 32

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
			gatherRuns(size)(dst[:k*size], src, c.Off, v.Stride[last-1], step, width)
			v.skipRuns(c, runs)
		}
		dst = dst[k*size:]
		n -= k
	}
}

// skipRuns moves a cursor at the beginning of an innermost run over some of them, at most to the end of those around.
func (v *View) skipRuns(c *Cursor, runs int) {
	d := v.Rank - 2
	c.index[d] += runs
	c.Off += runs * v.Stride[d]
	for c.index[d] == v.Size[d] && d > 0 {
		c.Off += v.Stride[d-1] - v.Size[d]*v.Stride[d]
		c.index[d] = 0
		d--
		c.index[d]++
	}
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
