package pte_test

import (
	"encoding/binary"
	"math"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/pte"
	"github.com/ptero-rt/ptero/pte/schema/program"
	"github.com/stretchr/testify/require"
)

// add is one addition of a planned input and a constant. Values: 0 input, 1 constant, 2 alpha, 3 output.
func add() (*ptebuild.Program, *ptebuild.Method) {
	b := ptebuild.New()
	m := b.Method("forward")
	x := m.Input(pte.Float, 4)
	w := m.Constant(pte.Float, ptebuild.Bytes[float32](1, 2, 3, 4), 4)
	alpha := m.Int(1)
	y := m.Tensor(pte.Float, 4)
	m.Kernel("aten::add.out", x, w, alpha, y, y)
	m.Output(y)
	return b, m
}

// flow has every kind of instruction but a delegate call. Values 0 … 3 as in add; 4 bool, 5 tensor list of 0 and 3.
func flow() (*ptebuild.Program, *ptebuild.Method) {
	b, m := add()
	x, y := ptebuild.Value{Index: 0}, ptebuild.Value{Index: 3}
	cond := m.Bool(true)
	m.Tensors(x, y)
	jump := m.JumpFalse(cond)
	m.Move(x, y)
	jump.Land()
	m.Free(x)
	return b, m
}

// delegated is one call of a backend with its payload in the flatbuffer.
func delegated() (*ptebuild.Program, *ptebuild.Method) {
	b := ptebuild.New()
	m := b.Method("forward")
	x, y := m.Input(pte.Char, 16), m.Tensor(pte.Char, 16)
	m.Delegate(m.InlineBackend("EthosUBackend", []byte("payload"), pte.CompileSpec{Key: "mode", Value: []byte("x")}), x, y)
	m.Output(y)
	return b, m
}

// stateful is add with a mutable buffer that has initial state: value 4.
func stateful() (*ptebuild.Program, *ptebuild.Method) {
	b, m := add()
	m.State("counter", pte.Long, ptebuild.Bytes[int64](7), 1)
	return b, m
}

// refuse parses a file that must be refused, and demands the code and the path of the first problem.
func refuse(t *testing.T, file []byte, code fault.Code, path string) {
	t.Helper()
	p, err := pte.Parse(file)
	require.Error(t, err)
	require.Nil(t, p)
	var first *fault.Error
	require.ErrorAs(t, err, &first)
	require.Equal(t, path, first.Path, err)
	require.Equal(t, code, fault.CodeOf(err), err)
	require.False(t, first.Want == "" && first.Err == nil, err)
}

