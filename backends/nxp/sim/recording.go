package sim

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"sync"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/internal/fault"
)

// ErrNotRecorded is a model or an input that a recording does not hold.
var ErrNotRecorded = errors.New("not in the recording")

// A recording is a text file, one JSON object a line and run. Model is the
// SHA-256 of microcode, weights and kernels, Input that of the inputs in the
// NPU's order, each part after its length in 8 bytes, little-endian.
type recorded struct {
	Model    string   `json:"model"`
	Revision string   `json:"revision"` // of the microcode, for people
	Input    string   `json:"input"`
	Outputs  [][]byte `json:"outputs"` // in the NPU's order and layout
}

// digest hashes parts without allocating after its first use.
type digest struct {
	h      hash.Hash
	length [8]byte
	sum    [sha256.Size]byte
}

func newDigest() *digest { return &digest{h: sha256.New()} }

func (d *digest) add(part []byte) {
	binary.LittleEndian.PutUint64(d.length[:], uint64(len(part)))
	d.h.Write(d.length[:])
	d.h.Write(part)
}

// done returns the hash of the parts and starts afresh.
func (d *digest) done() [sha256.Size]byte {
	d.h.Sum(d.sum[:0])
	d.h.Reset()
	return d.sum
}

func (d *digest) model(m nxp.Model) [sha256.Size]byte {
	d.add(m.Microcode)
	d.add(m.Weights)
	d.add(m.Kernels)
	return d.done()
}

func (d *digest) inputs(job *nxp.Job) [sha256.Size]byte {
	for i := range job.Inputs {
		d.add(job.Inputs[i].Bytes)
	}
	return d.done()
}

// Recorder is an NPU that writes down what another one computes, so that
// [Playback] can answer for it where the hardware is not at hand.
type Recorder struct {
	nxp.NPU
	mu  sync.Mutex
	out io.Writer
}

// NewRecorder records the runs of npu to out, which belongs to the caller.
func NewRecorder(npu nxp.NPU, out io.Writer) *Recorder { return &Recorder{NPU: npu, out: out} }

// Prepare loads the model into the NPU behind the recorder.
func (r *Recorder) Prepare(m nxp.Model) (nxp.Prepared, error) {
	p, err := r.NPU.Prepare(m)
	if err != nil {
		return nil, err
	}
	d := newDigest()
	key := d.model(m)
	rec := &recording{Prepared: p, to: r, digest: d, model: hex.EncodeToString(key[:])}
	if len(m.Microcode) >= 8 {
		rec.revision = fmt.Sprintf("%08x", binary.LittleEndian.Uint32(m.Microcode[4:]))
	}
	return rec, nil
}

type recording struct {
	nxp.Prepared
	to              *Recorder
	digest          *digest
	model, revision string
}

// Run runs the job and writes it down. Unlike other NPUs it allocates.
func (r *recording) Run(ctx context.Context, job *nxp.Job) error {
	input := r.digest.inputs(job) // before the run, which may overwrite them
	if err := r.Prepared.Run(ctx, job); err != nil {
		return err
	}
	line := recorded{Model: r.model, Revision: r.revision, Input: hex.EncodeToString(input[:])}
	for i := range job.Outputs {
		line.Outputs = append(line.Outputs, job.Outputs[i].Bytes)
	}
	b, err := json.Marshal(line)
	if err != nil {
		return err
	}
	r.to.mu.Lock()
	defer r.to.mu.Unlock()
	_, err = r.to.out.Write(append(b, '\n'))
	return err
}

// Playback is an NPU that answers with outputs that were recorded, and with an
// error where there is no record: it computes nothing and invents nothing.
type Playback struct {
	NPU    // for what playing back has in common with simulating
	models map[[sha256.Size]byte]map[[sha256.Size]byte][][]byte
}

// NewPlayback reads a recording.
func NewPlayback(in io.Reader) (*Playback, error) {
	p := &Playback{models: map[[sha256.Size]byte]map[[sha256.Size]byte][][]byte{}}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<30)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var line recorded
		err := json.Unmarshal(lines.Bytes(), &line)
		model, errModel := key(line.Model)
		input, errInput := key(line.Input)
		if err = errors.Join(err, errModel, errInput); err != nil {
			return nil, &fault.Error{Path: fmt.Sprintf("recording line %d", n), Want: "a JSON object with model, input and outputs", Code: fault.InvalidArgument, Err: err}
		}
		if p.models[model] == nil {
			p.models[model] = map[[sha256.Size]byte][][]byte{}
		}
		p.models[model][input] = line.Outputs
	}
	return p, lines.Err()
}

func key(text string) (k [sha256.Size]byte, err error) {
	b, err := hex.DecodeString(text)
	if err == nil && len(b) != len(k) {
		err = fmt.Errorf("want %d bytes of SHA-256, found %d", len(k), len(b))
	}
	copy(k[:], b)
	return k, err
}

// Check says whether the recording holds the model.
func (p *Playback) Check(m nxp.Model) (uint64, error) {
	_, err := p.runs(m)
	return 0, err
}

func (p *Playback) runs(m nxp.Model) (map[[sha256.Size]byte][][]byte, error) {
	model := newDigest().model(m)
	runs := p.models[model]
	if runs == nil {
		return nil, &fault.Error{Path: "neutron recording", Want: "runs of the model " + hex.EncodeToString(model[:8]) + "…", Found: fmt.Sprintf("%d other models", len(p.models)), Code: fault.NotFound, Err: ErrNotRecorded}
	}
	return runs, nil
}

// Prepare finds the model in the recording.
func (p *Playback) Prepare(m nxp.Model) (nxp.Prepared, error) {
	runs, err := p.runs(m)
	if err != nil {
		return nil, err
	}
	p.open.Add(1)
	return &played{npu: &p.NPU, runs: runs, digest: newDigest()}, nil
}

type played struct {
	npu    *NPU
	runs   map[[sha256.Size]byte][][]byte
	digest *digest
	closed bool
}

// Run copies the recorded outputs of these inputs.
func (p *played) Run(_ context.Context, job *nxp.Job) error {
	input := p.digest.inputs(job)
	outputs, ok := p.runs[input]
	if !ok {
		return &fault.Error{Path: "neutron recording", Want: "a run with the input " + hex.EncodeToString(input[:8]) + "…", Found: fmt.Sprintf("%d other inputs", len(p.runs)), Code: fault.NotFound, Err: ErrNotRecorded}
	}
	if len(outputs) != len(job.Outputs) {
		return fault.New(fault.InvalidArgument, "neutron recording", fmt.Sprintf("%d outputs", len(job.Outputs)), fmt.Sprint(len(outputs)))
	}
	for i, b := range outputs {
		if len(b) != len(job.Outputs[i].Bytes) {
			return fault.New(fault.InvalidArgument, fmt.Sprintf("neutron recording, output %d", i), fault.Bytes(uint64(len(job.Outputs[i].Bytes))), fault.Bytes(uint64(len(b))))
		}
	}
	for i, b := range outputs {
		copy(job.Outputs[i].Bytes, b)
	}
	return nil
}

func (p *played) Close() error {
	if !p.closed {
		p.closed = true
		p.npu.open.Add(-1)
	}
	return nil
}
