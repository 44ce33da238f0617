package stream

// Kind is what an operation does.
type Kind uint8

// The kinds of operations. Conv to Resize are kernel operations: they have a [Kernel].
const (
	Stop Kind = iota
	IRQ
	Conv
	Depthwise
	Pool
	Elementwise
	Resize
	DMA
	DMAWait
	KernelWait
	PMUMask
	Branch
)

func (k Kind) String() string {
	return [...]string{"Stop", "IRQ", "Conv", "Depthwise", "Pool", "Elementwise", "Resize", "DMA", "DMAWait", "KernelWait", "PMUMask", "Branch"}[k]
}

// PoolMode is the reduction of a pooling operation.
type PoolMode uint8

// The pooling modes; from PoolSum on U85 only.
const (
	PoolMax PoolMode = iota
	PoolAverage
	PoolReduceSum
	PoolSum
	PoolNone // nothing is read: the accumulators keep what IFM2 preloaded
	PoolMin
	PoolArgMaxX
	PoolArgMaxY
)

// ElementwiseMode is the function of an elementwise operation.
type ElementwiseMode uint8

// The elementwise modes; from EltLSR on U85 only.
const (
	EltMul    ElementwiseMode = 0
	EltAdd    ElementwiseMode = 1
	EltSub    ElementwiseMode = 2
	EltMin    ElementwiseMode = 3
	EltMax    ElementwiseMode = 4
	EltLRelu  ElementwiseMode = 5
	EltAbs    ElementwiseMode = 6
	EltCLZ    ElementwiseMode = 7
	EltSHR    ElementwiseMode = 8
	EltSHL    ElementwiseMode = 9
	EltLSR    ElementwiseMode = 10
	EltDiv    ElementwiseMode = 11
	EltCmpEQ  ElementwiseMode = 16
	EltCmpNE  ElementwiseMode = 17
	EltCmpGE  ElementwiseMode = 18
	EltCmpGT  ElementwiseMode = 19
	EltAnd    ElementwiseMode = 33
	EltOr     ElementwiseMode = 34
	EltXor    ElementwiseMode = 35
	EltNot    ElementwiseMode = 36
	EltAndNot ElementwiseMode = 42
)

var elementwiseNames = map[ElementwiseMode]string{
	EltMul: "Mul", EltAdd: "Add", EltSub: "Sub", EltMin: "Min", EltMax: "Max", EltLRelu: "LRelu", EltAbs: "Abs", EltCLZ: "CLZ", EltSHR: "SHR",
	EltSHL: "SHL", EltLSR: "LSR", EltDiv: "Div", EltCmpEQ: "Equal", EltCmpNE: "NotEqual", EltCmpGE: "GreaterEqual", EltCmpGT: "Greater",
	EltAnd: "And", EltOr: "Or", EltXor: "Xor", EltNot: "Not", EltAndNot: "AndNot",
}

func (m ElementwiseMode) String() string { return elementwiseNames[m] }

// Unary reports whether the function has no second operand.
func (m ElementwiseMode) Unary() bool {
	return m == EltLRelu || m == EltAbs || m == EltCLZ || m == EltNot
}

// Layout is the order of a feature map in memory.
type Layout uint8

// The layouts. NHCWB16 stores bricks of 16 channels: [H][C/16][W][16].
const (
	NHWC Layout = iota
	NHCWB16
)

// Storage says where a feature map lies.
type Storage uint8

// The storages; U55 and U65 know only the first.
const (
	Tile2x2 Storage = iota
	Tile3x1
	Chained // in an on-chip buffer whose number is the region register
	NoStorage
)

// Round is a rounding of scaled values; U55's modes are named as the U85 modes that they equal.
type Round uint8

// The rounding modes, numbered as U85 does.
const (
	RoundDoubleSymmetric  Round = iota // TFLite's doubling multiply; U55's TFL
	RoundNatural                       // half up
	RoundDoubleAsymmetric              //
	RoundSymmetric                     // half away from zero
	RoundTruncToZero                   // U55's TRUNCATE
	RoundTruncToLower                  // floor
)

// Broadcast is a set of axes along which an operand has one element.
type Broadcast struct{ H, W, C, Scalar bool }

// FeatureMap is a tensor operand as the registers describe it. Height, width and depth are what the operation touches:
// those of IFM are not in the stream but derived from the OFM, the kernel and the padding.
type FeatureMap struct {
	Region                    uint8 // or the chain buffer
	Base                      [4]uint64
	StrideX, StrideY, StrideC int64
	Width0, Height0, Height1  int
	Height, Width, Depth      int
	Bits                      int // 8, 16, 32 or 64
	Signed                    bool
	Layout                    Layout
	Storage                   Storage
	ZeroPoint                 int32 // as the type's signedness reads the register
	Broadcast                 Broadcast
}

// ElemBytes returns the size of an element.
func (f *FeatureMap) ElemBytes() int { return f.Bits / 8 }

// Scaling is a multiplier with a right shift and its rounding.
type Scaling struct {
	Scale  uint32
	Shift  uint8
	DblRnd uint8 // bits by which the operand was shifted up before; moves the first rounding of double rounding
	Round  Round
}

