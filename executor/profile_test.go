package executor_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/internal/workers"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// clocked is a board with a clock of the test's.
type clocked struct {
	hal.Board
	clock *testClock
}

func (c clocked) Clock() hal.Clock { return c.clock }

// testClock steps by step with each look.
type testClock struct {
	now, step uint64
	bits      uint
}

func (c *testClock) Name() string { return "test" }
func (c *testClock) Hz() uint64   { return 1_000_000 }
func (c *testClock) Bits() uint   { return c.bits }
func (c *testClock) Now() uint64 {
	c.now += c.step
	return c.now & (1<<c.bits - 1)
}

func profiled(t *testing.T, clock *testClock, p *pte.Program) (*executor.Method, *executor.Profile) {
	b, err := smallHost()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	m := bind(t, memory.NewSpace(clocked{b, clock}), p, "", executor.Config{})
	prof := executor.NewProfile(m, 4)
	require.NoError(t, m.Trace(prof))
	return m, prof
}

func TestProfile(t *testing.T) {
	m, p := profiled(t, &testClock{step: 3, bits: 64}, loopProgram(t, 5))
	run(t, m, floats(1, 2), floats(0, 0))
	run(t, m, floats(1, 2), floats(0, 0))
	rows, err := p.Rows()
	require.NoError(t, err)
	require.Len(t, rows, 5)
	require.Equal(t, "aten::add.out", rows[0].Name)
	require.Equal(t, "call", rows[0].Kind)
	require.EqualValues(t, 10, rows[0].Count)
	require.Equal(t, [3]float64{3000, 3000, 3000}, [3]float64{rows[0].MinNs, rows[0].MedianNs, rows[0].P95Ns})
	require.EqualValues(t, 16, rows[0].BytesRead)
	require.EqualValues(t, 8, rows[0].BytesWritten)
	require.Equal(t, []string{"call", "jump_false", "move"}, []string{rows[2].Kind, rows[3].Kind, rows[4].Kind})
	require.EqualValues(t, 2, rows[4].Count)
	require.InDelta(t, 0.2, rows[0].Share, 1e-9)

	p.Reset()
	rows, err = p.Rows()
	require.NoError(t, err)
	require.Zero(t, rows[0].Count)
}

// F44: a counter that stands still is an error; one that wraps is not, nor one that takes large steps.
func TestF44Clock(t *testing.T) {
	m, p := profiled(t, &testClock{now: 7, step: 0, bits: 64}, addProgram(t))
	run(t, m, floats(1, 2, 3, 4))
	_, err := p.Rows()
	wantCode(t, fault.InvalidState, err, "clock test", "advances", "7")

	m, p = profiled(t, &testClock{now: 1<<32 - 4, step: 3, bits: 32}, addProgram(t))
	run(t, m, floats(1, 2, 3, 4))
	rows, err := p.Rows()
	require.NoError(t, err)
	require.EqualValues(t, 3000, rows[0].MinNs)

	m, p = profiled(t, &testClock{step: 1 << 33, bits: 64}, addProgram(t))
	run(t, m, floats(1, 2, 3, 4))
	rows, err = p.Rows()
	require.NoError(t, err)
	require.Equal(t, 8589934592e3, rows[0].MinNs)
}

// The run loop allocates nothing, traced or not, with several workers, under every strategy.
func TestRunAllocatesNothing(t *testing.T) {
	pool := workers.New(3)
	defer pool.Close()
	task := &doubling{}
	ops := stubs().Add(executor.Op{Name: "test::parallel.out", Run: func(s *executor.Scope, _ any, args []*executor.Value) error {
		task.in, task.out = args[0].Tensor().Data, args[1].Tensor().Data
		s.Parallel(len(task.in), task)
		return nil
	}})
	b := ptebuild.New()
	p := b.Method("forward")
	x, y := p.Input(pte.Byte, 64), p.Tensor(pte.Byte, 64)
	p.Kernel("test::parallel.out", x, y, y)
	p.Output(y)
	for _, s := range []memory.Strategy{memory.Static, memory.Dynamic, memory.Shared} {
		for name, program := range map[string]*pte.Program{"loop": loopProgram(t, 50), "branch": branchProgram(t, func(m *ptebuild.Method) ptebuild.Value { return m.Tensor(pte.Bool, 2) }), "parallel": b.Parse(t)} {
			m := bind(t, host(t), program, "", executor.Config{Ops: ops, Workers: pool, Strategy: s})
			for i := range m.NumInputs() {
				in := m.Input(i).Tensor()
				require.NoError(t, m.SetInputTensor(i, executor.NewTensor(in.DType, in.Sizes, nil)))
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			for _, tracer := range []executor.Tracer{nil, executor.NewProfile(m, 16)} {
				require.NoError(t, m.Trace(tracer))
				require.Zero(t, testing.AllocsPerRun(50, func() {
					if err := m.Run(ctx); err != nil {
						t.Fatal(err)
					}
				}), "%s %v", name, s)
				require.Zero(t, mallocs(func() {
					if err := m.Run(ctx); err != nil {
						t.Fatal(err)
					}
				}), "%s %v", name, s)
			}
		}
	}
}

// mallocs counts allocations of all goroutines during many calls of f. The least of some attempts counts: the runtime's own
// goroutines may allocate meanwhile.
func mallocs(f func()) uint64 {
	least := ^uint64(0)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 50 {
			f()
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	return least
}

type doubling struct{ in, out []byte }

func (d *doubling) Do(part int) { d.out[part] = 2 * d.in[part] }
