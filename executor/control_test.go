package executor_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// branchProgram is: if cond { y = x + x } else { y = x * x }, with moves of the results, the way exports have it.
func branchProgram(t testing.TB, cond func(*ptebuild.Method) ptebuild.Value) *pte.Program {
	b := ptebuild.New()
	p := b.Method("forward")
	x := p.Input(pte.Float, 2)
	c := cond(p)
	sum, product, y := p.Tensor(pte.Float, 2), p.Tensor(pte.Float, 2), p.Tensor(pte.Float, 2)
	p.Inputs(c)
	j := p.JumpFalse(c)
	p.Kernel("aten::add.out", x, x, p.Int(1), sum, sum)
	p.Move(sum, y)
	end := p.JumpFalse(p.Bool(false))
	j.Land()
	p.Kernel("aten::mul.out", x, x, product, product)
	p.Move(product, y)
	end.Land()
	p.Output(y)
	return b.Parse(t)
}

func TestBranch(t *testing.T) {
	p := branchProgram(t, func(m *ptebuild.Method) ptebuild.Value { return m.Tensor(pte.Bool, 2) })
	m := bind(t, host(t), p, "", executor.Config{})
	for _, c := range []struct {
		cond []byte
		want []float32
	}{{[]byte{1, 1}, []float32{6, 8}}, {[]byte{1, 0}, []float32{9, 16}}, {[]byte{0, 0}, []float32{9, 16}}, {[]byte{1, 1}, []float32{6, 8}}} {
		require.Equal(t, c.want, run(t, m, floats(3, 4), executor.NewTensor(pte.Bool, []int{2}, c.cond)))
	}
}

// A symbolic bool is an int in the file, since the exporter has only one kind of symbol; the comparison makes it a bool before
// the jump asks. An int that the run leaves an int is no condition.
func TestBranchOnComputedBool(t *testing.T) {
	program := func(op string, k int64) *pte.Program {
		b := ptebuild.New()
		p := b.Method("forward")
		c, y := p.Int(1), p.Int(0)
		p.Kernel(op, p.Int(3), p.Int(k), c)
		j := p.JumpFalse(c)
		p.Move(p.Int(10), y)
		end := p.JumpFalse(p.Bool(false))
		j.Land()
		p.Move(p.Int(20), y)
		end.Land()
		p.Output(y)
		return b.Parse(t)
	}
	for k, want := range map[int64]int64{3: 10, 4: 20} {
		m := bind(t, host(t), program("executorch_prim::eq.Scalar", k), "", executor.Config{})
		for range 2 {
			require.NoError(t, m.Run(context.Background()))
			require.Equal(t, want, m.Output(0).Int())
		}
	}
	m := bind(t, host(t), program("executorch_prim::add.Scalar", 1), "", executor.Config{})
	wantCode(t, fault.InvalidProgram, m.Run(context.Background()), "jump_false", "bool", "int")
}

// loopProgram adds x to y n times: an index, a comparison, a jump back.
func loopProgram(t testing.TB, n int64) *pte.Program {
	b := ptebuild.New()
	p := b.Method("forward")
	x, y := p.Input(pte.Float, 2), p.Input(pte.Float, 2)
	i, one, end, done := p.Int(0), p.Int(1), p.Int(n), p.Bool(false)
	top := p.Here()
	p.Kernel("aten::add.out", x, y, one, y, y)
	p.Kernel("executorch_prim::add.Scalar", i, one, i)
	p.Kernel("executorch_prim::eq.Scalar", i, end, done)
	p.JumpFalseTo(done, top)
	p.Move(p.Int(0), i)
	p.Output(y)
	return b.Parse(t)
}

func TestLoop(t *testing.T) {
	m := bind(t, host(t), loopProgram(t, 1000), "", executor.Config{})
	for range 3 {
		require.Equal(t, []float32{1000, 2000}, run(t, m, floats(1, 2), floats(0, 0)))
	}
}

