package pack_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/memory/pack"
)

// rows is a model's planning problem and what other planners made of it.
type rows struct {
	Name       string
	Greedy     uint64
	FirstFit   uint64 `json:"first_fit"`
	LowerBound uint64 `json:"lower_bound"`
	Rows       [][3]int64
}

func (r rows) buffers() []pack.Buffer {
	var buffers []pack.Buffer
	for _, row := range r.Rows {
		buffers = append(buffers, pack.Buffer{Live: []pack.Interval{{Lower: row[0], Upper: row[1] + 1}}, Size: uint64(row[2]), Align: 16})
	}
	return buffers
}

func loadRows(t testing.TB) []rows {
	var file struct{ Models []rows }
	require.NoError(t, json.Unmarshal(fixtures.Read(t, "planning", "rows.json"), &file))
	require.NotEmpty(t, file.Models)
	return file.Models
}

// minimalloc returns the instances A–K by name.
func minimalloc(t testing.TB) map[string][]pack.Buffer {
	paths, err := filepath.Glob(fixtures.Path("planning", "minimalloc", "*.csv"))
	require.NoError(t, err)
	require.Len(t, paths, 11)
	instances := map[string][]pack.Buffer{}
	for _, path := range paths {
		f, err := os.Open(path)
		require.NoError(t, err)
		buffers, err := pack.ReadCSV(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		instances[name] = buffers
	}
	return instances
}

const mebibyte = 1 << 20

func TestPlaceNeverAbovePeers(t *testing.T) {
	for _, model := range loadRows(t) {
		t.Run(model.Name, func(t *testing.T) {
			buffers := model.buffers()
			p, err := pack.Place(buffers, pack.Options{})
			require.NoError(t, err)
			require.NoError(t, pack.VerifyPlacement(buffers, p.Height, p))
			require.True(t, p.Optimal)
			require.Equal(t, model.LowerBound, p.LowerBound)
			require.Equal(t, model.LowerBound, p.Height)
			require.LessOrEqual(t, p.Height, min(model.Greedy, model.FirstFit))
			require.Less(t, p.Steps, int64(1000000), "ten milliseconds")
		})
	}
}

func TestFitMiniMalloc(t *testing.T) {
	for name, buffers := range minimalloc(t) {
		t.Run(name, func(t *testing.T) {
			p, err := pack.Fit(buffers, mebibyte, pack.Options{})
			require.NoError(t, err)
			require.NoError(t, pack.VerifyPlacement(buffers, mebibyte, p))
		})
	}
}

func TestPlaceIsDeterministic(t *testing.T) {
	for name, buffers := range minimalloc(t) {
		if name > "C" {
			continue
		}
		first, err := pack.Place(buffers, pack.Options{Steps: 1 << 22})
		require.NoError(t, err)
		again, err := pack.Place(buffers, pack.Options{Steps: 1 << 22})
		require.NoError(t, err)
		require.Equal(t, first, again)
		require.NoError(t, pack.VerifyPlacement(buffers, first.Height, first))
	}
}

func TestFitTellsProofFromBudget(t *testing.T) {
	buffers := minimalloc(t)["A"]
	_, err := pack.Fit(buffers, mebibyte-1, pack.Options{})
	require.ErrorIs(t, err, pack.ErrNoRoom)
	var room *pack.RoomError
	require.ErrorAs(t, err, &room)
	require.Equal(t, uint64(mebibyte), room.Need)

	_, err = pack.Fit(buffers, mebibyte, pack.Options{Steps: 10000})
	require.ErrorIs(t, err, pack.ErrBudget)
	require.ErrorAs(t, err, &room)
	require.Greater(t, room.Best, uint64(mebibyte))
}

func BenchmarkRows(b *testing.B) {
	for _, model := range loadRows(b) {
		buffers := model.buffers()
		b.Run(model.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := pack.Place(buffers, pack.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMiniMalloc(b *testing.B) {
	instances := minimalloc(b)
	for _, name := range strings.Split("ABCDEFGHIJK", "") {
		b.Run(name, func(b *testing.B) {
			var steps int64
			for b.Loop() {
				p, err := pack.Fit(instances[name], mebibyte, pack.Options{})
				if err != nil {
					b.Fatal(err)
				}
				steps = p.Steps
			}
			b.ReportMetric(float64(steps), "steps")
		})
	}
}