// A wrong program, made by a change of a right one: it must neither be read nor written.
func TestRefusedPrograms(t *testing.T) {
	type change func(p *pte.Program)
	value := func(i int) func(*pte.Program) *pte.Value {
		return func(p *pte.Program) *pte.Value { return &p.Plans[0].Values[i] }
	}
	sizes := func(list ...int32) change {
		return func(p *pte.Program) {
			v := value(3)(p).Tensor
			v.Sizes, v.DimOrder = list, make([]uint8, len(list))
			for i := range list {
				v.DimOrder[i] = uint8(i)
			}
		}
	}
	in := func(i int) func(*pte.Program) *pte.Instruction {
		return func(p *pte.Program) *pte.Instruction { return &p.Plans[0].Chains[0].Instructions[i] }
	}
	const tensor = "plan[0].values[3].tensor."
	cases := []struct {
		name string
		from func() (*ptebuild.Program, *ptebuild.Method)
		do   change
		code fault.Code
		path string
	}{
		// Element counts and bytes that overflow: CVE-2025-30402.
		{"numel 2^93", add, sizes(math.MaxInt32, math.MaxInt32, math.MaxInt32), fault.InvalidProgram, tensor + "sizes"},
		{"numel 2^64", add, sizes(1<<16, 1<<16, 1<<16, 1<<16), fault.InvalidProgram, tensor + "sizes"},
		{"bytes 2^63", add, sizes(1<<30, 1<<30, 2), fault.InvalidProgram, tensor + "sizes"},
		{"huge times nothing", add, sizes(math.MaxInt32, math.MaxInt32, math.MaxInt32, 0), fault.InvalidProgram, tensor + "sizes"},
		{"negative size", add, sizes(2, -1), fault.InvalidProgram, tensor + "sizes[1]"},
		// Ranks above the limit: CVE-2025-54951.
		{"rank 17", add, sizes(make([]int32, 17)...), fault.InvalidProgram, tensor + "sizes"},
		{"rank 10000", add, sizes(make([]int32, 10000)...), fault.InvalidProgram, tensor + "sizes"},
		// Planned places: CVE-2025-30405.
		{"offset wraps", add, func(p *pte.Program) { value(3)(p).Tensor.Alloc.Offset = math.MaxUint64 - 7 }, fault.MemoryAllocationFailed, tensor + "allocation_info.memory_offset"},
		{"offset past the end", add, func(p *pte.Program) { value(3)(p).Tensor.Alloc.Offset = 17 }, fault.MemoryAllocationFailed, tensor + "allocation_info.memory_offset"},
		{"buffer 0", add, func(p *pte.Program) { value(3)(p).Tensor.Alloc.MemID = 0 }, fault.InvalidArgument, tensor + "allocation_info.memory_id"},
		{"buffer 2 of 1", add, func(p *pte.Program) { value(3)(p).Tensor.Alloc.MemID = 2 }, fault.InvalidArgument, tensor + "allocation_info.memory_id"},
		{"buffer 2^32-1", add, func(p *pte.Program) { value(3)(p).Tensor.Alloc.MemID = math.MaxUint32 }, fault.InvalidArgument, tensor + "allocation_info.memory_id"},
		{"buffer of 2^63 B", add, func(p *pte.Program) { p.Plans[0].BufferBytes[1] = 1 << 63 }, fault.InvalidProgram, "plan[0].non_const_buffer_sizes[1]"},
		{"device of buffer 0", add, func(p *pte.Program) { p.Plans[0].BufferDevices = []pte.BufferDevice{{}} }, fault.InvalidProgram, "plan[0].non_const_buffer_device[0].buffer_idx"},
		// Tensors.
		{"dtype 30", add, func(p *pte.Program) { value(3)(p).Tensor.DType = 30 }, fault.InvalidProgram, tensor + "scalar_type"},
		{"dtype -1", add, func(p *pte.Program) { value(3)(p).Tensor.DType = -1 }, fault.InvalidProgram, tensor + "scalar_type"},
		{"dim order twice the same", add, func(p *pte.Program) { sizes(2, 2)(p); value(3)(p).Tensor.DimOrder = []uint8{0, 0} }, fault.InvalidProgram, tensor + "dim_order"},
		{"dim order out of range", add, func(p *pte.Program) { value(3)(p).Tensor.DimOrder = []uint8{255} }, fault.InvalidProgram, tensor + "dim_order"},
		{"dim order short", add, func(p *pte.Program) { value(3)(p).Tensor.DimOrder = nil }, fault.InvalidProgram, tensor + "dim_order"},
		{"dynamism 3", add, func(p *pte.Program) { value(3)(p).Tensor.Dynamism = 3 }, fault.InvalidProgram, tensor + "shape_dynamism"},
		{"location 2", add, func(p *pte.Program) { value(3)(p).Tensor.Location = 2 }, fault.InvalidProgram, tensor + "extra_tensor_info.location"},
		{"external without a name", add, func(p *pte.Program) { value(3)(p).Tensor.Location = pte.External }, fault.InvalidExternalData, tensor + "extra_tensor_info.fully_qualified_name"},
		{"second state segment", add, func(p *pte.Program) { value(3)(p).Tensor.StateSegment = 1 }, fault.NotSupported, tensor + "extra_tensor_info.mutable_data_segments_idx"},
		// Constants and initial state.
		{"constant 9", add, func(p *pte.Program) { value(1)(p).Tensor.DataIndex = 9 }, fault.InvalidArgument, "plan[0].values[1].tensor.data_buffer_idx"},
		{"constant 2^32-1", add, func(p *pte.Program) { value(1)(p).Tensor.DataIndex = math.MaxUint32 }, fault.InvalidArgument, "plan[0].values[1].tensor.data_buffer_idx"},
		{"constant shorter than its tensor", add, func(p *pte.Program) { value(1)(p).Tensor.Sizes = []int32{9} }, fault.InvalidArgument, "plan[0].values[1].tensor.data_buffer_idx"},
		{"state without any", add, func(p *pte.Program) { value(3)(p).Tensor.DataIndex = 1 }, fault.InvalidArgument, tensor + "data_buffer_idx"},
		// Values.
		{"value without a kind", add, func(p *pte.Program) { *value(2)(p) = pte.Value{} }, fault.InvalidProgram, "plan[0].values[2]"},
		{"kind 12", add, func(p *pte.Program) { *value(2)(p) = pte.Value{Kind: 12} }, fault.InvalidProgram, "plan[0].values[2]"},
		{"tensor list of an int", flow, func(p *pte.Program) { value(5)(p).List.Items[1] = 2 }, fault.InvalidType, "plan[0].values[5].tensor_list.items[1]"},
		{"tensor list of -1", flow, func(p *pte.Program) { value(5)(p).List.Items[1] = -1 }, fault.InvalidProgram, "plan[0].values[5].tensor_list.items[1]"},
		{"optional list of -2", flow, func(p *pte.Program) { v := value(5)(p); v.Kind, v.List.Items[1] = pte.KindOptionalTensorList, -2 }, fault.InvalidProgram, "plan[0].values[5].optional_tensor_list.items[1]"},
		{"int list of a tensor", flow, func(p *pte.Program) { value(5)(p).Kind = pte.KindIntList }, fault.InvalidType, "plan[0].values[5].int_list.items[0]"},
		{"int list past the end", flow, func(p *pte.Program) { v := value(5)(p); v.Kind, v.List.Items = pte.KindIntList, []int32{2, 6} }, fault.InvalidProgram, "plan[0].values[5].int_list.items[1]"},
		{"input -1", add, func(p *pte.Program) { p.Plans[0].Inputs[0] = -1 }, fault.InvalidProgram, "plan[0].inputs[0]"},
		{"output 4 of 4", add, func(p *pte.Program) { p.Plans[0].Outputs[0] = 4 }, fault.InvalidProgram, "plan[0].outputs[0]"},
		{"chain output", add, func(p *pte.Program) { p.Plans[0].Chains[0].Outputs = []int32{77} }, fault.InvalidProgram, "plan[0].chains[0].outputs[0]"},
		// Instructions: 0 add, 1 jump, 2 move, 3 free.
		{"operator 1 of 1", flow, func(p *pte.Program) { in(0)(p).Target = 1 }, fault.InvalidProgram, "plan[0].instructions[0].op_index"},
		{"operator -1", flow, func(p *pte.Program) { in(0)(p).Target = -1 }, fault.InvalidProgram, "plan[0].instructions[0].op_index"},
		{"argument -1", flow, func(p *pte.Program) { in(0)(p).Args[3] = -1 }, fault.InvalidProgram, "plan[0].instructions[0].args[3]"},
		{"argument n", flow, func(p *pte.Program) { in(0)(p).Args[3] = 6 }, fault.InvalidProgram, "plan[0].instructions[0].args[3]"},
		{"jump on -1", flow, func(p *pte.Program) { in(1)(p).From = -1 }, fault.InvalidProgram, "plan[0].instructions[1].cond_value_index"},
		{"jump on an int", flow, func(p *pte.Program) { in(1)(p).From = 2 }, fault.InvalidProgram, "plan[0].instructions[1].cond_value_index"},
		{"jump to -1", flow, func(p *pte.Program) { in(1)(p).Target = -1 }, fault.InvalidProgram, "plan[0].instructions[1].destination_instruction"},
		{"jump behind the end", flow, func(p *pte.Program) { in(1)(p).Target = 5 }, fault.InvalidProgram, "plan[0].instructions[1].destination_instruction"},
		{"jump to 2^31-1", flow, func(p *pte.Program) { in(1)(p).Target = math.MaxInt32 }, fault.InvalidProgram, "plan[0].instructions[1].destination_instruction"},
		{"move from n", flow, func(p *pte.Program) { in(2)(p).From = 6 }, fault.InvalidProgram, "plan[0].instructions[2].move_from"},
		{"move to 2^31-1", flow, func(p *pte.Program) { in(2)(p).To = math.MaxInt32 }, fault.InvalidProgram, "plan[0].instructions[2].move_to"},
		{"move of an int onto a list's tensor", flow, func(p *pte.Program) { in(2)(p).From = 2 }, fault.InvalidProgram, "plan[0].instructions[2].move_from"},
		{"free of -1", flow, func(p *pte.Program) { in(3)(p).From = -1 }, fault.InvalidProgram, "plan[0].instructions[3].value_index"},
		{"free of an int", flow, func(p *pte.Program) { in(3)(p).From = 2 }, fault.InvalidProgram, "plan[0].instructions[3].value_index"},
		{"instruction kind 6", flow, func(p *pte.Program) { in(3)(p).Op = 6 }, fault.InvalidProgram, "plan[0].instructions[3]"},
		{"delegate 1 of 1", delegated, func(p *pte.Program) { in(0)(p).Target = 1 }, fault.InvalidProgram, "plan[0].instructions[0].delegate_index"},
		{"no chain", add, func(p *pte.Program) { p.Plans[0].Chains = nil }, fault.InvalidProgram, "plan[0].chains"},
		{"wrong instruction of the second chain", add, func(p *pte.Program) {
			p.Plans[0].Chains = append(p.Plans[0].Chains, pte.Chain{Instructions: []pte.Instruction{{Op: pte.Free, From: 2}}})
		}, fault.InvalidProgram, "plan[0].chains[1].instructions[0].value_index"},
		// Names.
		{"plan without a name", add, func(p *pte.Program) { p.Plans[0].Name = "" }, fault.InvalidProgram, "plan[0].name"},
		{"two plans of one name", add, func(p *pte.Program) { p.Plans = append(p.Plans, p.Plans[0]) }, fault.InvalidProgram, "plan[1].name"},
		{"operator without a name", add, func(p *pte.Program) { p.Plans[0].Operators[0].Name = "" }, fault.InvalidProgram, "plan[0].operators[0].name"},
		{"two blobs of one key", add, func(p *pte.Program) { p.NamedData = []pte.NamedData{{Key: "a"}, {Key: "a"}} }, fault.InvalidArgument, "named_data[1].key"},
		{"version 1", add, func(p *pte.Program) { p.Version = 1 }, fault.InvalidProgram, "version"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b, _ := c.from()
			p := b.Program()
			_, err := pte.Rewrite(p)
			require.NoError(t, err)
			c.do(p)
			file, err := pte.Encode(p)
			require.NoError(t, err)
			refuse(t, file, c.code, c.path)
			_, err = pte.Rewrite(p)
			require.Equal(t, c.code, fault.CodeOf(err), "Rewrite: %v", err)
		})
	}
}