// S16: an endless loop ends at the budget, with its place; the method still runs afterwards.
func TestS16Budget(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	p.JumpFalseTo(p.Bool(false), p.Here())
	for _, budget := range []int{0, 100} {
		m := bind(t, host(t), b.Parse(t), "", executor.Config{Budget: budget})
		for range 2 {
			err := m.Run(context.Background())
			require.ErrorIs(t, err, executor.ErrBudget)
			wantCode(t, fault.InvalidProgram, err, "plan[0].instructions[0]")
		}
	}
	m := bind(t, host(t), loopProgram(t, 1000), "", executor.Config{Budget: 2000})
	require.NoError(t, m.SetInputTensor(0, floats(1, 1)))
	require.NoError(t, m.SetInputTensor(1, floats(0, 0)))
	require.ErrorIs(t, m.Run(context.Background()), executor.ErrBudget)
	require.ErrorIs(t, m.Run(context.Background()), executor.ErrBudget) // the counter is back at its start: same place
}

// S17: a condition without data.
func TestS17ConditionWithoutData(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	p.JumpFalse(p.Tensor(pte.Bool, 1).Unplanned()).Land()
	_, err := executor.Link(b.Parse(t), "", executor.Config{Ops: stubs()})
	wantCode(t, fault.InvalidProgram, err, "plan[0].instructions[0]", "storage")

	b = ptebuild.New()
	p = b.Method("forward")
	p.JumpFalse(p.Tensor(pte.Float, 1)).Land()
	_, err = executor.Link(b.Parse(t), "", executor.Config{Ops: stubs()})
	wantCode(t, fault.InvalidProgram, err, "bool", "float32")

	// A view that is made only in one branch, and then asked for.
	b = ptebuild.New()
	p = b.Method("forward")
	x := p.Tensor(pte.Bool, 1)
	p.Inputs(x)
	v := p.Tensor(pte.Bool, 1).Unplanned()
	j := p.JumpFalse(x)
	p.Kernel("executorch_prim::et_view.default", x, p.Ints(1), v)
	j.Land()
	p.JumpFalse(v).Land()
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	require.NoError(t, m.SetInputTensor(0, executor.NewTensor(pte.Bool, []int{1}, []byte{0})))
	wantCode(t, fault.InvalidState, m.Run(context.Background()), "plan[0].instructions[2] jump_false", "data")
	require.NoError(t, m.SetInputTensor(0, executor.NewTensor(pte.Bool, []int{1}, []byte{1})))
	require.NoError(t, m.Run(context.Background()))
}

// S13: a move may not change what a call was prepared for; what slips through is an error of the run, not a crash.
func TestS13MoveBetweenKinds(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x, y := p.Tensor(pte.Float, 2), p.Tensor(pte.Float, 2)
	list := p.Tensors(x)
	p.Move(p.Null(), x)
	p.Kernel("aten::cat.out", list, p.Int(0), y, y)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	for range 2 {
		wantCode(t, fault.InvalidProgram, m.Run(context.Background()), "plan[0].instructions[1] aten::cat.out")
	}
	require.NoError(t, m.Close())

	b = ptebuild.New()
	p = b.Method("forward")
	p.Move(p.Tensor(pte.Double, 2), p.Tensor(pte.Float, 2))
	p.Move(p.Tensor(pte.Float, 2, 2), p.Tensor(pte.Float, 4))
	_, err := executor.Link(b.Parse(t), "", executor.Config{Ops: stubs()})
	wantCode(t, fault.InvalidType, err, "instructions[0]", "float64", "instructions[1]", "rank 2")
}

// A prim operator that writes a number into a tensor's slot leaves later calls an error, not a crash.
func TestKindChangedByOperator(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x, y := p.Tensor(pte.Float, 2), p.Tensor(pte.Float, 2)
	p.Kernel("executorch_prim::add.Scalar", p.Int(1), p.Int(2), x)
	p.Kernel("aten::add.out", x, x, p.Int(1), y, y)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	wantCode(t, fault.InvalidProgram, m.Run(context.Background()), "plan[0].instructions[1] aten::add.out")
}

