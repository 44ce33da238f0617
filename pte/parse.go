package pte

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/flatverify"
	"github.com/ptero-rt/ptero/pte/schema/program"
)

// Parse decodes a `.pte` file and checks all that the file alone decides: structure, indices, kinds, shapes, ranges of
// constants, segments and planned buffers. What it returns can be used without further checks of that sort.
//
// Byte slices of the program are windows into data, which must stay unchanged for the program's life. The error joins all
// problems found (up to a bound), each a *fault.Error with a path, what was wanted, what was found, and ExecuTorch's number.
func Parse(data []byte) (*Program, error) {
	if err := wantIdent(data, programIdent, fault.InvalidProgram); err != nil {
		return nil, err
	}
	file, err := programContainer(data)
	if err != nil {
		return nil, err
	}
	unknown, err := flatverify.Verify(file.flat, programLayout, fault.InvalidProgram)
	if err != nil {
		return nil, err
	}
	root := program.GetRootAsProgram(file.flat, 0)
	p := &Program{Version: root.Version(), Unknown: append(file.unknown, unknown...)}
	if p.Version != 0 {
		return nil, &fault.Error{Path: "version", Want: "0", Found: fmt.Sprint(p.Version), Code: fault.InvalidProgram, Err: ErrVersion}
	}
	d := decoder{root: root, file: file, program: p}
	d.segments()
	d.plans()
	d.constants()
	d.state()
	d.namedData()
	d.unused()
	check(p, &d.problems)
	if err := d.problems.err(); err != nil {
		return nil, err
	}
	return p, nil
}

// decoder turns a verified flatbuffer into a Program. It reports what a Program cannot express; check does the rest.
type decoder struct {
	problems
	root    *program.Program
	file    container
	program *Program
	used    []bool // by segment

	tensors []Tensor // of the plan at hand
	allocs  slab[Alloc]
	ints    slab[int32]
	bytes   slab[byte]
}

const invalid = fault.InvalidProgram

func (d *decoder) segments() {
	n := d.root.SegmentsLength()
	d.program.Segments = make([]Segment, n)
	d.used = make([]bool, n)
	var s program.DataSegment
	var common uint64
	for i := range n {
		d.root.Segments(&s, i)
		bytes, ok := d.file.segment(s.Offset(), s.Size())
		if !ok {
			d.add(invalid, fmt.Sprintf("a range inside the %d B of segments", len(d.file.segments)), fmt.Sprintf("%d B at %d", s.Size(), s.Offset()), "segments[%d]", i)
		}
		d.program.Segments[i] = Segment{Offset: s.Offset(), Bytes: bytes}
		common |= s.Offset()
	}
	if d.file.base != 0 {
		d.program.SegmentAlign = alignmentOf(common|d.file.base, 16, 1<<12)
	}
}

// alignmentOf guesses the alignment that a writer used from offsets, or-ed together, within bounds.
func alignmentOf(offsets, least, most uint64) uint64 {
	if offsets == 0 {
		return least
	}
	return min(max(1<<bits.TrailingZeros64(offsets), least), most)
}

func (d *decoder) plans() {
	if !has(d.root.Table(), 1) {
		d.add(invalid, "a list of plans", "none", "plan")
	}
	n := d.root.ExecutionPlanLength()
	d.program.Plans = make([]Plan, n)
	var plan program.ExecutionPlan
	for i := range n {
		d.root.ExecutionPlan(&plan, i)
		d.plan(i, &plan, &d.program.Plans[i])
	}
}

