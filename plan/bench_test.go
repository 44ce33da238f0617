package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/memory/pack"
	"github.com/ptero-rt/ptero/plan"
)

// BenchmarkPlan plans programs as they are; ms/solve is the part that chooses pools and offsets.
func BenchmarkPlan(b *testing.B) {
	for _, file := range [][]string{{"peers", "programs", "load_5000.pte"}, {"models", "ethosu-pte", "mbv2_ethosu_N.pte"}, {"fixtures", "cpu", "models", "lstm_bidirectional", "portable_f32.bpte"}, {"fixtures", "cpu", "models", "tiny_llama_kv", "portable_decode.bpte"}} {
		b.Run(file[len(file)-1], func(b *testing.B) {
			m, err := ptero.Open(fixtures.Shared(b, file...))
			require.NoError(b, err)
			defer m.Close()
			var seconds float64
			n := 0
			for b.Loop() {
				r, err := m.Plan(plan.Options{Objective: pack.Height})
				require.NoError(b, err)
				seconds += r.Report.Pools[0].Seconds
				n++
			}
			b.ReportMetric(1e3*seconds/float64(n), "ms/solve")
		})
	}
}