// S05: an operator called with too few arguments.
func TestS05TooFewArguments(t *testing.T) {
	for n := range 3 {
		b := ptebuild.New()
		p := b.Method("forward")
		args := []ptebuild.Value{p.Int(0), p.Int(0)}[:n]
		p.Kernel("executorch_prim::add.Scalar", args...)
		m := bind(t, host(t), b.Parse(t), "", executor.Config{})
		wantCode(t, fault.InvalidProgram, m.Run(context.Background()), "plan[0].instructions[0] executorch_prim::add.Scalar")

		b = ptebuild.New()
		p = b.Method("forward")
		p.Kernel("aten::add.out", []ptebuild.Value{p.Int(0), p.Int(0)}[:n]...)
		_, err := executor.Link(b.Parse(t), "", executor.Config{Ops: stubs()})
		require.Error(t, err)
		require.Contains(t, err.Error(), "plan[0].instructions[0]")
		require.Contains(t, err.Error(), "aten::add.out")
	}
}

// A constant may lie in read-only memory: nothing may write it, nor under another name.
func TestConstantsAreNotWritten(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	w := p.Constant(pte.Float, ptebuild.Bytes[float32](1, 2), 2)
	x, y := p.Tensor(pte.Float, 2), p.Tensor(pte.Float, 2)
	p.Kernel("aten::add.out", x, x, p.Int(1), w, w)
	p.Kernel("aten::copy_", w, x, p.Bool(false), w)
	p.Move(w, x)
	p.Move(x, y)
	p.Kernel("aten::add.out", x, x, p.Int(1), y, y)
	_, err := executor.Link(b.Parse(t), "", executor.Config{Ops: stubs()})
	wantCode(t, fault.InvalidProgram, err, "instructions[0]", "instructions[1]", "instructions[4]", "constant")
}

// F21: everything that is missing is named at once, with the instructions that want it.
func TestF21Missing(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x := p.Tensor(pte.Float, 2)
	p.Kernel("aten::nowhere.out", x, x)
	p.Kernel("aten::add.out", x, x, p.Int(1), x, x)
	p.Kernel("aten::elsewhere.out", x, x)
	p.Kernel("aten::nowhere.out", x, x)
	p.Delegate(p.Backend("NoBackend", []byte{1}), x, x)
	p.Kernel("aten::add.out", p.Tensor(pte.Int, 2), x, p.Int(1), x, x)
	p.Kernel("aten::mul.out", x, p.Constant(pte.Float, ptebuild.Bytes[float32](1), 1).External("weight"), x, x)
	p.Plan().Values[len(p.Plan().Values)-1].Tensor.DataIndex = 0
	_, err := executor.Link(b.Parse(t), "", executor.Config{Ops: stubs()})
	require.ErrorIs(t, err, executor.ErrMissing)
	text := err.Error()
	for _, part := range []string{"operators[0]", "aten::nowhere.out for instructions [0 3]", "aten::elsewhere.out for instructions [2]", "NoBackend for instructions [4]"} {
		require.Contains(t, text, part)
	}
	var codes []executor.Code
	for _, e := range fault.All(err) {
		codes = append(codes, executor.CodeOf(e))
	}
	require.Contains(t, codes, fault.OperatorMissing)
	require.Contains(t, codes, fault.NotFound)
}

// Nobody knows which arguments of a call a missing backend reads and which it writes: nothing follows from them.
func TestMissingBackendIsTheOnlyError(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x, weight := p.Input(pte.Float, 2), p.Constant(pte.Float, ptebuild.Bytes[float32](1, 2), 2)
	late, y, n := p.Tensor(pte.Float, 2).Unplanned(), p.Tensor(pte.Float, 2), p.Int(1)
	p.Delegate(p.Backend("NoBackend", []byte{1}), x, weight, n, p.Tensors(weight, late), late)
	p.Kernel("aten::add.out", late, weight, n, y, y)
	p.Output(y)
	_, err := executor.Link(b.Parse(t), "", executor.Config{Ops: stubs()})
	require.ErrorIs(t, err, executor.ErrMissing)
	require.Len(t, fault.All(err), 1, "%v", err)
}

func TestUnknownMethod(t *testing.T) {
	_, err := executor.Link(addProgram(t), "backward", executor.Config{Ops: stubs()})
	wantCode(t, fault.InvalidArgument, err, "forward", "backward")
}

