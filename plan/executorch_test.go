package plan_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/memory/pack"
	"github.com/ptero-rt/ptero/plan"
	"github.com/ptero-rt/ptero/pte"
)

// ExecuTorch itself runs programs with their new plans and gives the same outputs as with their own. It needs a Python
// that has executorch 1.5.1, named by PTERO_ET_PYTHON.
func TestExecuTorchRunsPlannedPrograms(t *testing.T) {
	python := os.Getenv("PTERO_ET_PYTHON")
	if python == "" {
		t.Skip("PTERO_ET_PYTHON names no Python with executorch")
	}
	dir, random := t.TempDir(), anyResult(t)
	var names []string
	for _, path := range append(programs(t, fixtures.Path("cpu")), programs(t, fixtures.Path("models"))...) {
		if random[path] {
			continue
		}
		f, err := pte.Open(path)
		require.NoError(t, err)
		original := f.Bytes
		if f.Kind == pte.BundleFile {
			b, err := f.Bundle()
			require.NoError(t, err)
			original = b.Program
		}
		m, err := ptero.Open(path, ptero.Threads(1))
		require.NoError(t, err, path)
		r, err := m.Plan(plan.Options{Objective: pack.Height})
		if !errors.Is(err, executor.ErrMissing) && !errors.Is(err, executor.ErrNoData) {
			require.NoError(t, err, path)
			planned, err := r.File()
			require.NoError(t, err, path)
			stem := filepath.Join(dir, fmt.Sprintf("%05d", len(names)))
			require.NoError(t, os.WriteFile(stem+".a.pte", original, 0o600))
			require.NoError(t, os.WriteFile(stem+".b.pte", planned, 0o600))
			names = append(names, path)
		}
		require.NoError(t, errors.Join(m.Close(), f.Close()))
	}
	cmd := exec.Command(python, filepath.Join("..", "pte", "testdata", "equal_results.py"), dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, lines, len(names))
	count := map[string]int{}
	for i, line := range lines {
		fields := strings.SplitN(line, " ", 3)
		count[fields[1]]++
		require.NotEqual(t, "differ", fields[1], "%s: %s", names[i], line)
	}
	t.Log(count)
	require.Greater(t, count["same"], len(names)*8/10)
}

// anyResult lists the programs whose results are random or uninitialised.
func anyResult(t *testing.T) map[string]bool {
	out := map[string]bool{}
	for _, folder := range []string{"ops", "models"} {
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
	return out
}
