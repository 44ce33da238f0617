package pte_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/ptero-rt/ptero/fixtures"
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

func TestParseCorpus(t *testing.T) {
	count := map[pte.FileKind]int{}
	for _, path := range files(t, fixtures.Shared(t, "fixtures"), fixtures.Shared(t, "models")) {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		kind := pte.Sniff(data)
		count[kind]++
		switch kind {
		case pte.ProgramFile:
			p, err := pte.Parse(data)
			if err != nil {
				t.Log(path, err)
				continue
			}
			require.Empty(t, p.Unknown, path)
		}
	}
	t.Log(count)
}