// Shapes that only look alarming.
func TestAcceptedPrograms(t *testing.T) {
	b, m := add()
	m.Tensor(pte.Float, 2, 2).Order(1, 0)
	m.Tensor(pte.Float, 0, 5)
	m.Tensor(pte.Float)
	m.Inputs(m.Tensor(pte.Float, 2).Unplanned())
	m.Kernel("none", m.Ints(), m.Tensors(), m.OptionalTensors(ptebuild.Absent), m.String(""), m.Doubles(nil), m.Bools(nil))
	b.Parse(t)

	// A caller sets the shape of a dynamic input before anything is allocated: its bound may be any number.
	b, m = add()
	huge := m.Tensor(pte.Float, math.MaxInt32, math.MaxInt32, math.MaxInt32)
	huge.Unplanned().Bounded()
	m.Inputs(huge)
	p := b.Program()
	p.Plans[0].BufferBytes[1] = 32 // the builder made room for it
	file, err := pte.Encode(p)
	require.NoError(t, err)
	_, err = pte.Parse(file)
	require.NoError(t, err)
}

// Several problems are reported at once, and not without end.
func TestProblemsAreReportedTogether(t *testing.T) {
	b, _ := flow()
	p := b.Program()
	p.Plans[0].Inputs[0] = 99
	p.Plans[0].Values[3].Tensor.DType = 99
	p.Plans[0].Chains[0].Instructions[1].Target = 99
	file, err := pte.Encode(p)
	require.NoError(t, err)
	_, err = pte.Parse(file)
	require.Len(t, fault.All(err), 3)

	for range 1000 {
		p.Plans[0].Inputs = append(p.Plans[0].Inputs, -5)
	}
	err = pte.Check(p)
	require.Len(t, fault.All(err), 51)
	require.ErrorContains(t, err, "found 953 more")
}

