package executor_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/pte"
)

// wantCode checks ExecuTorch's number of an error and that its text names all of parts.
func wantCode(t testing.TB, code executor.Code, err error, parts ...string) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, code, executor.CodeOf(err), "%v", err)
	for _, p := range parts {
		require.Contains(t, err.Error(), p)
	}
}

// F18: a wrong number of inputs, or one that was never set.
func TestF18UnsetInput(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x, y, z := p.Input(pte.Float, 2), p.Input(pte.Float, 2), p.Tensor(pte.Float, 2)
	p.Kernel("aten::add.out", x, y, p.Int(1), z, z)
	p.Output(z)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	wantCode(t, fault.InvalidArgument, m.Run(context.Background()), "plan[0].inputs[0]")
	require.NoError(t, m.SetInputTensor(0, floats(1, 2)))
	wantCode(t, fault.InvalidArgument, m.Run(context.Background()), "plan[0].inputs[1]")
	wantCode(t, fault.InvalidArgument, m.SetInputTensor(2, floats(1, 2)), "below 2", "2")
	wantCode(t, fault.InvalidArgument, m.SetInputTensor(-1, floats(1, 2)))
	wantCode(t, fault.InvalidArgument, m.SetInput(1, nil))
	require.Equal(t, []float32{4, 6}, run(t, m, floats(1, 2), floats(3, 4)))
}

// F20: another shape for a static input, beyond the bound, of another rank.
func TestF20Shapes(t *testing.T) {
	m := bind(t, host(t), addProgram(t), "", executor.Config{})
	wantCode(t, fault.NotSupported, m.SetInputTensor(0, floats(1, 2, 3, 4, 5)), "sizes[0]", "4", "5")
	wantCode(t, fault.NotSupported, m.SetInputTensor(0, shaped([]float32{1, 2, 3, 4}, 2, 2)), "rank 1", "rank 2")
	wantCode(t, fault.InvalidArgument, m.SetInputTensor(0, executor.NewTensor(pte.Int, []int{4}, nil)), "float32", "int32")
	wantCode(t, fault.InvalidArgument, m.SetInput(0, executor.NewInt(4)), "tensor", "int 4")

	for _, planned := range []bool{true, false} {
		b := ptebuild.New()
		p := b.Method("forward")
		x, y := p.Tensor(pte.Float, 8).Bounded(), p.Tensor(pte.Float, 8).Bounded()
		p.Inputs(x)
		p.Kernel("aten::add.out", x, x, p.Int(1), y, y)
		p.Output(y)
		if !planned {
			x.Unplanned()
			y.Unplanned()
		}
		m := bind(t, host(t), b.Parse(t), "", executor.Config{})
		for _, n := range []int{8, 3, 0, 1, 8} {
			in := make([]float32, n)
			want := make([]float32, n)
			for i := range in {
				in[i], want[i] = float32(i), float32(2*i)
			}
			require.ElementsMatch(t, want, run(t, m, floats(in...)))
			require.Equal(t, []int{n}, m.Output(0).Tensor().Sizes)
		}
		wantCode(t, fault.NotSupported, m.SetInputTensor(0, floats(make([]float32, 9)...)), "at most 8 elements", "[9]")
	}
}

// The bound counts elements, not each dimension, as in ExecuTorch.
func TestBoundCountsElements(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x, y := p.Tensor(pte.Float, 2, 4).Bounded(), p.Tensor(pte.Float, 2, 4).Bounded()
	p.Inputs(x)
	p.Kernel("aten::add.out", x, x, p.Int(1), y, y)
	p.Output(y)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	require.Len(t, run(t, m, shaped(make([]float32, 8), 8, 1)), 8)
	require.Equal(t, []int{8, 1}, m.Output(0).Tensor().Sizes)
}

// S31: a bound that no memory holds is no error until somebody brings that much.
func TestS31HugeBound(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x, y := p.Tensor(pte.Float, 1).Unplanned().Bounded(), p.Tensor(pte.Float, 8).Bounded()
	x.Tensor().Sizes = []int32{math.MaxInt32, math.MaxInt32, math.MaxInt32}
	x.Tensor().DimOrder = []uint8{0, 1, 2}
	y.Tensor().Sizes, y.Tensor().DimOrder = []int32{2, 2, 2}, []uint8{0, 1, 2}
	p.Inputs(x)
	p.Kernel("aten::add.out", x, x, p.Int(1), y, y)
	p.Output(y)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	require.Equal(t, []float32{2, 4}, run(t, m, shaped([]float32{1, 2}, 2, 1, 1)))
	require.NoError(t, m.SetInputTensor(0, shaped(make([]float32, 9), 9, 1, 1)))
	wantCode(t, fault.NotSupported, m.Run(context.Background()), "at most 8 elements", "plan[0].instructions[0]", "aten::add.out")
}

