package pte

// Program is a decoded `.pte` file: plain Go data, immutable after Parse, to be shared by any number of goroutines.
// Byte slices (constants, segments, blobs) are windows into the parsed input and live as long as it.
type Program struct {
	Version   uint32
	Plans     []Plan
	Constants [][]byte  // by Tensor.DataIndex; entry 0 is a placeholder. From the constant segment or the old in-file buffers
	State     [][]byte  // initial state of mutable buffers, by Tensor.DataIndex; nil where the file has none
	Segments  []Segment // after the flatbuffer, as the segment table lists them
	NamedData []NamedData
	Unknown   []string // paths of fields that this reader does not know; Rewrite refuses a program that has any

	// Alignments in bytes that the file keeps, as far as its offsets tell; 0 is the exporter's default. Rewrite keeps them.
	SegmentAlign  uint64 // of segments in the file; default 128
	ConstantAlign uint64 // of constants in their segment; default 16
	InlineAlign   uint64 // of delegate payloads in the flatbuffer; default 16
}

// Segment is a run of bytes behind the flatbuffer. Offset is relative to the segment base.
type Segment struct {
	Offset uint64
	Bytes  []byte
}

// NamedData is a blob with a name, kept in a segment.
type NamedData struct {
	Key     string
	Segment uint32
	Bytes   []byte
	Align   uint64 // of its segment in the file; 0 is Program.SegmentAlign
}

// Plan is one method of the program.
type Plan struct {
	Name          string
	Values        []Value
	Inputs        []int32 // indices into Values
	Outputs       []int32
	Chains        []Chain
	Operators     []Operator
	Delegates     []Delegate
	BufferBytes   []uint64       // non_const_buffer_sizes: entry mem_id; entry 0 is a placeholder
	BufferDevices []BufferDevice // sparse: only buffers that are not on the CPU
	InputTree     string         // pytree encodings
	OutputTree    string
}

// BufferDevice puts one planned buffer on a device.
type BufferDevice struct {
	MemID  uint32
	Device Device
}

// Device is where a tensor's bytes live.
type Device struct {
	Type  DeviceType
	Index int8
}

// DeviceType is the schema's device enumeration.
type DeviceType int8

// Devices of the schema.
const (
	CPU  DeviceType = 0
	CUDA DeviceType = 1
)

// Kind is the tag of a value, as the schema's union numbers it.
type Kind uint8

// Kinds of value.
const (
	KindNone               Kind = 0 // no value in the file: refused by Parse
	KindNull               Kind = 1
	KindInt                Kind = 2
	KindBool               Kind = 3
	KindDouble             Kind = 4
	KindTensor             Kind = 5
	KindString             Kind = 6
	KindIntList            Kind = 7 // Items are value indices
	KindDoubleList         Kind = 8
	KindBoolList           Kind = 9
	KindTensorList         Kind = 10 // Items are value indices
	KindOptionalTensorList Kind = 11 // Items are value indices, −1 for an absent one
)

// Value is one entry of a plan's value table; Kind says which field counts. A program has many thousand, nearly all of
// them tensors and numbers.
type Value struct {
	Kind   Kind
	Bool   bool
	Int    int64
	Double float64
	Tensor *Tensor
	List   *List // of strings and of lists of every kind, never nil there; nil elsewhere
}

// List holds what the kinds of value with many elements have; Kind says which field counts.
type List struct {
	String  string
	Items   []int32 // value indices
	Doubles []float64
	Bools   []bool
}

// Items gives the value indices of a list of values, nothing for every other kind.
func (v *Value) Items() []int32 {
	if v.List == nil {
		return nil
	}
	return v.List.Items
}

// Dynamism says how a tensor's shape may change.
type Dynamism int8

// Kinds of shape dynamism.
const (
	Static         Dynamism = 0
	DynamicBound   Dynamism = 1 // Sizes are the upper bound
	DynamicUnbound Dynamism = 2
)

// Location says where a tensor's data comes from.
type Location int8

// Locations of tensor data.
const (
	InSegment Location = 0
	External  Location = 1 // by FQN from a `.ptd`
)

// Tensor is the description of one tensor value.
//
//	DataIndex  Alloc   meaning
//	0          nil     no storage in the program (caller, delegate or kernel provides it)
//	0          set     planned: activation, planned I/O, mutable buffer without initial state
//	>0         nil     constant: Program.Constants[DataIndex]
//	>0         set     mutable buffer: planned, filled from Program.State[DataIndex] at load
//	Location == External: data by FQN; constant if Alloc is nil, mutable copy otherwise
type Tensor struct {
	Sizes        []int32
	DimOrder     []uint8
	FQN          string // fully qualified name, where the exporter kept it
	Alloc        *Alloc
	StateSegment uint64 // mutable_data_segments_idx
	DataIndex    uint32
	DType        DType
	Dynamism     Dynamism
	Layout       int8
	Location     Location
	Device       Device
	RequiresGrad bool
	HasExtra     bool // extra_tensor_info was present
}

// Alloc places a tensor in a planned buffer.
type Alloc struct {
	MemID  uint32 // from 1; 0 is refused by Parse
	Offset uint64
}

// Operator names a kernel.
type Operator struct {
	Name     string
	Overload string
}

// FullName is "name.overload", or the name alone.
func (o Operator) FullName() string {
	if o.Overload == "" {
		return o.Name
	}
	return o.Name + "." + o.Overload
}

// Delegate is one call site's backend, payload and compile specs. Payloads may be shared among delegates.
type Delegate struct {
	ID     string
	Blob   []byte
	Inline bool   // in the flatbuffer rather than in a segment
	Index  uint32 // of the inline data or the segment
	Specs  []CompileSpec
}

// CompileSpec is a key and bytes for the backend.
type CompileSpec struct {
	Key   string
	Value []byte
}

// Chain is a list of instructions; jumps stay inside it.
type Chain struct {
	Inputs       []int32
	Outputs      []int32
	Instructions []Instruction
	Stack        [][]Frame // by instruction; nil where the file has none
}

// Frame is a line of the stack trace of the exported source.
type Frame struct {
	File    string
	Line    int32
	Name    string
	Context string
}

// Opcode is the kind of an instruction, as the schema's union numbers it.
type Opcode uint8

// Kinds of instruction.
const (
	CallKernel   Opcode = 1 // Target: operator
	CallDelegate Opcode = 2 // Target: delegate
	Move         Opcode = 3 // From, To: values
	JumpFalse    Opcode = 4 // From: condition value; Target: instruction of the same chain
	Free         Opcode = 5 // From: value
)

// Instruction is one step of a chain. All indices were checked by Parse.
type Instruction struct {
	Op     Opcode
	Target int32
	From   int32
	To     int32
	Args   []int32 // value indices, for the two kinds of call
}
