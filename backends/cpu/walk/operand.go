package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Operand is one input of a Map.
type Operand struct {
	Tensor *executor.Tensor // nil: a number, set with Map.SetNumber
	Type   executor.DType   // what the kernel takes
	Round  executor.DType   // F16 or BF16 and not Type: values of other types are rounded to it first, as PyTorch casts to the common type; for Bool any
	Once   bool             // a number of which the kernel takes what there is, at least 32 bytes, for as many elements as there are
}

type input struct {
	Operand
	load  Load
	mode  mode
	round Load
	size  int // bytes of an element as the kernel takes it
	buf   int // offset of its block in a part's temp memory
}

type mode uint8

const (
	direct    mode = iota // packed and of the right type
	once                  // a number that the kernel takes as it is
	spread                // one element for all positions: one block holds it
	converted             // packed and of another type
	gather                // anything else
)

// blocks says whether the kernel takes the operand from a block.
func (m mode) blocks() bool { return m >= spread }

// from is the type that the operand has before it is converted.
func (o *Operand) from() executor.DType {
	if o.Tensor == nil {
		return o.Type
	}
	return o.Tensor.DType
}

// narrower says whether the kernel takes a wider type than the one that values are rounded to, of 16 bits or of two such parts.
func (o *Operand) narrower() bool {
	return arg.IsHalf(PartOf(o.Round)) && o.Round != o.Type && o.Type != arg.Bool
}

// rounds says whether elements must be rounded to a 16-bit type after they were converted. Numbers were before.
func (o *Operand) rounds() bool {
	return o.Tensor != nil && o.narrower() && o.Tensor.DType != o.Round
}

func (in *input) set(o Operand) error {
	in.Operand = o
	in.size = o.Type.Size()
	in.round = nil
	if o.rounds() {
		in.round = rounder(o.Round)
	}
	if in.load = Loader(o.from(), o.Type); in.load == nil {
		return arg.NoConversion(o.from(), o.Type)
	}
	if o.Type == arg.Bool && o.Round != arg.Bool {
		in.load = truthAs(o.from(), o.Round)
	}
	return nil
}

// read gives n elements of src, stride apart from off on, as the kernel takes them: in the operand's block of temp.
func (in *input) read(temp, src []byte, off, stride, n int) []byte {
	block := temp[in.buf:][:n*in.size]
	in.load(block, src, off, stride, n)
	if in.round != nil {
		in.round(block, nil, 0, 1, n)
	}
	return block
}

// rounder rounds f32 values in place to a 16-bit float type, or c64 ones to C32.
func rounder(d executor.DType) Load {
	switch d {
	case arg.F16:
		return roundF16
	case arg.C32:
		return func(dst, _ []byte, _, _, n int) { roundF16(dst, nil, 0, 1, 2*n) }
	}
	return roundBF16
}

func roundF16(dst, _ []byte, _, _, n int) {
	RoundHalves(executor.SliceBytes[float32](dst)[:n], arg.F16)
}

func roundBF16(dst, _ []byte, _, _, n int) {
	RoundHalves(executor.SliceBytes[float32](dst)[:n], arg.BF16)
}
