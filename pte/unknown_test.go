package pte_test

import (
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/pte"
	"github.com/ptero-rt/ptero/pte/schema/program"
	"github.com/stretchr/testify/require"
)

// A newer exporter's field is read over, named, and not dropped by a rewrite.
func TestFieldsOfANewerExporter(t *testing.T) {
	b := flatbuffers.NewBuilder(0)
	plans := b.CreateVectorOfTables(nil)
	b.StartObject(10)
	b.PrependUOffsetTSlot(1, plans, 0)
	b.PrependUint32Slot(9, 5, 0)
	b.FinishWithFileIdentifier(b.EndObject(), []byte("ET12"))
	p, err := pte.Parse(b.FinishedBytes())
	require.NoError(t, err)
	require.Equal(t, []string{"Program.field(9)"}, p.Unknown)
	_, err = pte.Rewrite(p)
	require.Equal(t, fault.NotSupported, fault.CodeOf(err))
	require.ErrorContains(t, err, "Program.field(9)")
}

// A segment that nothing refers to may belong to a field of a newer exporter.
func TestSegmentsThatNothingRefersTo(t *testing.T) {
	made, _ := add()
	made.Named("label", []byte("hash"))
	file := made.Encode(t)
	drop(program.GetRootAsProgram(file, 0).Table(), 7)
	p, err := pte.Parse(file)
	require.NoError(t, err)
	require.Equal(t, []string{"segments[1]"}, p.Unknown)
	_, err = pte.Rewrite(p)
	require.ErrorContains(t, err, "segments[1]")
}

// Lists whose entries all point at one table cost a writer four bytes each and a reader many times that.
func TestSharedTablesAreRefused(t *testing.T) {
	const n = 1 << 18
	b := flatbuffers.NewBuilder(0)
	program.NullStart(b)
	null := program.NullEnd(b)
	program.EValueStart(b)
	program.EValueAddValType(b, program.KernelTypesNull)
	program.EValueAddVal(b, null)
	value := program.EValueEnd(b)
	refs := make([]flatbuffers.UOffsetT, n)
	for i := range refs {
		refs[i] = value
	}
	values := b.CreateVectorOfTables(refs)
	program.ExecutionPlanStart(b)
	program.ExecutionPlanAddValues(b, values)
	plan := program.ExecutionPlanEnd(b)
	plans := b.CreateVectorOfTables([]flatbuffers.UOffsetT{plan, plan, plan, plan, plan, plan, plan, plan})
	program.ProgramStart(b)
	program.ProgramAddExecutionPlan(b, plans)
	b.FinishWithFileIdentifier(program.ProgramEnd(b), []byte("ET12"))
	file := b.FinishedBytes()
	_, err := pte.Parse(file)
	require.ErrorContains(t, err, "plan[0].values[")
	require.ErrorContains(t, err, "counted as often")
	require.Less(t, testing.AllocsPerRun(1, func() { _, _ = pte.Parse(file) }), 100.0)
}

// Constants that overlap are read, since ExecuTorch reads them, and equal windows are written once.
func TestSharedConstants(t *testing.T) {
	b, m := add()
	p := b.Program()
	p.Constants = append(p.Constants, p.Constants[1])
	tensor := *m.Plan().Values[1].Tensor
	tensor.DataIndex = 2
	p.Plans[0].Values = append(p.Plans[0].Values, pte.Value{Kind: pte.KindTensor, Tensor: &tensor})
	file, err := pte.Rewrite(p)
	require.NoError(t, err)
	got, err := pte.Parse(file)
	require.NoError(t, err)
	require.Equal(t, ptebuild.Bytes[float32](1, 2, 3, 4), got.Constants[1])
	require.Equal(t, got.Constants[1], got.Constants[2])
	require.Len(t, got.Segments[0].Bytes, 16)
}
