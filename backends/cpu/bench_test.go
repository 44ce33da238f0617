package cpu_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// BenchmarkChain is the cost of one instruction in chains of small ones.
func BenchmarkChain(b *testing.B) {
	for _, name := range []string{"chain_add_1000", "chain_mul_1000", "ctl_prim_1000"} {
		raw, err := os.ReadFile(fixtures.Shared(b, "peers", "programs", name+".pte"))
		require.NoError(b, err)
		program, err := pte.Parse(raw)
		require.NoError(b, err)
		b.Run("link/"+name, func(b *testing.B) {
			config := executor.Config{Ops: cpu.Ops()}
			b.ReportAllocs()
			var l *executor.Linked
			for b.Loop() {
				l, err = executor.Link(program, "", config)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(l.Instructions()), "ns/instruction")
		})
		b.Run("run/"+name, func(b *testing.B) {
			board, err := sim.Host()
			require.NoError(b, err)
			defer board.Close()
			l, err := executor.Link(program, "", executor.Config{Ops: cpu.Ops()})
			require.NoError(b, err)
			space := memory.NewSpace(board)
			layout, err := l.Fit(space)
			require.NoError(b, err)
			m, err := l.Bind(space, layout)
			require.NoError(b, err)
			defer m.Close()
			for i := range m.NumInputs() {
				in := m.Input(i)
				if t := in.Tensor(); t != nil {
					in = executor.NewTensorValue(executor.NewTensorOrder(t.DType, t.Sizes, t.DimOrder, nil))
				}
				require.NoError(b, m.SetInput(i, in))
			}
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, m.Run(context.Background()))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(l.Instructions()), "ns/instruction")
		})
	}
}
