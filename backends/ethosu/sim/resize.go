package sim

// axis maps an output coordinate of RESIZE to the input: the lower neighbour and the numerator of the distance to it.
func axis(at, scale, step, offset int) (lower, fraction int) {
	position := at*step + offset
	lower = position / scale
	if position < 0 && position%scale != 0 {
		lower--
	}
	return lower, position - lower*scale
}

func clampIndex(i, size int) int { return min(max(i, 0), size-1) }

func (s *kernelStep) resizeRow(m *machine, acc []int64, oy int) {
	f, r := &s.k.IFM, &s.k.Resize
	depth := f.Depth
	at := func(y, x int) []int32 {
		return m.ifm[(clampIndex(y, f.Height)*f.Width+clampIndex(x, f.Width))*depth:][:depth]
	}
	y0, fy := axis(oy, r.ScaleY, r.StepY, r.OffsetY)
	for ox := range s.k.OFM.Width {
		x0, fx := axis(ox, r.ScaleX, r.StepX, r.OffsetX)
		dst := acc[ox*depth : (ox+1)*depth]
		if r.Mode == resizeNearest {
			y, x := y0, x0
			if 2*fy >= r.ScaleY {
				y++
			}
			if 2*fx >= r.ScaleX {
				x++
			}
			for c, v := range at(y, x) {
				dst[c] = int64(v) << 16
			}
			continue
		}
		a, b, c, d := at(y0, x0), at(y0, x0+1), at(y0+1, x0), at(y0+1, x0+1)
		for i := range dst {
			top := int64(a[i])*int64(r.ScaleX-fx) + int64(b[i])*int64(fx)
			bottom := int64(c[i])*int64(r.ScaleX-fx) + int64(d[i])*int64(fx)
			dst[i] = (top*int64(r.ScaleY-fy) + bottom*int64(fy)) << 16
		}
	}
}

const (
	resizeBilinear = 0
	resizeNearest  = 2
)
