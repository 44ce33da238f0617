package executor_test

import (
	"encoding/json"
	"errors"
	"os"
	"path"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// Every program of the corpus with planned scratch links, or breaks exactly the rules that its manifest names.
func TestScratchCorpus(t *testing.T) {
	var manifest struct {
		Scratch []struct {
			File, Expect, Rule string
			Also               []string
		}
	}
	b, err := os.ReadFile(fixtures.Shared(t, "fixtures", "ethosu", "manifest.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &manifest))
	require.NotEmpty(t, manifest.Scratch)
	for _, s := range manifest.Scratch {
		t.Run(path.Base(s.File), func(t *testing.T) {
			b, err := os.ReadFile(fixtures.Shared(t, "fixtures", "ethosu", s.File))
			require.NoError(t, err)
			err = linkOnly(b)
			if s.Expect == "run" {
				require.NoError(t, err)
				return
			}
			var rules []string
			for _, e := range fault.All(err) {
				var f *fault.Error
				require.True(t, errors.As(e, &f))
				rules = append(rules, f.Rule)
			}
			require.Contains(t, rules, s.Rule, "%v", err)
			require.Subset(t, append(s.Also, s.Rule), rules, "%v", err)
		})
	}
}

// linkOnly links a program whose operators all exist and do nothing.
func linkOnly(file []byte) error {
	p, err := pte.Parse(file)
	if err != nil {
		return err
	}
	ops := executor.Ops{}
	for _, o := range p.Plans[0].Operators {
		ops.Add(executor.Op{Name: o.FullName(), Run: func(*executor.Scope, any, []*executor.Value) error { return nil }})
	}
	_, err = executor.Link(p, "", executor.Config{Ops: ops, Backends: []executor.Backend{ethosu.NewBackend(nil, ethosu.Options{})}})
	return err
}
