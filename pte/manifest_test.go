package pte_test

import (
	"encoding/json"
	"testing"

	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/pte"
	"github.com/stretchr/testify/require"
)

type manifestTensor struct {
	DType string  `json:"dtype"`
	Shape []int32 `json:"shape"`
}

type manifest struct {
	Files []struct {
		File            string
		Ops             []string
		Delegates       []string
		Methods         []string
		Inputs, Outputs json.RawMessage
		TestCases       int `json:"test_cases"`
		Dynamic         bool
	}
}

var manifestTypes = map[pte.DType]string{
	pte.Byte: "u8", pte.Char: "i8", pte.Short: "i16", pte.Int: "i32", pte.Long: "i64", pte.Half: "f16", pte.Float: "f32",
	pte.Double: "f64", pte.ComplexHalf: "c32", pte.ComplexFloat: "c64", pte.ComplexDouble: "c128", pte.Bool: "bool",
	pte.BFloat16: "bf16", pte.UInt16: "u16", pte.UInt32: "u32", pte.UInt64: "u64",
}

// What the exporter's own Python objects said about each file, recorded when it was made, against what is read from it.
func TestProgramsHoldWhatTheirManifestSays(t *testing.T) {
	for _, folder := range []string{"ops", "xnnpack", "models"} {
		var m manifest
		require.NoError(t, json.Unmarshal(fixtures.Read(t, "cpu", folder, "manifest.json"), &m))
		require.NotEmpty(t, m.Files)
		for _, want := range m.Files {
			f, err := pte.Open(fixtures.Path("cpu", want.File))
			require.NoError(t, err)
			p, err := f.Program()
			require.NoError(t, err, want.File)
			ops, delegates := map[string]bool{}, map[string]bool{}
			var methods []string
			dynamic := false
			for _, plan := range p.Plans {
				methods = append(methods, plan.Name)
				for _, op := range plan.Operators {
					ops[op.FullName()] = true
				}
				for _, d := range plan.Delegates {
					delegates[d.ID] = true
				}
				for _, v := range plan.Values {
					dynamic = dynamic || v.Kind == pte.KindTensor && v.Tensor.Dynamism != pte.Static
				}
			}
			require.ElementsMatch(t, want.Ops, keys(ops), want.File)
			require.ElementsMatch(t, unique(want.Delegates), keys(delegates), want.File)
			require.Equal(t, want.Dynamic, dynamic, want.File)
			if want.Methods != nil {
				require.ElementsMatch(t, want.Methods, methods, want.File)
			}
			inputs, outputs := byMethod(t, want.Inputs), byMethod(t, want.Outputs)
			for i := range p.Plans {
				if dynamic {
					break // the manifest has the shapes of one call
				}
				plan := &p.Plans[i]
				sameSignature(t, want.File, plan, plan.Inputs, inputs[plan.Name])
				sameSignature(t, want.File, plan, plan.Outputs, outputs[plan.Name])
			}
			if f.Kind == pte.BundleFile {
				b, err := f.Bundle()
				require.NoError(t, err)
				cases := 0
				for _, s := range b.Suites {
					cases += len(s.Cases)
				}
				require.Equal(t, want.TestCases, cases, want.File)
			}
			require.NoError(t, f.Close())
		}
	}
}

// byMethod reads a signature: of each method, or of the only one.
func byMethod(t *testing.T, raw json.RawMessage) map[string][]manifestTensor {
	var all map[string][]manifestTensor
	if json.Unmarshal(raw, &all) == nil {
		return all
	}
	var one []manifestTensor
	require.NoError(t, json.Unmarshal(raw, &one))
	return map[string][]manifestTensor{"forward": one}
}

func sameSignature(t *testing.T, file string, plan *pte.Plan, indices []int32, want []manifestTensor) {
	if want == nil {
		return
	}
	require.Len(t, indices, len(want), file)
	for i, w := range want {
		if v := plan.Values[indices[i]]; v.Kind == pte.KindTensor {
			require.Equal(t, w.DType, manifestTypes[v.Tensor.DType], "%s: %d", file, i)
			require.Equal(t, append([]int32{}, w.Shape...), append([]int32{}, v.Tensor.Sizes...), "%s: %d", file, i)
		}
	}
}

func keys(set map[string]bool) []string {
	var out []string
	for k := range set {
		out = append(out, k)
	}
	return out
}

func unique(list []string) []string {
	set := map[string]bool{}
	for _, s := range list {
		set[s] = true
	}
	return keys(set)
}
