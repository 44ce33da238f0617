package plan_test

import (
	"cmp"
	"errors"
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
)

// eachShipped calls f with every sound program of the corpora that this build can link.
func eachShipped(t *testing.T, f func(t *testing.T, path string, m *ptero.Model)) {
	for _, dir := range [][]string{{"fixtures", "cpu"}, {"fixtures", "ethosu"}, {"fixtures", "neutron"}, {"models"}, {"peers", "programs"}} {
		t.Run(strings.Join(dir, "/"), func(t *testing.T) {
			linked, skipped := 0, 0
			for _, path := range programs(t, fixtures.Shared(t, dir...)) {
				data, err := filepath.Glob(strings.TrimSuffix(path, filepath.Ext(path)) + "*.ptd")
				require.NoError(t, err)
				m, err := ptero.Open(path, ptero.Data(data...), ptero.Threads(1))
				require.NoError(t, err, path)
				for _, name := range m.Methods() {
					l, linkErr := m.Link(name)
					if err = linkErr; err != nil {
						break
					}
					require.NoError(t, l.Close())
				}
				if errors.Is(err, executor.ErrMissing) || errors.Is(err, executor.ErrNoData) || strings.Contains(path, "external_") && len(data) == 0 {
					skipped++
				} else {
					require.NoError(t, err, path)
					linked++
					f(t, path, m)
				}
				require.NoError(t, m.Close())
			}
			t.Logf("%d programs, %d others not linked", linked, skipped)
			require.Positive(t, linked)
		})
	}
}

// Every program of the corpora: each pool as low as the most live bytes or proved optimal, and never above the file's own
// plan. The solver's times are logged, not judged.
func TestShippedPrograms(t *testing.T) {
	type solved struct {
		path    string
		seconds float64
	}
	var all []solved
	eachShipped(t, func(t *testing.T, path string, m *ptero.Model) {
		r, err := m.Plan(plan.Options{Objective: pack.Height})
		require.NoError(t, err, path)
		for _, pool := range r.Report.Pools {
			require.True(t, pool.Optimal || pool.After == pool.LowerBound, "%s: %+v", path, pool)
		}
		least := r.Report.Pools
		for n := 0; n < 5 && len(least) > 0 && least[0].Seconds > 5e-3; n++ { // busy machines
			again, err := m.Plan(plan.Options{Objective: pack.Height})
			require.NoError(t, err)
			if again.Report.Pools[0].Seconds < least[0].Seconds {
				least = again.Report.Pools
			}
		}
		if len(least) > 0 {
			all = append(all, solved{path[max(0, len(path)-60):], least[0].Seconds})
		}
		require.LessOrEqual(t, r.Report.TotalAfter, r.Report.TotalBefore, path)
	})
	slices.SortFunc(all, func(a, b solved) int { return cmp.Compare(b.seconds, a.seconds) })
	for i, s := range all {
		if i < 5 || i == len(all)/100 || i == len(all)/10 || i == len(all)/2 {
			t.Logf("%5d of %d: %7.3f ms %s", i, len(all), 1e3*s.seconds, s.path)
		}
	}
}
