package sim

import (
	"math"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// packed is the fast path of convolutions: the IFM is brought into a buffer of 16-bit values with its padding around
// it, weights are laid out for the vector kernels, and sums have 32 bits. It holds where no sum can overflow, which
// depends on the weights. Outputs of 8 bits go directly to memory; others through the rows of [kernelStep].
type packed struct {
	step *kernelStep

	candidate bool // the operation's shape and types fit
	certain   bool // and no weights can make it overflow
	ready     bool // the weights at hand do not
	direct    bool // nor do the scales: the whole output stage is vectorised

	height, width int // of the padded buffer
	runs          []int
	pairs         int // of elements in a run
	weights       []int16
	quants        []quant
	bounds        []int64 // by channel: the greatest magnitude that a sum can have
	rowStep       int     // elements from one output row's first tap to the next one's
	pixelStep     int
}

// paddedSlack is what the vector kernels may read past the padded buffer.
const paddedSlack = 4 * lanes

// plan decides what the operation's registers allow.
func (p *packed) plan(s *kernelStep) {
	k := s.k
	depthwise := s.op.Kind == stream.Depthwise
	if !depthwise && s.op.Kind != stream.Conv || k.WeightsIFM2 || k.AccInput != stream.AccReset {
		return
	}
	if k.IFM.Bits > 16 || k.IFM.Bits == 16 && (!k.IFM.Signed || k.IFM.ZeroPoint != 0) || k.IFM.ZeroPoint > 255 || k.IFM.ZeroPoint < -255 {
		return
	}
	p.candidate = true
	w, c := &k.Window, k.IFM.Depth
	taps := w.TapsX() * w.TapsY()
	perChannel := taps
	if !depthwise {
		perChannel *= c
	}
	p.certain = k.IFM.Bits == 8 && perChannel*maxWeight*maxByte <= math.MaxInt32
	p.height, p.width = s.upH+w.Top+w.Bottom, s.upW+w.Left+w.Right
	p.rowStep, p.pixelStep = w.StrideY*p.width*c, w.StrideX*c
	p.runs = p.runs[:0]
	contiguous := !depthwise && w.DilationX == 1
	for ky := range w.TapsY() {
		for kx := range w.TapsX() {
			if contiguous && kx > 0 {
				break
			}
			p.runs = append(p.runs, (ky*w.DilationY*p.width+kx*w.DilationX)*c)
		}
	}
	p.pairs = (c + 1) / 2
	if contiguous {
		p.pairs = (w.TapsX()*c + 1) / 2
	}
	if depthwise && len(p.runs)%2 == 1 {
		p.runs = append(p.runs, p.runs[len(p.runs)-1]) // its weights are zero
	}
}

const (
	maxWeight = 256 // of the weight decoders' nine bits
	maxByte   = 383 // of an 8-bit value less a zero point that is in range for the other signedness
)

func (p *packed) elements() int { return p.height * p.width * p.step.k.IFM.Depth }

// adopt packs weights and scales that were just decoded. Weights that the general path can never need are dropped.
func (p *packed) adopt() {
	s := p.step
	p.direct = false
	if !p.candidate {
		return
	}
	if s.weights.dense != nil {
		if p.ready = p.bound(); !p.ready {
			return
		}
		if s.op.Kind == stream.Depthwise {
			p.packDepthwise()
		} else {
			p.packConv()
		}
		if p.certain {
			s.weights.dense = nil
		}
	}
	p.direct = p.ready && p.quantize()
}

// bound finds how large each channel's sums can become and reports whether 32 bits hold them.
func (p *packed) bound() bool {
	dense, depth := p.step.weights.dense, p.step.k.OFM.Depth
	limit := int64(maxByte)
	if p.step.k.IFM.Bits == 16 {
		limit = -math.MinInt16
	}
	p.bounds = make([]int64, depth)
	each := len(dense) / depth
	for o := range p.bounds {
		sum := int64(0)
		for _, v := range dense[o*each : (o+1)*each] {
			sum += int64(max(v, -v))
		}
		if p.bounds[o] = sum * limit; p.bounds[o] > math.MaxInt32 {
			return false
		}
	}
	return true
}

func (p *packed) packConv() {
	k := p.step.k
	blocks := (k.OFM.Depth + lanes - 1) / lanes
	size := len(p.runs) * p.pairs * 2 * lanes
	p.weights = make([]int16, blocks*size)
	dense := p.step.weights.dense
	each := len(dense) / k.OFM.Depth
	run := each / len(p.runs)
	for o := range k.OFM.Depth {
		block := p.weights[o/lanes*size:]
		for r := range p.runs {
			line := dense[o*each+r*run:][:run]
			at := r*p.pairs*2*lanes + o%lanes*2
			for i, v := range line {
				block[at+i>>1*2*lanes+i&1] = v
			}
		}
	}
}

func (p *packed) packDepthwise() {
	k := p.step.k
	blocks := (k.OFM.Depth + lanes - 1) / lanes
	pairs := len(p.runs) / 2
	p.weights = make([]int16, blocks*pairs*2*lanes)
	dense := p.step.weights.dense
	taps := len(dense) / k.OFM.Depth
	for c := range k.OFM.Depth {
		for t := range taps {
			p.weights[((c/lanes*pairs+t/2)*lanes+interleaved(c%lanes))*2+t&1] = dense[c*taps+t]
		}
	}
}

// load brings rows of the padded buffer.
func (p *packed) load(m *machine, w *worker, lo, hi int) {
	k := p.step.k
	f, c := &k.IFM, k.IFM.Depth
	left := k.Window.Left * c
	for y := lo; y < hi; y++ {
		row := m.padded[y*p.width*c : (y+1)*p.width*c]
		iy, ok := source(y-k.Window.Top, p.step.upH, k.Upscale)
		if !ok {
			clear(row)
			continue
		}
		clear(row[:left])
		inside := row[left:][:p.step.upW*c]
		clear(row[left+len(inside):])
		if k.Upscale == stream.UpscaleNone {
			p.loadRow(m, inside, iy)
			continue
		}
		p.loadRow(m, w.line[:f.Width*c], iy)
		for x := range p.step.upW {
			if ix, ok := source(x, p.step.upW, k.Upscale); ok {
				copy(inside[x*c:(x+1)*c], w.line[ix*c:])
			} else {
				clear(inside[x*c : (x+1)*c])
			}
		}
	}
}

// loadRow is loadRow for 16-bit values, with the vector kernel for whole blocks of bytes.
func (p *packed) loadRow(m *machine, dst []int16, y int) {
	f := &p.step.k.IFM
	if f.Storage == stream.Chained {
		for i, v := range m.chain[f.Region][y*len(dst) : (y+1)*len(dst)] {
			dst[i] = int16(v - f.ZeroPoint)
		}
		return
	}
	src, depth := m.regions[f.Region], f.Depth
	if f.Bits != 8 {
		loadRow(f, src, dst, y)
		return
	}
	for x := 0; x < f.Width; {
		end := segmentEnd(f, x, f.Width)
		at := int(f.Offset(y, x, 0))
		switch {
		case f.Layout == stream.NHCWB16:
			for c := 0; c < depth; c += lanes {
				brick := src[at+c/lanes*int(f.StrideC):]
				if depth-c >= lanes {
					m.vector.widen(dst[x*depth+c:], brick, end-x, depth, lanes, f.ZeroPoint, f.Signed)
					continue
				}
				for i := x; i < end; i++ {
					loadRun(f, brick[(i-x)*lanes:], dst[i*depth+c:(i+1)*depth])
				}
			}
		case int(f.StrideX) == depth:
			p.widenRun(m, dst[x*depth:end*depth], src[at:])
		default:
			for i := x; i < end; i++ {
				p.widenRun(m, dst[i*depth:(i+1)*depth], src[at:])
				at += int(f.StrideX)
			}
		}
		x = end
	}
}

func (p *packed) widenRun(m *machine, dst []int16, src []byte) {
	f := &p.step.k.IFM
	whole := len(dst) / lanes
	if whole > 0 {
		m.vector.widen(dst, src, whole, lanes, lanes, f.ZeroPoint, f.Signed)
	}
	if rest := whole * lanes; rest < len(dst) {
		loadRun(f, src[rest:], dst[rest:])
	}
}

// row adds an output row to acc, for outputs that are not direct.
func (p *packed) row(m *machine, w *worker, acc []int64, y int) {
	k := p.step.k
	depth := k.OFM.Depth
	if p.step.op.Kind == stream.Depthwise {
		for x := range k.OFM.Width {
			p.depthwise(m, w, y, x)
			for c, v := range w.tile[:depth] {
				acc[x*depth+c] += int64(v)
			}
		}
		return
	}
	for x := 0; x < k.OFM.Width; x += tilePixels {
		count := p.tile(w, y*k.OFM.Width+x, (y+1)*k.OFM.Width)
		for c := 0; c < depth; c += lanes {
			p.gemm(m, w, c/lanes)
			for i := range count {
				for l := range min(lanes, depth-c) {
					acc[(x+i)*depth+c+l] += int64(w.tile[i*lanes+l])
				}
			}
		}
	}
}

// tile sets the pixels of a tile that begins at output pixel n, and returns how many there are before end. Places past
// the end repeat the last pixel.
func (p *packed) tile(w *worker, n, end int) int {
	width := p.step.k.OFM.Width
	count := min(tilePixels, end-n)
	y, x := n/width, n%width
	for i := range w.pixels {
		if i >= count {
			w.pixels[i] = w.pixels[count-1]
			continue
		}
		w.pixels[i] = y*p.rowStep + x*p.pixelStep
		if x++; x == width {
			x, y = 0, y+1
		}
	}
	return count
}

func (p *packed) gemm(m *machine, w *worker, block int) {
	size := len(p.runs) * p.pairs * 2 * lanes
	m.vector.gemm(w.tile, m.padded, &w.pixels, p.runs, p.pairs, p.weights[block*size:(block+1)*size])
}

func (p *packed) depthwise(m *machine, w *worker, y, x int) {
	blocks := (p.step.k.OFM.Depth + lanes - 1) / lanes
	m.vector.depthwise(w.tile, m.padded[y*p.rowStep+x*p.pixelStep:], p.runs, blocks, p.weights)
}

// chunkPixels is how many pixels are taken through all output channels before the next: their inputs stay in the cache.
const chunkPixels = 8 * tilePixels

// compute does output rows [lo, hi) up to the bytes in memory.
func (p *packed) compute(m *machine, w *worker, lo, hi int) {
	k := p.step.k
	f := &k.OFM
	if p.step.op.Kind == stream.Depthwise {
		blocks := len(p.quants)
		for y := lo; y < hi; y++ {
			for x := range f.Width {
				p.depthwise(m, w, y, x)
				p.scale(m, w, p.quants, blocks)
				p.put(m, w.bytes[:f.Depth], int(f.Offset(y, x, 0)), 0)
			}
		}
		return
	}
	end := hi * f.Width
	for n := lo * f.Width; n < end; n += chunkPixels {
		chunkEnd := min(n+chunkPixels, end)
		for c := 0; c < f.Depth; c += lanes {
			channels := min(lanes, f.Depth-c)
			for t := n; t < chunkEnd; t += tilePixels {
				count := p.tile(w, t, chunkEnd)
				p.gemm(m, w, c/lanes)
				p.scale(m, w, p.quants[c/lanes:c/lanes+1], count)
				for i := range count {
					p.put(m, w.bytes[i*lanes:][:channels], int(f.Offset((t+i)/f.Width, (t+i)%f.Width, 0)), c)
				}
			}
		}
	}
}
