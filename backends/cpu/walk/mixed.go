package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// mixed is what a Map needs to convert, spread and gather.
type mixed struct {
	store      Load // nil: the output's type
	in         [3]input
	views      [3]View
	plain      bool      // no operand is gathered and nothing is converted but what is spread
	gathers    bool      // some operand is gathered
	spreads    bool      // some operand is spread
	outSize    int       // of an element of the output
	resultSize int       // and of one that the kernel gives
	result     int       // offset of those in a part's temp memory, where they are converted
	step       int       // elements done at a time
	block      int       // bytes of temp memory for one part
	temp       []byte    // of this run
	nums       [3][]byte // the numbers, each as often as few outputs want it, at least leastNumber bytes
}

// mix plans a call that does not obviously go to the kernel as it is.
func (m *Map) mix(out *executor.Tensor, ins []Operand) error {
	if m.mixed == nil {
		m.mixed = new(mixed)
	}
	x := m.mixed
	m.whole, x.plain, x.gathers, x.spreads, x.block = true, out.DType == m.result, false, false, 0
	x.outSize, x.resultSize = out.DType.Size(), m.result.Size()
	if x.plain {
		x.store = nil
	} else if x.store = Loader(m.result, out.DType); x.store == nil {
		return arg.NoConversion(m.result, out.DType)
	}
	widest := 1 // of the elements that are held in blocks
	for k, o := range ins {
		in := &x.in[k]
		if in.load == nil || in.Operand != o {
			if err := in.set(o); err != nil {
				return err
			}
		}
		if o.Tensor == nil && x.nums[k] == nil {
			x.nums[k] = make([]byte, max(leastNumber, min(m.n, few)*in.size))
		}
		var err error
		if in.mode, err = m.see(k, out); err != nil {
			return err
		}
		x.plain = x.plain && in.mode < converted
		x.gathers = x.gathers || in.mode == gather
		x.spreads = x.spreads || in.mode == spread
		if in.mode.blocks() {
			m.whole = false
			widest = max(widest, in.size)
		}
	}
	if x.store != nil {
		m.whole = false
		widest = max(widest, x.resultSize)
	}
	x.step = min(m.n, max(Block, leastBytes/widest))
	for k := range ins {
		if v := &x.views[k]; m.n > 0 && x.in[k].mode == gather && v.Rank > 1 && v.Stride[v.Rank-2] == 0 {
			x.step -= x.step % min(v.Size[v.Rank-1], x.step) // whole runs, so that blocks repeat
		}
	}
	for k := range ins {
		if in := &x.in[k]; in.mode.blocks() {
			in.buf = x.block
			x.block += pad(x.step * in.size)
		}
	}
	if x.store != nil {
		x.result = x.block
		x.block += pad(x.step * x.resultSize)
	}
	return nil
}

// few is up to how many outputs a number is kept spread, rather than spread in every run.
const few = 64

// leastNumber is how many bytes of a number are kept spread at least: as much as the widest vector takes.
const leastNumber = 32

// leastBytes is what a block holds at least, so that narrow elements are not handed out in small pieces.
const leastBytes = 8 * Block

// see finds out how operand k lies.
func (m *Map) see(k int, out *executor.Tensor) (mode, error) {
	in, v := &m.mixed.in[k], &m.mixed.views[k]
	if in.Tensor == nil && in.Once {
		return once, nil
	}
	same := in.from() == in.Type && in.round == nil
	if same && in.Tensor != nil && in.Tensor.SameLayout(out) || in.Tensor == nil && m.n*in.size <= len(m.mixed.nums[k]) {
		return direct, nil
	}
	if err := v.See(out, in.Tensor); err != nil {
		return direct, err
	}
	switch {
	case same && (v.Packed() || m.n == 1):
		return direct, nil
	case v.Packed():
		return converted, nil
	case v.Single():
		return spread, nil
	}
	return gather, nil
}

// gather is convert where operands are gathered.
func (m *Map) gather(lo, hi, step int, ops *[3][]byte, temp []byte) {
	var g gathering
	for k := range m.ins {
		if m.mixed.in[k].mode == gather {
			m.mixed.views[k].Seek(&g.cur[k], lo)
		}
	}
	m.convert(lo, hi, step, ops, temp, &g)
}

// convert does elements lo to hi, step at a time, where operands or the output are converted. ops has the operands that
// are the same all the time; g is nil where none is gathered.
func (m *Map) convert(lo, hi, step int, ops *[3][]byte, temp []byte, g *gathering) {
	x := m.mixed
	for p := lo; p < hi; p += step {
		n := min(step, hi-p)
		for k := range m.ins {
			in := &x.in[k]
			switch in.mode {
			case direct:
				ops[k] = m.source(int(k))[p*in.size : (p+n)*in.size]
			case once:
				ops[k] = m.source(int(k))
			case converted:
				ops[k] = in.read(temp, m.source(int(k)), p, 1, n)
			case gather:
				ops[k] = x.fetch(int(k), g, m.source(int(k)), temp, n)
			}
		}
		dst := m.out.Data[p*x.outSize : (p+n)*x.outSize]
		if x.store == nil {
			m.kernel(m.params, dst, ops[0], ops[1], ops[2])
			continue
		}
		tmp := temp[x.result:][:n*x.resultSize]
		m.kernel(m.params, tmp, ops[0], ops[1], ops[2])
		x.store(dst, tmp, 0, 1, n)
	}
}