// Files with one field taken out, one length or offset forged.
func TestForgedFiles(t *testing.T) {
	root := func(file []byte) *program.Program { return program.GetRootAsProgram(file, 0) }
	plan := func(file []byte) flatbuffers.Table {
		var p program.ExecutionPlan
		root(file).ExecutionPlan(&p, 0)
		return p.Table()
	}
	chain := func(file []byte) flatbuffers.Table {
		var p program.ExecutionPlan
		var c program.Chain
		root(file).ExecutionPlan(&p, 0)
		p.Chains(&c, 0)
		return c.Table()
	}
	del := func(file []byte) *program.BackendDelegate {
		var p program.ExecutionPlan
		var d program.BackendDelegate
		root(file).ExecutionPlan(&p, 0)
		p.Delegates(&d, 0)
		return &d
	}
	put64 := binary.LittleEndian.PutUint64
	put32 := binary.LittleEndian.PutUint32
	const bad = fault.InvalidProgram
	cases := []struct {
		name string
		from func() (*ptebuild.Program, *ptebuild.Method)
		do   func(file []byte)
		code fault.Code
		path string
	}{
		{"no plans", add, func(f []byte) { drop(root(f).Table(), 1) }, bad, "plan"},
		{"no name", add, func(f []byte) { drop(plan(f), 0) }, bad, "plan[0].name"},
		{"no values", delegated, func(f []byte) { drop(plan(f), 2) }, bad, "plan[0].values"},
		{"no inputs", add, func(f []byte) { drop(plan(f), 3) }, bad, "plan[0].inputs"},
		{"no chains", add, func(f []byte) { drop(plan(f), 5) }, bad, "plan[0].chains"},
		{"no buffer sizes", add, func(f []byte) { drop(plan(f), 8) }, bad, "plan[0].non_const_buffer_sizes"},
		{"no instructions", add, func(f []byte) { drop(chain(f), 2) }, bad, "plan[0].chains[0].instructions"},
		{"no backend name", delegated, func(f []byte) { drop(del(f).Table(), 0) }, bad, "plan[0].delegates[0].id"},
		{"no payload", delegated, func(f []byte) { drop(del(f).Table(), 1) }, bad, "plan[0].delegates[0].processed"},
		{"payload in a list that is not there", delegated, func(f []byte) { drop(root(f).Table(), 3) }, fault.NotFound, "plan[0].delegates[0].processed.index"},
		{"payload in an empty list", delegated, func(f []byte) { put32(f[vector(root(f).Table(), 3):], 0) }, fault.NotFound, "plan[0].delegates[0].processed.index"},
		{"compile spec without a key", delegated, func(f []byte) {
			var s program.CompileSpec
			del(f).CompileSpecs(&s, 0)
			drop(s.Table(), 0)
		}, bad, "plan[0].delegates[0].compile_specs[0]"},
		{"compile spec without a value", delegated, func(f []byte) {
			var s program.CompileSpec
			del(f).CompileSpecs(&s, 0)
			drop(s.Table(), 1)
		}, bad, "plan[0].delegates[0].compile_specs[0]"},
		{"negative buffer size", add, func(f []byte) { put64(f[vector(plan(f), 8)+4+8:], math.MaxUint64) }, bad, "plan[0].non_const_buffer_sizes[1]"},
		{"segment size 2^64-16", add, func(f []byte) {
			var s program.DataSegment
			root(f).Segments(&s, 0)
			put64(f[scalarAt(s.Table(), 1):], math.MaxUint64-15)
		}, bad, "segments[0]"},
		{"segment offset 2^64-16", stateful, func(f []byte) {
			var s program.DataSegment
			root(f).Segments(&s, 1)
			put64(f[scalarAt(s.Table(), 0):], math.MaxUint64-15)
		}, bad, "segments[1]"},
		{"state offset 2^64-4", stateful, func(f []byte) {
			var s program.SubsegmentOffsets
			root(f).MutableDataSegments(&s, 0)
			put64(f[vector(s.Table(), 1)+4+8:], math.MaxUint64-3)
		}, fault.InvalidArgument, "mutable_data_segments[0].offsets[1]"},
		{"state offset one too far", stateful, func(f []byte) {
			var s program.SubsegmentOffsets
			root(f).MutableDataSegments(&s, 0)
			put64(f[vector(s.Table(), 1)+4+8:], 1)
		}, fault.InvalidArgument, "plan[0].values[4].tensor.data_buffer_idx"},
		{"constant offset 2^64-4", add, func(f []byte) {
			var s program.SubsegmentOffsets
			root(f).ConstantSegment(&s)
			put64(f[vector(s.Table(), 1)+4+8:], math.MaxUint64-3)
		}, fault.InvalidArgument, "constant_segment.offsets[1]"},
		{"constant segment 9", add, func(f []byte) {
			p := root(f)
			var s program.SubsegmentOffsets
			p.ConstantSegment(&s)
			drop(p.Table(), 4)
		}, fault.NotFound, "constant_segment.segment_index"},
		{"header base 2^64-8", add, func(f []byte) { put64(f[24:], math.MaxUint64-7) }, bad, "extended_header.segment_base_offset"},
		{"header base inside the program", add, func(f []byte) { put64(f[24:], 16) }, bad, "extended_header.segment_base_offset"},
		{"header program size", add, func(f []byte) { put64(f[16:], math.MaxUint64) }, bad, "extended_header.program_size"},
		{"header segment bytes", add, func(f []byte) { put64(f[32:], math.MaxUint64-63) }, bad, "extended_header.segment_data_size"},
		{"header length 8", add, func(f []byte) { put32(f[12:], 8) }, bad, "extended_header.length"},
		{"header length 2^32-1", add, func(f []byte) { put32(f[12:], math.MaxUint32) }, bad, "extended_header.length"},
		{"root 2^32-1", add, func(f []byte) { put32(f, math.MaxUint32) }, bad, ""},
		{"root 0", add, func(f []byte) { put32(f, 0) }, bad, ""},
		{"vtable out of the file", add, func(f []byte) { put32(f[root(f).Table().Pos:], 0x80000000) }, bad, ""},
		{"identifier ET11", add, func(f []byte) { copy(f[4:], "ET11") }, bad, "identifier"},
		{"identifier XX12", add, func(f []byte) { copy(f[4:], "XX12") }, bad, "identifier"},
	}
	for _, length := range []uint32{0x00FFFFFF, 0x40000000, math.MaxUint32} { // CVE-2025-54952 and its relatives
		for _, v := range []struct {
			path string
			at   func(f []byte) int
		}{
			{"plan", func(f []byte) int { return vector(root(f).Table(), 1) }},
			{"plan[0].values", func(f []byte) int { return vector(plan(f), 2) }},
			{"plan[0].chains", func(f []byte) int { return vector(plan(f), 5) }},
			{"plan[0].operators", func(f []byte) int { return vector(plan(f), 6) }},
			{"plan[0].non_const_buffer_sizes", func(f []byte) int { return vector(plan(f), 8) }},
			{"plan[0].chains[0].instructions", func(f []byte) int { return vector(chain(f), 2) }},
			{"backend_delegate_data", func(f []byte) int { return vector(root(f).Table(), 3) }},
			{"segments", func(f []byte) int { return vector(root(f).Table(), 4) }},
		} {
			cases = append(cases, struct {
				name string
				from func() (*ptebuild.Program, *ptebuild.Method)
				do   func(file []byte)
				code fault.Code
				path string
			}{v.path + " forged", delegated, func(f []byte) { put32(f[v.at(f):], length) }, bad, v.path})
		}
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b, _ := c.from()
			file := b.Encode(t)
			c.do(file)
			refuse(t, file, c.code, c.path)
		})
	}
}

