package pte_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/pte"
	"github.com/stretchr/testify/require"
)

// TestExecuTorchRunsRewrittenPrograms needs a Python that has executorch 1.5.1, named by PTERO_ET_PYTHON.
func TestExecuTorchRunsRewrittenPrograms(t *testing.T) {
	python := os.Getenv("PTERO_ET_PYTHON")
	if python == "" {
		t.Skip("PTERO_ET_PYTHON names no Python with executorch")
	}
	dir := t.TempDir()
	random := anyResult(t)
	var names []string
	for _, path := range files(t, fixtures.Path("cpu"), fixtures.Path("models")) {
		f, err := pte.Open(path)
		require.NoError(t, err)
		if f.Kind == pte.TensorDataFile || random[path] {
			require.NoError(t, f.Close())
			continue
		}
		p, err := f.Program()
		require.NoError(t, err, path)
		original := f.Bytes
		if f.Kind == pte.BundleFile {
			b, err := f.Bundle()
			require.NoError(t, err)
			original = b.Program
		}
		written, err := pte.Rewrite(p)
		require.NoError(t, err, path)
		stem := filepath.Join(dir, fmt.Sprintf("%05d", len(names)))
		require.NoError(t, os.WriteFile(stem+".a.pte", original, 0o600))
		require.NoError(t, os.WriteFile(stem+".b.pte", written, 0o600))
		require.NoError(t, f.Close())
		names = append(names, path)
	}
	cmd := exec.Command(python, "testdata/equal_results.py", dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, lines, len(names))
	count := map[string]int{}
	for i, line := range lines {
		fields := strings.SplitN(line, " ", 3)
		count[fields[1]]++
		if fields[1] != "same" {
			t.Logf("%s: %s", names[i], line)
		}
		require.NotEqual(t, "differ", fields[1], "%s: %s", names[i], line)
	}
	t.Log(count)
	require.Greater(t, count["same"], len(names)*8/10)
}

// anyResult lists the programs whose results are random or uninitialised.
func anyResult(t *testing.T) map[string]bool {
	out := map[string]bool{}
	for _, folder := range []string{"ops", "xnnpack", "models"} {
		var manifest struct {
			Files []struct {
				File      string
				Tolerance struct{ Class string }
			}
		}
		require.NoError(t, json.Unmarshal(fixtures.Read(t, "cpu", folder, "manifest.json"), &manifest))
		for _, f := range manifest.Files {
			if f.Tolerance.Class == "shape-only" {
				out[fixtures.Path("cpu", f.File)] = true
			}
		}
	}
	require.NotEmpty(t, out)
	return out
}