// F24: a run during steps, two goroutines, a close during a run.
func TestF24SingleFlight(t *testing.T) {
	begun, goOn := make(chan bool), make(chan bool)
	ops := stubs().Add(executor.Op{Name: "test::wait.out", Run: func(*executor.Scope, any, []*executor.Value) error {
		begun <- true
		<-goOn
		return nil
	}})
	b := ptebuild.New()
	p := b.Method("forward")
	x := p.Input(pte.Float, 1)
	p.Kernel("test::wait.out", x, x)
	p.Kernel("test::wait.out", x, x)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{Ops: ops})
	require.NoError(t, m.SetInputTensor(0, floats(1)))

	var wait sync.WaitGroup
	wait.Add(1)
	go func() { defer wait.Done(); require.NoError(t, m.Run(context.Background())) }()
	<-begun
	for _, f := range []func() error{
		func() error { return m.Run(context.Background()) },
		func() error { return m.Step(context.Background()) },
		func() error { return m.SetInputTensor(0, floats(1)) },
		func() error { return m.SetOutput(0, nil) },
		func() error { return m.Trace(nil) },
		m.Reset,
	} {
		err := f()
		require.ErrorIs(t, err, executor.ErrBusy)
		require.Equal(t, fault.InvalidState, executor.CodeOf(err))
	}
	closed := make(chan error)
	go func() { closed <- m.Close() }()
	select {
	case <-closed:
		t.Fatal("closed during a run")
	case <-time.After(20 * time.Millisecond):
	}
	goOn <- true
	<-begun
	goOn <- true
	wait.Wait()
	require.NoError(t, <-closed)
	require.NoError(t, m.Close())
	require.ErrorIs(t, m.Run(context.Background()), executor.ErrClosed)
	require.ErrorIs(t, m.Step(context.Background()), executor.ErrClosed)
}

func TestStep(t *testing.T) {
	m := bind(t, host(t), loopProgram(t, 2), "", executor.Config{})
	ctx := context.Background()
	require.NoError(t, m.SetInputTensor(0, floats(1, 2)))
	require.NoError(t, m.SetInputTensor(1, floats(0, 0)))
	steps := 0
	for !m.Done() {
		require.NoError(t, m.Step(ctx))
		if steps++; steps == 3 {
			wantCode(t, fault.InvalidState, m.Run(ctx), "stepped run")
			wantCode(t, fault.InvalidState, m.SetInputTensor(0, floats(1, 2)), "stepped run")
		}
	}
	require.Equal(t, 9, steps)
	require.Equal(t, []float32{2, 4}, executor.Slice[float32](m.Output(0).Tensor()))
	wantCode(t, fault.EndOfMethod, m.Step(ctx))
	require.NoError(t, m.Reset())
	require.NoError(t, m.Step(ctx))
	require.NoError(t, m.Step(ctx))
	require.NoError(t, m.Reset()) // half-way through the loop: the index is back
	require.NoError(t, m.Run(ctx))
	require.Equal(t, []float32{2, 4}, executor.Slice[float32](m.Output(0).Tensor()))
}

// runsOut is a context whose deadline comes after some instructions, however fast the machine is.
type runsOut struct {
	context.Context
	left int
	done chan struct{}
}

func (c *runsOut) Done() <-chan struct{} { return c.done }

func (c *runsOut) Err() error {
	if c.left > 0 {
		return nil
	}
	return context.DeadlineExceeded
}

func (c *runsOut) Instruction(int, uint64, uint64) {
	if c.left--; c.left == 0 {
		close(c.done)
	}
}

// A run that is cancelled says where; one that fails leaves the method usable, loop counters included.
func TestFailedRunLeavesMethodUsable(t *testing.T) {
	m := bind(t, host(t), loopProgram(t, 1_000_000), "", executor.Config{})
	require.NoError(t, m.SetInputTensor(0, floats(1, 2)))
	require.NoError(t, m.SetInputTensor(1, floats(0, 0)))
	ctx := &runsOut{Context: context.Background(), left: 1000, done: make(chan struct{})}
	require.NoError(t, m.Trace(ctx))
	err := m.Run(ctx)
	require.NoError(t, m.Trace(nil))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Contains(t, err.Error(), "plan[0].instructions[")
	require.ErrorIs(t, m.Run(ctx), context.DeadlineExceeded)
	require.NoError(t, m.Run(context.Background()))
	require.Equal(t, []float32{1_000_000, 2_000_000}, executor.Slice[float32](m.Output(0).Tensor()))

	b := ptebuild.New()
	p := b.Method("forward")
	x, bad, y := p.Input(pte.Float, 1), p.Input(pte.Float, 1), p.Tensor(pte.Float, 1)
	p.Kernel("test::fail.out", x, bad, y, y)
	p.Output(y)
	m = bind(t, host(t), b.Parse(t), "", executor.Config{})
	require.NoError(t, m.SetInputTensor(0, floats(5)))
	require.NoError(t, m.SetInputTensor(1, executor.NewTensor(pte.Float, []int{1}, []byte{1, 0, 0, 0})))
	wantCode(t, fault.NotSupported, m.Run(context.Background()), "plan[0].instructions[0].args[1] test::fail.out: want a zero")
	require.Equal(t, []float32{5}, run(t, m, floats(5), floats(0)))
}

