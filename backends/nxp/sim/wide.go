package sim

// wide is how many channels one call of dot4x16 computes.
const wide = 16

// pack lays weights, given as [channel][kernel row][tap], out for dot4x16:
// [16 channels][kernel row][pair of taps][channel][tap of the pair].
func (d *dense) pack(w []int8) {
	k := d.k
	d.rowWide = (d.run + 1) / 2 * 2 * wide
	d.wide = make([]int16, (k.OutC+wide-1)/wide*k.KernelH*d.rowWide)
	for o := range k.OutC {
		for ky := range k.KernelH {
			to := d.wide[(o/wide*k.KernelH+ky)*d.rowWide:]
			for t, v := range w[(o*k.KernelH+ky)*d.run:][:d.run] {
				to[t/2*2*wide+o%wide*2+t%2] = int16(v)
			}
		}
	}
}

// computeWide is compute with dot4x16: four positions at a time. Where fewer
// are left, the last four are computed again, or one position four times over.
func (d *dense) computeWide(out []byte, y int) {
	k := d.k
	top := d.src[y*k.StrideH*d.pitch:]
	step := k.StrideW * k.InC
	for first := 0; first < k.OutC; first += wide {
		weights := d.wide[first/wide*k.KernelH*d.rowWide:]
		scales := d.scales[first:min(first+wide, k.OutC)]
		for x := 0; x < k.OutW; {
			n, apart := 4, step
			if k.OutW < 4 {
				n, apart = 1, 0
			}
			x = min(x, k.OutW-n)
			if !d.watch.spend(n * k.KernelH * d.rowWide) {
				return
			}
			var acc [4][wide]int32
			for ky := range k.KernelH {
				in := top[ky*d.pitch+x*step:][:3*apart+d.run]
				dot4x16(&acc, &in[0], apart, &weights[ky*d.rowWide], d.run)
			}
			for i := range n {
				bias := d.bias(y, x+i)[first:]
				to := out[(x+i)*k.OutC+first:][:len(scales)]
				for c := range to {
					to[c] = scales[c].Apply(acc[i][c]+bias[c], d.zero)
				}
			}
			x += n
		}
	}
}
