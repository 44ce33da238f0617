package nn

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

var (
	avgPoolSig      = arg.Sign("aten::avg_pool2d.out", "self kernel_size stride padding ceil_mode count_include_pad divisor_override out")
	adaptivePoolSig = arg.Sign("aten::_adaptive_avg_pool2d.out", "self output_size out")
	avgTypes        = arg.Floats | arg.Of(arg.I64)
)

func avgPool2d() executor.Op {
	return site.Operator(avgPoolSig, func(args []*executor.Value) (site.Call, error) {
		return openAvg(avgPoolSig, args, func(m *mean, args []*executor.Value) error { return m.planWindows(args) })
	})
}

func adaptiveAvgPool2d() executor.Op {
	return site.Operator(adaptivePoolSig, func(args []*executor.Value) (site.Call, error) {
		return openAvg(adaptivePoolSig, args, func(m *mean, args []*executor.Value) error { return m.planAdaptive(args) })
	})
}

func openAvg(sig *arg.Signature, args []*executor.Value, plan func(*mean, []*executor.Value) error) (site.Call, error) {
	x, err := sig.Tensor(args, 0)
	if err != nil {
		return nil, err
	}
	m := mean{sig: sig, planner: plan}
	switch x.DType {
	case arg.F16, arg.BF16, arg.F32:
		return &avgPool[float32]{mean: m}, nil
	case arg.F64:
		return &avgPool[float64]{mean: m}, nil
	case arg.I64:
		return &avgPool[int64]{mean: m}, nil
	}
	return nil, sig.DType(0, x, avgTypes)
}

// mean is what average pooling knows before types: which elements each output averages, and over how many.
type mean struct {
	sig        *arg.Signature
	planner    func(*mean, []*executor.Value) error
	in, out    planes
	adaptive   bool
	win        window
	includePad bool
	divisor    int // 0: the count
}

func (m *mean) tensors(args []*executor.Value, out int) (x, y *executor.Tensor, err error) {
	if x, err = m.sig.Tensor(args, 0); err != nil {
		return
	}
	if y, err = m.sig.Tensor(args, out); err != nil {
		return
	}
	if y.DType != x.DType {
		return x, y, m.sig.Bad(out, x.DType.String(), y.DType.String())
	}
	return x, y, image(m.sig, 0, x)
}

func (m *mean) planWindows(args []*executor.Value) error {
	x, y, err := m.tensors(args, 7)
	if err != nil {
		return err
	}
	if err := m.win.read(m.sig, args, 1, -1, 4); err != nil {
		return err
	}
	if m.includePad, err = m.sig.Bool(args, 5); err != nil {
		return err
	}
	m.divisor = 0
	if !args[6].IsNone() {
		if m.divisor, err = m.sig.IntIn(args, 6, -limit, limit); err != nil {
			return err
		}
		if m.divisor == 0 {
			return m.sig.Bad(6, "anything but 0", "0")
		}
	}
	out, err := m.win.outs(m.sig, 0, x)
	if err != nil {
		return err
	}
	if err := resizePlanes(m.sig, 7, y, x, out[0], out[1]); err != nil {
		return err
	}
	m.in, m.out = planesOf(x), planesOf(y)
	return nil
}

func (m *mean) planAdaptive(args []*executor.Value) error {
	x, y, err := m.tensors(args, 2)
	if err != nil {
		return err
	}
	out, err := pair(m.sig, args, 1, 0, limit, [2]int{-1, -1})
	if err != nil {
		return err
	}
	if out[0] < 0 {
		return m.sig.Bad(1, "two numbers", "none")
	}
	if err := resizePlanes(m.sig, 2, y, x, out[0], out[1]); err != nil {
		return err
	}
	m.adaptive, m.in, m.out = true, planesOf(x), planesOf(y)
	return nil
}

// span gives the elements that output o of dimension d averages, and how many the window counts with padding.
func (m *mean) span(d, o, n, outs int) (lo, hi, counted int) {
	if m.adaptive {
		lo, hi = o*n/outs, ((o+1)*n+outs-1)/outs
		return lo, hi, hi - lo
	}
	lo = o*m.win.stride[d] - m.win.pad[d]
	hi = min(lo+m.win.kernel[d], n+m.win.pad[d])
	counted = hi - lo
	return max(lo, 0), min(hi, n), counted
}

// over is what the sum of a window is divided by: of h by w elements, or cy by cx with padding.
func (m *mean) over(h, w, cy, cx int) int {
	switch {
	case m.divisor != 0:
		return m.divisor
	case m.adaptive || m.includePad:
		return max(cy*cx, 1)
	}
	return max(h, 1) * max(w, 1)
}

