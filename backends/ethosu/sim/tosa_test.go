package sim_test

import (
	"archive/zip"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"github.com/ptero-rt/ptero/backends/ethosu/sim"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/stretchr/testify/require"
)

// tensors splits a file of tensors, each after its size.
func tensors(b []byte) (list [][]byte) {
	for len(b) > 0 {
		n := 4 + int(binary.LittleEndian.Uint32(b))
		list, b = append(list, b[4:n]), b[n:]
	}
	return list
}

// Random single-operator graphs give the outputs of the TOSA reference model on a U55, a U65 and a U85.
func TestOperators(t *testing.T) {
	archive, err := zip.OpenReader(fixtures.Path("ethosu", "tosa.zip"))
	require.NoError(t, err)
	defer archive.Close()
	files := map[string][]byte{}
	for _, f := range archive.File {
		r, err := f.Open()
		require.NoError(t, err)
		files[f.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
	s := device(t, sim.Options{Strict: true})
	ran := 0
	for name, payload := range files {
		base, ok := strings.CutSuffix(name, ".blob")
		if !ok {
			continue
		}
		ran++
		d, err := load(s, payload, nil)
		require.NoError(t, err, base)
		for i, x := range tensors(files[base+".in"]) {
			require.Equal(t, copy(d.tensor(d.blob.Inputs[i]), x), len(x), base)
		}
		require.NoError(t, d.run(), base)
		for i, x := range tensors(files[base+".out"]) {
			require.Equal(t, x, d.tensor(d.blob.Outputs[i]), "%s: output %d", base, i)
		}
	}
	require.Greater(t, ran, 200)
	t.Logf("%d graphs", ran)
}