// What may be absent, and means nothing or the default.
func TestAbsentFields(t *testing.T) {
	b, m := delegated()
	m.Plan().Chains[0].Stack = [][]pte.Frame{nil} // else the chain shares the delegate's vtable
	file := b.Encode(t)
	var plan program.ExecutionPlan
	program.GetRootAsProgram(file, 0).ExecutionPlan(&plan, 0)
	var del program.BackendDelegate
	plan.Delegates(&del, 0)
	drop(del.Table(), 2) // compile specs
	drop(plan.Table(), 1)
	drop(plan.Table(), 6)
	p, err := pte.Parse(file)
	require.NoError(t, err)
	require.Empty(t, p.Plans[0].Delegates[0].Specs)
	require.Empty(t, p.Plans[0].OutputTree)
}

// Any number of arenas is the file's own affair; a board has to hold them.
func TestSparseArenas(t *testing.T) {
	b, m := add()
	for _, id := range []uint32{2, 3, 4, 9} {
		m.Scratch(64, id)
	}
	require.Equal(t, []uint64{0, 32, 64, 64, 64, 0, 0, 0, 0, 64}, b.Parse(t).Plans[0].BufferBytes)
}

func TestIdentifiers(t *testing.T) {
	b, _ := add()
	good := b.Encode(t)
	for ident, want := range map[string]error{"ET11": pte.ErrVersion, "ET13": pte.ErrVersion, "XX12": pte.ErrFormat, "FT01": pte.ErrFormat} {
		file := append([]byte{}, good...)
		copy(file[4:], ident)
		_, err := pte.Parse(file)
		require.ErrorIs(t, err, want)
		require.ErrorContains(t, err, ident)
	}
	p := b.Program()
	p.Version = 1
	file, err := pte.Encode(p)
	require.NoError(t, err)
	_, err = pte.Parse(file)
	require.ErrorIs(t, err, pte.ErrVersion)
	for n := range 8 {
		_, err := pte.Parse(good[:n])
		require.ErrorIs(t, err, pte.ErrFormat)
	}
}

