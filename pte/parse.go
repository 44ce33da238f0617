package pte

import (
	"fmt"
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
	if err := checkVersion(p.Version, invalid); err != nil {
		return nil, err // what else is wrong may only be new
	}
	tables := viewer{buf: file.flat}
	d := decoder{root: root, file: file, program: p, tensorTable: tables, allocTable: tables, callTable: tables, rows: rowsFirst()}
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

	tensorTable, allocTable, callTable viewer

	tensors []placedTensor // not yet taken
	lists   slab[List]
	rows    []uint8 // 0, 1, 2 …
	ints    slab[int32]
	bytes   slab[byte]
}

const invalid = fault.InvalidProgram

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
	table := viewer{buf: d.file.flat}
	instructions := viewer{buf: d.file.flat}
	tables := table.table(int(in.Table().Pos)).references(2)
	out.Instructions = make([]Instruction, tables.n)
	for i := range out.Instructions {
		d.instruction(instructions.table(tables.at(i)), &out.Instructions[i])
	}
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
	args := d.callTable.table(at)
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
	r := viewer{buf: t.Bytes}
	list, _ := r.table(int(t.Pos)).vector(n, 4)
	return d.int32s(list)
}
