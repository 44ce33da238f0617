package pte

import "github.com/ptero-rt/ptero/internal/flatverify"

// The three schemas as the verifier reads them. A test holds them against the .fbs files.
var (
	programLayout    = buildProgramLayout()
	bundleLayout     = buildBundleLayout()
	tensorDataLayout = buildTensorDataLayout()
)

type (
	layout = flatverify.Table
	field  = flatverify.Field
)

func scalar(name string, size int) field {
	return field{Name: name, Kind: flatverify.Scalar, Size: size}
}
func scalars(name string, size int) field {
	return field{Name: name, Kind: flatverify.Scalars, Size: size}
}
func text(name string) field             { return field{Name: name, Kind: flatverify.String} }
func child(name string, t *layout) field { return field{Name: name, Kind: flatverify.Child, Table: t} }
func tables(name string, t *layout) field {
	return field{Name: name, Kind: flatverify.Tables, Table: t}
}

func table(name string, fields ...field) *layout { return &layout{Name: name, Fields: fields} }

// union gives the two fields of a union: its tag and its value. Tag 0 is nothing; members follow in order.
func union(name string, members ...*layout) (tag, value field) {
	return scalar(name+"_type", 1), field{Name: name, Kind: flatverify.Union, Union: append([]*layout{nil}, members...)}
}

func member(label, name string, fields ...field) *layout {
	return &layout{Name: name, Label: label, Fields: fields}
}

func buildProgramLayout() *layout {
	allocation := table("AllocationDetails", scalar("memory_id", 4), scalar("memory_offset_low", 4), scalar("memory_offset_high", 4))
	extra := table("ExtraTensorInfo", scalar("mutable_data_segments_idx", 8), text("fully_qualified_name"),
		scalar("location", 1), scalar("device_type", 1), scalar("device_index", 1))
	valType, val := union("val",
		member("null", "Null"),
		member("int", "Int", scalar("int_val", 8)),
		member("bool", "Bool", scalar("bool_val", 1)),
		member("double", "Double", scalar("double_val", 8)),
		member("tensor", "Tensor", scalar("scalar_type", 1), scalar("storage_offset", 4), scalars("sizes", 4),
			scalars("dim_order", 1), scalar("requires_grad", 1), scalar("data_buffer_idx", 4), child("allocation_info", allocation),
			scalar("layout", 1), scalar("shape_dynamism", 1), child("extra_tensor_info", extra)),
		member("string", "String", text("string_val")),
		member("int_list", "IntList", scalars("items", 8)),
		member("double_list", "DoubleList", scalars("items", 8)),
		member("bool_list", "BoolList", scalars("items", 1)),
		member("tensor_list", "TensorList", scalars("items", 4)),
		member("optional_tensor_list", "OptionalTensorList", scalars("items", 4)),
	)
	argsType, args := union("instr_args",
		member("kernel_call", "KernelCall", scalar("op_index", 4), scalars("args", 4)),
		member("delegate_call", "DelegateCall", scalar("delegate_index", 4), scalars("args", 4)),
		member("move_call", "MoveCall", scalar("move_from", 4), scalar("move_to", 4)),
		member("jump_false_call", "JumpFalseCall", scalar("cond_value_index", 4), scalar("destination_instruction", 4)),
		member("free_call", "FreeCall", scalar("value_index", 4)),
	)
	frame := table("Frame", text("filename"), scalar("lineno", 4), text("name"), text("context"))
	chain := table("Chain", scalars("inputs", 4), scalars("outputs", 4),
		tables("instructions", table("Instruction", argsType, args)),
		tables("stacktrace", table("FrameList", tables("items", frame))))
	delegate := table("BackendDelegate", text("id"),
		child("processed", table("BackendDelegateDataReference", scalar("location", 1), scalar("index", 4))),
		tables("compile_specs", table("CompileSpec", text("key"), scalars("value", 1))))
	plan := table("ExecutionPlan", text("name"),
		child("container_meta_type", table("ContainerMetadata", text("encoded_inp_str"), text("encoded_out_str"))),
		tables("values", table("EValue", valType, val)), scalars("inputs", 4), scalars("outputs", 4), tables("chains", chain),
		tables("operators", table("Operator", text("name"), text("overload"))), tables("delegates", delegate),
		scalars("non_const_buffer_sizes", 8),
		tables("non_const_buffer_device", table("NonConstBufferDevice", scalar("buffer_idx", 4), scalar("device_type", 1), scalar("device_index", 1))))
	plans := tables("execution_plan", plan)
	plans.As = "plan"
	subsegment := table("SubsegmentOffsets", scalar("segment_index", 4), scalars("offsets", 8))
	return table("Program", scalar("version", 4), plans,
		tables("constant_buffer", table("Buffer", scalars("storage", 1))),
		tables("backend_delegate_data", table("BackendDelegateInlineData", scalars("data", 1))),
		tables("segments", table("DataSegment", scalar("offset", 8), scalar("size", 8))),
		child("constant_segment", subsegment), tables("mutable_data_segments", subsegment),
		tables("named_data", table("NamedData", text("key"), scalar("segment_index", 4))))
}

func buildBundleLayout() *layout {
	valType, val := union("val",
		member("tensor", "Tensor", scalar("scalar_type", 1), scalars("sizes", 4), scalars("data", 1), scalars("dim_order", 1)),
		member("int", "Int", scalar("int_val", 8)),
		member("bool", "Bool", scalar("bool_val", 1)),
		member("double", "Double", scalar("double_val", 8)),
	)
	value := table("Value", valType, val)
	suites := tables("method_test_suites", table("BundledMethodTestSuite", text("method_name"),
		tables("test_cases", table("BundledMethodTestCase", tables("inputs", value), tables("expected_outputs", value)))))
	suites.As = "suite"
	return table("BundledProgram", scalar("version", 4), suites, scalars("program", 1))
}

func buildTensorDataLayout() *layout {
	return table("FlatTensor", scalar("version", 4),
		tables("segments", table("DataSegment", scalar("offset", 8), scalar("size", 8))),
		tables("named_data", table("NamedData", text("key"), scalar("segment_index", 4),
			child("tensor_layout", table("TensorLayout", scalar("scalar_type", 1), scalars("sizes", 4), scalars("dim_order", 1))))))
}
