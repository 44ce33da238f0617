package sim

import "github.com/ptero-rt/ptero/backends/nxp"

// group is how many output channels one pass over the source computes, in pairs:
// a pair of int8 weights lies in the halves of one int64, so that one
// multiplication serves two channels.
const (
	pairs = 4
	group = 2 * pairs
)

// maxProducts is how many products may be summed before the lower half of a
// pair could leave 32 bits: 2^17 times 2^14 is one too many.
const maxProducts = 1<<17 - 1

// dense is a convolution or a fully connected layer.
type dense struct {
	window
	output
	run     int            // bytes of a source row under the window
	weights [][pairs]int64 // [group][kernel row][tap]
	wide    []int16        // for dot4x16, instead of weights
	rowWide int            // of wide for one kernel row
}

func newDense(k *nxp.Kernel, weights []byte, simd bool) *dense {
	d := &dense{window: newWindow(k), run: k.KernelW * k.InC, output: newOutput(k, weights)}
	taps := k.KernelH * d.run
	w := unpack(k, weights)
	if simd {
		d.pack(w)
		return d
	}
	groups := (k.OutC + group - 1) / group
	d.weights = make([][pairs]int64, groups*taps)
	for o := range k.OutC {
		g, lane := o/group, o%group
		for t := range taps {
			d.weights[g*taps+t][lane/2] += int64(w[o*taps+t]) << (32 * (lane % 2))
		}
	}
	return d
}

func (d *dense) row(y int) { d.store(d, y) }

func (d *dense) compute(out []byte, y int) {
	if d.wide != nil {
		d.computeWide(out, y)
		return
	}
	k := d.k
	taps := k.KernelH * d.run
	top := d.src[y*k.StrideH*d.pitch:]
	step := k.StrideW * k.InC
	for first := 0; first < k.OutC; first += group {
		weights := d.weights[first/group*taps:][:taps]
		scales := d.scales[first:min(first+group, k.OutC)]
		for x := range k.OutW {
			if !d.watch.spend(taps * group) {
				return
			}
			var sum [pairs]int64
			for ky := range k.KernelH {
				sum = accumulate(sum, top[ky*d.pitch+x*step:][:d.run], weights[ky*d.run:][:d.run])
			}
			finish(out[x*k.OutC+first:], sum, scales, d.bias(y, x)[first:], d.zero)
		}
	}
}

// accumulate adds the products of source bytes and weights to the sums.
func accumulate(sum [pairs]int64, in []byte, weights [][pairs]int64) [pairs]int64 {
	s0, s1, s2, s3 := sum[0], sum[1], sum[2], sum[3]
	weights = weights[:len(in)]
	for t, b := range in {
		x, w := int64(int8(b)), &weights[t]
		s0 += x * w[0]
		s1 += x * w[1]
		s2 += x * w[2]
		s3 += x * w[3]
	}
	return [pairs]int64{s0, s1, s2, s3}
}

// finish takes the pairs apart, adds biases and requantises.
func finish(out []byte, sum [pairs]int64, scales []Rescale, bias []int32, zero int32) {
	out, bias = out[:len(scales)], bias[:len(scales)]
	for i := range scales {
		s := sum[i/2]
		acc := int32(s)
		if i%2 == 1 {
			acc = int32((s - int64(acc)) >> 32)
		}
		out[i] = scales[i].Apply(acc+bias[i], zero)
	}
}
