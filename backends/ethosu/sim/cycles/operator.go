package cycles

import (
	"math"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// operator is one operation of the compiler's graph: compilers cut it into stripes that alternate with those of its
// neighbours, into slices of the output's depth, or, where the hardware has no such function, into many small copies.
type operator struct {
	task
	ops      []int // of the stream
	last     *stream.Kernel
	swap     bool        // U55, U65: a transpose made of copies
	elements int         // of a transpose
	words    bool        // of 32 bits, moved as groups of four bytes
	parts    []*operator // of a MatMul on U55 and U65, after the first
	striped  bool        // its parts alternate with others
	table    float64
	prefetch int    // bytes of weights that are brought nearer just before
	full     int    // and with those of later slices
	tail     int    // depth of the last slice, where there are several
	source   memory // from where
}

// operatorSearch is how many operators back a stripe may find its own.
const operatorSearch = 12

// operators groups the kernel operations of a stream.
func (e *estimator) operators(s *stream.Stream) []*operator {
	var list []*operator
	table := 0.0
	var phases phases
	var loads []*stream.Transfer // of weights, since the last operation
	for i := 0; i < len(s.Ops); i++ {
		op := &s.Ops[i]
		if t := op.Transfer; t != nil && t.DstInternal {
			table += e.tableLoad(t)
		} else if t != nil && t.Src.Region == 0 && t.Dst.Region != 0 {
			loads = append(loads, t)
		}
		if op.Kernel == nil {
			continue
		}
		next := &operator{task: e.task(op), ops: []int{i}, last: op.Kernel, swap: e.swaps(op), elements: op.Kernel.OFM.Height * op.Kernel.OFM.Width * op.Kernel.OFM.Depth}
		if copies(op) { // Vela does not charge the table of another operation's activation
			next.table = table
		}
		if len(op.Kernel.Weights) > 0 && op.Kernel.Weights[0].Region != 0 {
			for _, t := range loads {
				next.prefetch += int(t.Src.Bytes)
				next.full = next.prefetch
				next.source = e.memory[0]
			}
		}
		if e.product(list, next) {
			table, loads = 0, nil
			continue
		}
		if next.swap && op.Kernel.OFM.Bits == 8 && op.Kernel.OFM.Depth%4 == 0 && widths(list, op.Kernel) == 32 {
			next.words, next.elements = true, next.elements/4
		}
		phases.widen(&next.task)
		table, loads = 0, nil
		for op.Kernel.OFM.Storage == stream.Chained { // the whole chain passes with its first operation
			for i++; i < len(s.Ops) && s.Ops[i].Kernel == nil; i++ {
			}
			if i == len(s.Ops) {
				break
			}
			op = &s.Ops[i]
			next.ops = append(next.ops, i)
			next.perElement += e.outputCycles(op)
		}
		merged := false
		for n := len(list) - 1; n >= 0 && n >= len(list)-operatorSearch && !merged; n-- {
			merged = list[n].join(s, next, n == len(list)-1)
		}
		if !merged {
			list = append(list, next)
		}
	}
	return list
}

// widths returns the precision in which the nearest operator before stored what k reads; 0: none did.
func widths(list []*operator, k *stream.Kernel) int {
	for i := len(list) - 1; i >= 0; i-- {
		if o := &list[i].op.Kernel.OFM; o.Region == k.IFM.Region && o.Base[0] == k.IFM.Base[0] {
			if list[i].words {
				return 32
			}
			return o.Bits
		}
	}
	return 0
}

// product takes next into a MatMul on U55 and U65, which for each column multiplies into memory and then sums. Vela
// reckons the sum with the precision of the factors.
func (e *estimator) product(list []*operator, next *operator) bool {
	if e.acc.Product == stream.U85 || len(list) == 0 {
		return false
	}
	o, k := list[len(list)-1], next.op.Kernel
	m := o.op.Kernel
	if o.op.Kind != stream.Elementwise || m.Elementwise != stream.EltMul || m.OFM.Bits != 32 {
		return false
	}
	sums := next.op.Kind == stream.Pool && k.Pool == stream.PoolReduceSum && k.IFM.Bits == 32 && k.IFM.Base == m.OFM.Base
	column := next.op.Kind == stream.Elementwise && k.Elementwise == stream.EltMul && len(o.parts) > 0 && k.OFM.Base == m.OFM.Base && k.IFM.Base == m.IFM.Base
	if !sums && !column {
		return false
	}
	if sums {
		next.ifm.bits, next.ifm.layout = m.IFM.Bits, m.IFM.Layout
	}
	o.parts = append(o.parts, next)
	return true
}

// join takes next into o if they are parts of one operator.
func (o *operator) join(s *stream.Stream, next *operator, adjacent bool) bool {
	a, b := o.last, next.op.Kernel
	if o.op.Kind != next.op.Kind || o.op.Param != next.op.Param || o.swap != next.swap || a.Window.StrideX != b.Window.StrideX ||
		a.Window.StrideY != b.Window.StrideY || a.Window.Width != b.Window.Width || a.Window.Height != b.Window.Height ||
		a.OFM.Region != b.OFM.Region || a.OFM.StrideY != b.OFM.StrideY || a.OFM.StrideX != b.OFM.StrideX ||
		a.IFM.StrideY != b.IFM.StrideY || a.IFM.StrideX != b.IFM.StrideX || a.IFM.Depth != b.IFM.Depth && o.op.Kind != stream.Depthwise {
		return false
	}
	sameScales := len(a.Scales) > 0 && len(b.Scales) > 0 && a.Scales[0] == b.Scales[0] && a.Weights != nil && b.Weights != nil && a.Weights[0].Bytes == b.Weights[0].Bytes
	switch {
	case o.swap:
		if !adjacent || b.IFM.Base[0] <= a.IFM.Base[0] || a.OFM.Width != b.OFM.Width || a.OFM.Height != b.OFM.Height || a.OFM.Depth != b.OFM.Depth {
			return false
		}
		if o.words && !next.words { // known of the first only
			next.elements /= 4
		}
		o.elements += next.elements
	case sameScales && !loaded(s, o.ops[len(o.ops)-1], next.ops[0], a.Scales[0]) && a.OFM.Base != b.OFM.Base && a.OFM.Width == b.OFM.Width && a.OFM.Depth == b.OFM.Depth: // a stripe
		o.ofm.h += next.ofm.h
		o.ifm.h = max(o.ifm.h, next.ifm.h)
	case adjacent && len(a.Weights) > 0 && len(b.Weights) > 0 && len(a.Scales) > 0 && len(b.Scales) > 0 && a.Scales[0] != b.Scales[0] && // a slice
		a.OFM.Width == b.OFM.Width && a.OFM.Height == b.OFM.Height && a.OFM.Layout == b.OFM.Layout && next.ofm.w == b.OFM.Width && o.ofm.w == a.OFM.Width &&
		follows(&a.OFM, &b.OFM, a.OFM.Depth) && (a.IFM.Base == b.IFM.Base || o.op.Kind == stream.Depthwise && follows(&a.IFM, &b.IFM, a.OFM.Depth)):
		o.ofm.c += next.ofm.c
		if o.op.Kind == stream.Depthwise {
			o.ifm.c += next.ifm.c
		}
		o.full += next.full
		o.tail = next.ofm.c
	case (!adjacent || o.striped) && o.op.Kind != stream.Conv && len(a.Weights) == 0 && len(b.Weights) == 0 && a.OFM.Width == b.OFM.Width && a.OFM.Depth == b.OFM.Depth && a.OFM.InMemory() &&
		a.Transpose == stream.HWC && a.OFMScale == b.OFMScale && int64(b.OFM.Base[0]) == int64(a.OFM.Base[0])+int64(a.OFM.Height)*a.OFM.StrideY &&
		a.IFM.InMemory() && b.IFM.Base[0] != a.IFM.Base[0] && len(o.ops) == len(next.ops):
		o.ofm.h += next.ofm.h
	default:
		return false
	}
	o.striped = o.striped || !adjacent
	o.ops = append(o.ops, next.ops...)
	o.last = b
	return true
}

// loaded reports whether a transfer between two operations writes to a span.
func loaded(s *stream.Stream, from, to int, span stream.Span) bool {
	for i := from; i < to; i++ {
		if t := s.Ops[i].Transfer; t != nil && !t.DstInternal && t.Dst.Region == span.Region && t.Dst.Base < span.Base+span.Bytes && span.Base < t.Dst.Base+t.Dst.Bytes {
			return true
		}
	}
	return false
}

// follows reports whether b begins in memory where a slice of a of some depth ends.
func follows(a, b *stream.FeatureMap, depth int) bool {
	bytes := int64(b.Base[0]) - int64(a.Base[0])
	if a.Layout == stream.NHWC {
		return bytes == int64(depth*a.ElemBytes())
	}
	return bytes == int64(depth/16)*a.StrideC+int64(depth%16*a.ElemBytes())
}

// swaps reports whether a copy on U55 or U65 is part of a transpose: it walks its output across the rows.
func (e *estimator) swaps(op *stream.Op) bool {
	k := op.Kernel
	if e.acc.Product == stream.U85 || !copies(op) || k.Pool != stream.PoolAverage || k.OFM.Layout != stream.NHWC {
		return false
	}
	o := &k.OFM
	return o.StrideX > o.StrideY && o.Width > 1 || o.StrideX > int64(o.Depth*o.ElemBytes()) && o.Depth == 1 && o.StrideY < o.StrideX*int64(o.Width)
}

// swapCycles returns what Vela charges for a transpose on U55 and U65: its memory traffic, counted in elements.
func (e *estimator) swapCycles(o *operator) float64 {
	k := o.op.Kernel
	elem := k.OFM.ElemBytes()
	depth, outDepth := k.OFM.Depth, k.OFM.Depth
	if o.words {
		elem, depth, outDepth = 4, depth/4, depth/4
	}
	if depth == 1 && k.IFM.StrideX == int64(elem) {
		depth, outDepth = k.OFM.Width, k.OFM.Height
	}
	ifmBlock, block := roundUp(min(depth, 32), 8), roundUp(depth, microBlock(e.acc, k).c)
	if elem == 2 {
		ifmBlock = roundUp(min(depth, 16), 4)
	}
	if depth > 16 {
		block = roundUp(depth, 16)
	}
	move := func(m memory, burst, latency int) float64 {
		return float64(latency) + math.Floor(float64(o.elements*m.BurstBytes/min(burst, m.BurstBytes))/m.bandwidth)
	}
	width := k.Block[1]
	if k.OFM.Depth == 1 || o.words && k.OFM.Depth == 4 {
		if width = k.OFM.Height; k.IFM.StrideY != int64(depth*elem) {
			width = len(o.ops)
		}
	}
	read, write := ifmBlock*elem, min(64, 16*elem*e.acc.Cores(), block*elem)
	if depth*elem == ifmBlock {
		read = width * ifmBlock * elem
	}
	if outDepth*elem == block && block <= 16 {
		write = width * block * elem
	}
	return math.Max(move(o.ifm.memory, read, o.ifm.memory.ReadLatency), move(o.ofm.memory, write, o.ofm.memory.WriteLatency))
}

// phases finds the convolutions that U85's transpose convolution is made of: each writes every second pixel in both axes.
// Vela charges each for all pixels from its first one on.
type phases struct {
	strideX, strideY int64
	base             uint64
}

func (p *phases) widen(t *task) {
	o := &t.op.Kernel.OFM
	pixel := int64(o.Depth * o.ElemBytes())
	if t.op.Kind != stream.Conv || o.Layout != stream.NHWC || o.StrideX != 2*pixel || o.StrideY <= int64(o.Width)*o.StrideX {
		*p = phases{}
		return
	}
	if p.strideX != o.StrideX || p.strideY != o.StrideY || o.Base[0] < p.base {
		*p = phases{o.StrideX, o.StrideY, o.Base[0]}
	}
	offset, row := int64(o.Base[0]-p.base), o.StrideY/2
	t.ofm.h, t.ofm.w = 2*o.Height-int(offset/row), 2*o.Width-int(offset%row/pixel)
}
