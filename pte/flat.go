package pte

import (
	"math"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte/schema/program"
)

// flatWriter writes the flatbuffer of a program whose segments are laid out.
type flatWriter struct {
	*flatbuffers.Builder
	inlineAlign uint64
	segments    []Segment
	constants   subsegments
	state       *subsegments
	inline      [][]byte
	payloads    []uint32 // index of each delegate's payload, over all plans in order
	named       []uint32 // segment of each named blob
}

type ref = flatbuffers.UOffsetT

func (w *flatWriter) program(p *Program) ([]byte, error) {
	total := 0
	for _, b := range w.inline {
		total += len(b) + int(w.inlineAlign)
	}
	if total > math.MaxInt32/2 {
		return nil, fault.New(fault.NotSupported, "program", "inline payloads of less than 1 GiB together", fault.Bytes(uint64(total)))
	}
	w.Builder = flatbuffers.NewBuilder(1<<14 + total)

	plans := list(w, p.Plans, w.plan)
	inline := list(w, w.inline, func(b *[]byte) ref {
		data := w.byteVector(*b, int(w.inlineAlign))
		program.BackendDelegateInlineDataStart(w.Builder)
		program.BackendDelegateInlineDataAddData(w.Builder, data)
		return program.BackendDelegateInlineDataEnd(w.Builder)
	})
	segments := list(w, w.segments, func(s *Segment) ref {
		program.DataSegmentStart(w.Builder)
		program.DataSegmentAddOffset(w.Builder, s.Offset)
		program.DataSegmentAddSize(w.Builder, uint64(len(s.Bytes)))
		return program.DataSegmentEnd(w.Builder)
	})
	constants := w.subsegments(&w.constants)
	var state []subsegments
	if w.state != nil {
		state = append(state, *w.state)
	}
	mutable := list(w, state, w.subsegments)
	at := 0
	named := list(w, p.NamedData, func(n *NamedData) ref {
		key := w.CreateString(n.Key)
		program.NamedDataStart(w.Builder)
		program.NamedDataAddKey(w.Builder, key)
		program.NamedDataAddSegmentIndex(w.Builder, w.named[at])
		at++
		return program.NamedDataEnd(w.Builder)
	})
	buffers := list(w, []byte(nil), nil)

	program.ProgramStart(w.Builder)
	program.ProgramAddVersion(w.Builder, p.Version)
	program.ProgramAddExecutionPlan(w.Builder, plans)
	program.ProgramAddConstantBuffer(w.Builder, buffers)
	program.ProgramAddBackendDelegateData(w.Builder, inline)
	program.ProgramAddSegments(w.Builder, segments)
	program.ProgramAddConstantSegment(w.Builder, constants)
	program.ProgramAddMutableDataSegments(w.Builder, mutable)
	program.ProgramAddNamedData(w.Builder, named)
	w.FinishWithFileIdentifier(program.ProgramEnd(w.Builder), []byte(programIdent))
	return w.FinishedBytes(), nil
}

func (w *flatWriter) subsegments(s *subsegments) ref {
	offsets := w.vector64(len(s.offsets), func(i int) { w.PrependUint64(s.offsets[i]) })
	program.SubsegmentOffsetsStart(w.Builder)
	program.SubsegmentOffsetsAddSegmentIndex(w.Builder, s.segment)
	program.SubsegmentOffsetsAddOffsets(w.Builder, offsets)
	return program.SubsegmentOffsetsEnd(w.Builder)
}

func (w *flatWriter) plan(p *Plan) ref {
	name := w.CreateString(p.Name)
	inTree, outTree := w.CreateString(p.InputTree), w.CreateString(p.OutputTree)
	program.ContainerMetadataStart(w.Builder)
	program.ContainerMetadataAddEncodedInpStr(w.Builder, inTree)
	program.ContainerMetadataAddEncodedOutStr(w.Builder, outTree)
	tree := program.ContainerMetadataEnd(w.Builder)
	values := list(w, p.Values, w.value)
	inputs, outputs := w.int32s(p.Inputs), w.int32s(p.Outputs)
	chains := list(w, p.Chains, w.chain)
	operators := list(w, p.Operators, func(o *Operator) ref {
		name, overload := w.CreateString(o.Name), w.CreateString(o.Overload)
		program.OperatorStart(w.Builder)
		program.OperatorAddName(w.Builder, name)
		program.OperatorAddOverload(w.Builder, overload)
		return program.OperatorEnd(w.Builder)
	})
	delegates := list(w, p.Delegates, w.delegate)
	sizes := p.BufferBytes
	if len(sizes) == 0 {
		sizes = []uint64{0}
	}
	buffers := w.vector64(len(sizes), func(i int) { w.PrependUint64(sizes[i]) })
	var devices ref
	if len(p.BufferDevices) > 0 {
		devices = list(w, p.BufferDevices, func(d *BufferDevice) ref {
			program.NonConstBufferDeviceStart(w.Builder)
			program.NonConstBufferDeviceAddBufferIdx(w.Builder, int32(d.MemID))
			program.NonConstBufferDeviceAddDeviceType(w.Builder, int8(d.Device.Type))
			program.NonConstBufferDeviceAddDeviceIndex(w.Builder, d.Device.Index)
			return program.NonConstBufferDeviceEnd(w.Builder)
		})
	}
	program.ExecutionPlanStart(w.Builder)
	program.ExecutionPlanAddName(w.Builder, name)
	program.ExecutionPlanAddContainerMetaType(w.Builder, tree)
	program.ExecutionPlanAddValues(w.Builder, values)
	program.ExecutionPlanAddInputs(w.Builder, inputs)
	program.ExecutionPlanAddOutputs(w.Builder, outputs)
	program.ExecutionPlanAddChains(w.Builder, chains)
	program.ExecutionPlanAddOperators(w.Builder, operators)
	program.ExecutionPlanAddDelegates(w.Builder, delegates)
	program.ExecutionPlanAddNonConstBufferSizes(w.Builder, buffers)
	program.ExecutionPlanAddNonConstBufferDevice(w.Builder, devices)
	return program.ExecutionPlanEnd(w.Builder)
}