// S15, for what Parse lets through: freeing planned bytes does nothing, and a second run is as good as the first.
func TestS15FreePlanned(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x, y := p.Input(pte.Float, 2), p.Tensor(pte.Float, 2)
	p.Kernel("aten::add.out", x, x, p.Int(1), y, y)
	p.Free(x)
	p.Output(y)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	require.Equal(t, []float32{2, 4}, run(t, m, floats(1, 2)))
	require.Equal(t, []float32{2, 4}, run(t, m, floats(1, 2)))
}

// F02, F04: temp memory is stated before the run, is exactly enough, and comes back after each instruction.
func TestF04TempIsReset(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x, y := p.Input(pte.Float, 2), p.Tensor(pte.Float, 2)
	p.Kernel("test::temp.out", x, p.Int(1000), y, y)
	p.Kernel("test::temp.out", x, p.Int(600), y, y)
	p.Output(y)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	for range 1000 {
		require.Equal(t, []float32{1, 2}, run(t, m, floats(1, 2)))
	}
	require.EqualValues(t, 1000, m.TempPeak())
	d := m.Linked().Demand()
	require.Len(t, d.Calls, 2)
	require.Equal(t, memory.Call{Instruction: 0, Label: "test::temp.out", Needs: []memory.Need{{Role: "scratch", Place: memory.Temp, Bytes: 1000}}}, d.Calls[0])

	// An operator that takes more than it stated gets an error that names it and the bytes.
	ops := stubs()
	greedy := ops["test::temp.out"]
	greedy.Prepare = nil
	m = bind(t, host(t), b.Parse(t), "", executor.Config{Ops: ops.Add(greedy)})
	require.NoError(t, m.SetInputTensor(0, floats(1, 2)))
	wantCode(t, fault.MemoryAllocationFailed, m.Run(context.Background()), "test::temp.out", "1000 B")
}

// F23: the method keeps what it needs alive; opening and closing again and again works.
func TestF23LoadAndClose(t *testing.T) {
	space := host(t)
	for range 100 {
		l, err := executor.Link(addProgram(t), "", executor.Config{Ops: stubs()})
		require.NoError(t, err)
		layout, err := l.Fit(space)
		require.NoError(t, err)
		m, err := l.Bind(space, layout)
		require.NoError(t, err)
		_, err = l.Bind(space, layout)
		wantCode(t, fault.InvalidState, err, "bound")
		require.NoError(t, m.SetInputTensor(0, floats(1, 2, 3, 4)))
		require.NoError(t, m.Run(context.Background()))
		require.NoError(t, m.Close())
		_, err = l.Bind(space, layout)
		require.True(t, errors.Is(err, executor.ErrClosed))
	}
}

// Several chains run one after the other; a jump to the end of one goes on with the next.
func TestChains(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x, y := p.Input(pte.Float, 1), p.Tensor(pte.Float, 1)
	j := p.JumpFalse(p.Bool(false))
	p.Kernel("aten::add.out", x, x, p.Int(1), x, x)
	j.Land()
	plan := p.Plan()
	first := plan.Chains[0].Instructions
	p.Kernel("aten::mul.out", x, x, y, y)
	plan.Chains = append(plan.Chains, pte.Chain{Instructions: plan.Chains[0].Instructions[len(first):]})
	plan.Chains[0].Instructions = first
	p.Output(y)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	require.Equal(t, []float32{9}, run(t, m, floats(3)))
	chain, k := m.Linked().Place(2)
	require.Equal(t, []int{1, 0}, []int{chain, k})
}
