package nn

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// window is how a pooling window moves over a plane, height then width.
type window struct {
	kernel, stride, pad, dil [2]int
	ceil                     bool
}

// read reads kernel, stride and padding from at on, and the rest from the positions given (negative: absent).
func (w *window) read(r *arg.Reader, at, dil, ceil int) {
	if w.kernel = pair(r, at, 1, limit, [2]int{}); w.kernel[0] == 0 {
		r.Bad(at, "one or two numbers", "none")
	}
	w.stride = pair(r, at+1, 1, limit, w.kernel)
	w.pad = pair(r, at+2, 0, limit, [2]int{})
	for d := range 2 {
		if w.pad[d] > w.kernel[d]/2 {
			r.Bad(at+2, fmt.Sprintf("at most half the kernel %v", w.kernel), number(w.pad[d]))
		}
	}
	w.dil = [2]int{1, 1}
	if dil >= 0 {
		w.dil = pair(r, dil, 1, limit, w.dil)
	}
	w.ceil = r.Bool(ceil)
}

// outs is the number of windows along each dimension.
func (w *window) outs(r *arg.Reader, i int, x *executor.Tensor) (out [2]int) {
	if r.Err != nil {
		return out
	}
	for d := range 2 {
		out[d] = dense.Windows(x.Sizes[x.Rank()-2+d], w.kernel[d], w.stride[d], w.pad[d], w.dil[d], w.ceil)
		if out[d] < 1 {
			r.Bad(i, fmt.Sprintf("a plane that a window of %v fits", w.kernel), site.Sizes(x))
		}
	}
	return out
}

var maxPoolSig = arg.Sign("aten::max_pool2d_with_indices.out", "self kernel_size stride padding dilation ceil_mode out indices")

func maxPool2d() executor.Op {
	return byType(maxPoolSig, newMaxPool[float32], newMaxPool[float64], newMaxPool[uint8], newMaxPool[int8], newMaxPool[int16], newMaxPool[int32], newMaxPool[int64])
}

// maxPool takes the largest element of each window and its index y·W+x in the plane; the last NaN wins. A window without
// elements, which ceil mode and dilation can make, gives the least number and the place where it would begin.
type maxPool[T dense.Real] struct {
	window
	in, out, idx planes
	elems        widened[T]
	places       *executor.Tensor // the tensor of indices
	indices      []int64
	least        T
}

func newMaxPool[T dense.Real]() site.Work { return &maxPool[T]{least: least[T]()} }

func (m *maxPool[T]) Needs() []memory.Need { return m.elems.needs() }

func (m *maxPool[T]) Plan(args []*executor.Value) error {
	r := maxPoolSig.Read(args)
	x := image(&r, 0, numbers)
	y, idx := r.Like(6, x), r.Of(7, arg.Of(arg.I64))
	m.read(&r, 1, 4, 5)
	out := m.outs(&r, 0, x)
	resizePlanes(&r, 6, y, x, out)
	resizePlanes(&r, 7, idx, x, out)
	if r.Err != nil {
		return r.Err
	}
	m.in, m.out, m.idx = planesOf(x), planesOf(y), planesOf(idx)
	m.places = idx
	m.elems.plan(x, y)
	return nil
}

func (m *maxPool[T]) Run(s *executor.Scope) error {
	if err := m.elems.open(s); err != nil {
		return err
	}
	m.indices = executor.Slice[int64](m.places)
	dense.Run(s, m.out.count(), m.out.count()*m.out.h*m.out.w*m.kernel[0]*m.kernel[1], m)
	m.elems.close()
	return nil
}

// Do pools one plane.
func (m *maxPool[T]) Do(plane int) {
	in, out, idx := m.elems.x[m.in.at(plane):], m.out.at(plane), m.idx.at(plane)
	for oy := range m.out.h {
		y0, y1, dy := clip(oy*m.stride[0]-m.pad[0], m.kernel[0], m.dil[0], m.in.h)
		for ox := range m.out.w {
			x0, x1, dx := clip(ox*m.stride[1]-m.pad[1], m.kernel[1], m.dil[1], m.in.w)
			best, at := m.least, y0*m.in.w+x0
			if y0 < y1 && x0 < x1 {
				best, at = largest(in, &m.in, y0, y1, dy, x0, x1, dx)
			}
			m.elems.y[out+oy*m.out.sh+ox*m.out.sw] = best
			m.indices[idx+oy*m.idx.sh+ox*m.idx.sw] = int64(at)
		}
	}
}

// largest is the last NaN of a window, or else its first largest element, and where it is.
func largest[T dense.Real](in []T, p *planes, y0, y1, dy, x0, x1, dx int) (best T, at int) {
	best, at = in[y0*p.sh+x0*p.sw], y0*p.w+x0
	for y := y0; y < y1; y += dy {
		off := y*p.sh + x0*p.sw
		for x := x0; x < x1; x += dx {
			v := in[off]
			if v > best || v != v {
				best, at = v, y*p.w+x
			}
			off += dx * p.sw
		}
	}
	return best, at
}

// clip gives the elements of a window that lie within n: from, up to, step.
func clip(start, kernel, dil, n int) (lo, hi, step int) {
	lo, hi = start, min(start+(kernel-1)*dil+1, n)
	if lo < 0 {
		lo += (-lo + dil - 1) / dil * dil
	}
	return lo, hi, dil
}

// least is -∞, or the smallest integer.
func least[T dense.Real]() T {
	var x any
	switch any(T(0)).(type) {
	case int8:
		x = int8(math.MinInt8)
	case int16:
		x = int16(math.MinInt16)
	case int32:
		x = int32(math.MinInt32)
	case int64:
		x = int64(math.MinInt64)
	case float32:
		x = float32(math.Inf(-1))
	case float64:
		x = math.Inf(-1)
	default:
		return 0
	}
	return x.(T)
}
