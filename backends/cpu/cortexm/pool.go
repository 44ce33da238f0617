package cortexm

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
)

// pool is what both poolings share.
type pool struct {
	sig    *arg.Signature
	layout layout
	win    window
	in     image
	out    image
	t      [2]*executor.Tensor // input and out
	x, y   []int8
	lo, hi int32
	mean   bool
}

func avgPool2d(l layout) executor.Op {
	sig := l.sign("quantized_avg_pool2d", "input kernel_size stride padding ceil_mode zero_point multiplier shift scratch out")
	return site.Planned(sig, func() site.Work { return &pool{sig: sig, layout: l, mean: true, lo: -128, hi: 127} })
}

func maxPool2d(l layout) executor.Op {
	sig := l.sign("quantized_max_pool2d", "input kernel_size stride padding dilation ceil_mode input_zero_point output_zero_point activation_min activation_max out")
	return site.Planned(sig, func() site.Work { return &pool{sig: sig, layout: l} })
}

func (p *pool) Plan(args []*executor.Value) error {
	r := p.sig.Read(args)
	x, y := imageOf(&r, 0), r.Of(r.Out(), int8s)
	p.win.kernel, p.win.stride, p.win.pad = two(&r, 1, 1), two(&r, 2, 1), two(&r, 3, 0)
	ceilAt := 4
	if !p.mean {
		ceilAt = 5
		if dil := two(&r, 4, 1); dil != [2]int{1, 1} {
			r.Bad(4, "[1 1]", fmt.Sprint(dil))
		}
		p.lo, p.hi = bounds(&r, 8, 9)
	}
	ceil := r.Bool(ceilAt)
	if r.Err != nil {
		return r.Err
	}
	in := p.layout.see(x)
	var out [2]int
	for d, n := range [...]int{in.h, in.w} {
		k, s, pad := p.win.kernel[d], p.win.stride[d], p.win.pad[d]
		if pad > k/2 {
			return p.sig.Bad(3, fmt.Sprintf("at most half the kernel %v", p.win.kernel), fmt.Sprint(pad))
		}
		if out[d] = dense.Windows(n, k, s, pad, 1, ceil); out[d] < 1 || n < 1 {
			return p.sig.Bad(0, fmt.Sprintf("an image that a window of %v fits", p.win.kernel), site.Sizes(x))
		}
	}
	sizes := p.layout.sizes(in.n, in.c, out[0], out[1])
	if err := p.sig.Resize(p.sig.Out(), y, sizes[:]...); err != nil {
		return err
	}
	p.in, p.out, p.t = in, p.layout.see(y), [2]*executor.Tensor{x, y}
	return nil
}

func (p *pool) Run(s *executor.Scope) error {
	p.x, p.y = executor.Slice[int8](p.t[0]), executor.Slice[int8](p.t[1])
	if len(p.y) == 0 {
		return nil
	}
	rows := p.out.n * p.out.h
	dense.Run(s, rows, rows*p.out.w*p.out.c*p.win.kernel[0]*p.win.kernel[1], p)
	return nil
}

// Do pools one row of outputs.
func (p *pool) Do(row int) {
	n, oy := row/p.out.h, row%p.out.h
	y, y0, y1 := p.win.span(0, oy, p.in.h)
	for ox := range p.out.w {
		x, x0, x1 := p.win.span(1, ox, p.in.w)
		for c := range p.out.c {
			top, sum := int32(-128), int32(0)
			for ky := y0; ky < y1; ky++ {
				at := n*p.in.sn + c*p.in.sc + (y+ky)*p.in.sh + (x+x0)*p.in.sw
				for range x1 - x0 {
					v := int32(p.x[at])
					sum += v
					top = max(top, v)
					at += p.in.sw
				}
			}
			v := top
			if p.mean {
				v = mean(sum, int32(max(1, (y1-y0)*(x1-x0))))
			}
			p.y[n*p.out.sn+c*p.out.sc+oy*p.out.sh+ox*p.out.sw] = clampInt8(v, 0, p.lo, p.hi)
		}
	}
}

// mean divides and rounds to nearest, ties away from zero.
func mean(sum, n int32) int32 {
	if sum > 0 {
		return (sum + n/2) / n
	}
	return (sum - n/2) / n
}
