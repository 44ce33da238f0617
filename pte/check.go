package pte

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/ptero-rt/ptero/internal/fault"
)

// maxRank is the largest rank that ExecuTorch's fixed-size arrays hold (kTensorDimensionLimit in
// runtime/core/exec_aten/util/tensor_dimension_limit.h at cff6f4dd).
const maxRank = 16

// Check reports everything in a program that its own contents show to be wrong; Parse and Rewrite both demand it. The error
// is of the kind that Parse gives.
func Check(p *Program) error {
	var found problems
	check(p, &found)
	return found.err()
}

func check(p *Program, found *problems) {
	if err := checkVersion(p.Version, invalid); err != nil {
		found.keep(err)
	}
	c := checker{problems: found, program: p}
	names := map[string]int{}
	for i := range p.Plans {
		name := p.Plans[i].Name
		if name == "" {
			c.add(invalid, "a name", "none", "plan[%d].name", i)
		} else if first, ok := names[name]; ok {
			c.add(invalid, "a name of its own", fmt.Sprintf("%q, as plan[%d]", name, first), "plan[%d].name", i)
		} else {
			names[name] = i
		}
		c.at, c.plan, c.inputs, c.results = i, &p.Plans[i], nil, nil
		c.checkPlan()
	}
	keys := map[string]int{}
	for i, n := range p.NamedData {
		if first, ok := keys[n.Key]; ok {
			c.add(fault.InvalidArgument, "a key of its own", fmt.Sprintf("%q, as named_data[%d]", n.Key, first), "named_data[%d].key", i)
		}
		keys[n.Key] = i
	}
}

// checkVersion checks a format's version, which so far has always been 0.
func checkVersion(version uint32, code fault.Code) error {
	if version == 0 {
		return nil
	}
	return &fault.Error{Path: "version", Want: "0", Found: fmt.Sprint(version), Code: code, Err: ErrVersion}
}

type checker struct {
	*problems
	program *Program
	at      int
	plan    *Plan
	inputs  map[int32]bool // made when somebody asks, as are
	results map[int32]bool // those that instructions write
}

func (c *checker) checkPlan() {
	c.indices(c.plan.Inputs, "inputs")
	c.indices(c.plan.Outputs, "outputs")
	for i, d := range c.plan.BufferDevices {
		if d.MemID == 0 || uint64(d.MemID) >= uint64(len(c.plan.BufferBytes)) {
			c.add(invalid, fmt.Sprintf("a planned buffer in [1, %d]", len(c.plan.BufferBytes)-1), fmt.Sprint(int32(d.MemID)), "plan[%d].non_const_buffer_device[%d].buffer_idx", c.at, i)
		}
	}
	for i, size := range c.plan.BufferBytes {
		if size > math.MaxInt64 {
			c.add(invalid, "a size below 2^63", fmt.Sprint(size), "plan[%d].non_const_buffer_sizes[%d]", c.at, i)
		}
	}
	for i, op := range c.plan.Operators {
		if op.Name == "" {
			c.add(invalid, "a name", "none", "plan[%d].operators[%d].name", c.at, i)
		}
	}
	for i := range c.plan.Values {
		c.value(i)
	}
	if len(c.plan.Chains) == 0 {
		c.add(invalid, "at least one chain", "none", "plan[%d].chains", c.at)
	}
	for i := range c.plan.Chains {
		c.indices(c.plan.Chains[i].Inputs, fmt.Sprintf("chains[%d].inputs", i))
		c.indices(c.plan.Chains[i].Outputs, fmt.Sprintf("chains[%d].outputs", i))
		list := c.plan.Chains[i].Instructions
		for j := range list {
			c.instruction(i, j, &list[j], len(list))
		}
	}
}

func (c *checker) indices(list []int32, name string) {
	for i, v := range list {
		if !c.has(v) {
			c.add(invalid, below(len(c.plan.Values)), fmt.Sprint(v), "plan[%d].%s[%d]", c.at, name, i)
		}
	}
}