func (d *decoder) plan(at int, in *program.ExecutionPlan, out *Plan) {
	out.Name = string(in.Name())
	for _, must := range []struct {
		field int
		name  string
	}{{2, "values"}, {3, "inputs"}, {4, "outputs"}, {5, "chains"}, {8, "non_const_buffer_sizes"}} {
		if !has(in.Table(), must.field) {
			d.add(invalid, "a list", "none", "plan[%d].%s", at, must.name)
		}
	}
	var tree program.ContainerMetadata
	if in.ContainerMetaType(&tree) != nil {
		out.InputTree, out.OutputTree = string(tree.EncodedInpStr()), string(tree.EncodedOutStr())
	}
	d.values(at, in, out)
	out.Inputs, out.Outputs = d.list(in.Table(), 3), d.list(in.Table(), 4)

	out.Operators = make([]Operator, in.OperatorsLength())
	var op program.Operator
	for i := range out.Operators {
		in.Operators(&op, i)
		out.Operators[i] = Operator{Name: string(op.Name()), Overload: string(op.Overload())}
	}
	d.delegates(at, in, out)

	out.BufferBytes = make([]uint64, in.NonConstBufferSizesLength())
	for i := range out.BufferBytes {
		size := in.NonConstBufferSizes(i)
		if size < 0 {
			d.add(invalid, "a size of 0 or more", fmt.Sprint(size), "plan[%d].non_const_buffer_sizes[%d]", at, i)
			size = 0
		}
		out.BufferBytes[i] = uint64(size)
	}
	var dev program.NonConstBufferDevice
	for i := range in.NonConstBufferDeviceLength() {
		in.NonConstBufferDevice(&dev, i)
		out.BufferDevices = append(out.BufferDevices, BufferDevice{
			MemID: uint32(dev.BufferIdx()), Device: Device{DeviceType(dev.DeviceType()), dev.DeviceIndex()}})
	}

	out.Chains = make([]Chain, in.ChainsLength())
	var chain program.Chain
	for i := range out.Chains {
		in.Chains(&chain, i)
		d.chain(at, i, &chain, &out.Chains[i])
	}
}

func (d *decoder) delegates(at int, in *program.ExecutionPlan, out *Plan) {
	out.Delegates = make([]Delegate, in.DelegatesLength())
	var del program.BackendDelegate
	var ref program.BackendDelegateDataReference
	var spec program.CompileSpec
	for i := range out.Delegates {
		in.Delegates(&del, i)
		to := &out.Delegates[i]
		to.ID = string(del.Id())
		if del.Id() == nil {
			d.add(invalid, "a backend's name", "none", "plan[%d].delegates[%d].id", at, i)
		}
		for j := range del.CompileSpecsLength() {
			del.CompileSpecs(&spec, j)
			if !has(spec.Table(), 0) || !has(spec.Table(), 1) {
				d.add(invalid, "a key and a value", "one of them missing", "plan[%d].delegates[%d].compile_specs[%d]", at, i, j)
			}
			to.Specs = append(to.Specs, CompileSpec{Key: string(spec.Key()), Value: spec.ValueBytes()})
		}
		if del.Processed(&ref) == nil {
			d.add(invalid, "a payload", "none", "plan[%d].delegates[%d].processed", at, i)
			continue
		}
		to.Index = ref.Index()
		switch ref.Location() {
		case 0:
			to.Inline = true
			to.Blob = d.inline(at, i, ref.Index())
		case 1:
			to.Blob = d.segment(ref.Index(), "plan[%d].delegates[%d].processed.index", at, i)
		default:
			d.add(invalid, "location 0 (inline) or 1 (segment)", fmt.Sprint(ref.Location()), "plan[%d].delegates[%d].processed.location", at, i)
		}
	}
}

// inline gives a payload that lies in the flatbuffer, and learns its alignment.
func (d *decoder) inline(plan, delegate int, index uint32) []byte {
	var payload program.BackendDelegateInlineData
	n := d.root.BackendDelegateDataLength()
	if uint64(index) >= uint64(n) {
		d.add(fault.NotFound, below(n), fmt.Sprint(index), "plan[%d].delegates[%d].processed.index", plan, delegate)
		return nil
	}
	d.root.BackendDelegateData(&payload, int(index))
	blob := payload.DataBytes()
	if blob == nil {
		d.add(invalid, "bytes", "none", "backend_delegate_data[%d].data", index)
		return nil
	}
	// What is left of the flatbuffer's capacity at a window tells where the window starts.
	align := alignmentOf(uint64(cap(d.file.flat)-cap(blob)), 16, 1<<12)
	if d.program.InlineAlign == 0 || align < d.program.InlineAlign {
		d.program.InlineAlign = align
	}
	return slices.Clip(blob)
}

