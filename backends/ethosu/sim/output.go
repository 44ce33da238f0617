package sim

import (
	"math"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// quantize lays out the output stage for the vector kernel and reports whether it may be used.
func (p *packed) quantize() bool {
	s := p.step
	k := s.k
	f, a := &k.OFM, &k.Activation
	if f.Bits != 8 || !f.InMemory() || volume(f) == 1 || k.NoOutput || s.keep || k.Transpose != stream.HWC || k.Reverse != 0 || !a.Clamp {
		return false
	}
	if a.Function == stream.ActTable && a.TableIn != 8 || a.Min < -256 || a.Max > 255 {
		return false
	}
	if s.scales != nil && s.scales.channels == nil {
		return false
	}
	switch s.outScale.Round {
	case stream.RoundNatural, stream.RoundDoubleSymmetric, stream.RoundTruncToLower:
	default:
		return false
	}
	p.quants = make([]quant, (f.Depth+lanes-1)/lanes)
	for c, bound := range p.bounds {
		scale, bias := s.outScale, int64(0)
		if s.scales != nil {
			ch := &s.scales.channels[c]
			scale.Scale, scale.Shift, bias = ch.scale, ch.shift, ch.bias
		}
		if bias > math.MaxInt32 || bias < -math.MaxInt32 {
			return false
		}
		most := bound + max(bias, -bias)
		if most > math.MaxInt32 || scale.Scale > math.MaxInt32 || scale.Shift > 61 || most*int64(scale.Scale)>>scale.Shift > math.MaxInt32-512 {
			return false
		}
		q, lane := &p.quants[c/lanes], c%lanes
		q.bias[lane], q.scale[lane], q.shift[split(lane)] = int32(bias), int32(scale.Scale), int64(scale.Shift)
		if scale.Shift > 0 {
			double := rounding(0, scale)
			if scale.Round != stream.RoundTruncToLower {
				q.half[split(lane)] = 1 << (scale.Shift - 1)
				q.double[split(lane)] = double - 1<<(scale.Shift-1)
			}
		}
	}
	return true
}

// scale takes blocks of the tile to bytes.
func (p *packed) scale(m *machine, w *worker, q []quant, blocks int) {
	k := p.step.k
	a := &k.Activation
	m.vector.requantize(w.bytes, w.tile, q, blocks, k.OFM.ZeroPoint, a.Min, a.Max)
	if a.Function != stream.ActTable {
		return
	}
	table := m.tables[a.TableAddr:][:256]
	flip := byte(0)
	if a.ClipSigned {
		flip = 0x80
	}
	for i, v := range w.bytes[:blocks*lanes] {
		w.bytes[i] = table[v^flip]
	}
}

// put writes the channels from c of a pixel that begins at offset at.
func (p *packed) put(m *machine, src []byte, at, c int) {
	f := &p.step.k.OFM
	dst := m.regions[f.Region]
	if f.Layout == stream.NHWC {
		copy(dst[at+c:at+c+len(src)], src)
		return
	}
	for n := 0; n < len(src); n += lanes {
		brick := at + (c+n)/lanes*int(f.StrideC)
		copy(dst[brick:brick+min(lanes, len(src)-n)], src[n:])
	}
}
