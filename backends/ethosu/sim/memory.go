package sim

import (
	"encoding/binary"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

type number interface{ ~int16 | ~int32 | ~int64 }

// loadRow reads row y of a feature map of the given width and depth into dst, [W][C], less the zero point.
func loadRow[D number](f *stream.FeatureMap, src []byte, dst []D, y int) {
	elem := f.ElemBytes()
	for x := 0; x < f.Width; {
		end := segmentEnd(f, x, f.Width)
		at := int(f.Offset(y, x, 0))
		if f.Layout == stream.NHWC {
			if int(f.StrideX) == f.Depth*elem {
				loadRun(f, src[at:], dst[x*f.Depth:end*f.Depth])
			} else {
				for i := x; i < end; i++ {
					loadRun(f, src[at:], dst[i*f.Depth:(i+1)*f.Depth])
					at += int(f.StrideX)
				}
			}
		} else {
			for c := 0; c < f.Depth; c += 16 {
				lanes := min(16, f.Depth-c)
				brick := at + c/16*int(f.StrideC)
				for i := x; i < end; i++ {
					loadRun(f, src[brick:], dst[i*f.Depth+c:i*f.Depth+c+lanes])
					brick += 16 * elem
				}
			}
		}
		x = end
	}
}

// segmentEnd returns the first column after x that lies in another tile, at most width.
func segmentEnd(f *stream.FeatureMap, x, width int) int {
	if f.Storage == stream.Tile2x2 && x < f.Width0 {
		return min(width, f.Width0)
	}
	return width
}

// loadRun reads consecutive elements.
func loadRun[D number](f *stream.FeatureMap, src []byte, dst []D) {
	zero := D(f.ZeroPoint)
	switch {
	case f.Bits == 8 && f.Signed:
		for i, b := range src[:len(dst)] {
			dst[i] = D(int8(b)) - zero
		}
	case f.Bits == 8:
		for i, b := range src[:len(dst)] {
			dst[i] = D(b) - zero
		}
	case f.Bits == 16 && f.Signed:
		for i := range dst {
			dst[i] = D(int16(binary.LittleEndian.Uint16(src[2*i:]))) - zero
		}
	case f.Bits == 16:
		for i := range dst {
			dst[i] = D(binary.LittleEndian.Uint16(src[2*i:])) - zero
		}
	case f.Bits == 32:
		for i := range dst {
			dst[i] = D(int32(binary.LittleEndian.Uint32(src[4*i:]))) - zero
		}
	default:
		for i := range dst {
			dst[i] = D(int64(binary.LittleEndian.Uint64(src[8*i:]))) - zero
		}
	}
}

// storeRow writes a row of [W][C] values at row y.
func storeRow(f *stream.FeatureMap, dst []byte, src []int32, y, width, depth int) {
	elem := f.ElemBytes()
	for x := 0; x < width; {
		end := segmentEnd(f, x, width)
		at := int(f.Offset(y, x, 0))
		if f.Layout == stream.NHWC {
			if int(f.StrideX) == depth*elem {
				storeRun(f.Bits, dst[at:], src[x*depth:end*depth])
			} else {
				for i := x; i < end; i++ {
					storeRun(f.Bits, dst[at:], src[i*depth:(i+1)*depth])
					at += int(f.StrideX)
				}
			}
		} else {
			for c := 0; c < depth; c += 16 {
				lanes := min(16, depth-c)
				brick := at + c/16*int(f.StrideC)
				for i := x; i < end; i++ {
					storeRun(f.Bits, dst[brick:], src[i*depth+c:i*depth+c+lanes])
					brick += 16 * elem
				}
			}
		}
		x = end
	}
}

func storeRun(bits int, dst []byte, src []int32) {
	switch bits {
	case 8:
		dst = dst[:len(src)]
		for i, v := range src {
			dst[i] = byte(v)
		}
	case 16:
		for i, v := range src {
			binary.LittleEndian.PutUint16(dst[2*i:], uint16(v))
		}
	default:
		for i, v := range src {
			binary.LittleEndian.PutUint32(dst[4*i:], uint32(v))
		}
	}
}

// storeMoved writes a row of the operation's output where transpose and reverse put it.
func storeMoved(k *stream.Kernel, dst []byte, src []int32, h int) {
	f := &k.OFM
	height, width, depth := k.StoredShape()
	elem := f.ElemBytes()
	for w := range f.Width {
		for c := range f.Depth {
			y, x, z := h, w, c
			switch k.Transpose {
			case stream.WHC:
				y, x, z = w, h, c
			case stream.HCW:
				y, x, z = h, c, w
			case stream.WCH:
				y, x, z = w, c, h
			case stream.CHW:
				y, x, z = c, h, w
			case stream.CWH:
				y, x, z = c, w, h
			}
			switch k.Reverse {
			case 1:
				y = height - 1 - y
			case 2:
				x = width - 1 - x
			case 3:
				z = depth - 1 - z
			}
			at := int(f.Offset(y, x, z))
			storeRun(f.Bits, dst[at:at+elem], src[w*f.Depth+c:w*f.Depth+c+1])
		}
	}
}
