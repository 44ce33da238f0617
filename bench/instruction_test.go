package bench

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/executor/backendtest"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/pte"
)

// length is how many instructions of a kind a program has: enough that what a run costs besides does not count.
const length = 1000

// BenchmarkInstructions measures what an instruction of each kind costs in a program of a thousand, and beside each call
// of a kernel the same kernel called in a bare loop, with the arguments that it has there.
func BenchmarkInstructions(b *testing.B) {
	for _, name := range []string{"aten::add.out", "aten::mul.out"} {
		b.Run(name, func(b *testing.B) {
			file := chain(b, name, length)
			b.Run("program", func(b *testing.B) { each(b, bind(b, file)) })
			b.Run("kernel", func(b *testing.B) { bare(b, name) })
		})
	}
	for _, k := range []struct {
		name string
		emit func(m *ptebuild.Method)
	}{
		{"move int", func(m *ptebuild.Method) {
			repeat(m, func(from, to ptebuild.Value) { m.Move(from, to) }, m.Int(1), m.Int(2))
		}},
		{"move tensor", func(m *ptebuild.Method) {
			repeat(m, func(from, to ptebuild.Value) { m.Move(from, to) }, m.Tensor(pte.Float, 1), m.Tensor(pte.Float, 1))
		}},
		{"jump taken", func(m *ptebuild.Method) {
			repeat(m, func(cond, _ ptebuild.Value) { m.JumpFalse(cond).Land() }, m.Bool(false), m.Bool(false))
		}},
		{"jump not taken", func(m *ptebuild.Method) {
			repeat(m, func(cond, _ ptebuild.Value) { m.JumpFalse(cond).Land() }, m.Bool(true), m.Bool(true))
		}},
		{"executorch_prim::add.Scalar", func(m *ptebuild.Method) {
			one := m.Int(1)
			repeat(m, func(x, y ptebuild.Value) { m.Kernel("executorch_prim::add.Scalar", x, one, y) }, m.Int(1), m.Int(2))
		}},
		{"delegate, sum of 4 bytes", func(m *ptebuild.Method) {
			d := m.Backend("SumBackend", backendtest.Blob(1, 1, 4, 0))
			repeat(m, func(x, y ptebuild.Value) { m.Delegate(d, x, y) }, m.Tensor(pte.Byte, 4), m.Tensor(pte.Byte, 4))
		}},
	} {
		b.Run(k.name, func(b *testing.B) {
			p := ptebuild.New()
			k.emit(p.Method("forward"))
			each(b, bind(b, p.Encode(b), backendtest.Sum{}))
		})
	}
}

// repeat emits instructions that go from x to y and back.
func repeat(m *ptebuild.Method, emit func(x, y ptebuild.Value), x, y ptebuild.Value) {
	for range length / 2 {
		emit(x, y)
		emit(y, x)
	}
}

// chain is a program of n additions or multiplications of one float32 each, every one with an output of its own.
func chain(t testing.TB, name string, n int) []byte {
	p := ptebuild.New()
	m := p.Method("forward")
	x, one := m.Input(pte.Float, 1), m.Input(pte.Float, 1)
	more := []ptebuild.Value{}
	if name == "aten::add.out" {
		more = append(more, m.Int(1))
	}
	for range n {
		y := m.Tensor(pte.Float, 1)
		m.Kernel(name, append(append([]ptebuild.Value{x, one}, more...), y, y)...)
		x = y
	}
	m.Output(x)
	return p.Encode(t)
}

func each(b *testing.B, m *executor.Method) {
	b.ReportAllocs()
	for b.Loop() {
		if err := m.Run(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*m.Linked().Instructions()), "ns/instruction")
}

// bare calls one kernel as often as a program of it would.
func bare(b *testing.B, name string) {
	tensor := func() *executor.Value { return executor.NewTensorValue(executor.NewTensor(pte.Float, []int{1}, nil)) }
	args := []*executor.Value{tensor(), tensor()}
	if name == "aten::add.out" {
		args = append(args, executor.NewInt(1))
	}
	out := tensor()
	args = append(args, out, out)
	op := cpu.Ops()[name]
	state, _, err := op.Prepare(args)
	require.NoError(b, err)
	var s executor.Scope
	b.ReportAllocs()
	for b.Loop() {
		for range length {
			if err := op.Run(&s, state, args); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*length), "ns/instruction")
}
