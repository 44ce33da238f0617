package sim

import "github.com/ptero-rt/ptero/backends/nxp"

// memory is what operand spaces are bound to during a run.
type memory struct {
	input, weights, output, scratch []byte
}

func (m *memory) at(o nxp.Operand) []byte {
	b := m.scratch
	switch o.Space {
	case nxp.SpaceInput:
		b = m.input
	case nxp.SpaceWeights:
		b = m.weights
	case nxp.SpaceOutput:
		b = m.output
	}
	return b[o.Offset : uint64(o.Offset)+o.Bytes]
}

// step is one kernel ready to run, row by row. A row that the watch cuts short
// stays incomplete.
type step interface {
	begin(m *memory, w *watch)
	rows() int
	row(y int)
}

// window slides over a source with borders: where padding is needed, or the
// source is overwritten by the results, it works on a copy with the padding
// filled in.
type window struct {
	k     *nxp.Kernel
	frame []byte // nil: read the source where it lies
	src   []byte
	dst   []byte
	pitch int // bytes between two source rows
	watch *watch
	whole []byte // one output row before a fused max pool; nil: there is none
}

func newWindow(k *nxp.Kernel) window {
	w := window{k: k, pitch: k.SrcPitch()}
	if k.PoolH > 1 || k.PoolW > 1 {
		w.whole = make([]byte, k.OutW*k.OutC)
	}
	if height, width := frameSize(k); needsFrame(k) {
		w.pitch = width * k.InC
		w.frame = make([]byte, height*w.pitch)
		w.fill(k)
	}
	return w
}

// frameSize is the extent of a source with its borders. The last window decides
// how far it reaches; padding beyond that is never read.
func frameSize(k *nxp.Kernel) (height, width int) {
	return max((k.OutH-1)*k.StrideH+k.KernelH, k.Top+k.InH), max((k.OutW-1)*k.StrideW+k.KernelW, k.Left+k.InW)
}

func needsFrame(k *nxp.Kernel) bool {
	height, width := frameSize(k)
	return height > k.InH || width > k.InW || overlap(k.Dst, k.Src)
}

// fill writes the border. With several bias sets the zero point of taps beyond
// the border that they stand for is in the bias, and such taps count nothing.
func (w *window) fill(k *nxp.Kernel) {
	for i := range w.frame {
		x, y := i%w.pitch/k.InC-k.Left, i/w.pitch-k.Top
		outside := x < 0 || x >= k.InW
		if k.BiasByRow() {
			outside = y < 0 || y >= k.InH
		}
		if k.BiasSets <= 1 || !outside {
			w.frame[i] = byte(int8(k.InZero))
		}
	}
}

func overlap(a, b nxp.Operand) bool {
	return a.Space == b.Space && uint64(a.Offset) < uint64(b.Offset)+b.Bytes && uint64(b.Offset) < uint64(a.Offset)+a.Bytes
}

func (w *window) begin(m *memory, watch *watch) {
	w.watch = watch
	w.src, w.dst = m.at(w.k.Src), m.at(w.k.Dst)
	if w.frame == nil {
		return
	}
	n, from := w.k.InW*w.k.InC, w.k.SrcPitch()
	for y := range w.k.InH {
		copy(w.frame[(y+w.k.Top)*w.pitch+w.k.Left*w.k.InC:][:n], w.src[y*from:])
	}
	w.src = w.frame
}

func (w *window) rows() int { return w.k.OutH }

// computer is a kernel that computes one output row, before a fused pool.
type computer interface {
	compute(out []byte, y int)
}

// store puts output row y where it belongs: into the destination, or into the
// row of the fused max pool that it is part of.
func (w *window) store(c computer, y int) {
	k := w.k
	n := k.OutW * k.OutC
	if w.whole == nil {
		out := w.dst[y*(n+k.OutPad):][:n+k.OutPad]
		c.compute(out[:n], y)
		clear(out[n:])
		return
	}
	to, width := y/k.PoolH, k.OutW/k.PoolW
	if to >= k.OutH/k.PoolH {
		return
	}
	c.compute(w.whole, y)
	out := w.dst[to*width*k.OutC:][:width*k.OutC]
	for x := range width * k.PoolW {
		from, into := w.whole[x*k.OutC:][:k.OutC], out[x/k.PoolW*k.OutC:][:k.OutC]
		if y%k.PoolH == 0 && x%k.PoolW == 0 {
			copy(into, from)
			continue
		}
		maxInto(into, from)
	}
}

func maxInto(into, from []byte) {
	for i, b := range from {
		into[i] = byte(max(int8(into[i]), int8(b)))
	}
}
