package sim

import (
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// weightShape is the logical tensor behind weight streams: [OC][KH][KW][IC], with IC = 1 for depthwise.
type weightShape struct {
	oc, kh, kw, ic int
	depthwise      bool
}

func (w weightShape) elements() int { return w.oc * w.kh * w.kw * w.ic }

func (w weightShape) index(o, y, x, i int) int { return ((o*w.kh+y)*w.kw+x)*w.ic + i }

// weightOrder is the order in which the weights of an operation stand in its streams. It depends on the depth of the
// OFM block, the micro-block, the weight order and the precision of the IFM.
type weightOrder struct {
	weightShape
	kernel *stream.Kernel
	acc    stream.Accelerator
}

// visitor is told of runs of a stream in order: width places, of which the first valid hold the weights from index on
// and the rest are padding. It ends the visit by returning false.
type visitor func(index, valid, width int) bool

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// visit calls emit for the runs of core's stream.
func (w *weightOrder) visit(core int, emit visitor) {
	if w.acc.Product == stream.U85 {
		w.visit85(core, emit)
	} else {
		w.visit55(core, emit)
	}
}

func (w *weightOrder) visit55(core int, emit visitor) {
	k, cores := w.kernel, w.acc.Cores()
	microDepth := 8
	if w.acc.MACs == 32 {
		microDepth = 4
	}
	part := k.Window.PartKernel && !w.depthwise
	ifmBlock, round := 32, 1
	if part || k.IFM.Bits == 16 {
		ifmBlock = 16
	}
	switch {
	case w.depthwise:
		round = 4
	case part && k.IFM.Bits == 16:
		round = 2
	case part:
		round = 4
	}
	limitY, limitX := k.Window.SubKernel/k.Window.DilationY, k.Window.SubKernel/k.Window.DilationX
	coreDepth := (w.oc - core + cores - 1) / cores
	coreBlock := max((k.Block[2]-core+cores-1)/cores, 1)
	for ob := 0; ob < coreDepth; ob += coreBlock {
		blockDepth := min(coreBlock, coreDepth-ob)
		for ib := 0; ib < w.ic; ib += ifmBlock {
			clipped := min(ifmBlock, w.ic-ib)
			for sy := 0; sy < w.kh; sy += limitY {
				for sx := 0; sx < w.kw; sx += limitX {
					subH, subW := min(limitY, w.kh-sy), min(limitX, w.kw-sx)
					elements := roundUp(subH*subW, round)
					outer, inner := 1, ifmBlock
					if part {
						outer, inner = clipped, 8
					}
					step, width := 8, 8
					if w.depthwise {
						inner, width = 1, 1
					}
					for io := 0; io < outer; io += 8 {
						for ou := 0; ou < blockDepth; ou += microDepth {
							for e := 0; e < elements; e++ {
								y, x := sy+e/subW, sx+e%subW
								for ii := 0; ii < inner; ii += step {
									for oz := 0; oz < microDepth; oz++ {
										o, i := ob+ou+oz, ib+io+ii
										index, valid := 0, 0
										if e < subH*subW && ou+oz < blockDepth && i < w.ic {
											index, valid = w.index(o*cores+core, y, x, i), min(width, w.ic-i)
										}
										if !emit(index, valid, width) {
											return
										}
									}
								}
							}
						}
					}
				}
			}
		}
	}
}

// microDepth85 returns the depth of a U85 micro-block of the given ACC_FORMAT code.
func microDepth85(macs, code int) int {
	area := [8]int{1, 2, 4, 4, 8, 16, 1, 1}[code&7]
	switch macs {
	case 128:
		return 16 / area
	case 256:
		return 32 / area
	case 512:
		return 64 / area
	case 1024:
		return 128 / area
	}
	return 256 / area
}

// traversal85 holds the constants that the loops of U85's weight order take.
type traversal85 struct {
	microDepth, ifmBlock, round, microIFM, inner int
	gap                                          int // depthwise padding
	strideX, strideY                             int
}

func (w *weightOrder) traversal85() traversal85 {
	k := w.kernel
	t := traversal85{microDepth: microDepth85(w.acc.MACs, k.MicroBlock), inner: 8, strideX: 1, strideY: 1}
	part, wide := k.Window.PartKernel, k.IFM.Bits == 16
	switch {
	case part:
		t.ifmBlock = 16
	case k.IFM.Bits == 32 || w.acc.MACs <= 256 && t.microDepth == 16 && !k.Sparse:
		t.ifmBlock = 32
	case k.Sparse && k.IFM.Bits == 8:
		t.ifmBlock = 128
	default:
		t.ifmBlock = 64
	}
	t.round, t.microIFM = 1, t.ifmBlock
	if part {
		t.round = 5
		if wide || k.Sparse {
			t.round = 10
		}
		if wide && !k.Sparse {
			t.microIFM = 8
		}
		t.strideX, t.strideY = k.Window.StrideX, k.Window.StrideY
	}
	if k.Sparse {
		t.inner = 16
	}
	if w.depthwise {
		t.round, t.microIFM, t.inner, t.ifmBlock = 10, 1, 1, 1
		t.strideX, t.strideY = k.Window.StrideX, k.Window.StrideY
		switch {
		case !wide && w.acc.MACs <= 256:
			t.gap = 0
		case w.acc.MACs <= 512:
			t.gap = 2
		default:
			t.gap = 6
		}
	}
	return t
}

func (w *weightOrder) visit85(core int, emit visitor) {
	k, cores, t := w.kernel, w.acc.Cores(), w.traversal85()
	limitY, limitX := k.Window.SubKernel/k.Window.DilationY, k.Window.SubKernel/k.Window.DilationX
	descending := false
	for ob := 0; ob < w.oc; ob += k.Block[2] {
		blockDepth := min(k.Block[2], w.oc-ob)
		blocks := (w.ic + t.ifmBlock - 1) / t.ifmBlock
		for n := 0; n < blocks; n++ {
			ib := n * t.ifmBlock
			if descending {
				ib = (blocks - 1 - n) * t.ifmBlock
			}
			clipped := min(t.ifmBlock, w.ic-ib)
			for sx := 0; sx < w.kw; sx += limitX {
				for sy := 0; sy < w.kh; sy += limitY {
					subH, subW := min(limitY, w.kh-sy), min(limitX, w.kw-sx)
					for io := 0; io < clipped; io += t.microIFM {
						for ou := 0; ou < blockDepth; ou += t.microDepth {
							rest := roundUp(subH*subW, t.round)
							for phaseY := 0; phaseY < t.strideY; phaseY++ {
								for phaseX := 0; phaseX < t.strideX; phaseX++ {
									columns := (subW - phaseX + t.strideX - 1) / t.strideX
									for row, y := 0, phaseY; y < subH; row, y = row+1, y+t.strideY {
										for c := 0; c < columns; c++ {
											column := c
											if row&1 == 1 {
												column = columns - 1 - c
											}
											x := phaseX + column*t.strideX
											rest--
											if !w.emit85(t, core, cores, ob+ou, min(w.oc, ob+blockDepth), sy+y, sx+x, ib+io, emit) {
												return
											}
											if w.depthwise && rest%t.round == 0 && !emit(0, 0, t.gap*t.microDepth/cores) {
												return
											}
										}
									}
								}
							}
							if rest > 0 {
								extra := 0
								if w.depthwise {
									extra = t.gap
								}
								if !emit(0, 0, (rest+extra)*t.microIFM*t.microDepth/cores) {
									return
								}
							}
						}
					}
				}
			}
		}
		descending = !descending
	}
}

// emit85 visits one kernel element of a micro-block: groups of four output channels go to the cores in turn.
func (w *weightOrder) emit85(t traversal85, core, cores, o0, oEnd, y, x, i0 int, emit visitor) bool {
	for ii := 0; ii < t.microIFM; ii += t.inner {
		for o4 := 4 * core; o4 < t.microDepth; o4 += 4 * cores {
			for o := o0 + o4; o < o0+o4+4; o++ {
				index, valid := 0, 0
				if i := i0 + ii; o < oEnd && i < w.ic {
					index, valid = w.index(o, y, x, i), min(t.inner, w.ic-i)
				}
				if !emit(index, valid, t.inner) {
					return false
				}
			}
		}
	}
	return true
}

// fastRun returns the length of the runs in which a FWD stream interleaves the cores' sequences.
func (w *weightOrder) fastRun() int {
	t := w.traversal85()
	return t.microDepth * t.microIFM * t.round / w.acc.Cores()
}