// avgPool averages windows of planes; integers divide towards zero.
type avgPool[T int64 | float32 | float64] struct {
	mean
	elems widened[T]
}

func (p *avgPool[T]) Needs() []memory.Need { return p.elems.needs() }

func (p *avgPool[T]) Plan(args []*executor.Value) error {
	if err := p.planner(&p.mean, args); err != nil {
		return err
	}
	p.elems.plan(args[0].Tensor(), args[p.sig.Out()].Tensor())
	return nil
}

func (p *avgPool[T]) Run(s *executor.Scope, args []*executor.Value) error {
	y := args[p.sig.Out()].Tensor()
	if err := p.elems.open(s, args[0].Tensor(), y); err != nil {
		return err
	}
	work := p.out.count() * max(p.in.h*p.in.w, p.out.h*p.out.w)
	if !p.adaptive {
		work = p.out.count() * p.out.h * p.out.w * p.win.kernel[0] * p.win.kernel[1]
	}
	if _, whole := any(p.elems.x).([]int64); !whole && p.in.sc == 1 && p.out.sc == 1 && p.in.c >= wide {
		dense.Run(s, p.out.n*p.out.h*p.blocks(), work, (*avgPixels[T])(p))
	} else {
		dense.Run(s, p.out.count(), work, p)
	}
	p.elems.close(y)
	return nil
}

// Do averages one plane.
func (p *avgPool[T]) Do(plane int) {
	in, out := p.elems.x[p.in.at(plane):], p.out.at(plane)
	for oy := range p.out.h {
		y0, y1, cy := p.span(0, oy, p.in.h, p.out.h)
		for ox := range p.out.w {
			x0, x1, cx := p.span(1, ox, p.in.w, p.out.w)
			n := p.over(y1-y0, x1-x0, cy, cx)
			p.elems.y[out+oy*p.out.sh+ox*p.out.sw] = p.average(in, y0, y1, x0, x1, n)
		}
	}
}

// wide is from which width the rows of a window are summed in vectors.
const wide = 16

// average is the sum of a window divided by n.
func (p *avgPool[T]) average(in []T, y0, y1, x0, x1, n int) T {
	if x0 >= x1 {
		return 0
	}
	if all, ok := any(in).([]float32); ok && p.in.sw == 1 && x1-x0 >= wide {
		var a walk.Acc
		if x1-x0 == p.in.sh { // whole rows: all together
			x1 += (max(y1-y0, 1) - 1) * p.in.sh
			y1 = min(y1, y0+1)
		}
		for y := y0; y < y1; y++ {
			fmath.Sum(&a.F, all[y*p.in.sh:][x0:x1])
		}
		return T(a.Sum() / float64(n))
	}
	var sum T
	for y := y0; y < y1; y++ {
		if p.in.sw == 1 {
			for _, v := range in[y*p.in.sh:][x0:x1] {
				sum += v
			}
			continue
		}
		at := y*p.in.sh + x0*p.in.sw
		for range x1 - x0 {
			sum += in[at]
			at += p.in.sw
		}
	}
	return sum / T(n)
}

// avgPixels is avgPool for floats whose channels lie together: it sums whole pixels, a block of channels at a time.
type avgPixels[T int64 | float32 | float64] avgPool[T]

// pixelBlock is how many channels are summed together.
const pixelBlock = 256

func (m *mean) blocks() int { return (m.in.c + pixelBlock - 1) / pixelBlock }

// Do averages one block of channels of one row of one image.
func (p *avgPixels[T]) Do(part int) {
	block, oy, n := part%p.blocks(), part/p.blocks()%p.out.h, part/p.blocks()/p.out.h
	c := block * pixelBlock
	var room [pixelBlock]float64
	sums := room[:min(pixelBlock, p.in.c-c)]
	y0, y1, cy := p.span(0, oy, p.in.h, p.out.h)
	for ox := range p.out.w {
		x0, x1, cx := p.span(1, ox, p.in.w, p.out.w)
		clear(sums)
		for y := y0; y < y1; y++ {
			at := n*p.in.sn + y*p.in.sh + x0*p.in.sw + c
			for range x1 - x0 {
				accumulate(sums, p.elems.x[at:][:len(sums)])
				at += p.in.sw
			}
		}
		dst := p.elems.y[n*p.out.sn+oy*p.out.sh+ox*p.out.sw+c:][:len(sums)]
		over := float64(p.over(y1-y0, x1-x0, cy, cx))
		for k, v := range sums {
			dst[k] = T(v / over)
		}
	}
}

func accumulate[T int64 | float32 | float64](sums []float64, x []T) {
	if f, ok := any(x).([]float32); ok {
		fmath.Accumulate(sums, f)
		return
	}
	for k, v := range x {
		sums[k] += float64(v)
	}
}
