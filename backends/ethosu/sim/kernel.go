package sim

import (
	"math"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// kernelStep is a planned kernel operation. It works in two rounds that the crew shares by rows: the operands are
// brought into dense buffers, [H][W][C] less their zero points, then each output row is computed, scaled and stored.
// Reading everything first also makes outputs that lie over their inputs safe.
type kernelStep struct {
	op      *stream.Op
	k       *stream.Kernel
	product stream.Product
	weights *weightSlot
	scales  *scaleSlot
	upH     int // height and width of the IFM after upscaling
	upW     int

	fast     packed // the path of int16 operands and int32 sums, where it holds
	keep     bool   // the next operation continues these accumulators
	parallel bool   // worth sharing

	m            *machine
	phase        phase
	items, parts int // rows of the phase, and the shares that they are cut into
	outScale     stream.Scaling
	scaled       bool // outScale is not the identity
}

type phase uint8

const (
	loadIFM phase = iota
	loadIFM2
	loadPadded
	compute
)

// work is roughly the number of multiply-accumulates below which sharing costs more than it saves.
const parallelWork = 1 << 15

func newKernelStep(op *stream.Op, product stream.Product) *kernelStep {
	k := op.Kernel
	s := &kernelStep{op: op, k: k, product: product, outScale: k.OFMScale, scaled: true}
	s.upH, s.upW = k.IFM.Height, k.IFM.Width
	if w := &k.Window; k.Upscale != stream.UpscaleNone {
		s.upH = (k.OFM.Height-1)*w.StrideY + w.Height - w.Top - w.Bottom
		s.upW = (k.OFM.Width-1)*w.StrideX + w.Width - w.Left - w.Right
	}
	work := k.OFM.Height * k.OFM.Width * k.OFM.Depth
	switch op.Kind {
	case stream.Conv:
		work *= k.Window.TapsX() * k.Window.TapsY() * k.IFM.Depth
	case stream.Depthwise, stream.Pool:
		work *= k.Window.TapsX() * k.Window.TapsY()
	case stream.Elementwise:
		s.elementwiseScale()
	}
	s.scaled = !s.identity()
	s.parallel = work >= parallelWork
	s.fast.step = s
	return s
}

// identity reports whether the output scale changes nothing. The reciprocal of one, which U55's copies have, is a little
// more than one and changes values of 16 bits by less than rounding shows.
func (s *kernelStep) identity() bool {
	if s.outScale.Scale == 1 && s.outScale.Shift == 0 {
		return true
	}
	rounds := s.outScale.Round == stream.RoundNatural || s.outScale.Round == stream.RoundDoubleSymmetric
	return s.op.Kind == stream.Pool && s.outScale.Scale == 1<<31+1 && s.outScale.Shift == 31 && rounds && s.k.IFM.Bits <= 16 &&
		s.k.Window.Width == 1 && s.k.Window.Height == 1 && s.k.Pool != stream.PoolReduceSum
}

// elementwiseScale chooses what of OFM_SCALE an elementwise function uses.
func (s *kernelStep) elementwiseScale() {
	identity := stream.Scaling{Scale: 1}
	k := s.k
	switch k.Elementwise {
	case stream.EltMul:
		if k.IFM.Bits == 32 { // the multiplier is not used: Vela writes 2^30 with shift 31
			s.outScale.Scale = 1
		}
	case stream.EltAdd, stream.EltSub, stream.EltAbs, stream.EltDiv:
	case stream.EltMin, stream.EltMax:
		if s.product != stream.U85 {
			s.outScale = identity
		}
	case stream.EltLRelu:
		if s.product != stream.U85 {
			s.outScale = identity // applied to negatives only, in the function
		}
	case stream.EltSHR, stream.EltSHL, stream.EltCLZ, stream.EltLSR:
		s.outScale = identity
	default:
		if s.product != stream.U85 {
			s.outScale = identity
		}
	}
}

func (s *kernelStep) run(m *machine) error {
	k := s.k
	s.m = m
	rowsMoved := k.IFM.Height*k.IFM.Width*k.IFM.Depth >= parallelWork
	if s.fast.ready {
		s.share(loadPadded, s.fast.height, rowsMoved)
	} else if s.readsIFM() {
		s.share(loadIFM, k.IFM.Height, rowsMoved)
	}
	if k.HasIFM2 {
		s.share(loadIFM2, k.IFM2.Height, rowsMoved)
	}
	s.share(compute, k.OFM.Height, s.parallel)
	if f := &k.OFM; !k.NoOutput && f.Height*f.Width*f.Depth == 1 {
		m.flag = m.workers[0].row[0] != 0
	}
	return nil
}

// share runs a phase, its rows cut into one contiguous share a worker.
func (s *kernelStep) share(p phase, rows int, parallel bool) {
	s.phase, s.items, s.parts = p, rows, 1
	if parallel {
		s.parts = min(rows, s.m.pool.Size())
	}
	s.m.pool.Run(s.parts, s)
}

// Do works on one share of the phase.
func (s *kernelStep) Do(part int) {
	lo, hi := s.items*part/s.parts, s.items*(part+1)/s.parts
	m := s.m
	switch s.phase {
	case loadIFM:
		s.load(m, &s.k.IFM, m.ifm, lo, hi)
	case loadIFM2:
		if s.k.AccInput == stream.AccIFM2 {
			s.loadPreload(m, lo, hi)
		} else {
			s.load(m, &s.k.IFM2, m.ifm2, lo, hi)
		}
	case loadPadded:
		s.fast.load(m, &m.workers[part], lo, hi)
	default:
		if s.fast.direct {
			s.fast.compute(m, &m.workers[part], lo, hi)
			return
		}
		for y := lo; y < hi; y++ {
			s.row(m, &m.workers[part], y)
		}
	}
}

func (s *kernelStep) readsIFM() bool {
	return !(s.op.Kind == stream.Pool && s.k.Pool == stream.PoolNone)
}

// load brings rows of an operand into a dense buffer.
func (s *kernelStep) load(m *machine, f *stream.FeatureMap, dst []int32, lo, hi int) {
	n := f.Width * f.Depth
	switch f.Storage {
	case stream.NoStorage: // the scalar
		dst[0] = s.k.Scalar - f.ZeroPoint
	case stream.Chained:
		for i, v := range m.chain[f.Region][lo*n : hi*n] {
			dst[lo*n+i] = v - f.ZeroPoint
		}
	default:
		for y := lo; y < hi; y++ {
			loadRow(f, m.regions[f.Region], dst[y*n:(y+1)*n], y)
		}
	}
}

func (s *kernelStep) loadPreload(m *machine, lo, hi int) {
	f := &s.k.IFM2
	n := f.Width * f.Depth
	switch f.Storage {
	case stream.NoStorage:
		m.preload[0] = int64(s.k.Scalar) - int64(f.ZeroPoint)
	case stream.Chained:
		for i, v := range m.chain[f.Region][lo*n : hi*n] {
			m.preload[lo*n+i] = int64(v) - int64(f.ZeroPoint)
		}
	default:
		for y := lo; y < hi; y++ {
			loadRow(f, m.regions[f.Region], m.preload[y*n:(y+1)*n], y)
		}
	}
}

// row computes output row y.
func (s *kernelStep) row(m *machine, w *worker, y int) {
	k := s.k
	n := k.OFM.Width * k.OFM.Depth
	acc := w.acc[:n]
	switch k.AccInput {
	case stream.AccKeep:
		copy(acc, m.acc[y*n:(y+1)*n])
	case stream.AccIFM2:
		s.preload(m, acc, y)
	default:
		clear(acc)
	}
	switch s.op.Kind {
	case stream.Conv, stream.Depthwise:
		s.sums(m, w, acc, y)
	case stream.Pool:
		s.poolRow(m, acc, y)
	case stream.Elementwise:
		s.elementwiseRow(m, acc, y)
	case stream.Resize:
		s.resizeRow(m, acc, y)
	}
	if k.NoOutput || s.keep {
		copy(m.acc[y*n:(y+1)*n], acc)
		if k.NoOutput {
			return
		}
	}
	row := w.row[:n]
	s.finish(m, acc, row)
	s.store(m, row, y)
}

// sums adds a row of multiply-accumulates to acc.
func (s *kernelStep) sums(m *machine, w *worker, acc []int64, y int) {
	switch {
	case s.fast.ready:
		s.fast.row(m, w, acc, y)
	case s.k.WeightsIFM2:
		s.matmulRow(m, acc, y)
	case s.op.Kind == stream.Depthwise:
		s.depthwiseRow(m, acc, y)
	default:
		s.convRow(m, acc, y)
	}
}

func (s *kernelStep) preload(m *machine, acc []int64, y int) {
	if s.k.IFM2.Storage == stream.NoStorage {
		for i := range acc {
			acc[i] = m.preload[0]
		}
		return
	}
	copy(acc, m.preload[y*len(acc):])
}

// finish takes accumulators through bias, scale, zero point, clamp and table.
func (s *kernelStep) finish(m *machine, acc []int64, row []int32) {
	k := s.k
	if s.scales != nil {
		scales := s.scales.channels
		for at := 0; at < len(acc); at += len(scales) {
			line := acc[at : at+len(scales)]
			for c := range line {
				ch := &scales[c]
				sc := s.outScale
				sc.Scale, sc.Shift = ch.scale, ch.shift
				line[c] = rescale(line[c]+ch.bias, sc)
			}
		}
	} else if s.scaled && k.GlobalScale {
		for i, v := range acc {
			acc[i] = rescale(v, s.outScale)
		}
	}
	a := &k.Activation
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	if a.Clamp {
		lo, hi = int64(a.Min), int64(a.Max)
	} else if s.product != stream.U85 {
		lo, hi = math.MinInt32, math.MaxInt32
	}
	zero := int64(k.OFM.ZeroPoint)
	for i, v := range acc {
		row[i] = int32(min(max(v+zero, lo), hi))
	}
	if a.Function == stream.ActTable {
		s.table(m, row)
	}
}

func (s *kernelStep) store(m *machine, row []int32, y int) {
	k := s.k
	f := &k.OFM
	switch {
	case f.Storage == stream.Chained:
		copy(m.chain[f.Region][y*len(row):], row)
	case f.Storage == stream.NoStorage:
	case k.Transpose != stream.HWC || k.Reverse != 0:
		storeMoved(k, m.regions[f.Region], row, y)
	default:
		storeRow(f, m.regions[f.Region], row, y, f.Width, f.Depth)
	}
}
