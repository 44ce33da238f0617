package sim_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/backends/nxp/sim"
)

// FuzzRun executes damaged record streams. Memory has exactly the size that the header states, so that an access outside
// is a panic; a run ends with its timeout.
func FuzzRun(f *testing.F) {
	for _, e := range manifest(f) {
		m := &payload(f, e.Pte[0].File).Microcode
		start := 64 + 16*int(m.Version)
		f.Add(m.Version == 1, m.Bytes[start:start+int(m.StreamBytes)], uint16(e.Input[1]*prod(e.Input[2:])), uint16(e.Output[1]), m.ScratchBytes)
	}
	weights := make([]byte, 1<<19)
	for i := range weights {
		weights[i] = byte(i * i * 7 >> 3)
	}
	f.Fuzz(func(t *testing.T, sized bool, stream []byte, in, out uint16, scratch uint32) {
		version := 0
		if sized {
			version = 1
		}
		w := writer{stream: stream}
		// The number of calls stands in the header as well; without it few streams would get far.
		for w.calls = 1; w.calls < 40; w.calls++ {
			microcode := w.microcode(version, len(weights), int(scratch), int(in), int(out))
			if m, err := nxp.ParseMicrocode(microcode); err != nil {
				return
			} else if _, err := m.Records(); err == nil {
				runAnything(microcode, weights)
				return
			} else if !strings.Contains(err.Error(), "calls as the header says") {
				return
			}
		}
	})
}

// runAnything prepares and runs a microcode if it is of a size that a test can take.
func runAnything(microcode, weights []byte) {
	header, err := nxp.ParseMicrocode(microcode)
	if err != nil {
		return
	}
	in, out, err := header.IOBytes()
	if err != nil {
		return
	}
	total := uint64(header.ScratchBytes) + uint64(header.SRAMScratchBytes)
	for _, n := range append(append([]uint32{}, in...), out...) {
		total += uint64(n)
	}
	if total > 1<<17 {
		return
	}
	m, err := sim.New().Prepare(nxp.Model{Microcode: microcode, Weights: weights, Timeout: 5 * time.Millisecond})
	if err != nil {
		return
	}
	job := &nxp.Job{Scratch: nxp.Region{Bytes: make([]byte, header.ScratchBytes)}, SRAMScratch: nxp.Region{Bytes: make([]byte, header.SRAMScratchBytes)}}
	for _, n := range in {
		job.Inputs = append(job.Inputs, nxp.Region{Bytes: make([]byte, n)})
	}
	for _, n := range out {
		job.Outputs = append(job.Outputs, nxp.Region{Bytes: make([]byte, n)})
	}
	_ = m.Run(context.Background(), job)
	_ = m.Close()
}

// TestEveryMicrocodeByteMayBeWrong runs what is left of a microcode after each of its bytes was changed.
func TestEveryMicrocodeByteMayBeWrong(t *testing.T) {
	files := []string{"ds_cnn_n1.pte", "cifarnet_et_1b86b19d.pte"}
	flips := []byte{1, 0x80}
	if testing.Short() {
		files, flips = files[:1], flips[:1]
	}
	for _, file := range files {
		p := payload(t, file)
		b := append([]byte{}, p.Microcode.Bytes...)
		for at := range b {
			for _, flip := range flips {
				b[at] ^= flip
				runAnything(b, p.Weights)
				b[at] ^= flip
			}
		}
	}
}
