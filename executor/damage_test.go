package executor_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/executor/backendtest"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// small gives programs of all kinds, none above a few KB.
func small(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{"linear": fixtures.Read(t, "models", "ModuleLinear-no-constant-segment.pte")}
	for _, name := range []string{"program_format/constant_as_output", "program_format/input_as_output", "program_format/scalar_inputs", "program_format/no_inputs", "cortex_m_ops/softmax_cortex_m55"} {
		b, err := pte.ParseBundle(fixtures.Read(t, "cpu", "models", name+".bpte"))
		require.NoError(t, err)
		files[name] = b.Program
	}
	d := newDelegated()
	d.args = append(d.args, d.m.Scratch(64, 1).At(1, 256), d.m.Scratch(32, 3))
	d.finish(t)
	files["delegate"] = d.b.Encode(t)

	b := ptebuild.New()
	m := b.Method("forward")
	x, y, view, i := m.Input(pte.Float, 2, 2), m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4).Unplanned(), m.Int(0)
	done, free := m.Bool(false), m.Tensor(pte.Float, 4).Unplanned().Unbounded()
	top := m.Here()
	m.Kernel("executorch_prim::et_view.default", x, m.Ints(4), view)
	m.Kernel("aten::cat.out", m.Tensors(view, view), m.Int(0), free, free)
	m.Kernel("executorch_prim::add.Scalar", i, m.Int(1), i)
	m.Kernel("executorch_prim::eq.Scalar", i, m.Int(3), done)
	m.JumpFalseTo(done, top)
	m.Move(view, y)
	m.Kernel("aten::add.out", y, m.Constant(pte.Float, ptebuild.Bytes[float32](1, 2, 3, 4), 4), m.Int(1), y, y)
	m.Free(free)
	m.Output(y, view, i)
	files["control"] = b.Encode(t)

	b = ptebuild.New()
	counterMethod(b, "forward", 2, ptebuild.Bytes[float32](1, 2))
	setMethod(b, "set", 2)
	files["state"] = b.Encode(t)
	return files
}

// tryAll takes a file as far as it goes: a damaged one may fail anywhere, but only with an error, and in time.
func tryAll(t testing.TB, ops executor.Ops, file []byte) {
	p, err := pte.Parse(file)
	if err != nil {
		return
	}
	board, err := smallHost()
	require.NoError(t, err)
	defer board.Close()
	space := memory.NewSpace(board)
	for i := range p.Plans {
		tryPlan(t, space, ops, p, p.Plans[i].Name)
	}
}

func tryPlan(t testing.TB, space *memory.Space, ops executor.Ops, p *pte.Program, method string) {
	l, err := executor.Link(p, method, executor.Config{Ops: ops, Backends: []executor.Backend{backendtest.Sum{}}, Budget: 1000})
	if err != nil {
		require.NotZero(t, executor.CodeOf(err))
		return
	}
	defer l.Close()
	layout, err := space.Fit(l.Demand())
	if err != nil {
		return
	}
	m, err := l.Bind(space, layout)
	if err != nil {
		return
	}
	defer func() { require.NoError(t, m.Close()) }()
	for i := range m.NumInputs() {
		v := m.Input(i)
		if x := v.Tensor(); x != nil {
			if x.NBytes() > 1<<20 {
				return
			}
			v = executor.NewTensorValue(executor.NewTensorOrder(x.DType, x.Sizes, x.DimOrder, nil))
		}
		if err := m.SetInput(i, v); err != nil {
			return
		}
	}
	for range 2 {
		if err := m.Run(context.Background()); err != nil {
			require.NotZero(t, executor.CodeOf(err))
		}
	}
}

// Each byte of each program set to 0x00, to 0xFF and flipped: never a panic, never a hang.
func TestDamagedPrograms(t *testing.T) {
	ops := cpu.Ops()
	for name, file := range small(t) {
		t.Run(name, func(t *testing.T) {
			damaged := append([]byte(nil), file...)
			for i, b := range file {
				for _, v := range []byte{0x00, 0xFF, ^b} {
					if v == b {
						continue
					}
					damaged[i] = v
					stop := time.AfterFunc(20*time.Second, func() { panic(fmt.Sprintf("%s: byte %d set to %#x hangs", name, i, v)) })
					tryAll(t, ops, damaged)
					stop.Stop()
				}
				damaged[i] = b
			}
		})
	}
}

func FuzzRun(f *testing.F) {
	for _, file := range small(f) {
		f.Add(file)
	}
	ops := cpu.Ops()
	f.Fuzz(func(t *testing.T, file []byte) { tryAll(t, ops, file) })
}
