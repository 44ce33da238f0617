package sim_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/backends/nxp/sim"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/internal/npy"
	"github.com/ptero-rt/ptero/pte"
)

// entry is one program of the manifest.
type entry struct {
	Name          string
	Revision      string
	Input, Output []int
	Operations    []string
	Pte           []struct{ File string }
	Tflite        *struct{ Equal float64 }
}

func manifest(t testing.TB) []entry {
	var list []entry
	require.NoError(t, json.Unmarshal(fixtures.Read(t, "neutron", "manifest.json"), &list))
	require.NotEmpty(t, list)
	return list
}

// payload is the blob of a program's one delegate.
func payload(t testing.TB, file string) *nxp.Payload {
	program, err := pte.Parse(fixtures.Read(t, "neutron", file))
	require.NoError(t, err)
	p, err := nxp.ParsePayload(program.Plans[0].Delegates[0].Blob)
	require.NoError(t, err)
	return p
}

func array(t testing.TB, file string) *npy.Array {
	a, err := npy.Decode(fixtures.Read(t, "neutron", file))
	require.NoError(t, err)
	return a
}

// channelsLast transposes one image from [c][h][w] to [h][w][c].
func channelsLast(in []byte, shape []int) []byte {
	if len(shape) != 4 {
		return in
	}
	c, hw := shape[1], shape[2]*shape[3]
	out := make([]byte, len(in))
	for i := range c {
		for p := range hw {
			out[p*c+i] = in[i*hw+p]
		}
	}
	return out
}

// job makes the memory of one run.
func job(p *nxp.Payload) *nxp.Job {
	_, out, _ := p.Microcode.IOBytes()
	j := &nxp.Job{Inputs: make([]nxp.Region, len(p.Inputs)), Scratch: nxp.Region{Bytes: make([]byte, p.Microcode.ScratchBytes)}}
	for _, n := range out {
		j.Outputs = append(j.Outputs, nxp.Region{Bytes: make([]byte, n)})
	}
	return j
}

func prepare(t testing.TB, p *nxp.Payload) nxp.Prepared {
	npu := sim.New()
	m, err := npu.Prepare(nxp.Model{Microcode: p.Microcode.Bytes, Weights: p.Weights, Kernels: p.Kernels})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, m.Close())
		require.NoError(t, npu.Close())
	})
	return m
}

func TestCorpus(t *testing.T) {
	for _, e := range manifest(t) {
		for _, f := range e.Pte {
			t.Run(f.File, func(t *testing.T) {
				p := payload(t, f.File)
				m := prepare(t, p)
				in, want := array(t, e.Name+".in.npy"), array(t, e.Name+".out.npy")
				n := len(in.Data) / in.Shape[0]
				size := len(want.Data) / want.Shape[0]
				require.Positive(t, in.Shape[0])
				for i := range in.Shape[0] {
					j := job(p)
					j.Inputs[0].Bytes = channelsLast(in.Data[i*n:][:n], e.Input)
					for at := range j.Scratch.Bytes {
						j.Scratch.Bytes[at] = 0xA5
					}
					require.NoError(t, m.Run(context.Background(), j))
					require.Equal(t, want.Data[i*size:][:size], j.Outputs[0].Bytes, "row %d", i)
				}
			})
		}
	}
}

func BenchmarkRun(b *testing.B) {
	for _, e := range manifest(b) {
		b.Run(e.Name, func(b *testing.B) {
			p := payload(b, e.Pte[0].File)
			m := prepare(b, p)
			j := job(p)
			j.Inputs[0].Bytes = make([]byte, e.Input[0]*prod(e.Input[1:]))
			b.ReportAllocs()
			for b.Loop() {
				if err := m.Run(context.Background(), j); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func prod(v []int) int {
	n := 1
	for _, x := range v {
		n *= x
	}
	return n
}