// segment gives the bytes of a segment that some field refers to.
func (d *decoder) segment(index uint32, format string, args ...any) []byte {
	if n := len(d.program.Segments); uint64(index) >= uint64(n) {
		d.add(fault.NotFound, below(n), fmt.Sprint(index), format, args...)
		return nil
	}
	d.used[index] = true
	return d.program.Segments[index].Bytes
}

func (d *decoder) chain(plan, at int, in *program.Chain, out *Chain) {
	out.Inputs, out.Outputs = d.list(in.Table(), 0), d.list(in.Table(), 1)
	if !has(in.Table(), 2) {
		d.add(invalid, "a list", "none", "plan[%d].chains[%d].instructions", plan, at)
	}
	out.Instructions = make([]Instruction, in.InstructionsLength())
	table := viewOf(d.file.flat, int(in.Table().Pos))
	table.tables(2, func(i, at int) {
		d.instruction(viewOf(d.file.flat, at), &out.Instructions[i])
	})
	if in.StacktraceLength() == 0 {
		return
	}
	out.Stack = make([][]Frame, in.StacktraceLength())
	var list program.FrameList
	var frame program.Frame
	for i := range out.Stack {
		in.Stacktrace(&list, i)
		for j := range list.ItemsLength() {
			list.Items(&frame, j)
			out.Stack[i] = append(out.Stack[i], Frame{string(frame.Filename()), frame.Lineno(), string(frame.Name()), string(frame.Context())})
		}
	}
}

func (d *decoder) instruction(in view, out *Instruction) {
	at := in.follow(1)
	if at == 0 {
		return // check reports the kind that is not there
	}
	out.Op = Opcode(in.byte(0))
	if out.Op < CallKernel || out.Op > Free {
		return // the verifier did not go where it does not know the way
	}
	args := viewOf(in.buf, at)
	switch out.Op {
	case CallKernel, CallDelegate:
		list, _ := args.vector(1, 4)
		out.Target, out.Args = args.int32(0), d.int32s(list)
	case Move:
		out.From, out.To = args.int32(0), args.int32(1)
	case JumpFalse:
		out.From, out.Target = args.int32(0), args.int32(1)
	case Free:
		out.From = args.int32(0)
	}
}

// list decodes a table's list of 32-bit elements; nothing where the table does not have it.
func (d *decoder) list(t flatTable, n int) []int32 {
	v := viewOf(t.Bytes, int(t.Pos))
	list, _ := v.vector(n, 4)
	return d.int32s(list)
}

// constants cuts the constants from their segment, or from the flatbuffer where an older exporter put them.
func (d *decoder) constants() {
	need := d.needs(func(t *Tensor) bool { return t.Alloc == nil })
	var sub program.SubsegmentOffsets
	if d.root.ConstantSegment(&sub) != nil && sub.OffsetsLength() > 0 {
		d.program.Constants = d.subsegments(&sub, need, "constant_segment")
		var all uint64
		for i := range sub.OffsetsLength() {
			all |= sub.Offsets(i)
		}
		d.program.ConstantAlign = alignmentOf(all, 16, 1<<12)
		if n := d.root.ConstantBufferLength(); n > 0 && sub.OffsetsLength() > 1 {
			d.add(invalid, "constants in the segment or in the flatbuffer", "both", "constant_buffer")
		}
		return
	}
	d.program.ConstantAlign = 16
	n := d.root.ConstantBufferLength()
	d.program.Constants = make([][]byte, max(1, n))
	var b program.Buffer
	for i := 1; i < n; i++ {
		d.root.ConstantBuffer(&b, i)
		d.program.Constants[i] = slices.Clip(b.StorageBytes())
	}
}