// An old header has no size of the segments; a newer one may be longer.
func TestHeaderLengths(t *testing.T) {
	b, _ := add()
	file := b.Encode(t)
	want, err := pte.Parse(file)
	require.NoError(t, err)

	old := append([]byte{}, file...)
	binary.LittleEndian.PutUint32(old[12:], 24)
	binary.LittleEndian.PutUint64(old[32:], 0)
	got, err := pte.Parse(old)
	require.NoError(t, err)
	require.Equal(t, want, got)

	newer := append(append(append([]byte{}, file[:40]...), make([]byte, 128)...), file[40:]...)
	for _, at := range []int{16, 24} {
		binary.LittleEndian.PutUint64(newer[at:], binary.LittleEndian.Uint64(newer[at:])+128)
	}
	binary.LittleEndian.PutUint32(newer, binary.LittleEndian.Uint32(newer)+128)
	binary.LittleEndian.PutUint32(newer[12:], 40)
	got, err = pte.Parse(newer)
	require.NoError(t, err)
	require.Equal(t, content(want), content(got))
	newer[40] = 1 // a word that this reader does not know
	got, err = pte.Parse(newer)
	require.NoError(t, err)
	require.Equal(t, []string{"extended_header[32:]"}, got.Unknown)
	_, err = pte.Rewrite(got)
	require.Equal(t, fault.NotSupported, fault.CodeOf(err))
	require.ErrorContains(t, err, "extended_header[32:]")
}

// A program cut at any byte, and one that ends exactly where its last segment does.
func TestTruncatedFiles(t *testing.T) {
	b, _ := add()
	file := b.Encode(t)
	for n := range file {
		_, err := pte.Parse(file[:n:n])
		require.Error(t, err, n)
	}
	p, err := pte.Parse(file[:len(file):len(file)])
	require.NoError(t, err)
	require.Len(t, p.Constants[1], 16)
	require.Equal(t, 16, cap(p.Constants[1]), "a window must not reach into its neighbour")
}

// drop makes a table's nth field absent, for every table that shares its vtable.
func drop(t flatbuffers.Table, n int) {
	vtable := int(t.Pos) - int(int32(binary.LittleEndian.Uint32(t.Bytes[t.Pos:])))
	binary.LittleEndian.PutUint16(t.Bytes[vtable+4+2*n:], 0)
}

// vector is where a vector's length lies.
func vector(t flatbuffers.Table, n int) int {
	return int(t.Vector(flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4+2*n))))) - 4
}

func scalarAt(t flatbuffers.Table, n int) int {
	return int(t.Pos) + int(t.Offset(flatbuffers.VOffsetT(4+2*n)))
}
