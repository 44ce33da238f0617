package sim_test

import (
	"os"
	"testing"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/sim"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
	"github.com/stretchr/testify/require"
)

func mobileNet(b testing.TB) []byte {
	file, err := os.ReadFile(fixtures.Shared(b, "models", "ethosu-pte", "mbv2_ethosu.pte"))
	require.NoError(b, err)
	return corpus.Blobs(b, file)[0]
}

// BenchmarkMobileNetV2 runs MobileNetV2 1.0 at 224x224, int8, for U55-128 on one core.
func BenchmarkMobileNetV2(b *testing.B) {
	d, err := load(device(b, sim.Options{Workers: 1}), mobileNet(b), nil)
	require.NoError(b, err)
	require.NoError(b, d.run())
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, d.run())
	}
}

// BenchmarkLoad decodes the stream and the weights of the same network.
func BenchmarkLoad(b *testing.B) {
	s := device(b, sim.Options{Workers: 1})
	blob, err := ethosu.Parse(mobileNet(b), nil)
	require.NoError(b, err)
	for b.Loop() {
		_, err := s.Load(ethosu.Network{Commands: blob.Commands, Weights: ethosu.Region{Bytes: blob.Weights}})
		require.NoError(b, err)
	}
}