// Window is the kernel of a convolution or pooling.
type Window struct {
	Width, Height        int // dilated
	StrideX, StrideY     int
	DilationX, DilationY int
	Top, Left            int // padding
	Bottom, Right        int
	PartKernel           bool // weight order
	SubKernel            int  // limit of a sub-kernel's axis: 8, or 4
}

// TapsX and TapsY return the kernel's size without the gaps of dilation.
func (w Window) TapsX() int { return (w.Width-1)/w.DilationX + 1 }

// TapsY is TapsX for the other axis.
func (w Window) TapsY() int { return (w.Height-1)/w.DilationY + 1 }

// Span is a piece of a region.
type Span struct {
	Region uint8
	Base   uint64
	Bytes  uint64
}

// Upscale is what an IFM goes through before the kernel sees it.
type Upscale uint8

// The upscale modes: by two in both axes.
const (
	UpscaleNone Upscale = iota
	UpscaleNearest
	UpscaleZeros
)

// AccInput is what accumulators start from.
type AccInput uint8

// The accumulator inputs; U55 and U65 know only the first.
const (
	AccReset AccInput = iota
	AccKeep
	AccIFM2
)

// Function is the activation after clamping, the same on every product.
type Function uint8

// The activation functions.
const (
	ActNone Function = iota
	ActTable
	ActTanh
	ActSigmoid
)

// Activation is the end of the output stage.
type Activation struct {
	Function   Function
	TableAddr  int  // ActTable: byte address in the table memory
	TableBits  int  // of the table's result: 8, 16 or 32
	TableIn    int  // bits of the value that selects: 8 or 16
	Clamp      bool // to Min and Max
	Min, Max   int32
	ForcedClip bool // U55 and U65: the value before the table has the clip range's type, not the OFM's
	ClipSigned bool // the type of that value
	ClipBits   int
}

// TableBytes returns the size of the look-up table: an entry for each of 256 values, or 512 points to interpolate between.
func (a *Activation) TableBytes() int {
	if a.TableIn == 8 {
		return 256 * a.TableBits / 8
	}
	return 512 * 4
}

// ScaleMode says which operand of a U55 addition goes through the 32-bit operand scaling.
type ScaleMode uint8

// The operand scale modes of U55 and U65.
const (
	OpaOpb16 ScaleMode = iota
	Opa32
	Opb32
)

// Transpose is the order in which the axes of U85's output are stored.
type Transpose uint8

// The transpose modes: the axes of the stored tensor, named by the operation's.
const (
	HWC Transpose = 0
	WHC Transpose = 1
	HCW Transpose = 2
	WCH Transpose = 3
	CHW Transpose = 6
	CWH Transpose = 7
)

// Kernel is a kernel operation with the registers that it reads. Fields that the operation ignores are zero.
type Kernel struct {
	IFM, IFM2, OFM FeatureMap
	HasIFM2        bool // reads it as an operand, as weights, or to preload accumulators
	Pool           PoolMode
	Elementwise    ElementwiseMode
	Window         Window
	Upscale        Upscale

	Block      [3]int // OFM block: height, width, depth
	MicroBlock int    // U85: the ACC_FORMAT field
	AccBits    int    // 32, 40 or 48
	AccInput   AccInput
	NoOutput   bool

	Weights     []Span // one per core
	WeightsIFM2 bool   // CONV: the weights are IFM2
	Scales      []Span // one per core of U55 and U65; one on U85
	FastWeights bool   // FWD format
	Sparse      bool   // 2:4
	GlobalScale bool   // OFMScale holds; else the scale stream, which has a bias too
	OFMScale    Scaling
	IFMScale    Scaling // OPA on U55 and U65
	IFM2Scale   Scaling // OPB
	ScaleMode   ScaleMode
	Reversed    bool  // U55 and U65: operands swapped
	Scalar      int32 // of the operand that Broadcast.Scalar marks

	Activation Activation
	Transpose  Transpose
	Reverse    uint8 // 0, or 1 H, 2 W, 3 C of the stored tensor

	Resize   ResizeParams
	BlockDep int
}

// ResizeParams is the mapping of RESIZE's output coordinates to its input.
type ResizeParams struct {
	Mode             uint8 // 0 bilinear, 1 replicate, 2 nearest
	ScaleX, ScaleY   int   // numerator N
	StepX, StepY     int   // denominator D
	OffsetX, OffsetY int
}

// Transfer is a DMA operation with the registers that it reads.
type Transfer struct {
	Src, Dst                 Span // Bytes: of one row; the region is not meaningful for internal memory
	SrcInternal, DstInternal bool // the table memory
	Dims                     int  // 1, 2 or 3
	Rows, Planes             int
	SrcStride, DstStride     [2]int64
	Gather, Scatter          bool
	Index                    Span  // of the first index; Bytes is 4
	IndexMax                 int64 // highest legal index
	IndexSkip                int64 // bytes skipped after each plane's indices
}

// Op is an operation of the stream.
type Op struct {
	Kind    Kind
	Offset  int    // byte in the stream
	Command int    // index into [Stream.Commands]
	Param   uint16 // of the operation word

	Kernel   *Kernel   // Conv to Resize
	Transfer *Transfer // DMA
	Target   int       // Branch: index into [Stream.Ops]
}
