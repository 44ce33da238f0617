package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fft"
	"github.com/ptero-rt/ptero/executor"
)

// rows walks the full spectrum: rows along dimension dim, by the offset of their first element.
func (c *fftCall) rows(dim int, f func(first, step int)) {
	step := 1
	for d := dim + 1; d < c.rank; d++ {
		step *= c.shape[d]
	}
	n := c.shape[dim]
	for block := 0; block < c.total; block += step * n {
		for i := range step {
			f(block+i, step)
		}
	}
}

func (c *fftCall) transform(x, scratch []complex128, p *fft.Plan, dim int) {
	n := p.Len()
	c.rows(dim, func(first, step int) {
		if step == 1 {
			p.Transform(x[first:first+n], scratch, c.inverse)
			return
		}
		row, rest := scratch[:n], scratch[n:]
		for i := range row {
			row[i] = x[first+i*step]
		}
		p.Transform(row, rest, c.inverse)
		for i, v := range row {
			x[first+i*step] = v
		}
	})
}

// transformPairs is transform for the dimension of pairs. Forward, it completes the rows.
func (c *fftCall) transformPairs(x, scratch []complex128) {
	n := c.pairs.Len()
	for ; len(x) > 0; x = x[n:] {
		row := x[:n]
		if c.kind == realOut {
			c.pairs.Backward(row, scratch)
			continue
		}
		c.pairs.Forward(row, scratch)
		for i := n/2 + 1; i < n; i++ {
			v := row[n-i]
			row[i] = complex(real(v), -imag(v))
		}
	}
}

// mirror completes rows of which the first half is known, whose transform is real: what the imaginary parts of the first
// and the middle number say does not count.
func (c *fftCall) mirror(x []complex128) {
	n := c.shape[c.dims[0]]
	c.rows(c.dims[0], func(first, step int) {
		x[first] = complex(real(x[first]), 0)
		if n%2 == 0 {
			mid := first + n/2*step
			x[mid] = complex(real(x[mid]), 0)
		}
		for i := n/2 + 1; i < n; i++ {
			v := x[first+(n-i)*step]
			x[first+i*step] = complex(real(v), -imag(v))
		}
	})
}

// read loads the input in row-major order; on the way back only the first half of a row.
func (c *fftCall) read(x []complex128, bytes []byte) {
	if c.kind == realIn && c.pairs != nil {
		n := c.pairs.Len()
		for at := 0; at < c.total; at += n {
			c.loadPairs(bytes[16*at:], c.in.Data, at/2, 1, n/2)
		}
		return
	}
	c.overlap(c.in, func(at, off, step, n int) {
		c.load(bytes[16*at:], c.in.Data, off, step, n)
	})
}

// overlap visits what the full spectrum and tensor t both hold, in rows of the last dimension: where n numbers begin in
// either, and their step in t.
func (c *fftCall) overlap(t *executor.Tensor, f func(at, off, step, n int)) {
	var index [arg.MaxRank]int
	end := c.rank - 1
	width := c.shape[end]
	n := min(width, t.Sizes[end])
	off := 0
	for at := 0; at < c.total; at += width {
		inside := true
		for d := range end {
			inside = inside && index[d] < t.Sizes[d]
		}
		if inside {
			f(at, off, t.Strides[end], n)
		}
		for d := end - 1; d >= 0; d-- {
			off += t.Strides[d]
			if index[d]++; index[d] < c.shape[d] {
				break
			}
			off -= c.shape[d] * t.Strides[d]
			index[d] = 0
		}
	}
}

// write scales and rounds to the output's type.
func (c *fftCall) write(x []complex128) error {
	d := c.out.Data
	if c.kind == realOut && c.pairs != nil {
		if c.out.DType == arg.F32 {
			narrowPairs(c, executor.SliceBytes[complex64](d), x, func(v complex128) complex64 { return complex64(v) })
		} else {
			narrowPairs(c, executor.SliceBytes[complex128](d), x, func(v complex128) complex128 { return v })
		}
		return nil
	}
	switch c.out.DType {
	case arg.C64:
		narrow(c, executor.SliceBytes[complex64](d), x, func(v complex128) complex64 { return complex64(v) })
	case arg.C128:
		narrow(c, executor.SliceBytes[complex128](d), x, func(v complex128) complex128 { return v })
	case arg.F32:
		narrow(c, executor.SliceBytes[float32](d), x, func(v complex128) float32 { return float32(real(v)) })
	case arg.F64:
		narrow(c, executor.SliceBytes[float64](d), x, func(v complex128) float64 { return real(v) })
	default:
		return arg.NoConversion(arg.C128, c.out.DType)
	}
	return nil
}

func narrow[T executor.Element](c *fftCall, y []T, x []complex128, to func(complex128) T) {
	scale := c.scale
	c.overlap(c.out, func(at, off, step, n int) {
		for _, v := range x[at : at+n] {
			y[off] = to(complex(real(v)*scale, imag(v)*scale))
			off += step
		}
	})
}

func narrowPairs[T executor.Element](c *fftCall, y []T, x []complex128, to func(complex128) T) {
	n, scale := c.pairs.Len(), c.scale
	for ; len(x) > 0; x = x[n:] {
		for i, v := range x[:n/2] {
			y[i] = to(complex(real(v)*scale, imag(v)*scale))
		}
		y = y[n/2:]
	}
}
