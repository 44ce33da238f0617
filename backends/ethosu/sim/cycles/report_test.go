package cycles_test

import (
	"math"
	"testing"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/sim/cycles"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
	"github.com/stretchr/testify/require"
)

// agreement counts how often the estimates agree with Vela's.
type agreement struct {
	programs, programsNear   int
	operators, operatorsNear int
	sum, sumWant             float64
	total, totalWant         float64
}

func near(have, want, tolerance float64) bool { return math.Abs(have-want) <= tolerance*want+1 }

func compare(t *testing.T, c *corpus.Corpus) map[stream.Product]*agreement {
	list := map[stream.Product]*agreement{stream.U55: {}, stream.U65: {}, stream.U85: {}}
	for _, p := range c.Programs {
		system, err := cycles.SystemNamed(p.SystemConfig)
		require.NoError(t, err)
		mode, err := cycles.ParseMemoryMode(p.MemoryMode)
		require.NoError(t, err)
		for i, b := range c.Blobs(t, p) {
			blob, err := ethosu.Parse(b, c.Named(t, p))
			require.NoError(t, err)
			s, err := stream.Decode(blob.Commands.Accelerator, blob.Commands.Stream)
			require.NoError(t, err)
			r := cycles.Estimate(s, system, mode)
			vela := p.Delegates[i].Vela
			a := list[s.Accelerator.Product]
			tolerance := 0.01
			if s.Accelerator.Product == stream.U85 {
				tolerance = 0.02
			}
			want := vela["cycles_npu"].(float64)
			a.programs++
			a.sum, a.sumWant = a.sum+float64(r.NPU), a.sumWant+want
			a.total, a.totalWant = a.total+float64(r.Total), a.totalWant+vela["cycles_total"].(float64)
			if near(float64(r.NPU), want, tolerance) {
				a.programsNear++
			} else {
				t.Logf("%s delegate %d: Vela %.0f, estimate %d", p.Name, i, want, r.NPU)
			}
			a.match(r, p.Delegates[i].Layers)
		}
	}
	return list
}

// match compares operators in order; those that cost nothing are fused into others.
func (a *agreement) match(r *cycles.Report, layers [][]any) {
	var want []float64
	for _, l := range layers {
		if n := l[2].(float64); n > 0 {
			want = append(want, n)
		}
	}
	at := 0
	for _, o := range r.Operators {
		if o.NPU == 0 {
			continue
		}
		a.operators++
		for skip := 0; skip < 4 && at+skip < len(want); skip++ { // what Vela lists in another way
			if near(o.NPU, want[at+skip], 0.05) {
				a.operatorsNear++
				at += skip
				break
			}
		}
		at++
	}
}

// The estimates agree with those that Vela printed when it compiled the programs. They differ where the stream does not
// tell what the compiler knew: block sizes of operators cut into stripes, and operations that it issues twice but counts once.
func TestEstimate(t *testing.T) {
	for product, a := range compare(t, corpus.Committed(t)) {
		require.InEpsilon(t, a.sumWant, a.sum, 0.02, product)
		require.Greater(t, float64(a.programsNear)/float64(a.programs), 0.9, product)
		require.Greater(t, float64(a.operatorsNear)/float64(a.operators), 0.9, product)
	}
}

func TestEstimateCorpus(t *testing.T) {
	for product, a := range compare(t, corpus.Shared(t)) {
		t.Logf("%s: programs %d of %d, operators %d of %d, NPU cycles %.0f of Vela's %.0f, with memory %.0f of %.0f", product,
			a.programsNear, a.programs, a.operatorsNear, a.operators, a.sum, a.sumWant, a.total, a.totalWant)
		require.InEpsilon(t, a.sumWant, a.sum, 0.01, product)
		require.Greater(t, float64(a.programsNear)/float64(a.programs), 0.92, product)
		require.Greater(t, float64(a.operatorsNear)/float64(a.operators), 0.93, product)
	}
}
