package plan_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/hal/board"
	"github.com/ptero-rt/ptero/memory/pack"
	"github.com/ptero-rt/ptero/plan"
	"github.com/ptero-rt/ptero/pte"
)

// On every board, what fits before fits with its new plan, whatever is made least, and stays as it is when it is planned
// again; what the plan says it needs is what fit counts.
func TestBoards(t *testing.T) {
	var list []string
	for _, pattern := range [][]string{{"ethosu", "nets", "net_[cd]*.pte"}, {"ethosu", "ops", "cond_*.pte"}, {"neutron", "ds_cnn_*.pte"}, {"models", "kws*.pte"}} {
		found, err := filepath.Glob(fixtures.Path(pattern...))
		require.NoError(t, err)
		list = append(list, found...)
	}
	require.NotEmpty(t, list)
	planned := 0
	for _, name := range append(board.Names(), "host") {
		for _, path := range list {
			for _, o := range []plan.Options{{Objective: pack.Height}, {Objective: pack.Traffic, AliasIO: true}, {Objective: pack.Energy}} {
				fit, err := ptero.FitFiles([]string{path}, ptero.BoardNamed(name))
				if fit != nil {
					require.NoError(t, fit.Close())
				}
				if err != nil {
					continue
				}
				m, err := ptero.Open(path, ptero.BoardNamed(name))
				require.NoError(t, err)
				r, err := m.Plan(o)
				require.NoError(t, err, "%s on %s", path, name)
				b, err := r.File()
				require.NoError(t, err)
				require.NoError(t, m.Close())
				p, err := pte.Parse(b)
				require.NoError(t, err)
				m = open(t, p, name)
				l, err := m.Link("")
				require.NoError(t, err, "%s on %s", path, name)
				layout, err := m.Fit(l)
				require.NoError(t, err, "%s on %s: %+v", path, name, r.Report)
				wants := map[string]uint64{}
				for _, a := range layout.Report("").Arenas {
					wants[a.Pool] += a.Bytes
				}
				for _, pool := range r.Report.Pools {
					require.InDelta(t, pool.After, wants[pool.Name], 128, "%s on %s: %+v", path, name, r.Report)
				}
				require.NoError(t, l.Close())
				again, err := m.Plan(o)
				require.NoError(t, err)
				second, err := again.File()
				require.NoError(t, err)
				require.True(t, string(b) == string(second), "%s on %s %+v", path, name, o)
				planned++
			}
		}
	}
	t.Logf("%d plans", planned)
	require.Greater(t, planned, 100)
}
