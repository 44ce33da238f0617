package pte_test

import (
	"testing"

	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/pte"
	"github.com/stretchr/testify/require"
)

func TestRewriteCorpus(t *testing.T) {
	n := 0
	for _, path := range files(t, fixtures.Shared(t, "fixtures"), fixtures.Shared(t, "models")) {
		f, err := pte.Open(path)
		require.NoError(t, err)
		if f.Kind == pte.TensorDataFile || ruleOf(path) != "" {
			require.NoError(t, f.Close())
			continue
		}
		p, err := f.Program()
		require.NoError(t, err, path)
		out, err := pte.Rewrite(p.Clone())
		require.NoError(t, err, path)
		again, err := pte.Parse(out)
		require.NoError(t, err, path)
		require.GreaterOrEqual(t, again.SegmentAlign, p.SegmentAlign, path)
		require.GreaterOrEqual(t, again.ConstantAlign, p.ConstantAlign, path)
		require.GreaterOrEqual(t, again.InlineAlign, p.InlineAlign, path)
		if len(p.Segments) == 0 {
			again.Segments = p.Segments // constants were in the flatbuffer
		}
		require.Equal(t, content(p), content(again), path)
		require.NoError(t, f.Close())
		n++
	}
	t.Log(n)
}

// content leaves out of a program what a rewrite may choose anew: where segments lie.
func content(p *pte.Program) *pte.Program {
	p = p.Clone()
	p.SegmentAlign, p.ConstantAlign, p.InlineAlign = 0, 0, 0
	for i := range p.Segments {
		p.Segments[i].Offset = 0
	}
	for i := range p.NamedData {
		p.NamedData[i].Align = 0
	}
	return p
}

// The edits that a planner makes: other places, other buffers, more values, longer argument lists, labels.
func TestRewriteEdited(t *testing.T) {
	b, _ := delegated()
	p := b.Parse(t).Clone()
	plan := &p.Plans[0]
	plan.BufferBytes = append(plan.BufferBytes, 0, 64)
	plan.Values[0].Tensor.Alloc.Offset = 16
	plan.Values[1].Tensor.Alloc.Offset = 0
	plan.Values = append(plan.Values, pte.Value{Kind: pte.KindTensor, Tensor: &pte.Tensor{
		DType: pte.Byte, Sizes: []int32{64}, DimOrder: []uint8{0}, Alloc: &pte.Alloc{MemID: 3}}})
	call := &plan.Chains[0].Instructions[0]
	call.Args = append(call.Args, 2)
	p.NamedData = append(p.NamedData, pte.NamedData{Key: "label", Bytes: []byte("hash")}, pte.NamedData{Key: "same", Bytes: []byte("hash"), Align: 1024})

	file, err := pte.Rewrite(p)
	require.NoError(t, err)
	got, err := pte.Parse(file)
	require.NoError(t, err)
	require.Equal(t, plan.Values, got.Plans[0].Values)
	require.Equal(t, plan.BufferBytes, got.Plans[0].BufferBytes)
	require.Equal(t, []int32{0, 1, 2}, got.Plans[0].Chains[0].Instructions[0].Args)
	require.Equal(t, "hash", string(got.NamedData[1].Bytes))
	require.Equal(t, got.NamedData[0].Segment, got.NamedData[1].Segment, "equal blobs are stored once")

	plan.BufferBytes[3] = 63
	_, err = pte.Rewrite(p)
	require.ErrorContains(t, err, "plan[0].values[2].tensor.allocation_info.memory_offset: arena_bounds: want 64 B inside the 63 B of buffer 3, found offset 0")
	plan.BufferBytes[3] = 64
	p.SegmentAlign = 48
	_, err = pte.Rewrite(p)
	require.ErrorContains(t, err, "powers of two")
}

func TestCloneSharesNothingThatChanges(t *testing.T) {
	b, _ := flow()
	p := b.Parse(t)
	before := p.Clone()
	c := p.Clone()
	c.Plans[0].Values[0].Tensor.Sizes[0] = 9
	c.Plans[0].Values[0].Tensor.DimOrder[0] = 9
	c.Plans[0].Values[0].Tensor.Alloc.Offset = 9
	c.Plans[0].Values[5].List.Items[0] = 9
	c.Plans[0].Inputs[0], c.Plans[0].Outputs[0] = 9, 9
	c.Plans[0].Chains[0].Instructions[0].Args[0] = 9
	c.Plans[0].Chains[0].Inputs[0] = 9
	c.Plans[0].Operators[0].Name = "other"
	c.Plans[0].BufferBytes[1] = 9
	c.Constants[1] = nil
	c.Segments[0].Bytes = nil
	require.Equal(t, before, p)
}

// Segments start at multiples of the program's alignment, constants and payloads at multiples of theirs.
func TestAlignmentInTheFile(t *testing.T) {
	for _, align := range []uint64{0, 16, 128, 4096} {
		b, m := delegated()
		m.Backend("Other", []byte("in a segment"))
		for n := range int32(5) {
			m.Constant(pte.Byte, make([]byte, n+1), n+1)
		}
		b.Named("label", []byte("hash"))
		p := b.Program()
		p.SegmentAlign, p.ConstantAlign, p.InlineAlign = align, align, align
		file, err := pte.Rewrite(p)
		require.NoError(t, err)
		got, err := pte.Parse(file)
		require.NoError(t, err)
		for i := range got.Segments {
			require.Zero(t, got.Segments[i].Offset%max(align, 16))
		}
		require.GreaterOrEqual(t, got.SegmentAlign, max(align, 16))
		require.GreaterOrEqual(t, got.ConstantAlign, max(align, 16))
		require.GreaterOrEqual(t, got.InlineAlign, max(align, 16))
	}
}
