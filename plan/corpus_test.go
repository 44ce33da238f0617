package plan_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
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

// Every program of the corpora: each pool as low as the most live bytes or proved optimal, never above the file's own plan.
// The solver's times are logged, not judged.
func TestShippedPrograms(t *testing.T) {
	for _, dir := range [][]string{{"fixtures", "cpu"}, {"fixtures", "ethosu"}, {"fixtures", "neutron"}, {"models"}, {"peers", "programs"}} {
		t.Run(strings.Join(dir, "/"), func(t *testing.T) {
			var slow []solved
			planned, refused := 0, map[string]int{}
			root := fixtures.Shared(t, dir...)
			require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
				if ext := filepath.Ext(path); err != nil || d.IsDir() || ext != ".pte" && ext != ".bpte" {
					return err
				}
				f, err := pte.Open(path)
				if err != nil {
					refused["parse"]++
					return nil
				}
				defer f.Close()
				p, err := f.Program()
				if err != nil {
					refused["parse"]++
					return nil
				}
				data, err := filepath.Glob(strings.TrimSuffix(path, filepath.Ext(path)) + "*.ptd")
				require.NoError(t, err)
				m, err := ptero.New(p, ptero.Data(data...))
				require.NoError(t, err, path)
				defer m.Close()
				r, err := m.Plan(plan.Options{Objective: pack.Height})
				switch {
				case errors.Is(err, executor.ErrMissing):
					refused["missing"]++
					return nil
				case err != nil:
					refused["other"]++
					t.Logf("%s: %.200v", path, err)
					return nil
				}
				planned++
				for _, pool := range r.Report.Pools {
					if !(pool.Optimal || pool.After == pool.LowerBound) {
						t.Errorf("%s: %+v", path, pool)
					}
					slow = append(slow, solved{path, pool.Seconds})
				}
				if r.Report.TotalAfter > r.Report.TotalBefore {
					t.Errorf("%s: %d B after, %d B before", path, r.Report.TotalAfter, r.Report.TotalBefore)
				}
				return nil
			}))
			slices.SortFunc(slow, func(a, b solved) int { return int(1e9*b.seconds) - int(1e9*a.seconds) })
			t.Logf("%d planned, not planned %v", planned, refused)
			for i, s := range slow {
				if i < 5 || i == len(slow)/2 || i == len(slow)/10 || i == len(slow)/100 {
					t.Logf("%7.3f ms %s", 1e3*s.seconds, filepath.Base(s.path))
				}
			}
			require.Positive(t, planned)
		})
	}
}

type solved struct {
	path    string
	seconds float64
}
