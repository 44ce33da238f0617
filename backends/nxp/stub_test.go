package nxp_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// blank is a payload with a microcode of no calls, to be run on a stub NPU.
type blank struct {
	version         byte
	in, out         []uint32 // bytes of each of the NPU's inputs and outputs
	args            int      // 0: as many as inputs
	formats         []byte   // inputs then outputs; nil: contiguous
	maps            []byte   // inputs then outputs; nil: in order
	scratch         uint32
	profile, debug  uint32 // version 1
	sram            uint32
	weights, kernel []byte
}

func (b blank) encode() []byte {
	n := len(b.in) + len(b.out)
	head := []byte{byte(len(b.in)), byte(len(b.out)), byte(len(b.in))}
	if b.args > 0 {
		head[2] = byte(b.args)
	}
	formats, maps := b.formats, b.maps
	if formats == nil {
		formats = make([]byte, n)
	}
	if maps == nil {
		for i := range b.in {
			maps = append(maps, byte(i))
		}
		for i := range b.out {
			maps = append(maps, byte(i))
		}
	}
	head = pad(append(append(append(head, formats...), maps...), b.version))
	words := 16
	if b.version == 1 {
		words = 20
	}
	w := make([]uint32, words)
	w[0], w[1], w[2] = nxp.Magic, 0xB1A4C, 8
	w[7], w[8], w[9] = uint32(len(b.weights)), uint32(len(b.kernel)), b.scratch
	if b.version == 1 {
		w[10], w[11], w[12], w[13], w[14] = b.profile, b.debug, b.sram, uint32(len(b.in)), uint32(len(b.out))
	} else {
		w[10], w[11], w[12] = b.sram, uint32(len(b.in)), uint32(len(b.out))
	}
	micro, _ := binary.Append(nil, binary.LittleEndian, w)
	micro = pad(append(micro, 1, 0, 0, 0, 0, 0, 0, 0)) // the end record
	micro, _ = binary.Append(micro, binary.LittleEndian, append(append([]uint32{}, b.in...), b.out...))
	binary.LittleEndian.PutUint32(micro[6*4:], uint32(len(micro)))
	return append(append(append(head, pad(micro)...), pad(b.weights)...), pad(b.kernel)...)
}

func pad(b []byte) []byte { return append(b, make([]byte, -len(b)&15)...) }

// stubNPU keeps what it was given and answers with run.
type stubNPU struct {
	run    func(job *nxp.Job) error
	calls  []string
	job    nxp.Job
	models []nxp.Model
	open   int
	reset  error
}

func (s *stubNPU) Check(nxp.Model) (uint64, error) { return 0, nil }

func (s *stubNPU) Prepare(m nxp.Model) (nxp.Prepared, error) {
	s.calls, s.models, s.open = append(s.calls, "prepare"), append(s.models, m), s.open+1
	return &stubModel{s}, nil
}

func (s *stubNPU) Reset(context.Context) error {
	s.calls = append(s.calls, "reset")
	return s.reset
}

func (s *stubNPU) Close() error {
	s.calls = append(s.calls, "close")
	if s.open > 0 {
		return context.Canceled
	}
	return nil
}

func (s *stubNPU) Suspend() error { s.calls = append(s.calls, "suspend"); return nil }
func (s *stubNPU) Resume() error  { s.calls = append(s.calls, "resume"); return nil }

type stubModel struct{ npu *stubNPU }

func (m *stubModel) Run(_ context.Context, job *nxp.Job) error {
	m.npu.calls, m.npu.job = append(m.npu.calls, "run"), *job
	if m.npu.run == nil {
		return nil
	}
	return m.npu.run(job)
}

func (m *stubModel) Close() error {
	m.npu.calls, m.npu.open = append(m.npu.calls, "unprepare"), m.npu.open-1
	return nil
}

// delegate initialises a blob on npu without a program around it.
func delegate(t testing.TB, npu nxp.NPU, b []byte, specs ...executor.CompileSpec) executor.Delegate {
	d, err := nxp.NewBackend(npu, 0).Init(executor.Blob{Bytes: b, Specs: specs})
	require.NoError(t, err)
	return d
}

// values makes a call's arguments from tensors.
func values(ts ...*executor.Tensor) (args []*executor.Value) {
	for _, t := range ts {
		args = append(args, executor.NewTensorValue(t))
	}
	return args
}

// execute prepares and runs one call with exactly the temp memory that Prepare asked for.
func execute(t testing.TB, d executor.Delegate, args []*executor.Value) {
	needs, err := d.Prepare(args)
	require.NoError(t, err)
	require.NoError(t, d.Execute(executor.NewScope(nil, tempBytes(needs)), args))
}

func tempBytes(needs []memory.Need) (n int) {
	for _, need := range needs {
		if need.Place == memory.Temp {
			n += int(need.Bytes+63) &^ 63
		}
	}
	return n
}
