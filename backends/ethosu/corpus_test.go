package ethosu_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/sim"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/executor/backendtest"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// open opens a file of the corpus as a user does.
func open(t testing.TB, c *corpus.Corpus, file string, external []string, options ...ptero.Option) (*ptero.Model, *ptero.Method, error) {
	for _, name := range external {
		options = append(options, ptero.Data(c.Path(name)))
	}
	m, err := ptero.Open(c.Path(file), options...)
	if err != nil {
		return nil, nil, err
	}
	f, err := m.Load("")
	if err != nil {
		return nil, nil, errors.Join(err, m.Close())
	}
	return m, f, nil
}

// native copies the corpus' little-endian elements in the host's byte order.
func native(b []byte, elemBytes int) []byte {
	b = append([]byte{}, b...)
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		for at := 0; at < len(b); at += elemBytes {
			slices.Reverse(b[at : at+elemBytes])
		}
	}
	return b
}

// set gives a method the inputs of a vector.
func set(t testing.TB, f *ptero.Method, io []byte, v *corpus.Vector) {
	require.Len(t, v.Inputs, f.NumInputs())
	for i, x := range v.Inputs {
		own := f.Input(i).Tensor()
		require.NoError(t, f.SetInputTensor(i, executor.NewTensorOrder(own.DType, own.Sizes, own.DimOrder, native(x.Of(io), own.DType.Size()))))
	}
}

// compare runs every vector and compares all output bytes with the recorded ones.
func compare(t testing.TB, f *ptero.Method, io []byte, vectors []corpus.Vector) error {
	for n := range vectors {
		v := &vectors[n]
		set(t, f, io, v)
		if err := f.Run(context.Background()); err != nil {
			return err
		}
		for i, x := range v.Outputs {
			out := f.Output(i).Tensor()
			if got, want := out.Data, native(x.Of(io), out.DType.Size()); !slices.Equal(got, want) {
				return fmt.Errorf("vector %d output %d: want %x…, have %x…", n, i, want[:min(len(want), 16)], got[:min(len(got), 16)])
			}
		}
	}
	return nil
}

// Every program gives every output byte that the TOSA reference model and the operators' references recorded.
func TestCommittedPrograms(t *testing.T) { checkPrograms(t, corpus.Committed(t)) }

func TestCorpusPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("all programs of the corpus")
	}
	checkPrograms(t, corpus.Shared(t))
}

func checkPrograms(t *testing.T, c *corpus.Corpus) {
	ran := 0
	for i, p := range c.Programs {
		if testing.Short() && i%25 != 0 { // under an emulator
			continue
		}
		m, f, err := open(t, c, p.File, p.External)
		require.NoError(t, err, p.Name)
		err = compare(t, f, c.IOBytes(t, corpus.Program{IO: p.IO}), c.IO[p.IO])
		if len(p.KnownDefect) > 0 {
			require.ErrorContains(t, err, "table memory", p.Name)
		} else if err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		require.NoError(t, errors.Join(f.Close(), m.Close()))
		ran++
	}
	t.Logf("%d programs", ran)
}

// Programs with planned scratch run as their bases do, or are refused at load with the rule that they break.
func TestScratchVariants(t *testing.T) {
	c := corpus.Shared(t)
	require.NotEmpty(t, c.Scratch)
	for i, v := range c.Scratch {
		if testing.Short() && i%25 != 0 {
			continue
		}
		m, f, err := open(t, c, v.File, nil)
		if v.Expect == "run" {
			require.NoError(t, err, v.Name)
			require.NoError(t, compare(t, f, c.IOBytes(t, corpus.Program{IO: v.IO}), c.IO[v.IO]), v.Name)
			require.NoError(t, errors.Join(f.Close(), m.Close()))
			continue
		}
		require.Error(t, err, v.Name)
		var rules []string
		for _, e := range fault.All(err) {
			var f *fault.Error
			if errors.As(e, &f) {
				rules = append(rules, f.Rule)
			}
		}
		require.True(t, slices.Contains(rules, v.Rule) || slices.ContainsFunc(v.Also, func(r string) bool { return slices.Contains(rules, r) }), "%s: want %s, have %v", v.Name, v.Rule, err)
	}
}

// named gives a committed program by name.
func named(t testing.TB, c *corpus.Corpus, name string) corpus.Program {
	for _, p := range c.Programs {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no program %s", name)
	return corpus.Program{}
}

// parsed reads a program of the corpus so that a test can change it.
func parsed(t testing.TB, c *corpus.Corpus, name string) *pte.Program {
	b, err := os.ReadFile(c.Path(named(t, c, name).File))
	require.NoError(t, err)
	p, err := pte.Parse(b)
	require.NoError(t, err)
	return p
}

// The suite that every backend must pass, on blobs with one and several inputs and outputs, fast scratch and int16.
func TestConformance(t *testing.T) {
	c := corpus.Committed(t)
	var cases []backendtest.Case
	for _, name := range []string{"conv2d_1x1.u55-128.ss", "net_dscnn_kws.u65-512.ds384", "multi_3in_3out.u85-512.ds384", "mul_a16.u55-128.ss"} {
		p := named(t, c, name)
		io, call := c.IOBytes(t, p), c.IO[p.IO][0].Calls[0]
		blob, err := ethosu.Parse(c.Blobs(t, p)[0], nil)
		require.NoError(t, err)
		tensors := func(list []ethosu.Tensor, data []corpus.Tensor) (tensors []*executor.Tensor) {
			for i, x := range list {
				dtype := map[int]executor.DType{1: pte.Char, 2: pte.Short, 4: pte.Int}[x.ElemBytes]
				tensors = append(tensors, executor.NewTensor(dtype, x.Shape[:], native(data[i].Of(io), x.ElemBytes)))
			}
			return tensors
		}
		cases = append(cases, backendtest.Case{Name: name, Blob: executor.Blob{Bytes: c.Blobs(t, p)[0], Method: "forward", Calls: 1},
			Inputs: tensors(blob.Inputs, call.In), Outputs: tensors(blob.Outputs, call.Out)})
	}
	backendtest.Run(t, ethosu.NewBackend(newSimulator(t), ethosu.Options{}), cases...)
}

// newSimulator is a simulator that ends with the test.
func newSimulator(t testing.TB) *sim.Simulator {
	s := sim.New(sim.Options{Workers: 1})
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}
