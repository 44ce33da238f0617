package lint

import (
	"bufio"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGeneratedAssembly makes what the programs named by go:generate lines make once more, and compares.
func TestGeneratedAssembly(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("SKIPPED: generated files are not compared, there is no go command")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	found := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		if programs := generators(t, path); programs != nil {
			found++
			t.Run(strings.ReplaceAll(filepath.Dir(path)[len(root)+1:], string(filepath.Separator), "."), func(t *testing.T) {
				t.Parallel()
				compareGenerated(t, filepath.Dir(path), programs)
			})
		}
		return nil
	}))
	require.Positive(t, found)
}

// generators gives the files of a line "//go:generate go run FILES".
func generators(t *testing.T, path string) []string {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if files, ok := strings.CutPrefix(s.Text(), "//go:generate go run "); ok {
			return strings.Fields(files)
		}
	}
	return nil
}

func compareGenerated(t *testing.T, folder string, programs []string) {
	dir := t.TempDir()
	args := []string{"run"}
	for _, name := range programs {
		args = append(args, filepath.Join(folder, name))
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=", "GOARCH=", "GO111MODULE=off")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	made, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.NotEmpty(t, made)
	for _, file := range made {
		want, err := os.ReadFile(filepath.Join(dir, file.Name()))
		require.NoError(t, err)
		have, err := os.ReadFile(filepath.Join(folder, file.Name()))
		require.NoError(t, err)
		require.True(t, string(want) == string(have), "%s is not what %s makes (make generate)", filepath.Join(folder, file.Name()), programs[0])
	}
}
