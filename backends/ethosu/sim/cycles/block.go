package cycles

import (
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// shape is height, width, depth.
type shape struct{ h, w, c int }

func (s shape) elements() int { return s.h * s.w * s.c }

func minShape(a, b shape) shape { return shape{min(a.h, b.h), min(a.w, b.w), min(a.c, b.c)} }

func divUp(a, b int) int { return (a + b - 1) / b }

func roundUp(a, b int) int { return divUp(a, b) * b }

func blocksIn(a, b shape) shape { return shape{divUp(a.h, b.h), divUp(a.w, b.w), divUp(a.c, b.c)} }

// microBlock returns the piece of OFM that the MAC array computes at once.
func microBlock(a stream.Accelerator, k *stream.Kernel) shape {
	if a.Product == stream.U85 {
		s := [8]shape{{1, 1, 0}, {1, 2, 0}, {1, 4, 0}, {2, 2, 0}, {2, 4, 0}, {4, 4, 0}, {1, 1, 0}, {1, 1, 0}}[k.MicroBlock&7]
		s.c = 16 * a.MACs / 128 / (s.h * s.w)
		return s
	}
	switch a.MACs {
	case 32:
		return shape{1, 1, 4}
	case 64:
		return shape{1, 1, 8}
	case 128:
		return shape{1, 2, 8}
	}
	return shape{2, 2, 8}
}

// ifmBlock returns the piece of IFM that an OFM block needs, as the hardware buffers it.
func ifmBlock(a stream.Accelerator, kind stream.Kind, k *stream.Kernel) shape {
	ofm := shape{k.Block[0], k.Block[1], k.Block[2]}
	if kind == stream.Elementwise || kind == stream.Resize {
		if a.Product != stream.U85 {
			u := microBlock(a, k)
			return shape{roundUp(ofm.h, u.h), roundUp(ofm.w, u.w), ofm.c}
		}
		return ofm
	}
	w := &k.Window
	b := shape{
		h: (ofm.h-1)*w.StrideY + min(w.Height, 8),
		w: (ofm.w-1)*w.StrideX + min(w.Width, 8),
		c: ofm.c,
	}
	if k.Upscale != stream.UpscaleNone {
		b.h, b.w = divUp(b.h, 2), divUp(b.w, 2)
		if k.Upscale == stream.UpscaleNearest {
			b.h, b.w = roundUp((ofm.h-1)*w.StrideY+min(w.Height, 8)+1, 2)/2, roundUp((ofm.w-1)*w.StrideX+min(w.Width, 8)+1, 2)/2
		}
	}
	acrossDepth := kind == stream.Conv || kind == stream.Pool && k.Pool == stream.PoolReduceSum
	if acrossDepth {
		b.c = ifmDepth(a, kind, k)
	}
	if a.Product == stream.U85 {
		unit := allocationUnit(a, k, b.c)
		return shape{roundUp(b.h, unit.h), roundUp(b.w, unit.w), roundUp(b.c, unit.c)}
	}
	u := microBlock(a, k)
	return shape{roundUp(b.h, u.h), roundUp(b.w, u.w), b.c}
}

// ifmDepth returns the depth of the IFM block of operations that sum over it.
func ifmDepth(a stream.Accelerator, kind stream.Kind, k *stream.Kernel) int {
	part := k.Window.PartKernel && kind == stream.Conv && !k.WeightsIFM2
	if a.Product == stream.U85 {
		switch {
		case part:
			return 16
		case k.IFM.Bits == 32 || a.MACs <= 256 && microBlock(a, k).c == 16 && !k.Sparse:
			return 32
		case k.Sparse && k.IFM.Bits == 8:
			return 128
		}
		return 64
	}
	if k.IFM.Bits == 16 {
		return roundUp(min(k.IFM.Depth, 16), 4)
	}
	if part {
		return roundUp(min(k.IFM.Depth, 16), 8)
	}
	return roundUp(min(k.IFM.Depth, 32), 8)
}

// allocationUnit returns the granule in which U85 buffers an IFM block of a depth.
func allocationUnit(a stream.Accelerator, k *stream.Kernel, depth int) shape {
	u := microBlock(a, k)
	flat := u.h == 1 && u.w == 4
	var units [3]shape
	switch a.MACs {
	case 128:
		units = [3]shape{{1, 2, 1}, {1, 1, 2}, {1, 1, 2}}
	case 256, 512:
		units = [3]shape{{2, 2, 1}, {1, 2, 2}, {1, 1, 4}}
		if flat {
			units[0] = shape{1, 4, 1}
		}
	case 1024:
		units = [3]shape{{2, 4, 1}, {2, 2, 2}, {1, 2, 4}}
		if flat {
			units[1] = shape{1, 4, 2}
		}
	default:
		units = [3]shape{{4, 4, 1}, {2, 4, 2}, {2, 2, 4}}
		if flat {
			units[2] = shape{1, 4, 4}
		}
	}
	at := 0
	if n := depth * k.IFM.Bits; n > 256 {
		at = 2
	} else if n > 128 {
		at = 1
	}
	unit := units[at]
	unit.c *= 128 / k.IFM.Bits
	return unit
}
