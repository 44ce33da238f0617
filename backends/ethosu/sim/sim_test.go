package sim_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/sim"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
	"github.com/stretchr/testify/require"
)

// device is a simulator that ends with the test.
func device(t testing.TB, o sim.Options) *sim.Simulator {
	s := sim.New(o)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// delegate is a loaded payload with its memory.
type delegate struct {
	blob    *ethosu.Blob
	program *sim.Program
	job     ethosu.Job
}

func load(s *sim.Simulator, payload []byte, named ethosu.LookUp) (*delegate, error) {
	blob, err := ethosu.Parse(payload, named)
	if err != nil {
		return nil, err
	}
	d := &delegate{blob: blob}
	if d.program, err = s.LoadProgram(ethosu.Network{Commands: blob.Commands, Weights: ethosu.Region{Bytes: blob.Weights}, Inputs: blob.Inputs}); err != nil {
		return nil, err
	}
	d.reserve()
	return d, nil
}

// reserve gives the job its memory.
func (d *delegate) reserve() {
	need := d.program.Stream().RegionBytes()
	d.job.Regions[ethosu.RegionWeights].Bytes = d.blob.Weights
	d.job.Regions[ethosu.RegionScratch].Bytes = make([]byte, d.blob.ScratchBytes)
	for r := ethosu.RegionFastScratch; r < ethosu.RegionCount; r++ {
		d.job.Regions[r].Bytes = make([]byte, need[r])
	}
}

func (d *delegate) tensor(t ethosu.Tensor) []byte {
	return d.job.Regions[t.Region].Bytes[t.Offset : t.Offset+t.Bytes()]
}

func (d *delegate) run() error {
	if err := d.program.Submit(&d.job); err != nil {
		return err
	}
	_, err := d.program.Wait(context.Background())
	return err
}

// check runs every recorded call of a program and compares the outputs.
func check(t testing.TB, s *sim.Simulator, c *corpus.Corpus, p corpus.Program) error {
	var delegates []*delegate
	for _, b := range c.Blobs(t, p) {
		d, err := load(s, b, c.Named(t, p))
		if err != nil {
			return err
		}
		delegates = append(delegates, d)
	}
	io := c.IOBytes(t, p)
	for v, vector := range c.IO[p.IO] {
		for n, call := range vector.Calls {
			d := delegates[call.Delegate]
			for i, x := range call.In {
				copy(d.tensor(d.blob.Inputs[i]), x.Of(io))
			}
			if err := d.run(); err != nil {
				return err
			}
			for i, x := range call.Out {
				if got, want := d.tensor(d.blob.Outputs[i]), x.Of(io); !bytes.Equal(got, want) {
					at, count := 0, 0
					for j := range want {
						if got[j] != want[j] {
							if count == 0 {
								at = j
							}
							count++
						}
					}
					return fmt.Errorf("vector %d call %d output %d: %d of %d bytes differ, byte %d: want %d, have %d", v, n, i, count, len(want), at, want[at], got[at])
				}
			}
		}
	}
	return nil
}

// Every program of the committed subset gives the outputs that the TOSA reference model recorded.
func TestPrograms(t *testing.T) { checkAll(t, corpus.Committed(t)) }

func TestCorpus(t *testing.T) { checkAll(t, corpus.Shared(t)) }

// What Vela emits passes the checks of strict loading.
func TestStrict(t *testing.T) {
	checkAllOn(t, corpus.Committed(t), device(t, sim.Options{Strict: true}))
}

func checkAll(t *testing.T, c *corpus.Corpus) { checkAllOn(t, c, device(t, sim.Options{})) }

func checkAllOn(t *testing.T, c *corpus.Corpus, s *sim.Simulator) {
	ran := 0
	for _, p := range c.Programs {
		if len(p.KnownDefect) > 0 {
			continue
		}
		ran++
		if err := check(t, s, c, p); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	t.Logf("%d programs", ran)
}
