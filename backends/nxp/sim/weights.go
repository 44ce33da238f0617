package sim

import "github.com/ptero-rt/ptero/backends/nxp"

// unpack returns the weights of a convolution or a fully connected layer as
// [output channel][kernel row][tap], a tap being one byte of the source row
// under the window.
func unpack(k *nxp.Kernel, b []byte) []int8 {
	b = b[k.Weights.Offset:]
	taps := k.KernelW * k.InC
	w := make([]int8, k.OutC*k.KernelH*taps)
	at := placement(k)
	for o := range k.OutC {
		for ky := range k.KernelH {
			row := w[(o*k.KernelH+ky)*taps:][:taps]
			for t := range row {
				row[t] = int8(b[at(o, ky, t)])
			}
		}
	}
	return w
}

// placement gives the offset of a weight in the layout of the kernel's kind.
func placement(k *nxp.Kernel) func(o, ky, tap int) int {
	ob, ib := k.OutBlock(), k.InBlock()
	if k.Kind == nxp.FullyConnected {
		ob = 16
	}
	if k.Kind == nxp.ConvRow {
		return rowPlacement(k, ob, ib)
	}
	chunks := (k.InC + ib - 1) / ib
	perChannel := k.KernelH * k.KernelW * chunks * ib
	return func(o, ky, tap int) int {
		first := o / ob * ob
		kx, i := tap/k.InC, tap%k.InC
		block := (kx*chunks+i/ib)*k.KernelH + ky
		if k.Kind == nxp.ConvTransposed {
			block = (ky*k.KernelW+kx)*chunks + i/ib
		}
		return first*perChannel + (block*min(ob, k.OutC-first)+o-first)*ib + i%ib
	}
}

// rowPlacement is the layout of a first layer: for each block of outputs the
// full input blocks of a flattened kernel row, then what is left of the rows.
func rowPlacement(k *nxp.Kernel, ob, ib int) func(o, ky, tap int) int {
	taps := k.KernelW * k.InC
	full, rest := taps/ib, taps%ib
	slot := k.RestSlot()
	per := ib / slot
	restBytes := k.KernelH * ib // of one channel
	switch {
	case rest == 0:
		restBytes = 0
	case k.RowPack:
		restBytes = (k.KernelH + per - 1) / per * ib
	case k.RestTight():
		restBytes = k.KernelH * rest
	}
	perChannel := full*k.KernelH*ib + restBytes
	return func(o, ky, tap int) int {
		first := o / ob * ob
		n, lane := min(ob, k.OutC-first), o%ob
		base := first * perChannel
		if chunk := tap / ib; chunk < full {
			return base + ((chunk*k.KernelH+ky)*n+lane)*ib + tap%ib
		}
		base += n * full * k.KernelH * ib
		j := tap - full*ib
		switch {
		case k.RowPack:
			return base + (ky/per*n+lane)*ib + ky%per*slot + j
		case k.RestTight():
			return base + (lane*k.KernelH+ky)*rest + j
		}
		return base + (ky*n+lane)*ib + j
	}
}

// unpackDepthwise returns depthwise weights as [kernel row][kernel column][channel].
func unpackDepthwise(k *nxp.Kernel, b []byte) []int32 {
	b = b[k.Weights.Offset:]
	ib := k.InBlock()
	w := make([]int32, k.KernelH*k.KernelW*k.OutC)
	for c := range k.OutC {
		first := c / ib * ib
		n := min(ib, k.OutC-first)
		for ky := range k.KernelH {
			for kx := range k.KernelW {
				tap := kx*k.KernelH + ky
				if k.Kind == nxp.DepthwiseRow {
					tap = ky*k.KernelW + kx
				}
				w[(ky*k.KernelW+kx)*k.OutC+c] = int32(int8(b[first*k.KernelH*k.KernelW+tap*n+c-first]))
			}
		}
	}
	return w
}

// output turns accumulators into outputs.
type output struct {
	biases []int32 // [set][channel]
	scales []Rescale
	zero   int32
	column []int // index into biases of each output column
	row    []int // and what to add to it for each output row
}

func newOutput(k *nxp.Kernel, weights []byte) output {
	o := output{scales: make([]Rescale, k.OutC), zero: int32(k.Scale.Zero), column: make([]int, k.OutW), row: make([]int, k.OutH)}
	for c := range o.scales {
		o.scales[c] = NewRescale(k.ScaleAt(weights, c))
	}
	for set := range k.BiasSets {
		for c := range k.OutC {
			o.biases = append(o.biases, int32(k.BiasAt(weights, set, c)))
		}
	}
	sets := o.column
	if k.BiasByRow() {
		sets = o.row
	}
	for i := range sets {
		sets[i] = k.BiasSet(i) * k.OutC
	}
	return o
}

// bias returns the biases of all channels at an output position.
func (o *output) bias(y, x int) []int32 {
	return o.biases[o.row[y]+o.column[x]:][:len(o.scales)]
}