func (c *checker) has(value int32) bool { return value >= 0 && int(value) < len(c.plan.Values) }

func (c *checker) value(at int) {
	v := &c.plan.Values[at]
	if v.Kind >= KindString && v.List == nil && v.Kind <= KindOptionalTensorList {
		c.add(invalid, "a list or text", "none", "plan[%d].values[%d]", c.at, at)
		return
	}
	switch v.Kind {
	case KindTensor:
		if v.Tensor == nil {
			c.add(invalid, "a tensor", "none", "plan[%d].values[%d].tensor", c.at, at)
			return
		}
		c.tensor(at, v.Tensor)
	case KindIntList:
		c.items(at, v.Items(), "int_list", KindInt, false)
	case KindTensorList:
		c.items(at, v.Items(), "tensor_list", KindTensor, false)
	case KindOptionalTensorList:
		c.items(at, v.Items(), "optional_tensor_list", KindTensor, true)
	case KindNone:
		c.add(invalid, "a value", "none", "plan[%d].values[%d]", c.at, at)
	default:
		if v.Kind > KindOptionalTensorList {
			c.add(invalid, fmt.Sprintf("a value of kind 1 … %d", KindOptionalTensorList), fmt.Sprint(uint8(v.Kind)), "plan[%d].values[%d]", c.at, at)
		}
	}
}

// items checks that a list holds values of one kind. A value that is null in the file may become an integer at run time.
func (c *checker) items(at int, items []int32, name string, kind Kind, optional bool) {
	for i, item := range items {
		if optional && item == -1 {
			continue
		}
		if !c.has(item) {
			want := below(len(c.plan.Values))
			if optional {
				want += " or -1"
			}
			c.add(invalid, want, fmt.Sprint(item), "plan[%d].values[%d].%s.items[%d]", c.at, at, name, i)
			continue
		}
		got := c.plan.Values[item].Kind
		if got != kind && !(got == KindNull && (optional || kind == KindInt)) {
			c.add(fault.InvalidType, kind.String(), fmt.Sprintf("values[%d], %s", item, got), "plan[%d].values[%d].%s.items[%d]", c.at, at, name, i)
		}
	}
}

func (c *checker) tensor(at int, t *Tensor) {
	bad := func(code fault.Code, want, found, name string) {
		c.add(code, want, found, "plan[%d].values[%d].tensor.%s", c.at, at, name)
	}
	if !t.DType.Valid() {
		bad(invalid, fmt.Sprintf("a scalar type in [0, %d]", UInt64), fmt.Sprint(int8(t.DType)), "scalar_type")
		return
	}
	if t.Dynamism < Static || t.Dynamism > DynamicUnbound {
		bad(invalid, "a shape dynamism in [0, 2]", fmt.Sprint(int8(t.Dynamism)), "shape_dynamism")
	}
	if len(t.Sizes) > maxRank {
		bad(invalid, fmt.Sprintf("at most %d dimensions", maxRank), fmt.Sprint(len(t.Sizes)), "sizes")
		return
	}
	for i, s := range t.Sizes {
		if s < 0 {
			bad(invalid, "a size of 0 or more", fmt.Sprint(s), fmt.Sprintf("sizes[%d]", i))
			return
		}
	}
	if !permutation(t.DimOrder, len(t.Sizes)) {
		bad(invalid, fmt.Sprintf("a permutation of %d dimensions", len(t.Sizes)), fmt.Sprint(t.DimOrder), "dim_order")
	}
	if t.Location != InSegment && t.Location != External {
		bad(invalid, "location 0 (program) or 1 (external)", fmt.Sprint(int8(t.Location)), "extra_tensor_info.location")
	}
	if t.Location == External && t.FQN == "" {
		bad(fault.InvalidExternalData, "a name, since the data is external", "none", "extra_tensor_info.fully_qualified_name")
	}
	if t.StateSegment != 0 {
		bad(fault.NotSupported, "0", fmt.Sprint(t.StateSegment), "extra_tensor_info.mutable_data_segments_idx")
	}
	bytes, ok := t.NBytes()
	if !ok {
		if t.Dynamism != Static && t.Alloc == nil && t.DataIndex == 0 && c.isInput(at) {
			return // its caller sets the shape
		}
		bad(invalid, fmt.Sprintf("at most %d B", math.MaxInt), fmt.Sprintf("%v of %v, which is more", t.Sizes, t.DType), "sizes")
		return
	}
	if t.Alloc != nil {
		c.alloc(at, t.Alloc, bytes)
	}
	if t.DataIndex != 0 && t.Location == InSegment {
		c.data(at, t, bytes)
	}
}

