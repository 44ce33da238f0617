package bench

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/pte"
)

// BenchmarkPhases takes programs through the phases before the first run, each measured alone: one of five thousand
// kernel instructions, and the keyword spotter.
func BenchmarkPhases(b *testing.B) {
	for _, c := range []struct {
		name string
		file []byte
	}{
		{"5000 instructions", chain(b, "aten::mul.out", 5000)},
		{"keyword spotter", fixtures.Read(b, "models", "kws_cortex_m.pte")},
	} {
		b.Run(c.name, func(b *testing.B) {
			program, err := pte.Parse(c.file)
			require.NoError(b, err)
			m, err := ptero.New(program, ptero.Threads(1))
			require.NoError(b, err)
			defer m.Close()
			b.Run("parse", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_, err := pte.Parse(c.file)
					require.NoError(b, err)
				}
			})
			b.Run("link", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					l, err := m.Link("")
					require.NoError(b, err)
					require.NoError(b, l.Close())
				}
			})
			b.Run("fit", func(b *testing.B) {
				l, err := m.Link("")
				require.NoError(b, err)
				b.ReportAllocs()
				for b.Loop() {
					_, err := m.Fit(l)
					require.NoError(b, err)
				}
				require.NoError(b, l.Close())
			})
			b.Run("bind", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					l, err := m.Link("")
					require.NoError(b, err)
					layout, err := m.Fit(l)
					require.NoError(b, err)
					b.StartTimer()
					f, err := m.BindTo(l, layout)
					require.NoError(b, err)
					b.StopTimer()
					require.NoError(b, f.Close())
					b.StartTimer()
				}
			})
		})
	}
}