// state cuts the initial values of mutable buffers. The format has a list of such segments; only its first entry is used.
func (d *decoder) state() {
	var sub program.SubsegmentOffsets
	switch n := d.root.MutableDataSegmentsLength(); {
	case n == 0:
		return
	case n > 1:
		d.add(fault.NotSupported, "one segment of mutable data", fmt.Sprint(n), "mutable_data_segments")
	}
	d.root.MutableDataSegments(&sub, 0)
	d.program.State = d.subsegments(&sub, d.needs(func(t *Tensor) bool { return t.Alloc != nil }), "mutable_data_segments[0]")
}

// needs gives the bytes that tensors of a sort want of each data index.
func (d *decoder) needs(sort func(*Tensor) bool) map[uint32]uint64 {
	need := map[uint32]uint64{}
	for i := range d.program.Plans {
		values := d.program.Plans[i].Values
		for j := range values {
			t := values[j].Tensor
			if t == nil || t.DataIndex == 0 || t.Location == External || !sort(t) {
				continue
			}
			if n, ok := t.NBytes(); ok && n >= need[t.DataIndex] {
				need[t.DataIndex] = n
			}
		}
	}
	return need
}

// subsegments cuts a segment into blobs. The file has only their starts: a blob is as long as its users need, or reaches to
// the next start where nobody uses it. A blob that does not hold what its users need is left short, for check to report.
func (d *decoder) subsegments(sub *program.SubsegmentOffsets, need map[uint32]uint64, name string) [][]byte {
	segment := d.segment(sub.SegmentIndex(), "%s.segment_index", name)
	n := sub.OffsetsLength()
	starts := make([]uint64, n)
	for i := range n {
		starts[i] = sub.Offsets(i)
	}
	size := uint64(len(segment))
	sorted := slices.Clone(starts)
	slices.Sort(sorted)
	out := make([][]byte, n)
	for i, start := range starts {
		if start > size {
			d.add(fault.InvalidArgument, fmt.Sprintf("an offset in [0, %d]", size), fmt.Sprint(start), "%s.offsets[%d]", name, i)
			continue
		}
		if i == 0 {
			continue // a placeholder: index 0 says that a tensor has no data
		}
		length, ok := need[uint32(i)]
		if !ok {
			end := size
			if next, _ := slices.BinarySearch(sorted, start+1); next < n {
				end = min(end, sorted[next])
			}
			length = end - start
		}
		end := start + min(length, size-start)
		out[i] = segment[start:end:end]
	}
	return out
}

func (d *decoder) namedData() {
	n := d.root.NamedDataLength()
	if n == 0 {
		return
	}
	d.program.NamedData = make([]NamedData, n)
	var nd program.NamedData
	for i := range n {
		d.root.NamedData(&nd, i)
		if nd.Key() == nil {
			d.add(invalid, "a key", "none", "named_data[%d].key", i)
		}
		index := nd.SegmentIndex()
		out := NamedData{Key: string(nd.Key()), Segment: index, Bytes: d.segment(index, "named_data[%d].segment_index", i)}
		if uint64(index) < uint64(len(d.program.Segments)) {
			out.Align = alignmentOf(d.program.Segments[index].Offset, d.program.SegmentAlign, 1<<12)
		}
		d.program.NamedData[i] = out
	}
}

// unused notes segments that nothing refers to, so that a rewrite does not silently drop them.
func (d *decoder) unused() {
	for i, used := range d.used {
		if !used && len(d.program.Segments[i].Bytes) > 0 {
			d.program.Unknown = append(d.program.Unknown, fmt.Sprintf("segments[%d]", i))
		}
	}
}