func (c *checker) isInput(value int) bool {
	if c.inputs == nil {
		c.inputs = map[int32]bool{}
		for _, in := range c.plan.Inputs {
			c.inputs[in] = true
		}
	}
	return c.inputs[int32(value)]
}

func permutation(order []uint8, rank int) bool {
	var seen uint32
	for _, d := range order {
		if int(d) >= rank {
			return false
		}
		seen |= 1 << d
	}
	return len(order) == rank && seen == 1<<rank-1
}

// alloc checks that a planned tensor lies inside its buffer.
func (c *checker) alloc(at int, a *Alloc, bytes uint64) {
	if a.MemID == 0 || uint64(a.MemID) >= uint64(len(c.plan.BufferBytes)) {
		want := "no planned buffers"
		if n := len(c.plan.BufferBytes); n > 1 {
			want = fmt.Sprintf("a planned buffer in [1, %d]", n-1)
		}
		c.rule("arena_id", fault.InvalidArgument, want, fmt.Sprint(a.MemID), "plan[%d].values[%d].tensor.allocation_info.memory_id", c.at, at)
		return
	}
	size := c.plan.BufferBytes[a.MemID]
	if a.Offset > size || bytes > size-a.Offset {
		c.rule("arena_bounds", fault.MemoryAllocationFailed, fmt.Sprintf("%d B inside the %d B of buffer %d", bytes, size, a.MemID), fmt.Sprintf("offset %d", a.Offset),
			"plan[%d].values[%d].tensor.allocation_info.memory_offset", c.at, at)
	}
}

// data checks that the program holds the bytes that a constant or a mutable buffer starts with.
func (c *checker) data(at int, t *Tensor, bytes uint64) {
	list, name := c.program.Constants, "constants"
	if t.Alloc != nil {
		list, name = c.program.State, "initial values of mutable buffers"
	}
	if uint64(t.DataIndex) >= uint64(len(list)) {
		c.add(fault.InvalidArgument, fmt.Sprintf("an index below the %d %s", len(list), name), fmt.Sprint(t.DataIndex), "plan[%d].values[%d].tensor.data_buffer_idx", c.at, at)
		return
	}
	if have := uint64(len(list[t.DataIndex])); bytes > have {
		c.add(fault.InvalidArgument, fault.Bytes(bytes), fmt.Sprintf("entry %d of %d B", t.DataIndex, have), "plan[%d].values[%d].tensor.data_buffer_idx", c.at, at)
	}
}

// computed says whether an instruction may write the value: it is the result of a call, the last argument, or where a value
// moves to.
func (c *checker) computed(value int32) bool {
	if c.results == nil {
		c.results = map[int32]bool{}
		for _, chain := range c.plan.Chains {
			for i := range chain.Instructions {
				switch in := &chain.Instructions[i]; {
				case in.Op == Move:
					c.results[in.To] = true
				case in.Op == CallKernel && len(in.Args) > 0:
					c.results[in.Args[len(in.Args)-1]] = true
				}
			}
		}
	}
	return c.results[value]
}

