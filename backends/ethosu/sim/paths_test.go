package sim

import (
	"context"
	"testing"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
	"github.com/stretchr/testify/require"
)

// The packed path, the general path and the generic kernels write the same bytes, whatever the input.
func TestPaths(t *testing.T) {
	c := corpus.Committed(t)
	fast, general, generic := New(Options{Workers: 2}), New(Options{Workers: 2}), New(Options{Workers: 2})
	general.general, generic.vector = true, genericVector()
	for n, p := range c.Programs {
		if n%5 != 0 && p.Name != "net_dscnn_kws.u55-128.ss" {
			continue
		}
		for _, payload := range c.Blobs(t, p) {
			blob, err := ethosu.Parse(payload, c.Named(t, p))
			require.NoError(t, err)
			var want [ethosu.RegionCount][]byte
			for i, s := range []*Simulator{fast, general, generic} {
				program, err := s.LoadProgram(ethosu.Network{Commands: blob.Commands, Weights: ethosu.Region{Bytes: blob.Weights}})
				require.NoError(t, err)
				var job ethosu.Job
				for r, bytes := range program.Stream().RegionBytes() {
					job.Regions[r].Bytes = make([]byte, bytes)
					for j := range job.Regions[r].Bytes {
						job.Regions[r].Bytes[j] = byte(j*j*31 + j*7)
					}
				}
				job.Regions[ethosu.RegionWeights].Bytes = blob.Weights
				require.NoError(t, program.Submit(&job))
				if _, err := program.Wait(context.Background()); err != nil {
					require.ErrorContains(t, err, "want an index", p.Name)
				}
				for r := range want {
					if i == 0 {
						want[r] = job.Regions[r].Bytes
					}
					require.Equal(t, want[r], job.Regions[r].Bytes, "%s region %d", p.Name, r)
				}
			}
		}
	}
	for _, s := range []*Simulator{fast, general, generic} {
		require.NoError(t, s.Close())
	}
}
