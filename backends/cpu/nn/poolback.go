package nn

import (
	"fmt"
	"sync/atomic"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

var maxPoolBackSig = arg.Sign("aten::max_pool2d_with_indices_backward.grad_input", "grad_output self kernel_size stride padding dilation ceil_mode indices grad_input")

func maxPool2dBackward() executor.Op {
	return byFloat(maxPoolBackSig, func() site.Work { return &maxPoolBack[float32]{} }, func() site.Work { return &maxPoolBack[float64]{} })
}

// maxPoolBack adds each gradient to the element that was the largest.
type maxPoolBack[T float32 | float64] struct {
	grad, in, out, idx planes
	elems              widened[T]
	places             *executor.Tensor // the tensor of indices
	indices            []int64
	wrong              atomic.Int64 // 1 + the first plane with an index outside
}

func (m *maxPoolBack[T]) Needs() []memory.Need { return m.elems.needs() }

func (m *maxPoolBack[T]) Plan(args []*executor.Value) error {
	r := maxPoolBackSig.Read(args)
	grad := image(&r, 0, arg.Floats)
	x, idx, y := image(&r, 1, arg.Floats), image(&r, 7, arg.Of(arg.I64)), r.Like(8, grad)
	r.Like(1, grad)
	var w window
	w.read(&r, 2, 5, 6)
	out := w.outs(&r, 1, x)
	if r.Err != nil {
		return r.Err
	}
	if r.Resize(8, y, x.Sizes...); r.Err != nil {
		return r.Err
	}
	m.grad, m.in, m.idx, m.out = planesOf(grad), planesOf(x), planesOf(idx), planesOf(y)
	for n, p := range [...]planes{m.grad, m.idx} {
		if p.n != m.in.n || p.c != m.in.c || p.h != out[0] || p.w != out[1] {
			return maxPoolBackSig.Bad(n*7, fmt.Sprintf("planes of %v for %s", out, site.Sizes(x)), fmt.Sprintf("%d×%d×%d×%d", p.n, p.c, p.h, p.w))
		}
	}
	m.places = idx
	m.elems.plan(grad, y)
	return nil
}

func (m *maxPoolBack[T]) Run(s *executor.Scope) error {
	if err := m.elems.open(s); err != nil {
		return err
	}
	m.indices = executor.Slice[int64](m.places)
	m.wrong.Store(0)
	dense.Run(s, m.in.count(), m.in.count()*m.in.h*m.in.w, m)
	if plane := m.wrong.Load(); plane > 0 {
		return maxPoolBackSig.Bad(7, between(0, m.in.h*m.in.w-1), fmt.Sprint(m.outside(int(plane)-1)))
	}
	m.elems.close()
	return nil
}

// Do does one plane.
func (m *maxPoolBack[T]) Do(plane int) {
	g, idx := m.elems.x[m.grad.at(plane):], m.indices[m.idx.at(plane):]
	y, w, n := m.elems.y[m.out.at(plane):], m.out.w, m.out.h*m.out.w
	packed := m.out.sw == 1 && m.out.sh == w
	if packed {
		y = y[:n]
		clear(y)
	} else {
		for i := range n {
			y[i/w*m.out.sh+i%w*m.out.sw] = 0
		}
	}
	rows, columns := m.grad.h, m.grad.w
	along := m.grad.sw == 1 && m.idx.sw == 1
	if along && m.grad.sh == columns && m.idx.sh == columns { // one row after the other
		rows, columns = 1, rows*columns
	}
	for oy := range rows {
		gp, ip := g[oy*m.grad.sh:], idx[oy*m.idx.sh:]
		if packed && along {
			gp = gp[:columns]
			for k, i := range ip[:len(gp)] {
				if uint64(i) >= uint64(len(y)) {
					m.fail(plane)
					return
				}
				y[i] += gp[k]
			}
			continue
		}
		for k := range columns {
			i := ip[k*m.idx.sw]
			if uint64(i) >= uint64(n) {
				m.fail(plane)
				return
			}
			y[int(i)/w*m.out.sh+int(i)%w*m.out.sw] += gp[k*m.grad.sw]
		}
	}
}

// fail notes a plane with an index outside; of several the first counts, whoever meets it when.
func (m *maxPoolBack[T]) fail(plane int) {
	for {
		seen := m.wrong.Load()
		if seen > 0 && seen <= int64(plane) || m.wrong.CompareAndSwap(seen, int64(plane)+1) {
			return
		}
	}
}

// outside finds the first index of a plane that lies outside.
func (m *maxPoolBack[T]) outside(plane int) int64 {
	for oy := range m.idx.h {
		for ox := range m.idx.w {
			if i := m.indices[m.idx.at(plane)+oy*m.idx.sh+ox*m.idx.sw]; i < 0 || i >= int64(m.in.h*m.in.w) {
				return i
			}
		}
	}
	panic("BUG: no index outside")
}
