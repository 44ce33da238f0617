package sim

import "github.com/ptero-rt/ptero/backends/nxp"

// depthwise is a depthwise convolution or an average pool.
type depthwise struct {
	window
	output
	weights []int32 // [kernel row][kernel column][channel]
	sums    []int32 // one per channel
}

func newDepthwise(k *nxp.Kernel, weights []byte) *depthwise {
	return &depthwise{window: newWindow(k), output: newOutput(k, weights), weights: unpackDepthwise(k, weights), sums: make([]int32, k.OutC)}
}

func (d *depthwise) row(y int) { d.store(d, y) }

func (d *depthwise) compute(row []byte, y int) {
	k, sums := d.k, d.sums
	n := len(sums)
	top := d.src[y*k.StrideH*d.pitch:]
	for x := range k.OutW {
		if !d.watch.spend(k.KernelH * k.KernelW * n) {
			return
		}
		copy(sums, d.bias(y, x))
		for ky := range k.KernelH {
			in := top[ky*d.pitch+x*k.StrideW*n:][:k.KernelW*n]
			weights := d.weights[ky*k.KernelW*n:][:k.KernelW*n]
			for len(in) > 0 {
				multiplyAdd(sums, in, weights)
				in, weights = in[n:], weights[n:]
			}
		}
		out := row[x*n:][:n]
		for c := range out {
			out[c] = d.scales[c].Apply(sums[c], d.zero)
		}
	}
}

func multiplyAdd(sums []int32, in []byte, weights []int32) {
	in, weights = in[:len(sums)], weights[:len(sums)]
	for c := range sums {
		sums[c] += int32(int8(in[c])) * weights[c]
	}
}

// globalAverage is the mean over all positions of each channel.
type globalAverage struct {
	window
	output
	sums []int32
}

func newGlobalAverage(k *nxp.Kernel, weights []byte) *globalAverage {
	return &globalAverage{window: window{k: k}, output: newOutput(k, weights), sums: make([]int32, k.OutC)}
}

func (g *globalAverage) rows() int { return 1 }

func (g *globalAverage) row(int) {
	n := len(g.sums)
	copy(g.sums, g.bias(0, 0))
	for in := g.src; len(in) > 0; in = in[n:] {
		if !g.watch.spend(n) {
			return
		}
		for c := range g.sums {
			g.sums[c] += int32(int8(in[c]))
		}
	}
	for c := range g.sums {
		g.dst[c] = g.scales[c].Apply(g.sums[c], g.zero)
	}
}
