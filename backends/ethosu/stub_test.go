package ethosu_test

import (
	"context"
	"encoding/binary"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/executor"
)

// tensor is an input or output record of a made-up blob.
type tensor struct {
	shape        []int32 // up to 6 axes
	elem, offset int32
}

// made is a blob whose command stream only ends: for NPUs that are stubs.
type made struct {
	in, out []tensor
	scratch uint32
	weights []byte
	stream  []stream.Command // before the end
	key     string           // of the weights in named data
}

func (m made) encode() []byte {
	var b []byte
	block := func(name string, content []byte, external byte) {
		head := make([]byte, 32)
		copy(head, name)
		binary.LittleEndian.PutUint32(head[16:], uint32(len(content)))
		head[20] = external
		b = append(append(append(b, head...), content...), make([]byte, -len(content)&15)...)
	}
	records := func(list []tensor) []byte {
		c := binary.LittleEndian.AppendUint32(nil, uint32(len(list)))
		for _, x := range list {
			shape := append([]int32{1, 1, 1, 1, 1, 1}[:6-len(x.shape)], x.shape...)
			for _, v := range append(append([]int32{}, shape...), x.elem, x.offset, ethosu.RegionScratch) {
				c = binary.LittleEndian.AppendUint32(c, uint32(v))
			}
		}
		return c
	}
	var words []byte
	for _, c := range append(m.stream, stream.Command{Code: stream.OpStop, Param: 0xffff}) {
		words = c.Append(words)
	}
	block("vela_bin_stream", nil, 0)
	block("cmd_data", ethosu.Wrap(stream.Accelerator{Product: stream.U55, MACs: 128}, words), 0)
	if m.key != "" {
		block("weight_data", []byte(m.key), 1)
	} else {
		block("weight_data", append([]byte{}, append(m.weights, make([]byte, max(1-len(m.weights), 0))...)...), 0)
	}
	block("scratch_size", binary.LittleEndian.AppendUint32(nil, m.scratch), 0)
	block("inputs", records(m.in), 0)
	block("outputs", records(m.out), 0)
	block("vela_end_stream", nil, 0)
	return b
}

// stub is an NPU that does what a test says.
type stub struct {
	run      func(job *ethosu.Job) error // in Wait; nil: nothing
	counters ethosu.Counters
	networks []ethosu.Network
	jobs     []ethosu.Job
	resets   int
	reset    error
	closed   int
}

func (s *stub) Accelerator() stream.Accelerator { return stream.Accelerator{} }

func (s *stub) Load(n ethosu.Network) (ethosu.Loaded, error) {
	s.networks = append(s.networks, n)
	return &stubLoaded{npu: s}, nil
}

func (s *stub) Reset(context.Context) error {
	s.resets++
	return s.reset
}

func (s *stub) Close() error {
	s.closed++
	return nil
}

type stubLoaded struct {
	npu *stub
	job *ethosu.Job
}

func (l *stubLoaded) Submit(job *ethosu.Job) error {
	l.job = job
	l.npu.jobs = append(l.npu.jobs, *job)
	return nil
}

func (l *stubLoaded) Wait(context.Context) (ethosu.Counters, error) {
	if l.npu.run == nil {
		return l.npu.counters, nil
	}
	return l.npu.counters, l.npu.run(l.job)
}

func (l *stubLoaded) Close() error { return nil }

// call is a delegate with the memory of one call.
type call struct {
	delegate executor.Delegate
	scope    *executor.Scope
	args     []*executor.Value
}

// newCall makes a delegate of a blob and prepares it for arguments.
func newCall(npu ethosu.NPU, o ethosu.Options, blob executor.Blob, tensors ...*executor.Tensor) (*call, error) {
	blob.Method, blob.Calls = "forward", 1
	d, err := ethosu.NewBackend(npu, o).Init(blob)
	if err != nil {
		return nil, err
	}
	c := &call{delegate: d}
	for _, x := range tensors {
		c.args = append(c.args, executor.NewTensorValue(x))
	}
	needs, err := d.Prepare(c.args)
	if err != nil {
		return nil, err
	}
	bytes := 0
	for _, n := range needs {
		bytes += int(n.Bytes) + 64
	}
	c.scope = executor.NewScope(nil, bytes)
	return c, nil
}

func (c *call) run() error {
	defer c.scope.Reset()
	return c.delegate.Execute(c.scope, c.args)
}
