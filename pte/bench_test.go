package pte_test

import (
	"testing"

	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/pte"
	"github.com/stretchr/testify/require"
)

// chain is a program of n additions, each with an output of its own.
func chain(t testing.TB, n int) []byte {
	b := ptebuild.New()
	m := b.Method("forward")
	x, one, alpha := m.Input(pte.Float, 1), m.Constant(pte.Float, ptebuild.Bytes[float32](1), 1), m.Int(1)
	for range n {
		y := m.Tensor(pte.Float, 1)
		m.Kernel("aten::add.out", x, one, alpha, y, y)
		x = y
	}
	m.Output(x)
	return b.Encode(t)
}

func BenchmarkParse(b *testing.B) {
	for _, c := range []struct {
		name string
		file []byte
	}{{"5000 instructions", chain(b, 5000)}, {"kws", fixtures.Read(b, "models", "kws_cortex_m.pte")}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.file)))
			b.ReportAllocs()
			for b.Loop() {
				_, err := pte.Parse(c.file)
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkRewrite(b *testing.B) {
	p, err := pte.Parse(chain(b, 5000))
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_, err := pte.Rewrite(p)
		require.NoError(b, err)
	}
}

// Parsing takes memory in few pieces: a program of five thousand instructions must not cost thousands of allocations.
func TestParseAllocatesInBulk(t *testing.T) {
	file := chain(t, 5000)
	n := testing.AllocsPerRun(5, func() { _, _ = pte.Parse(file) })
	require.Less(t, n, 200.0)
}
