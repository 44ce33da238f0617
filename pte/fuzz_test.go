package pte_test

import (
	"testing"

	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/pte"
	"github.com/stretchr/testify/require"
)

// What is read can be written, and reads back the same.
func FuzzParse(f *testing.F) {
	for _, from := range []func() (*ptebuild.Program, *ptebuild.Method){add, flow, delegated} {
		b, _ := from()
		f.Add(b.Encode(f))
	}
	for _, name := range []string{"models/ModuleLinear-no-constant-segment.pte", "cpu/models/program_format/raw_pte.pte"} {
		f.Add(fixtures.Read(f, name))
	}
	for _, name := range []string{"multi_method/shared_mutable_buffer", "program_format/stacktrace", "program_format/delegate_in_segment", "external_weights/named_files"} {
		b, err := pte.ParseBundle(fixtures.Read(f, "cpu", "models", name+".bpte"))
		require.NoError(f, err)
		f.Add(b.Program)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		p, err := pte.Parse(file)
		if err != nil || len(p.Unknown) > 0 {
			return
		}
		out, err := pte.Rewrite(p)
		require.NoError(t, err)
		again, err := pte.Parse(out)
		require.NoError(t, err)
		require.Equal(t, len(p.Plans), len(again.Plans))
		for i := range p.Plans {
			require.Equal(t, len(p.Plans[i].Values), len(again.Plans[i].Values))
			require.Equal(t, p.Plans[i].Chains, again.Plans[i].Chains)
		}
	})
}

func FuzzBundle(f *testing.F) {
	f.Add(bundled(f))
	f.Add(fixtures.Read(f, "models", "bundled_program.bpte"))
	f.Fuzz(func(t *testing.T, file []byte) {
		b, err := pte.ParseBundle(file)
		if err != nil {
			return
		}
		for _, s := range b.Suites {
			for _, c := range s.Cases {
				for _, v := range append(c.Inputs, c.Expected...) {
					if v.Kind == pte.KindTensor {
						d := pte.Tensor{DType: v.Tensor.DType, Sizes: v.Tensor.Sizes}
						n, ok := d.NBytes()
						require.True(t, ok)
						require.Len(t, v.Tensor.Bytes, int(n))
					}
				}
			}
		}
	})
}

func FuzzTensorData(f *testing.F) {
	f.Add(externalWeights())
	f.Add(fixtures.Read(f, "cpu", "models", "external_weights", "one_named_file.weights.ptd"))
	f.Fuzz(func(t *testing.T, file []byte) {
		d, err := pte.ParseTensorData(file)
		if err != nil {
			return
		}
		for i := range d.Entries {
			e, ok := d.Find(d.Entries[i].Key)
			require.True(t, ok)
			require.Same(t, &d.Entries[i], e)
		}
	})
}
