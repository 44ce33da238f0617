package sim

import "github.com/ptero-rt/ptero/backends/nxp"

// maxPool takes the largest input under the window; positions outside do not count.
type maxPool struct{ window }

func newMaxPool(k *nxp.Kernel) *maxPool {
	// A border of the smallest value never wins.
	low := *k
	low.InZero = -128
	return &maxPool{newWindow(&low)}
}

func (p *maxPool) row(y int) {
	k, n := p.k, p.k.OutC
	top := p.src[y*k.StrideH*p.pitch:]
	for x := range k.OutW {
		if !p.watch.spend(k.KernelH * k.KernelW * n) {
			return
		}
		out := p.dst[(y*k.OutW+x)*n:][:n]
		for ky := range k.KernelH {
			for kx := range k.KernelW {
				in := top[ky*p.pitch+(x*k.StrideW+kx)*n:][:n]
				if ky == 0 && kx == 0 {
					copy(out, in)
					continue
				}
				maxInto(out, in)
			}
		}
	}
}

// reshape pads or slices the channels of every position.
type reshape struct {
	window
	fill []byte // the padding lanes
}

func newReshape(k *nxp.Kernel, weights []byte) *reshape {
	r := &reshape{window: window{k: k, pitch: k.InC}}
	if overlap(k.Dst, k.Src) {
		r.frame = make([]byte, k.Src.Bytes)
	}
	for lane := k.InC; lane < k.OutC; lane++ {
		fill := byte(k.Fill)
		if k.Weights.Bytes > 0 {
			fill = weights[int(k.Weights.Offset)+(k.OutC+7)/8*8+lane%8]
		}
		r.fill = append(r.fill, fill)
	}
	return r
}

func (r *reshape) begin(m *memory, watch *watch) {
	r.watch = watch
	r.src, r.dst = m.at(r.k.Src), m.at(r.k.Dst)
	if r.frame != nil {
		copy(r.frame, r.src)
		r.src = r.frame
	}
}

func (r *reshape) rows() int { return r.k.InH }

func (r *reshape) row(y int) {
	if !r.watch.spend(r.k.InW * r.k.OutC) {
		return
	}
	in, out := r.src[y*r.k.InW*r.k.InC:], r.dst[y*r.k.InW*r.k.OutC:]
	for range r.k.InW {
		n := copy(out[:r.k.OutC], in[:r.k.InC])
		copy(out[n:r.k.OutC], r.fill)
		in, out = in[r.k.InC:], out[r.k.OutC:]
	}
}
