package stream

import "fmt"

// Stream is a decoded command stream. Read only; safe for concurrent use.
type Stream struct {
	Accelerator Accelerator
	Commands    []Command
	Ops         []Op
	Unset       []Use // registers that an operation reads and nothing set before, in stream order
}

// Use is an operation that reads a register.
type Use struct {
	Op       int // index into [Stream.Ops]
	Register Code
}

// registers is the register file as it stands at one point of the stream.
type registers struct {
	product Product
	narrow  [256]uint16 // by code − 0x100
	wide    [256]Command
	set     [2][256]bool // narrow, wide: since the start or the last branch target
}

func (r *registers) apply(c Command) {
	if c.Code.Wide() {
		r.wide[c.Code&0xff] = c
		r.set[1][c.Code&0xff] = true
		return
	}
	r.narrow[c.Code&0xff] = c.Param
	r.set[0][c.Code&0xff] = true
}

// Decode cuts a command stream of a into commands and operations. The bytes are little-endian words that end with
// NPU_OP_STOP. An error is an *[Error]; the stream returned with it holds what could be decoded before, so that it can
// still be shown.
func Decode(a Accelerator, b []byte) (*Stream, error) {
	s := &Stream{Accelerator: a}
	var err error
	if s.Commands, err = split(a, b); err != nil {
		return s, err
	}
	targets := map[int]bool{}
	for _, c := range s.Commands {
		if c.Code == OpBranch {
			targets[int(c.Payload)] = true
		}
	}
	var r registers
	r.product = a.Product
	opAt := map[int]int{} // first operation at or after a command's offset
	for i, c := range s.Commands {
		if targets[c.Offset] {
			// What the registers hold depends on the way here; compilers set all that they need again.
			r.set = [2][256]bool{}
			opAt[c.Offset] = len(s.Ops)
		}
		if c.Code >= 0x100 && c.Code != OpBranch {
			r.apply(c)
			continue
		}
		op := Op{Offset: c.Offset, Command: i, Param: c.Param}
		d := decoder{registers: &r, stream: s, op: len(s.Ops), offset: c.Offset}
		if err := d.decode(c, &op); err != nil {
			return s, err
		}
		s.Ops = append(s.Ops, op)
	}
	for i := range s.Ops {
		op := &s.Ops[i]
		if op.Kind != Branch {
			continue
		}
		payload := int(s.Commands[op.Command].Payload)
		target, ok := opAt[payload]
		if !ok {
			return s, &Error{op.Offset, fmt.Sprintf("want a branch to a command, have byte %d", payload)}
		}
		op.Target = target
	}
	return s, nil
}

// decoder reads the registers for one operation and notes those that were never set.
type decoder struct {
	*registers
	stream *Stream
	op     int
	offset int
}

func (d *decoder) fail(format string, args ...any) error {
	return &Error{d.offset, fmt.Sprintf(format, args...)}
}

func (d *decoder) unset(c Code) {
	d.stream.Unset = append(d.stream.Unset, Use{d.op, c})
}

// n returns a narrow register.
func (d *decoder) n(c Code) int {
	if !d.set[0][c&0xff] {
		d.unset(c)
	}
	return int(d.narrow[c&0xff])
}

// m1 returns a narrow register that holds its value less one.
func (d *decoder) m1(c Code) int { return d.n(c) + 1 }

// w returns a wide register.
func (d *decoder) w(c Code) Command {
	if !d.set[1][c&0xff] {
		d.unset(c)
	}
	r := d.wide[c&0xff]
	r.Code = c
	return r
}

func (d *decoder) decode(c Command, op *Op) error {
	switch c.Code {
	case OpStop:
		op.Kind = Stop
	case OpIRQ:
		op.Kind = IRQ
	case OpDMAWait:
		op.Kind = DMAWait
	case OpKernelWait:
		op.Kind = KernelWait
	case OpPMUMask:
		op.Kind = PMUMask
	case OpBranch:
		op.Kind = Branch
	case OpDMAStart:
		op.Kind, op.Transfer = DMA, d.transfer()
	case OpConv, OpDepthwise, OpPool, OpElementwise, OpResize:
		k := &Kernel{}
		op.Kind, op.Kernel = kernelKinds[c.Code], k
		return d.kernel(op.Kind, c.Param, k)
	}
	return nil
}

var kernelKinds = map[Code]Kind{OpConv: Conv, OpDepthwise: Depthwise, OpPool: Pool, OpElementwise: Elementwise, OpResize: Resize}

func (d *decoder) transfer() *Transfer {
	src, dst := d.n(SetDMA0SrcRegion), d.n(SetDMA0DstRegion)
	t := &Transfer{
		Src:         Span{uint8(src & 7), d.w(SetDMA0Src).Address(), d.w(SetDMA0Len).Address()},
		Dst:         Span{uint8(dst & 7), d.w(SetDMA0Dst).Address(), d.w(SetDMA0Len).Address()},
		SrcInternal: src>>8&1 == 1, DstInternal: dst>>8&1 == 1,
		Dims: 1, Rows: 1, Planes: 1,
	}
	if d.product == U55 {
		return t
	}
	t.Dims += src >> 9 & 3
	if d.product == U65 {
		t.Dims = 1 + dst>>9&3
	}
	if t.Dims > 1 {
		t.Rows = d.n(SetDMA0Size0)
		t.SrcStride[0] = d.w(SetDMA0SrcStride0).Stride()
	}
	if t.Dims > 2 {
		t.Planes = d.n(SetDMA0Size1)
		t.SrcStride[1] = d.w(SetDMA0SrcStride1).Stride()
	}
	length := int64(t.Src.Bytes)
	if d.product == U65 { // skips on the destination; the source is linear
		t.DstStride = [2]int64{length + t.SrcStride[0], int64(t.Rows)*(length+t.SrcStride[0]) + t.SrcStride[1]}
		t.SrcStride = [2]int64{length, length * int64(t.Rows)}
		return t
	}
	if t.Dims > 1 {
		t.DstStride[0] = d.w(SetDMA0DstStride0).Stride()
	}
	if t.Dims > 2 {
		t.DstStride[1] = d.w(SetDMA0DstStride1).Stride()
	}
	t.Gather, t.Scatter = src>>11&1 == 1, dst>>11&1 == 1
	if t.Gather || t.Scatter {
		t.Index = Span{uint8(d.n(SetDMA0IdxRegion) & 7), d.w(SetDMA0Idx).Address(), 4}
		t.IndexMax = int64(d.w(SetDMA0IdxMax).Payload & 0x7fffffff)
		if t.Dims > 2 {
			t.IndexSkip = d.w(SetDMA0IdxSkip1).Stride()
		}
	}
	return t
}
