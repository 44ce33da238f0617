package walk

import (
	"sync/atomic"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/plane"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// Kernel is an operator's arithmetic: one loop over packed elements. dst says how many; a, b and c have at least as many,
// each in the type that the Map was told, and are nil where the operator has fewer operands. It is called from several
// goroutines at once and keeps nothing.
type Kernel func(p *Params, dst, a, b, c []byte)

// Params are the numbers that a kernel takes beside its operands, the same for all elements.
type Params struct {
	F [4]float64
	I [4]int64

	zero atomic.Bool
}

// DivideByZero records that a kernel met an integer division by zero: the call then fails.
func (p *Params) DivideByZero() { p.zero.Store(true) }

// Table is an operator's kernels by the type they compute in; nil where it has none.
type Table [16]Kernel

// Of gives the kernel for a type, nil if there is none.
func (t *Table) Of(d executor.DType) Kernel {
	if d < 0 || int(d) >= len(t) {
		return nil
	}
	return t[d]
}

// Block is the number of elements that are converted, spread or gathered at a time.
const Block = 512

// slice is the number of elements that a kernel gets at most in a call: assembly cannot be interrupted, and the collector
// should not wait long for it. Every call costs some 50 ns, since what it looks at has left the caches meanwhile.
const slice = 1 << 18

// Map is one call of an element-wise operator: dst[i] = kernel(a[i], b[i], c[i]) over everything that broadcasts. It is
// the state of a call site, made in Prepare; Run allocates nothing. It belongs to one method.
//
// Programs have thousands of such calls, and nearly all of them hand their tensors to the kernel as they lie: what only
// the others need is kept apart.
type Map struct {
	kernel  Kernel
	out     *executor.Tensor // nil while there is no plan
	tensors [3]*executor.Tensor
	params  *Params // nil until somebody sets or may report something
	mixed   *mixed  // nil until an operand or the output is not what the kernel takes or gives
	n       int
	parts   int32
	ins     uint8
	result  executor.DType // what the kernel gives
	whole   bool           // every operand and the output go to the kernel as they are
}

// Plain says whether the kernel takes all tensors as they lie, and no numbers, so that Repeat can serve other calls.
func (m *Map) Plain() bool { return m.whole && m.params == nil && m.mixed == nil }

// Repeat makes m the call that o is, for other tensors of the same types and layouts. o is Plain.
func (m *Map) Repeat(o *Map, out *executor.Tensor, ins *[3]*executor.Tensor) {
	*m = *o
	m.out = out
	for k, t := range ins { // not at once: copying what was just written makes the processor wait
		m.tensors[k] = t
	}
}

// Params are the numbers that the kernel takes.
func (m *Map) Params() *Params {
	if m.params == nil {
		m.params = new(Params)
	}
	return m.params
}

// Out is the output of the last plan, nil where that failed.
func (m *Map) Out() *executor.Tensor { return m.out }

// Tensor is operand k of the last plan, nil for a number.
func (m *Map) Tensor(k int) *executor.Tensor { return m.tensors[k] }

// Plan sets the call up, again whenever tensors or shapes change. out has its final shape. result is the type that the
// kernel writes. Errors are about shapes that do not broadcast.
func (m *Map) Plan(kernel Kernel, out *executor.Tensor, result executor.DType, ins ...Operand) error {
	m.out = nil
	m.kernel, m.result, m.ins, m.n = kernel, result, uint8(len(ins)), out.NumElements()
	m.parts = int32(Parts(m.n))
	if !arg.Floats.Has(result) {
		m.Params() // whole numbers may be divided by zero
	}
	m.whole = out.DType == result
	for k := range ins {
		o := &ins[k]
		m.tensors[k] = o.Tensor
		m.whole = m.whole && o.Tensor != nil && o.from() == o.Type && !o.rounds() && o.Tensor.SameLayout(out)
	}
	if !m.whole {
		if err := m.mix(out, ins); err != nil {
			return err
		}
	}
	m.out = out
	return nil
}

// Reserve makes room for all that planning again in Run, with other shapes, may want, so that it allocates nothing.
func (m *Map) Reserve() {
	if m.mixed == nil {
		m.mixed = new(mixed)
		nums := make([]byte, leastNumber*len(m.tensors))
		for k := range m.mixed.nums {
			m.mixed.nums[k] = nums[leastNumber*k:][:leastNumber:leastNumber]
		}
	}
}

// Needs is the temp memory that Run takes.
func (m *Map) Needs() []memory.Need {
	if m.whole {
		return nil
	}
	return blocks(m.mixed.block * int(m.parts))
}

// BoundNeeds is the temp memory that a call takes at most whose tensors may change their shapes up to their bounds. What
// is broadcast where may change too, so it counts a block for every operand.
func BoundNeeds(out *executor.Tensor, result executor.DType, ins ...Operand) []memory.Need {
	n := out.Bound()
	most := func(d executor.DType) int { return pad(min(n*d.Size(), max(Block*d.Size(), leastBytes))) }
	block := most(result)
	for _, o := range ins {
		block += most(o.Type)
	}
	return blocks(block * Parts(n))
}

func blocks(n int) []memory.Need {
	if n == 0 {
		return nil
	}
	return []memory.Need{{Role: "element blocks", Place: memory.Temp, Bytes: uint64(n), Align: 64}}
}

// SetNumber gives operand k, a number, its value; conversion and rounding follow the operand.
func (m *Map) SetNumber(k int, s arg.Scalar) {
	o := m.mixed.in[k].Operand
	num := m.source(k)
	Put(num, o.Type, s)
	if o.narrower() {
		rounder(o.Round)(num, nil, 0, 1, 1)
	}
	if n := m.n * o.Type.Size(); n <= len(num) || o.Once {
		plane.Fill(num[:min(n, len(num))], num[:o.Type.Size()])
	}
}

// Run does the call.
func (m *Map) Run(s *executor.Scope) error {
	if m.n == 0 {
		return nil
	}
	if m.whole && m.parts == 1 {
		m.kernel(m.params, m.out.Data, m.source(0), m.source(1), m.source(2))
		return m.verdict()
	}
	var temp []byte
	if !m.whole {
		var err error
		if temp, err = s.TempBytes(m.mixed.block * int(m.parts)); err != nil {
			return err
		}
	}
	if m.parts == 1 || s.Workers() == 1 {
		m.some(0, m.n, temp)
		return m.verdict()
	}
	if !m.whole {
		m.mixed.temp = temp
	}
	s.Parallel(int(m.parts), m)
	if !m.whole {
		m.mixed.temp = nil
	}
	return m.verdict()
}

func (m *Map) verdict() error {
	if m.params != nil && m.params.zero.Load() {
		m.params.zero.Store(false)
		return fault.New(fault.InvalidArgument, "", "a divisor other than 0 for integers", "0")
	}
	return nil
}

func (m *Map) source(k int) []byte {
	if k >= int(m.ins) {
		return nil
	}
	if t := m.tensors[k]; t != nil {
		return t.Data
	}
	return m.mixed.nums[k]
}

// Do does one part; it is called by the worker pool.
func (m *Map) Do(part int) {
	lo, hi := Part(m.n, int(m.parts), part, 64)
	if lo == hi {
		return
	}
	var temp []byte
	if !m.whole {
		temp = m.mixed.temp[part*m.mixed.block:][:m.mixed.block]
	}
	m.some(lo, hi, temp)
}

// some does elements lo to hi; temp is what a part needs.
func (m *Map) some(lo, hi int, temp []byte) {
	var ops [3][]byte
	if m.whole {
		m.pass(lo, hi, slice, &ops)
		return
	}
	x := m.mixed
	step := min(hi-lo, x.step)
	if x.spreads {
		m.spread(step, &ops, temp)
	}
	switch {
	case x.plain:
		m.pass(lo, hi, step, &ops)
	case x.gathers:
		m.gather(lo, hi, step, &ops, temp)
	default:
		m.convert(lo, hi, step, &ops, temp, nil)
	}
}

// spread fills the blocks of operands that are one element.
func (m *Map) spread(step int, ops *[3][]byte, temp []byte) {
	for k := range m.ins {
		in := &m.mixed.in[k]
		if in.mode != spread {
			continue
		}
		ops[k] = in.read(temp, m.source(int(k)), 0, 0, step)
	}
}

// pass does elements lo to hi, step at a time, where the kernel takes operands and gives the output as they lie. ops has
// the operands that are the same all the time, nil for the others.
func (m *Map) pass(lo, hi, step int, ops *[3][]byte) {
	var moving [3]bool
	for k := range m.ins {
		if moving[k] = ops[k] == nil && m.tensors[k] != nil; !moving[k] && ops[k] == nil {
			ops[k] = m.source(int(k)) // a number, and so a single element
		}
	}
	size := m.out.DType.Size()
	for p := lo; p < hi; p += step {
		end := min(p+step, hi)
		for k, t := range m.tensors {
			if moving[k] {
				size := t.DType.Size()
				ops[k] = t.Data[p*size : end*size]
			}
		}
		m.kernel(m.params, m.out.Data[p*size:end*size], ops[0], ops[1], ops[2])
	}
}

// Empty says whether the output has no elements.
func (m *Map) Empty() bool { return m.n == 0 }
