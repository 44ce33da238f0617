package executor_test

import (
	"context"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/hal/sim"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// stubs are operators just large enough to see what the executor does: float32, row-major.
func stubs() executor.Ops {
	return executor.Ops{}.Add(
		executor.Op{Name: "aten::add.out", Prepare: wantTensors(0, 1, 3), Run: elementwise(func(a, b float32) float32 { return a + b })},
		executor.Op{Name: "aten::mul.out", Prepare: wantTensors(0, 1, 2), Run: elementwise(func(a, b float32) float32 { return a * b })},
		executor.Op{Name: "aten::copy_", Run: func(_ *executor.Scope, _ any, args []*executor.Value) error {
			copy(args[0].Tensor().Data, args[1].Tensor().Data)
			return nil
		}},
		executor.Op{Name: "executorch_prim::add.Scalar", Run: func(_ *executor.Scope, _ any, args []*executor.Value) error {
			args[2].SetInt(args[0].Int() + args[1].Int())
			return nil
		}},
		executor.Op{Name: "executorch_prim::eq.Scalar", Run: func(_ *executor.Scope, _ any, args []*executor.Value) error {
			args[2].SetBool(args[0].Int() == args[1].Int())
			return nil
		}},
		executor.Op{Name: "executorch_prim::et_view.default", Views: true, Run: func(_ *executor.Scope, _ any, args []*executor.Value) error {
			return args[2].Tensor().View(args[0].Tensor(), args[2].Tensor().Sizes...)
		}},
		executor.Op{Name: "executorch_prim::et_copy_index.tensor", Fills: []int{0}, Run: func(_ *executor.Scope, _ any, args []*executor.Value) error {
			copy(args[0].Tensor().Data[int(args[2].Int())*len(args[1].Tensor().Data):], args[1].Tensor().Data)
			return nil
		}},
		executor.Op{Name: "aten::cat.out", Run: func(_ *executor.Scope, _ any, args []*executor.Value) error {
			out, n := args[len(args)-1].Tensor(), 0
			for _, v := range args[0].Items() {
				n += v.Tensor().Sizes[0]
			}
			if err := out.Resize(n); err != nil {
				return err
			}
			n = 0
			for _, v := range args[0].Items() {
				n += copy(out.Data[n:], v.Tensor().Data)
			}
			return nil
		}},
		// test::temp wants args[1] bytes of the temp arena and fills them.
		executor.Op{Name: "test::temp.out",
			Prepare: func(args []*executor.Value) (any, []memory.Need, error) {
				return nil, []memory.Need{{Role: "scratch", Place: memory.Temp, Bytes: uint64(args[1].Int())}}, nil
			},
			Run: func(s *executor.Scope, _ any, args []*executor.Value) error {
				b, err := s.TempBytes(int(args[1].Int()))
				if err != nil {
					return err
				}
				for i := range b {
					b[i] = 0xEE
				}
				copy(args[2].Tensor().Data, args[0].Tensor().Data)
				return nil
			}},
		executor.Op{Name: "test::fail.out", Run: func(_ *executor.Scope, _ any, args []*executor.Value) error {
			if args[1].Tensor().Data[0] != 0 {
				return fault.New(fault.NotSupported, "args[1]", "a zero", "something else")
			}
			copy(args[2].Tensor().Data, args[0].Tensor().Data)
			return nil
		}},
	)
}

func wantTensors(at ...int) func([]*executor.Value) (any, []memory.Need, error) {
	return func(args []*executor.Value) (any, []memory.Need, error) {
		for _, i := range at {
			if t := args[i].Tensor(); t == nil || t.DType != pte.Float {
				return nil, nil, fault.New(fault.InvalidType, "args", "float32 tensors", "another")
			}
		}
		return nil, nil, nil
	}
}

func elementwise(f func(a, b float32) float32) func(*executor.Scope, any, []*executor.Value) error {
	return func(_ *executor.Scope, _ any, args []*executor.Value) error {
		out := args[len(args)-1].Tensor()
		if err := out.Resize(args[0].Tensor().Sizes...); err != nil {
			return err
		}
		a, b, y := executor.Slice[float32](args[0].Tensor()), executor.Slice[float32](args[1].Tensor()), executor.Slice[float32](out)
		for i := range y {
			y[i] = f(a[i], b[i])
		}
		return nil
	}
}

// host is a space on the simulated host.
func host(t testing.TB, o ...memory.Option) *memory.Space {
	t.Helper()
	b, err := smallHost()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	return memory.NewSpace(b, o...)
}

// bind takes a method through link, fit and bind.
func bind(t testing.TB, space *memory.Space, p *pte.Program, method string, c executor.Config) *executor.Method {
	t.Helper()
	if c.Ops == nil {
		c.Ops = stubs()
	}
	l, err := executor.Link(p, method, c)
	require.NoError(t, err)
	layout, err := l.Fit(space)
	require.NoError(t, err)
	m, err := l.Bind(space, layout)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return m
}

func floats(xs ...float32) *executor.Tensor { return shaped(xs, len(xs)) }

func shaped(xs []float32, sizes ...int) *executor.Tensor {
	t := executor.NewTensor(pte.Float, sizes, nil)
	copy(executor.Slice[float32](t), xs)
	return t
}

func run(t testing.TB, m *executor.Method, in ...*executor.Tensor) []float32 {
	t.Helper()
	for i, x := range in {
		require.NoError(t, m.SetInputTensor(i, x))
	}
	require.NoError(t, m.Run(context.Background()))
	return executor.Slice[float32](m.Output(0).Tensor())
}

// addProgram is y = x + w: one kernel call, planned input and output.
func addProgram(t testing.TB) *pte.Program {
	b := ptebuild.New()
	m := b.Method("forward")
	x := m.Input(pte.Float, 4)
	w := m.Constant(pte.Float, ptebuild.Bytes[float32](1, 2, 3, 4), 4)
	y := m.Tensor(pte.Float, 4)
	m.Kernel("aten::add.out", x, w, m.Int(1), y, y)
	m.Output(y)
	return b.Parse(t)
}

// smallHost is the board "host" with a pool of 64 MiB: emulators pay for every page of addresses.
func smallHost() (*sim.Board, error) {
	spec := hal.Host()
	spec.Pools[0].Size = 64 << 20
	spec.Placement.FastBytes = 1 << 20
	return sim.Open(spec, sim.Options{})
}
