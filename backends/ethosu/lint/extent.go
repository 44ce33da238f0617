package lint

import "github.com/ptero-rt/ptero/backends/ethosu/stream"

// buffer bounds a weight or scale stream; its length register follows the base.
func (v *validator) buffer(region, base stream.Code, optional bool) string {
	if optional && !v.isSet(base) && v.wide[base+1].Payload == 0 {
		if v.isSet(base + 1) {
			v.verdict.Notes = append(v.verdict.Notes, Finding{Warning, RuleCores, v.at, v.want(base) + ", its length is 0: newer kernel drivers refuse this"})
		}
		return ""
	}
	if missing := v.want(region, base, base+1); missing != "" {
		return missing
	}
	v.touch(v.narrow[region], v.wide[base].Address()+uint64(v.wide[base+1].Payload))
	return ""
}

func (v *validator) storage(r *kernelRegisters) stream.Storage {
	if v.product == stream.U65 { // there the bits are a rounding mode
		return stream.Tile2x2
	}
	return stream.Storage(v.narrow[r.precision] >> 14)
}

func (v *validator) chained(r *kernelRegisters) bool { return v.storage(r) == stream.Chained }

// extent bounds a feature map whose last element is at x, y, c. No sum of 40-bit registers and 16-bit sizes overflows.
func (v *validator) extent(r *kernelRegisters, x, y uint64, c uint16) string {
	if missing := v.want(append([]stream.Code{r.region, r.precision}, r.sizes...)...); missing != "" {
		return missing
	}
	if v.chained(r) {
		return ""
	}
	strideX, strideY, strideC := r.base0+4, r.base0+5, r.base0+6
	used := strideX
	if v.narrow[r.precision]>>6&3 == 1 {
		used = strideC
	}
	if missing := v.want(r.width0, r.width0+1, r.width0+2, strideY, used); missing != "" {
		return missing
	}
	height0, height1 := uint64(v.narrow[r.width0+1]), uint64(v.narrow[r.width0+2])
	switch v.storage(r) {
	case stream.Tile2x2:
		return first(v.corner(r, 0, 0, c), v.corner(r, 0, y, c), v.corner(r, x, 0, c), v.corner(r, x, y, c))
	case stream.Tile3x1:
		rows := []uint64{0, y}
		if height0 < height1 && height1 <= y {
			rows = append(rows, height1)
		}
		if height1 < y {
			rows = append(rows, height1+1)
		}
		for _, row := range rows {
			if missing := v.corner(r, x, row, c); missing != "" {
				return missing
			}
		}
		return ""
	}
	return "a feature map without storage"
}

// corner bounds one element.
func (v *validator) corner(r *kernelRegisters, x, y uint64, c uint16) string {
	width0, height0, height1 := uint64(v.narrow[r.width0])+1, uint64(v.narrow[r.width0+1])+1, uint64(v.narrow[r.width0+2])+1
	tile := stream.Code(0)
	if v.storage(r) == stream.Tile3x1 {
		if y >= height1 {
			tile, y = 2, y-height1
		} else if y >= height0 {
			tile, y = 1, y-height0
		}
	} else {
		height := height0
		if x >= width0 {
			tile, x, height = 1, x-width0, height1
		}
		if y >= height {
			tile, y = tile+2, y-height
		}
	}
	if missing := v.want(r.base0 + tile); missing != "" {
		return missing
	}
	p := v.narrow[r.precision]
	bytes := uint64(1) << (p >> 2 & 3)
	if r.output {
		bytes = 1 << (p >> 1 & 3)
	}
	at := v.wide[r.base0+tile].Address() + y*v.wide[r.base0+5].Address()
	if p>>6&3 == 0 {
		at += x*v.wide[r.base0+4].Address() + uint64(c)*bytes
	} else {
		at += uint64(c/16)*v.wide[r.base0+6].Address() + (16*x+uint64(c%16))*bytes
	}
	v.touch(v.narrow[r.region], at+bytes)
	return ""
}