func (c *checker) instruction(chain, at int, in *Instruction, count int) {
	bad := func(want, found, name string) {
		c.add(invalid, want, found, "%s.%s", instructionPath(c.program, c.at, chain, at), name)
	}
	value := func(v int32, name string) bool {
		if !c.has(v) {
			bad(below(len(c.plan.Values)), fmt.Sprint(v), name)
			return false
		}
		return true
	}
	switch in.Op {
	case CallKernel:
		if in.Target < 0 || int(in.Target) >= len(c.plan.Operators) {
			bad(below(len(c.plan.Operators)), fmt.Sprint(in.Target), "op_index")
		}
	case CallDelegate:
		if in.Target < 0 || int(in.Target) >= len(c.plan.Delegates) {
			bad(below(len(c.plan.Delegates)), fmt.Sprint(in.Target), "delegate_index")
		}
	case Move:
		from, to := value(in.From, "move_from"), value(in.To, "move_to")
		if from && to {
			a, b := c.plan.Values[in.From].Kind, c.plan.Values[in.To].Kind
			if a != b && a != KindNull && b != KindNull {
				bad(fmt.Sprintf("a %s, as values[%d] is", b, in.To), fmt.Sprintf("values[%d], %s", in.From, a), "move_from")
			}
		}
	case JumpFalse:
		if value(in.From, "cond_value_index") {
			k := c.plan.Values[in.From].Kind
			number := k == KindInt || k == KindDouble // the exporter's slot for a symbolic bool: the comparison that fills it sets the kind
			if k != KindBool && k != KindTensor && k != KindNull && !(number && c.computed(in.From)) {
				bad("bool or tensor", fmt.Sprintf("values[%d], %s", in.From, k), "cond_value_index")
			}
		}
		if in.Target < 0 || int(in.Target) > count {
			bad(fmt.Sprintf("an instruction in [0, %d], the last being the end", count), fmt.Sprint(in.Target), "destination_instruction")
		}
	case Free:
		if value(in.From, "value_index") {
			if k := c.plan.Values[in.From].Kind; k != KindTensor {
				bad("tensor", fmt.Sprintf("values[%d], %s", in.From, k), "value_index")
			}
		}
	default:
		c.add(invalid, "an instruction of kind 1 … 5 with its arguments", fmt.Sprint(uint8(in.Op)), "%s", instructionPath(c.program, c.at, chain, at))
	}
	for i, arg := range in.Args {
		if !c.has(arg) {
			c.rule("value_index", invalid, below(len(c.plan.Values)), fmt.Sprint(arg), "%s.args[%d]", instructionPath(c.program, c.at, chain, at), i)
		}
	}
}

// instructionPath names an instruction; the chain is left out where the plan has only one.
func instructionPath(p *Program, plan, chain, at int) string {
	if len(p.Plans[plan].Chains) > 1 {
		return fmt.Sprintf("plan[%d].chains[%d].instructions[%d]", plan, chain, at)
	}
	return fmt.Sprintf("plan[%d].instructions[%d]", plan, at)
}

// NBytes is the number of bytes of the tensor's shape in the file, the upper bound where it is dynamic; ok is false where
// that does not fit an int of this machine, or the shape is invalid.
func (t *Tensor) NBytes() (n uint64, ok bool) {
	size := t.DType.Size()
	if size == 0 {
		return 0, false
	}
	n = uint64(size)
	for _, s := range t.Sizes {
		hi, lo := bits.Mul64(n, uint64(s))
		if s < 0 || hi != 0 || lo > math.MaxInt {
			return 0, false
		}
		n = lo
	}
	return n, true
}

// String gives the schema's name of the kind.
func (k Kind) String() string {
	switch k {
	case KindNone:
		return "none"
	case KindNull:
		return "null"
	case KindInt:
		return "int"
	case KindBool:
		return "bool"
	case KindDouble:
		return "double"
	case KindTensor:
		return "tensor"
	case KindString:
		return "string"
	case KindIntList:
		return "int list"
	case KindDoubleList:
		return "double list"
	case KindBoolList:
		return "bool list"
	case KindTensorList:
		return "tensor list"
	case KindOptionalTensorList:
		return "optional tensor list"
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}
