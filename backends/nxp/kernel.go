package nxp

import "fmt"

// Kind is what a kernel call computes and how its weights lie.
type Kind uint8

const (
	Conv           Kind = iota // convolution, weights column by column
	ConvTransposed             // convolution, weights row by row ("transposed order", not a transposed convolution)
	ConvRow                    // convolution over few channels: a kernel row is one run of taps
	Pointwise                  // 1×1 convolution
	Depthwise                  // depthwise convolution, weights column by column; also average pools
	DepthwiseRow               // depthwise convolution, weights row by row, one bias set
	GlobalAverage              // mean over all positions
	MaxPool
	FullyConnected
	Pad   // more channels
	Slice // fewer channels
	Softmax
)

func (k Kind) String() string {
	return [...]string{"conv", "conv (row order)", "conv (first layer)", "conv 1x1", "depthwise", "depthwise (row order)",
		"global average", "max pool", "fully connected", "pad", "slice", "softmax"}[k]
}

func (k Kind) depthwise() bool { return k == Depthwise || k == DepthwiseRow }

// Operand is a range of bytes in one memory space.
type Operand struct {
	Space  Space
	Offset uint32
	Bytes  uint64 // what the kernel reads or writes there; 0 when Space is SpaceNone
}

func (o Operand) String() string {
	if o.Space == SpaceNone {
		return "none"
	}
	return fmt.Sprintf("%s+%#x (%d B)", o.Space, o.Offset, o.Bytes)
}

// Scale is the requantisation of a kernel: value × Mantissa / 2^Shift + Zero.
type Scale struct {
	Table    bool // Mantissa and Shift come per channel from the scale operand
	Mantissa uint32
	Shift    uint8
	Zero     int8 // zero point of the output
}

// Kernel is a call whose meaning is known. Height, width and channel counts
// are in elements, one byte each; tensors lie with channels innermost.
type Kernel struct {
	Call
	Kind Kind
	N1   bool   // arithmetic and blocks of Neutron N1 (MCX N), else N3 (RT700)
	Note string // what the classification had to assume, or empty

	OutH, OutW, OutC         int // before a fused pool
	InH, InW, InC            int
	KernelH, KernelW         int
	StrideH, StrideW         int
	Top, Left, Bottom, Right int
	PoolH, PoolW             int   // fused max pool of this size and stride; 1×1 = none
	OutPad                   int   // FullyConnected: bytes behind the outputs of a row, content undefined
	InZero                   int32 // zero point of the input
	Fill                     int8  // Pad; unless the file keeps it per lane in Weights
	Scale                    Scale
	RowPack                  bool // ConvRow: kernel rows share blocks of the rest
	BiasSets                 int  // bias values per channel

	Dst, Src Operand
	Weights  Operand // also a pad's or global average's ones, a softmax's table
	Bias     Operand
	ScaleTab Operand
	Temp     Operand // softmax

	axis axis // of the bias sets
}

// OutBlock and InBlock are the number of output and input channels the target
// processes at a time, which is how weights and biases are grouped.
func (k *Kernel) OutBlock() int {
	if k.N1 {
		return 8
	}
	return 16
}

// InBlock is described at OutBlock.
func (k *Kernel) InBlock() int {
	if k.N1 {
		return 4
	}
	return 8
}

// SrcPitch is the distance in bytes between two rows of the source.
func (k *Kernel) SrcPitch() int {
	if k.Kind == ConvRow {
		return roundUp(k.InW*k.InC, k.InBlock())
	}
	return k.InW * k.InC
}

// MACs is the number of multiplications a straightforward evaluation needs.
func (k *Kernel) MACs() uint64 {
	positions := uint64(k.OutH) * uint64(k.OutW) * uint64(k.OutC)
	switch k.Kind {
	case Conv, ConvTransposed, ConvRow, Pointwise, FullyConnected:
		return positions * uint64(k.KernelH) * uint64(k.KernelW) * uint64(k.InC)
	case Depthwise, DepthwiseRow, GlobalAverage:
		return positions * uint64(k.KernelH) * uint64(k.KernelW)
	}
	return 0
}

// operands lists the operands in the order of the call's words.
func (k *Kernel) operands() []*Operand {
	switch k.Kind {
	case MaxPool:
		return []*Operand{&k.Dst, &k.Src}
	case Pad, Slice:
		return []*Operand{&k.Dst, &k.Src, &k.Weights}
	case GlobalAverage:
		return []*Operand{&k.Dst, &k.Src, &k.Weights, &k.Bias}
	case Softmax:
		return []*Operand{&k.Dst, &k.Src, &k.Weights, &k.Temp}
	}
	return []*Operand{&k.Dst, &k.Src, &k.Weights, &k.Bias, &k.ScaleTab}
}

// operandNames says what each of operands is.
func (k *Kernel) operandNames() []string {
	switch k.Kind {
	case Softmax:
		return []string{"dst", "src", "table", "temporary"}
	case Pad, Slice, GlobalAverage:
		return []string{"dst", "src", "ones", "bias"}
	}
	return []string{"dst", "src", "weights", "bias", "scale"}
}

// restTaps is the number of taps of a flattened kernel row beyond its full input blocks.
func (k *Kernel) restTaps() int { return k.KernelW * k.InC % k.InBlock() }

// RestSlot is the room a kernel row's rest taps take in a shared block (RowPack).
func (k *Kernel) RestSlot() int {
	slot := 1
	for slot < k.restTaps() || (!k.N1 && slot < 2) {
		slot *= 2
	}
	return slot
}

// RestTight reports whether rest taps lie as [channel][row][tap] without padding.
func (k *Kernel) RestTight() bool {
	return !k.RowPack && !k.N1 && k.restTaps()*k.KernelH <= k.InBlock()
}
