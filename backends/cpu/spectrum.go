package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fft"
	"github.com/ptero-rt/ptero/executor"
)

// spectrum is the steps of a transform, one a dimension, in the order in which they are done.
type spectrum[T fft.Float] struct {
	steps []fft.Rows[T] // count of them are in use
	count int
}

// place is where numbers lie: a tensor's, or those of its shape in temp memory, in row-major order.
type place struct {
	t       *executor.Tensor
	strides [arg.MaxRank]int // in floats
	real    bool
	temp    bool
}

func (c *fftCall) place(t *executor.Tensor, temp bool) place {
	p := place{t: t, real: arg.Floats.Has(t.DType), temp: temp}
	copy(p.strides[:], t.Strides)
	if temp {
		step := 1
		for d := t.Rank() - 1; d >= 0; d-- {
			p.strides[d] = step
			step *= t.Sizes[d]
		}
	}
	for d := range t.Rank() {
		if !p.real {
			p.strides[d] *= 2
		}
	}
	return p
}

// none stands for the dimension of a transform along no dimension at all: a copy.
const none = -1

// step says what step i takes and gives, and along which dimension.
func (c *fftCall) step(i int) (dim int, from, to place) {
	from, to = c.place(c.out, false), c.place(c.out, false)
	if dim = c.dims[i]; c.ndims == 0 {
		dim = none
	}
	if i == 0 {
		from = c.place(c.in, false)
	}
	if c.kind == realOut {
		last := c.ndims - 1
		if dim = c.dims[last-i]; i > 0 {
			from = c.place(c.in, true)
		}
		if i < last {
			to = c.place(c.in, true)
		}
	}
	return dim, from, to
}

func (f *spectrum[T]) plan(c *fftCall) {
	f.count = max(c.ndims, 1)
	for len(f.steps) < f.count {
		f.steps = append(f.steps, fft.Rows[T]{})
	}
	for i := range f.count {
		dim, from, to := c.step(i)
		kind, scale := fft.Complex, 1.0
		switch {
		case from.real && c.full:
			kind = fft.RealInFull
		case from.real:
			kind = fft.RealIn
		case to.real:
			kind = fft.RealOut
		}
		if i == f.count-1 {
			scale = c.scale
		}
		var others [arg.MaxRank]fft.Axis
		n := 0
		for d, size := range to.t.Sizes {
			if d != dim {
				others[n] = fft.Axis{Size: size, In: from.strides[d], Out: to.strides[d]}
				n++
			}
		}
		f.steps[i].Plan(kind, c.length(dim), c.inverse, scale, others[:n])
	}
}

func (f *spectrum[T]) bytes(c *fftCall) int {
	var z T
	size, most := 8, 0
	if _, ok := any(z).(float32); ok {
		size = 4
	}
	for i := range f.count {
		most = max(most, f.steps[i].Floats())
	}
	return size * (2*c.total + most)
}

func (f *spectrum[T]) run(s *executor.Scope, c *fftCall, temp []T) {
	kept, temp := temp[:2*c.total], temp[2*c.total:]
	for i := range f.count {
		dim, from, to := c.step(i)
		r := &f.steps[i]
		r.Setup(side(from, kept, dim), side(to, kept, dim), temp)
		s.Parallel(r.Parts(), r)
	}
}

func side[T fft.Float](p place, kept []T, dim int) fft.Side[T] {
	x := kept
	if !p.temp {
		x = executor.SliceBytes[T](p.t.Data)
	}
	step := 0
	if dim != none {
		step = p.strides[dim]
	}
	if p.real {
		return fft.Reals(x, step)
	}
	return fft.Complexes(x, step)
}