// Numbers, bools and strings of the graph must equal what was exported.
func TestScalarInputs(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x, y := p.Input(pte.Float, 2), p.Tensor(pte.Float, 2)
	p.Inputs(p.Int(3), p.Bool(true), p.Double(0.5), p.String("mean"), p.Null(), p.Double(math.NaN()))
	p.Kernel("aten::add.out", x, x, p.Int(1), y, y)
	p.Output(y)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	good := []*executor.Value{executor.NewInt(3), executor.NewBool(true), executor.NewDouble(0.50001), executor.NewString("mean"), executor.NewNone(), executor.NewDouble(math.NaN())}
	bad := []*executor.Value{executor.NewInt(4), executor.NewBool(false), executor.NewDouble(0.6), executor.NewString("sum"), executor.NewInt(0), executor.NewInt(3)}
	for i := range good {
		require.NoError(t, m.SetInput(i+1, good[i]))
		wantCode(t, fault.InvalidArgument, m.SetInput(i+1, bad[i]), "inputs")
	}
	require.Equal(t, []float32{2, 4}, run(t, m, floats(1, 2)))
}

// Planned inputs are copied in, so later instructions may use the bytes; unplanned ones are the caller's.
func TestUnplannedInputsAndOutputs(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x, y := p.Input(pte.Float, 2).Unplanned(), p.Tensor(pte.Float, 2).Unplanned()
	p.Kernel("aten::add.out", x, x, p.Int(1), y, y)
	p.Output(y, x)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	in := floats(1, 2)
	require.Equal(t, []float32{2, 4}, run(t, m, in))
	require.Same(t, &in.Data[0], &m.Output(1).Tensor().Data[0])

	own := executor.NewTensor(pte.Float, []int{2}, nil)
	require.NoError(t, m.SetOutput(0, own.Data))
	require.Equal(t, []float32{2, 4}, run(t, m, in))
	require.Same(t, &own.Data[0], &m.Output(0).Tensor().Data[0])
	wantCode(t, fault.InvalidArgument, m.SetOutput(0, own.Data[:4]), "8 B", "4 B")
	wantCode(t, fault.InvalidArgument, m.SetOutput(2, own.Data))
	wantCode(t, fault.InvalidState, m.SetOutput(1, own.Data))
	require.NoError(t, m.SetOutput(0, nil))
	require.Equal(t, []float32{2, 4}, run(t, m, in))
}

// F40: an output that the program plans cannot be moved, however often one asks.
func TestF40PlannedOutput(t *testing.T) {
	m := bind(t, host(t), addProgram(t), "", executor.Config{})
	for range 2 {
		wantCode(t, fault.InvalidState, m.SetOutput(0, make([]byte, 16)), "plan[0].outputs[0]", "planned")
	}
}

// F29: an output planned on top of an input. Every run reads the caller's bytes again, so it does not matter.
func TestF29OutputOverInput(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x := p.Input(pte.Float, 2).At(1, 0)
	y := p.Tensor(pte.Float, 2).At(1, 0)
	p.Kernel("aten::add.out", x, x, p.Int(1), y, y)
	p.Output(y)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	require.Equal(t, []float32{2, 4}, run(t, m, floats(1, 2)))
	require.NoError(t, m.Run(context.Background()))
	require.Equal(t, []float32{2, 4}, executor.Slice[float32](m.Output(0).Tensor()))
}

// A channels-last input must come in the program's order of elements; size-1 dimensions do not matter.
func TestDimOrder(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x, y := p.Input(pte.Float, 1, 2, 1, 3).Order(0, 2, 3, 1), p.Tensor(pte.Float, 1, 2, 1, 3).Order(0, 2, 3, 1)
	p.Kernel("aten::add.out", x, x, p.Int(1), y, y)
	p.Output(y)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	wantCode(t, fault.InvalidArgument, m.SetInputTensor(0, executor.NewTensor(pte.Float, []int{1, 2, 1, 3}, nil)), "dim order [0 2 3 1]", "[0 1 2 3]")
	require.NoError(t, m.SetInputTensor(0, executor.NewTensorOrder(pte.Float, []int{1, 2, 1, 3}, []uint8{0, 2, 3, 1}, nil)))
	require.NoError(t, m.SetInputTensor(0, executor.NewTensorOrder(pte.Float, []int{1, 2, 1, 3}, []uint8{2, 0, 3, 1}, nil)))
	require.NoError(t, m.Run(context.Background()))
}

// A method without instructions gives constants.
func TestConstantMethod(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("get_eos")
	p.Output(p.Int(7), p.Constant(pte.Long, ptebuild.Bytes[int64](1, -2), 2))
	m := bind(t, host(t), b.Parse(t), "get_eos", executor.Config{})
	require.NoError(t, m.Run(context.Background()))
	require.EqualValues(t, 7, m.Output(0).Int())
	require.Equal(t, []int64{1, -2}, executor.Slice[int64](m.Output(1).Tensor()))
	require.NoError(t, m.Step(context.Background()))
	wantCode(t, fault.EndOfMethod, m.Step(context.Background()))
}
