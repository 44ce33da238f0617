package sim

import (
	"math"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

func (s *kernelStep) poolRow(m *machine, acc []int64, oy int) {
	k := s.k
	switch k.Pool {
	case stream.PoolNone:
	case stream.PoolReduceSum:
		s.reduceRow(m, acc, oy)
	case stream.PoolArgMaxX, stream.PoolArgMaxY:
		s.argMaxRow(m, acc, oy)
	case stream.PoolMax, stream.PoolMin:
		s.extremeRow(m, acc, oy)
	default:
		s.sumRow(m, acc, oy)
	}
}

// reduceRow sums over the channels.
func (s *kernelStep) reduceRow(m *machine, acc []int64, oy int) {
	f := &s.k.IFM
	for x := range s.k.OFM.Width {
		sum := int64(0)
		for _, v := range m.ifm[(oy*f.Width+x)*f.Depth:][:f.Depth] {
			sum += int64(v)
		}
		acc[x] += sum
	}
}

// eachTap calls f with the pixels that output (oy, ox) covers and their number in the window.
func (s *kernelStep) eachTap(m *machine, oy, ox int, f func(tapY, tapX int, pixel []int32)) {
	k := s.k
	w, ifm := &k.Window, &k.IFM
	for ky := range w.TapsY() {
		iy, ok := source(oy*w.StrideY+ky*w.DilationY-w.Top, s.upH, k.Upscale)
		if !ok {
			continue
		}
		for kx := range w.TapsX() {
			ix, ok := source(ox*w.StrideX+kx*w.DilationX-w.Left, s.upW, k.Upscale)
			if !ok {
				continue
			}
			f(ky, kx, m.ifm[(iy*ifm.Width+ix)*ifm.Depth:][:k.OFM.Depth])
		}
	}
}

// sumRow sums each window; an average is divided by the number of valid positions. U55 and U65 divide only where the
// compiler could not put the reciprocal into the scale: with padding.
func (s *kernelStep) sumRow(m *machine, acc []int64, oy int) {
	k := s.k
	w := &k.Window
	divide := k.Pool == stream.PoolAverage && (s.product == stream.U85 || w.Top+w.Left+w.Bottom+w.Right > 0)
	for ox := range k.OFM.Width {
		dst := acc[ox*k.OFM.Depth : (ox+1)*k.OFM.Depth]
		count := 0
		s.eachTap(m, oy, ox, func(_, _ int, pixel []int32) {
			count++
			for c, v := range pixel {
				dst[c] += int64(v)
			}
		})
		if divide {
			for c, v := range dst {
				dst[c] = averageOf(v, count, s.outScale.Round)
			}
		}
	}
}

func (s *kernelStep) extremeRow(m *machine, acc []int64, oy int) {
	k := s.k
	for ox := range k.OFM.Width {
		dst := acc[ox*k.OFM.Depth : (ox+1)*k.OFM.Depth]
		first := true
		s.eachTap(m, oy, ox, func(_, _ int, pixel []int32) {
			for c, v := range pixel {
				v := int64(v)
				if first {
					dst[c] = v
				} else if k.Pool == stream.PoolMax {
					dst[c] = max(dst[c], v)
				} else {
					dst[c] = min(dst[c], v)
				}
			}
			first = false
		})
	}
}

// argMaxRow gives the position of the first maximum along an axis in the upper and its value in the lower 16 bits.
func (s *kernelStep) argMaxRow(m *machine, acc []int64, oy int) {
	k := s.k
	for ox := range k.OFM.Width {
		dst := acc[ox*k.OFM.Depth : (ox+1)*k.OFM.Depth]
		for c := range dst {
			best, at := int32(math.MinInt32), 0
			s.eachTap(m, oy, ox, func(tapY, tapX int, pixel []int32) {
				if v := pixel[c]; v > best {
					best, at = v, tapX
					if k.Pool == stream.PoolArgMaxY {
						at = tapY
					}
				}
			})
			dst[c] = int64(at)<<16 | int64(uint16(best))
		}
	}
}
