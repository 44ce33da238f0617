package ptebuild_test

import (
	"testing"

	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/pte"
	"github.com/stretchr/testify/require"
)

func TestEverythingSurvivesTheFile(t *testing.T) {
	b := ptebuild.New()
	b.Named("blob", []byte("named"))
	m := b.Method("forward")
	x := m.Input(pte.Float, 2, 3)
	w := m.Constant(pte.Float, ptebuild.Bytes[float32](1, 2, 3), 3)
	y := m.Tensor(pte.Float, 2, 3).Order(1, 0)
	s := m.State("counter", pte.Long, ptebuild.Bytes[int64](7), 1)
	d := m.Input(pte.Half, 8).Unplanned().Bounded()
	m.Input(pte.Half, 8).Unplanned().Unbounded()
	e := m.Tensor(pte.Float, 4).Unplanned().External("w")
	cond := m.Bool(true)
	m.Kernel("aten::add.out", x, w, m.Int(1), y, y)
	jump := m.JumpFalse(cond)
	m.Kernel("aten::cat.out", m.Tensors(x, y), m.OptionalTensors(x, ptebuild.Absent), m.Ints(1, 2), y, y)
	m.Move(y, x)
	m.Free(y)
	jump.Land()
	npu := m.Backend("EthosUBackend", []byte("payload"), pte.CompileSpec{Key: "mode", Value: []byte{1}})
	m.Delegate(npu, x, y, m.Scratch(64, 3))
	m.Delegate(m.InlineBackend("Other", []byte("inline")), s, d, e)
	m.JumpFalseTo(cond, m.Here())
	m.Kernel("none", m.Null(), m.Double(0.5), m.String("text"), m.Doubles([]float64{1}), m.Bools([]bool{true, false}))
	m.Output(y)

	want, got := b.Program(), b.Parse(t)
	require.Equal(t, want.Plans[0].Values, got.Plans[0].Values)
	require.Equal(t, want.Plans[0].Chains, got.Plans[0].Chains)
	require.Equal(t, want.Plans[0].Operators, got.Plans[0].Operators)
	require.Equal(t, want.Plans[0].BufferBytes, got.Plans[0].BufferBytes)
	require.Equal(t, [][]byte{nil, ptebuild.Bytes[float32](1, 2, 3)}, got.Constants)
	require.Equal(t, [][]byte{nil, ptebuild.Bytes[int64](7)}, got.State)
	require.Equal(t, "named", string(got.NamedData[0].Bytes))
	require.Equal(t, "payload", string(got.Plans[0].Delegates[0].Blob))
	require.Equal(t, want.Plans[0].Delegates[0].Specs, got.Plans[0].Delegates[0].Specs)
	require.Equal(t, "inline", string(got.Plans[0].Delegates[1].Blob))
	require.True(t, got.Plans[0].Delegates[1].Inline)
}

func TestBundleAndTensorDataSurviveTheFile(t *testing.T) {
	suite := pte.Suite{Method: "forward", Cases: []pte.Case{{
		Inputs: []pte.CaseValue{
			{Kind: pte.KindInt, Int: -3}, {Kind: pte.KindBool, Bool: true}, {Kind: pte.KindDouble, Double: 0.5},
			{Kind: pte.KindTensor, Tensor: pte.CaseTensor{DType: pte.Short, Sizes: []int32{2, 1}, DimOrder: []uint8{1, 0}, Bytes: ptebuild.Bytes[int16](1, 2)}},
		},
		Expected: []pte.CaseValue{},
	}}}
	b, err := pte.ParseBundle(ptebuild.Bundle([]byte("program"), suite))
	require.NoError(t, err)
	require.Equal(t, "program", string(b.Program))
	require.Equal(t, []pte.Suite{suite}, b.Suites)

	entries := []pte.Entry{
		{Key: "w", Layout: &pte.Layout{DType: pte.Int, Sizes: []int32{2}, DimOrder: []uint8{0}}, Bytes: ptebuild.Bytes[int32](1, 2)},
		{Key: "w1", Bytes: []byte("blob")},
	}
	d, err := pte.ParseTensorData(ptebuild.TensorData(entries...))
	require.NoError(t, err)
	require.Equal(t, entries, d.Entries)
	for key, want := range map[string]bool{"w": true, "w1": true, "": false, "w12": false} {
		e, ok := d.Find(key)
		require.Equal(t, want, ok, key)
		require.True(t, !ok || e.Key == key)
	}
}
