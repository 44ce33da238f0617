package pte_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
	"github.com/stretchr/testify/require"
)

// files lists the program files below the given folders.
func files(t testing.TB, roots ...string) []string {
	t.Helper()
	var list []string
	for _, root := range roots {
		require.NoError(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			switch filepath.Ext(path) {
			case ".pte", ".bpte", ".ptd":
				list = append(list, path)
			}
			return err
		}))
	}
	require.NotEmpty(t, list)
	return list
}

// refused are the programs of the corpus that are wrong on purpose, by the end of their name, with the rule they break.
var refused = map[string]string{
	"+bad_mem_id_0.pte":     "arena_id",
	"+bad_mem_id_range.pte": "arena_id",
	"+bad_oob.pte":          "arena_bounds",
	"+bad_value_index.pte":  "value_index",
}

func TestParseCorpus(t *testing.T) {
	count := map[pte.FileKind]int{}
	bad := 0
	for _, path := range files(t, fixtures.Shared(t, "fixtures"), fixtures.Shared(t, "models")) {
		f, err := pte.Open(path)
		require.NoError(t, err)
		count[f.Kind]++
		switch f.Kind {
		case pte.TensorDataFile:
			d, err := f.TensorData()
			require.NoError(t, err, path)
			require.Empty(t, d.Unknown, path)
			require.NotEmpty(t, d.Entries, path)
		case pte.BundleFile:
			b, err := f.Bundle()
			require.NoError(t, err, path)
			require.Empty(t, b.Unknown, path)
			require.NotEmpty(t, b.Suites, path)
			fallthrough
		default:
			p, err := f.Program()
			if rule := ruleOf(path); rule != "" {
				var fault *fault.Error
				require.ErrorAs(t, err, &fault, path)
				require.Equal(t, rule, fault.Rule, path)
				bad++
				break
			}
			require.NoError(t, err, path)
			require.Empty(t, p.Unknown, path)
			require.NotEmpty(t, p.Plans, path)
		}
		require.NoError(t, f.Close())
	}
	t.Logf("%v, refused %d", count, bad)
}

func ruleOf(path string) string {
	for end, rule := range refused {
		if strings.HasSuffix(path, end) {
			return rule
		}
	}
	return ""
}
