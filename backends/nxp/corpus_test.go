package nxp_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/backends/nxp/sim"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	halsim "github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/internal/npy"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// entry is one program of the corpus's manifest.
type entry struct {
	Name          string
	Revision      string
	Scratch       uint64
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

func program(t testing.TB, file string) *pte.Program {
	p, err := pte.Parse(fixtures.Read(t, "neutron", file))
	require.NoError(t, err)
	return p
}

// blob is the payload of a program's one delegate.
func blob(t testing.TB, file string) []byte { return program(t, file).Plans[0].Delegates[0].Blob }

func array(t testing.TB, file string) *npy.Array {
	a, err := npy.Decode(fixtures.Read(t, "neutron", file))
	require.NoError(t, err)
	return a
}

// space is the memory of the board host, poisoned before and after each run.
func space(t testing.TB) *memory.Space {
	b, err := halsim.Host()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	return memory.NewSpace(b, memory.Poison())
}

// load takes a program through link, fit and bind on npu.
func load(t testing.TB, p *pte.Program, npu nxp.NPU) *executor.Method {
	l, err := executor.Link(p, "", executor.Config{Backends: []executor.Backend{nxp.NewBackend(npu, 0)}})
	require.NoError(t, err)
	s := space(t)
	layout, err := l.Fit(s)
	require.NoError(t, err)
	m, err := l.Bind(s, layout)
	require.NoError(t, err)
	return m
}

// open is load on a simulator that is closed, after the method, when the test ends.
func open(t testing.TB, p *pte.Program) *executor.Method {
	npu := sim.New()
	m := load(t, p, npu)
	t.Cleanup(func() {
		require.NoError(t, m.Close())
		require.NoError(t, npu.Close())
	})
	return m
}

// set gives the method its input, from bytes in logical order.
func set(t testing.TB, m *executor.Method, data []byte) {
	to := m.Input(0).Tensor()
	in := executor.NewTensorOrder(to.DType, to.Sizes, to.DimOrder, nil)
	at := 0
	var walk func(dim, offset int)
	walk = func(dim, offset int) {
		if dim == len(in.Sizes) {
			in.Data[offset] = data[at]
			at++
			return
		}
		for i := range in.Sizes[dim] {
			walk(dim+1, offset+i*in.Strides[dim])
		}
	}
	walk(0, 0)
	require.NoError(t, m.SetInputTensor(0, in))
}

// outputs runs every row of the corpus's inputs and returns what came out.
func outputs(t testing.TB, m *executor.Method, e entry) [][]byte {
	in := array(t, e.Name+".in.npy")
	n := len(in.Data) / in.Shape[0]
	var rows [][]byte
	for i := range in.Shape[0] {
		set(t, m, in.Data[i*n:][:n])
		require.NoError(t, m.Run(context.Background()))
		rows = append(rows, append([]byte{}, m.Output(0).Tensor().Data...))
	}
	return rows
}

// TestCorpus runs all programs as a user does, with scratch from the temp arena and planned, and compares with results
// of a separate evaluator.
func TestCorpus(t *testing.T) {
	for _, e := range manifest(t) {
		for _, f := range e.Pte {
			t.Run(f.File, func(t *testing.T) {
				m := open(t, program(t, f.File))
				want := array(t, e.Name+".out.npy")
				n := len(want.Data) / want.Shape[0]
				for i, got := range outputs(t, m, e) {
					require.Equal(t, want.Data[i*n:][:n], got, "row %d", i)
				}
			})
		}
	}
}

// TestTopClass compares the most likely class with that of the unconverted network in TensorFlow Lite. Where the 10-bit
// numbers of N1 decide otherwise, the corpus's own expectation says so too.
func TestTopClass(t *testing.T) {
	other := map[string][]int{"mobilenet_n1": {0, 2, 3}}
	for _, e := range manifest(t) {
		if e.Tflite == nil {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			m := open(t, program(t, e.Pte[0].File))
			want := array(t, e.Name+".tflite.npy")
			n := len(want.Data) / want.Shape[0]
			for i, got := range outputs(t, m, e) {
				top := largest(want.Data[i*n:][:n])
				if contains(other[e.Name], i) {
					continue
				}
				best := largest(got)
				require.Equal(t, int8(got[best[0]]), int8(got[top[0]]), "row %d: want one of classes %v, found %v", i, top, best)
			}
		})
	}
}

// largest lists the places of the largest int8.
func largest(b []byte) (at []int) {
	for i, x := range b {
		switch {
		case len(at) == 0 || int8(x) > int8(b[at[0]]):
			at = []int{i}
		case x == b[at[0]]:
			at = append(at, i)
		}
	}
	return at
}

func contains(list []int, x int) bool {
	for _, one := range list {
		if one == x {
			return true
		}
	}
	return false
}

func TestRunDoesNotAllocate(t *testing.T) {
	for _, file := range []string{"mobilenet_n3.pte", "mobilenet_n3.scratch.pte", "cifarnet_n3.nhwc.pte", "ds_cnn_n1.pte"} {
		m := open(t, program(t, file))
		set(t, m, make([]byte, m.Input(0).Tensor().NBytes()))
		ctx := context.Background()
		require.Zero(t, testing.AllocsPerRun(3, func() { require.NoError(t, m.Run(ctx)) }), file)
	}
}

// BenchmarkMobileNet is MobileNetV1 0.25 at 128×128 for N3 through the executor.
func BenchmarkMobileNet(b *testing.B) {
	m := open(b, program(b, "mobilenet_n3.scratch.pte"))
	require.NoError(b, m.SetInputTensor(0, executor.NewTensor(pte.Char, []int{1, 3, 128, 128}, nil)))
	b.ReportAllocs()
	for b.Loop() {
		if err := m.Run(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
