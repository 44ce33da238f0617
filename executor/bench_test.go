package executor_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// peer is a program of the comparison with other runtimes; stubs can run these.
func peer(t testing.TB, name string) *pte.Program {
	t.Helper()
	b, err := os.ReadFile(fixtures.Shared(t, "peers", "programs", name+".pte"))
	require.NoError(t, err)
	p, err := pte.Parse(b)
	require.NoError(t, err)
	return p
}

// ones sets every tensor input to ones.
func ones(t testing.TB, m *executor.Method) {
	t.Helper()
	for i := range m.NumInputs() {
		in := m.Input(i)
		if in.Kind() != executor.KindTensor {
			require.NoError(t, m.SetInput(i, in))
			continue
		}
		x := executor.NewTensorOrder(in.Tensor().DType, in.Tensor().Sizes, in.Tensor().DimOrder, nil)
		if x.DType == pte.Float {
			f := executor.Slice[float32](x)
			for i := range f {
				f[i] = 1
			}
		}
		require.NoError(t, m.SetInputTensor(i, x))
	}
}

func BenchmarkRun(b *testing.B) {
	for _, name := range []string{"chain_add_1", "chain_add_1000", "chain_mul_1000", "ctl_move_1000", "ctl_movetensor_1000", "ctl_jumptaken_1000", "ctl_jumpnot_1000", "ctl_prim_1000"} {
		b.Run(name, func(b *testing.B) {
			m := bind(b, host(b), peer(b, name), "", executor.Config{})
			ones(b, m)
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, m.Run(context.Background()))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.Linked().Instructions()), "ns/instruction")
		})
	}
}

func BenchmarkPrepare(b *testing.B) {
	p := peer(b, "load_5000")
	space := host(b)
	phase := func(name string, f func(b *testing.B)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			f(b)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/5000, "ns/instruction")
		})
	}
	link := func(b *testing.B) *executor.Linked {
		l, err := executor.Link(p, "", executor.Config{Ops: stubs()})
		require.NoError(b, err)
		return l
	}
	phase("link", func(b *testing.B) {
		for b.Loop() {
			link(b)
		}
	})
	phase("demand", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			l := link(b)
			b.StartTimer()
			l.Demand()
		}
	})
	phase("all", func(b *testing.B) {
		for b.Loop() {
			l := link(b)
			layout, err := l.Fit(space)
			require.NoError(b, err)
			m, err := l.Bind(space, layout)
			require.NoError(b, err)
			require.NoError(b, m.Close())
		}
	})
	_ = memory.Static
}
