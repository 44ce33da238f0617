package pte

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/internal/flatverify"
	"github.com/stretchr/testify/require"
)

// ExecuTorch's own verifier (that of the C++ library) demands what ours has no need of: scalars, offsets and the elements of
// lists at multiples of their size, and a zero behind each string. Written files must satisfy it.
func TestWrittenFilesAreAligned(t *testing.T) {
	n := 0
	require.NoError(t, filepath.WalkDir(fixtures.Path("cpu", "models"), func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "pte") {
			return err
		}
		f, err := Open(path)
		require.NoError(t, err)
		p, err := f.Program()
		require.NoError(t, err, path)
		out, err := Rewrite(p)
		require.NoError(t, err, path)
		aligned(t, out, int(binary.LittleEndian.Uint32(out)), programLayout)
		if len(p.Plans[0].Delegates) > 0 && p.Plans[0].Delegates[0].Inline {
			n++
		}
		return f.Close()
	}))
	require.NotZero(t, n, "programs with inline payloads")
}

func aligned(t *testing.T, b []byte, at int, table *flatverify.Table) {
	require.Zero(t, at%4, table.Name)
	r := viewer{buf: b}
	v := r.table(at)
	for i, f := range table.Fields {
		if v.offset[i] == 0 {
			continue
		}
		pos := at + int(v.offset[i])
		if f.Kind == flatverify.Scalar {
			require.Zero(t, pos%f.Size, "%s.%s", table.Name, f.Name)
			continue
		}
		require.Zero(t, pos%4, "%s.%s", table.Name, f.Name)
		to := v.follow(i)
		switch f.Kind {
		case flatverify.String:
			require.Zero(t, to%4)
			require.Zero(t, b[to+4+int(binary.LittleEndian.Uint32(b[to:]))])
		case flatverify.Scalars:
			require.Zero(t, to%4)
			size := f.Size
			if f.Name == "data" || f.Name == "storage" {
				size = 16
			}
			require.Zero(t, (to+4)%size, "%s.%s", table.Name, f.Name)
		case flatverify.Child:
			aligned(t, b, to, f.Table)
		case flatverify.Tables:
			require.Zero(t, to%4)
			list := v.references(i)
			for k := range list.n {
				at := list.at(k)
				aligned(t, b, at, f.Table)
			}
		case flatverify.Union:
			aligned(t, b, to, f.Union[v.byte(i-1)])
		}
	}
}
