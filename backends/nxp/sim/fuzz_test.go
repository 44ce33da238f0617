package sim_test

import (
	"context"
	"testing"
	"time"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/backends/nxp/sim"
)

// FuzzRun executes damaged microcode. Memory has exactly the size that the header states, so that an access outside is a
// panic; a run ends with its timeout.
func FuzzRun(f *testing.F) {
	for _, e := range manifest(f) {
		f.Add(payload(f, e.Pte[0].File).Microcode.Bytes)
	}
	weights := make([]byte, 1<<18)
	for i := range weights {
		weights[i] = byte(i * i * 7 >> 3)
	}
	f.Fuzz(func(t *testing.T, microcode []byte) { runAnything(microcode, weights) })
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
