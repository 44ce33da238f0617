package sim

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/pte"
)

func TestDot4x16(t *testing.T) {
	if !hasAVX2 {
		t.Skip("this machine has no AVX2")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for taps := 1; taps < 40; taps++ {
		for _, step := range []int{0, 1, 3, 16} {
			in := make([]byte, 3*step+taps)
			for i := range in {
				in[i] = byte(r.Uint32())
			}
			weights := make([]int16, (taps+1)/2*2*wide)
			var got, want [4][wide]int32
			for c := range wide {
				for tap := range taps {
					weights[tap/2*2*wide+c*2+tap%2] = int16(int8(r.Uint32()))
				}
				for p := range 4 {
					got[p][c] = int32(r.Uint32())
					want[p][c] = got[p][c]
					for tap := range taps {
						want[p][c] += int32(int8(in[p*step+tap])) * int32(weights[tap/2*2*wide+c*2+tap%2])
					}
				}
			}
			dot4x16(&got, &in[0], step, &weights[0], taps)
			require.Equal(t, want, got, "%d taps, step %d", taps, step)
		}
	}
}

// TestGenericTwin runs whole programs with and without SIMD.
func TestGenericTwin(t *testing.T) {
	if !hasAVX2 {
		t.Skip("the generic kernels are what everything else runs on here")
	}
	for _, file := range []string{"cifarnet_n1.pte", "cifarnet_n3.pte", "ds_cnn_n1.pte", "ds_cnn_n3.pte", "mobilenet_n3.pte", "cifarnet_et_1b86b19d.pte"} {
		program, err := pte.Parse(fixtures.Read(t, "neutron", file))
		require.NoError(t, err)
		p, err := nxp.ParsePayload(program.Plans[0].Delegates[0].Blob)
		require.NoError(t, err)
		in, out, err := p.Microcode.IOBytes()
		require.NoError(t, err)
		job := &nxp.Job{Inputs: []nxp.Region{{Bytes: make([]byte, in[0])}}, Scratch: nxp.Region{Bytes: make([]byte, p.Microcode.ScratchBytes)}}
		r := rand.New(rand.NewPCG(3, 4))
		for i := range job.Inputs[0].Bytes {
			job.Inputs[0].Bytes[i] = byte(r.Uint32())
		}
		var results [2][]byte
		for i, simd := range []bool{false, true} {
			m, err := compileModel(nxp.Model{Microcode: p.Microcode.Bytes, Weights: p.Weights}, simd)
			require.NoError(t, err)
			results[i] = make([]byte, out[0])
			job.Outputs = []nxp.Region{{Bytes: results[i]}}
			require.NoError(t, m.Run(context.Background(), job))
		}
		require.Equal(t, results[0], results[1], file)
	}
}
