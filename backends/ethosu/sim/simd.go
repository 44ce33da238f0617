package sim

// The kernels of the packed convolution path work on tiles of tilePixels output pixels by lanes output channels.
const (
	tilePixels = 6
	lanes      = 16
)

// vector holds the inner loops, chosen once for the machine. All variants give the same bits.
type vector struct {
	// gemm sets acc, [tilePixels][lanes], to the products of the pixels' runs with packed weights. A run is 2·pairs
	// consecutive elements of x that begin at a pixel's offset plus the run's; w is [run][pair][lanes][2].
	gemm func(acc []int32, x []int16, pixels *[tilePixels]int, runs []int, pairs int, w []int16)
	// depthwise sets acc, [blocks·lanes], to the sums over pairs of taps of x[tap+c]·w for one pixel; w is
	// [block][tap pair][lanes][2], its lanes in the order of interleaved.
	depthwise func(acc []int32, x []int16, taps []int, blocks int, w []int16)
	// requantize scales blocks of lanes of acc to bytes, with a quant for each block or one for all.
	requantize func(dst []byte, acc []int32, q []quant, blocks int, zero, lo, hi int32)
	// widen converts blocks of lanes bytes to 16 bits less a zero point; the steps are in elements.
	widen func(dst []int16, src []byte, blocks, dstStep, srcStep int, zero int32, signed bool)
}

// quant is the output scaling of one block of channels. Offsets and counts are elements and lanes are split into those
// of even and odd places in each half, as the 64-bit products of the vector units come.
type quant struct {
	bias   [lanes]int32
	scale  [lanes]int32
	half   [lanes]int64 // added before the shift
	double [lanes]int64 // added too, with the sign of the accumulator
	shift  [lanes]int64
}

// split gives the place of a lane in the 64-bit arrays of quant.
func split(lane int) int { return lane&8 | lane&1<<2 | lane>>1&3 }

// interleaved gives the place of a lane in depthwise's packed weights: unpacking two vectors of 16 leaves lanes 0–3 and
// 8–11 in the first and the others in the second result.
func interleaved(lane int) int { return lane&4<<1 | lane&8>>1 | lane&3 }

func genericVector() vector {
	return vector{gemmGeneric, depthwiseGeneric, requantizeGeneric, widenGeneric}
}

func gemmGeneric(acc []int32, x []int16, pixels *[tilePixels]int, runs []int, pairs int, w []int16) {
	clear(acc[:tilePixels*lanes])
	for r, run := range runs {
		for p, pixel := range pixels {
			line := x[pixel+run:][:2*pairs]
			dst := acc[p*lanes:][:lanes]
			for i := range pairs {
				a, b := int32(line[2*i]), int32(line[2*i+1])
				weights := w[(r*pairs+i)*2*lanes:][:2*lanes]
				for c := range dst {
					dst[c] += a*int32(weights[2*c]) + b*int32(weights[2*c+1])
				}
			}
		}
	}
}

func depthwiseGeneric(acc []int32, x []int16, taps []int, blocks int, w []int16) {
	for b := range blocks {
		dst := acc[b*lanes:][:lanes]
		clear(dst)
		for t := 0; t < len(taps); t += 2 {
			first, second := x[taps[t]+b*lanes:][:lanes], x[taps[t+1]+b*lanes:][:lanes]
			weights := w[(b*len(taps)/2+t/2)*2*lanes:][:2*lanes]
			for c := range dst {
				at := 2 * interleaved(c)
				dst[c] += int32(first[c])*int32(weights[at]) + int32(second[c])*int32(weights[at+1])
			}
		}
	}
}

const quantBytes = lanes * (4 + 4 + 8 + 8 + 8)

// quantStep returns how far requantize goes on in q after a block.
func quantStep(q []quant, blocks int) int {
	if len(q) == 1 {
		return 0
	}
	_ = q[blocks-1]
	return quantBytes
}

func requantizeGeneric(dst []byte, acc []int32, list []quant, blocks int, zero, lo, hi int32) {
	for b := range blocks {
		q := &list[min(b, len(list)-1)]
		for c := range lanes {
			v, s := acc[b*lanes+c]+q.bias[c], split(c)
			double := q.double[s]
			if v < 0 {
				double = -double
			}
			p := (int64(v)*int64(q.scale[c]) + q.half[s] + double) >> q.shift[s]
			dst[b*lanes+c] = byte(min(max(int32(p)+zero, lo), hi))
		}
	}
}

func widenGeneric(dst []int16, src []byte, blocks, dstStep, srcStep int, zero int32, signed bool) {
	for b := range blocks {
		from, to := src[b*srcStep:][:lanes], dst[b*dstStep:][:lanes]
		if signed {
			for i, v := range from {
				to[i] = int16(int8(v)) - int16(zero)
			}
		} else {
			for i, v := range from {
				to[i] = int16(v) - int16(zero)
			}
		}
	}
}