func (w *flatWriter) delegate(d *Delegate) ref {
	id := w.CreateString(d.ID)
	program.BackendDelegateDataReferenceStart(w.Builder)
	if !d.Inline {
		program.BackendDelegateDataReferenceAddLocation(w.Builder, 1)
	}
	program.BackendDelegateDataReferenceAddIndex(w.Builder, w.payloads[0])
	w.payloads = w.payloads[1:]
	processed := program.BackendDelegateDataReferenceEnd(w.Builder)
	specs := list(w, d.Specs, func(s *CompileSpec) ref {
		key, value := w.CreateString(s.Key), w.CreateByteVector(s.Value)
		program.CompileSpecStart(w.Builder)
		program.CompileSpecAddKey(w.Builder, key)
		program.CompileSpecAddValue(w.Builder, value)
		return program.CompileSpecEnd(w.Builder)
	})
	program.BackendDelegateStart(w.Builder)
	program.BackendDelegateAddId(w.Builder, id)
	program.BackendDelegateAddProcessed(w.Builder, processed)
	program.BackendDelegateAddCompileSpecs(w.Builder, specs)
	return program.BackendDelegateEnd(w.Builder)
}

func (w *flatWriter) chain(c *Chain) ref {
	inputs, outputs := w.int32s(c.Inputs), w.int32s(c.Outputs)
	instructions := list(w, c.Instructions, w.instruction)
	var stack ref
	if c.Stack != nil {
		stack = list(w, c.Stack, func(frames *[]Frame) ref {
			items := list(w, *frames, func(f *Frame) ref {
				file, name, context := w.CreateString(f.File), w.CreateString(f.Name), w.CreateString(f.Context)
				program.FrameStart(w.Builder)
				program.FrameAddFilename(w.Builder, file)
				program.FrameAddLineno(w.Builder, f.Line)
				program.FrameAddName(w.Builder, name)
				program.FrameAddContext(w.Builder, context)
				return program.FrameEnd(w.Builder)
			})
			program.FrameListStart(w.Builder)
			program.FrameListAddItems(w.Builder, items)
			return program.FrameListEnd(w.Builder)
		})
	}
	program.ChainStart(w.Builder)
	program.ChainAddInputs(w.Builder, inputs)
	program.ChainAddOutputs(w.Builder, outputs)
	program.ChainAddInstructions(w.Builder, instructions)
	program.ChainAddStacktrace(w.Builder, stack)
	return program.ChainEnd(w.Builder)
}

func (w *flatWriter) instruction(in *Instruction) ref {
	var args ref
	switch in.Op {
	case CallKernel:
		list := w.int32s(in.Args)
		program.KernelCallStart(w.Builder)
		program.KernelCallAddOpIndex(w.Builder, in.Target)
		program.KernelCallAddArgs(w.Builder, list)
		args = program.KernelCallEnd(w.Builder)
	case CallDelegate:
		list := w.int32s(in.Args)
		program.DelegateCallStart(w.Builder)
		program.DelegateCallAddDelegateIndex(w.Builder, in.Target)
		program.DelegateCallAddArgs(w.Builder, list)
		args = program.DelegateCallEnd(w.Builder)
	case Move:
		program.MoveCallStart(w.Builder)
		program.MoveCallAddMoveFrom(w.Builder, in.From)
		program.MoveCallAddMoveTo(w.Builder, in.To)
		args = program.MoveCallEnd(w.Builder)
	case JumpFalse:
		program.JumpFalseCallStart(w.Builder)
		program.JumpFalseCallAddCondValueIndex(w.Builder, in.From)
		program.JumpFalseCallAddDestinationInstruction(w.Builder, in.Target)
		args = program.JumpFalseCallEnd(w.Builder)
	case Free:
		program.FreeCallStart(w.Builder)
		program.FreeCallAddValueIndex(w.Builder, in.From)
		args = program.FreeCallEnd(w.Builder)
	}
	program.InstructionStart(w.Builder)
	program.InstructionAddInstrArgsType(w.Builder, program.InstructionArguments(in.Op))
	program.InstructionAddInstrArgs(w.Builder, args)
	return program.InstructionEnd(w.Builder)
}

// list writes a vector of tables.
func list[T any](w *flatWriter, items []T, write func(*T) ref) ref {
	refs := make([]ref, len(items))
	for i := range items {
		refs[i] = write(&items[i])
	}
	return w.CreateVectorOfTables(refs)
}

func (w *flatWriter) int32s(items []int32) ref {
	w.StartVector(4, len(items), 4)
	for i := len(items) - 1; i >= 0; i-- {
		w.PrependInt32(items[i])
	}
	return w.EndVector(len(items))
}

// vector64 writes a vector of eight-byte elements; prepend puts the ith in front of what is there.
func (w *flatWriter) vector64(n int, prepend func(i int)) ref {
	w.StartVector(8, n, 8)
	for i := n - 1; i >= 0; i-- {
		prepend(i)
	}
	return w.EndVector(n)
}

func (w *flatWriter) byteVector(b []byte, align int) ref {
	w.StartVector(1, len(b), align)
	w.Pad(len(b))
	copy(w.Bytes[w.Head():], b)
	return w.EndVector(len(b))
}
