package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProbe(t *testing.T) {
	var out bytes.Buffer
	c := &console{out: &out, err: &out}
	root := t.TempDir()
	require.Equal(t, exitMissing, status(probe(c, root)))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "dev"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "dev", "ethosu0"), nil, 0o600))
	require.NoError(t, probe(c, root))
	require.Contains(t, out.String(), "legacy   cannot be opened")
	c.json = true
	out.Reset()
	require.NoError(t, probe(c, root))
	require.Contains(t, out.String(), `"driver":"legacy"`)
}
