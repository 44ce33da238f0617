package executor

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
)

// Profile is a Tracer that keeps, for every instruction, the shortest time and the latest samples. All storage is made
// beforehand. It belongs to the goroutine that runs the method.
type Profile struct {
	method  *Method
	clock   hal.Clock
	mask    uint64 // of the counter's bits
	samples int
	rows    []tally
	ring    []uint64 // samples a row
	first   uint64
	last    uint64
	sum     uint64 // of all counts: a counter that stands still leaves it 0
	any     bool
}

// tally counts one instruction's executions.
type tally struct {
	count uint64
	least uint64
}

// Row is what a profile says of one instruction. Times are in nanoseconds by the board's clock; an instruction that was
// never executed has Count 0 and no times.
type Row struct {
	Index, Chain, Instruction int
	Kind                      string // "call", "delegate", "move", "jump_false" or "free"
	Name                      string
	Count                     uint64 // executions
	MinNs, MedianNs, P95Ns    float64
	Share                     float64 // of the time of all rows, by the median
	BytesRead, BytesWritten   uint64  // of tensors in one execution, with the shapes of the last one
	Details                   []Detail
}

// NewProfile makes a profile of m that keeps the latest samples counts of each instruction; less than 1 means 256.
func NewProfile(m *Method, samples int) *Profile {
	if samples < 1 {
		samples = 256
	}
	n := len(m.linked.code)
	p := &Profile{method: m, clock: m.clock, samples: samples, rows: make([]tally, n), ring: make([]uint64, n*samples)}
	p.mask = ^uint64(0)
	if b := m.clock.Bits(); b < 64 {
		p.mask = 1<<b - 1
	}
	return p
}

// Instruction counts one execution.
func (p *Profile) Instruction(index int, start, end uint64) {
	t := &p.rows[index]
	ticks := (end - start) & p.mask
	if !p.any {
		p.any, p.first = true, start
	}
	p.last = end
	p.sum += ticks
	if t.count == 0 || ticks < t.least {
		t.least = ticks
	}
	p.ring[index*p.samples+int(t.count%uint64(p.samples))] = ticks
	t.count++
}

// Reset forgets everything.
func (p *Profile) Reset() {
	clear(p.rows)
	p.first, p.last, p.sum, p.any = 0, 0, 0, false
}

// Resolution is the length of a tick in nanoseconds.
func (p *Profile) Resolution() float64 { return 1e9 / float64(p.clock.Hz()) }

// Rows gives one row an instruction, in order. It is an error if instructions ran and the clock stood still: 0 would be
// taken for a time.
func (p *Profile) Rows() ([]Row, error) {
	if p.clock.Hz() == 0 || p.any && p.sum == 0 && p.first == p.last {
		return nil, fault.New(fault.InvalidState, "clock "+p.clock.Name(), "a counter that advances", fmt.Sprintf("%d at %d Hz throughout", p.last, p.clock.Hz()))
	}
	l := p.method.linked
	rows := make([]Row, len(p.rows))
	order := make([]uint64, p.samples)
	total := 0.0
	for i := range rows {
		r, t := &rows[i], &p.rows[i]
		r.Index, r.Count, r.Name, r.Kind = i, t.count, l.Label(i), l.code[i].kind()
		r.Chain, r.Instruction = l.Place(i)
		r.BytesRead, r.BytesWritten = l.traffic(i)
		if l.code[i].code == opDelegate {
			if d, ok := l.delegates[l.code[i].target].(Detailer); ok && t.count > 0 {
				r.Details = d.Details()
			}
		}
		n := int(min(t.count, uint64(p.samples)))
		if n == 0 {
			continue
		}
		s := append(order[:0], p.ring[i*p.samples:i*p.samples+n]...)
		slices.Sort(s)
		r.MinNs, r.MedianNs, r.P95Ns = p.nanos(t.least), p.nanos(s[n/2]), p.nanos(s[(n*95+99)/100-1])
		total += r.MedianNs
	}
	for i := range rows {
		if total > 0 {
			rows[i].Share = rows[i].MedianNs / total
		}
	}
	return rows, nil
}

func (p *Profile) nanos(ticks uint64) float64 {
	hi, lo := bits.Mul64(ticks, 1_000_000_000)
	if hz := p.clock.Hz(); hi < hz {
		q, r := bits.Div64(hi, lo, hz)
		return float64(q) + float64(r)/float64(hz)
	}
	return float64(ticks) * p.Resolution()
}

func (in *instruction) kind() string {
	return [...]string{"call", "call", "delegate", "move", "jump_false", "free"}[in.code]
}

// traffic gives the bytes of tensors that an instruction reads and writes, with their present shapes. Scratch does not
// count; an argument that is changed counts on both sides.
func (l *Linked) traffic(index int) (read, written uint64) {
	chain, k := l.Place(index)
	file := l.plan.Chains[chain].Instructions[k]
	file.Args = file.Args[:l.own(index, &file)]
	if l.code[index].code > opDelegate {
		return 0, 0
	}
	l.eachRead(&file, l.op(&file), func(v int32) { read += l.bytesOf(v) })
	l.eachWrite(&file, l.op(&file), func(v int32) { written += l.bytesOf(v) })
	return read, written
}

func (l *Linked) bytesOf(v int32) uint64 {
	if t := l.values[v].Tensor(); t != nil {
		return uint64(t.NBytes())
	}
	return 0
}
