package sim

import "github.com/ptero-rt/ptero/backends/ethosu/stream"

// source maps a row or column of the kernel's input space to the IFM; ok is false where it reads padding.
func source(at, size int, up stream.Upscale) (int, bool) {
	if at < 0 || at >= size {
		return 0, false
	}
	switch up {
	case stream.UpscaleNearest:
		return at / 2, true
	case stream.UpscaleZeros:
		return at / 2, at&1 == 0
	}
	return at, true
}

// convRow adds a row of convolution to acc. It is the twin of the packed path for operations that cannot take it: its
// accumulators hold every sum.
func (s *kernelStep) convRow(m *machine, acc []int64, oy int) {
	k := s.k
	w, f := &k.Window, &k.IFM
	taps := w.TapsX() * w.TapsY()
	depth := k.OFM.Depth
	weights := s.weights.dense
	for ky := range w.TapsY() {
		iy, ok := source(oy*w.StrideY+ky*w.DilationY-w.Top, s.upH, k.Upscale)
		if !ok {
			continue
		}
		for ox := range k.OFM.Width {
			for kx := range w.TapsX() {
				ix, ok := source(ox*w.StrideX+kx*w.DilationX-w.Left, s.upW, k.Upscale)
				if !ok {
					continue
				}
				pixel := m.ifm[(iy*f.Width+ix)*f.Depth:][:f.Depth]
				tap := ky*w.TapsX() + kx
				dst := acc[ox*depth : (ox+1)*depth]
				for o := range dst {
					line := weights[(o*taps+tap)*f.Depth:][:f.Depth]
					sum := int64(0)
					for i, v := range pixel {
						sum += int64(v) * int64(line[i])
					}
					dst[o] += sum
				}
			}
		}
	}
}

func (s *kernelStep) depthwiseRow(m *machine, acc []int64, oy int) {
	k := s.k
	w, f := &k.Window, &k.IFM
	taps := w.TapsX() * w.TapsY()
	depth := k.OFM.Depth
	for ky := range w.TapsY() {
		iy, ok := source(oy*w.StrideY+ky*w.DilationY-w.Top, s.upH, k.Upscale)
		if !ok {
			continue
		}
		for ox := range k.OFM.Width {
			for kx := range w.TapsX() {
				ix, ok := source(ox*w.StrideX+kx*w.DilationX-w.Left, s.upW, k.Upscale)
				if !ok {
					continue
				}
				pixel := m.ifm[(iy*f.Width+ix)*f.Depth:][:depth]
				dst := acc[ox*depth : (ox+1)*depth]
				tap := ky*w.TapsX() + kx
				for c, v := range pixel {
					dst[c] += int64(v) * int64(s.weights.dense[c*taps+tap])
				}
			}
		}
	}
}

// matmulRow is a convolution whose weights are IFM2: its columns are the output channels.
func (s *kernelStep) matmulRow(m *machine, acc []int64, oy int) {
	k := s.k
	w, f := &k.Window, &k.IFM
	depth := k.OFM.Depth
	iy, ok := source(oy*w.StrideY-w.Top, s.upH, k.Upscale)
	if !ok {
		return
	}
	for ox := range k.OFM.Width {
		ix, ok := source(ox*w.StrideX-w.Left, s.upW, k.Upscale)
		if !ok {
			continue
		}
		pixel := m.ifm[(iy*f.Width+ix)*f.Depth:][:f.Depth]
		dst := acc[ox*depth : (ox+1)*depth]
		for o := range dst {
			line := m.ifm2[o*f.Depth:][:f.Depth]
			sum := int64(0)
			for i, v := range pixel {
				sum += int64(v) * int64(line[i])
			}
			dst[o] += sum
		}
	}
}
