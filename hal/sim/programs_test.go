package sim_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/hal/board"
	"github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/plan"
)

// forgetful is a board on which the cache maintenance of one region in one direction is forgotten.
type forgetful struct {
	*sim.Board
	skip string
	done []string // distinct calls on bytes of the pools
}

func (f *forgetful) Sync(r hal.Region, d hal.Direction) error {
	w, err := f.Window(r.Pool)
	if err != nil {
		return err
	}
	if _, ok := w.Locate(r.Bytes); !ok {
		return f.Board.Sync(r, d) // part of the mapped file, which nobody writes
	}
	call := fmt.Sprintf("%d %#x+%d", d, r.Addr, len(r.Bytes))
	if call == f.skip {
		return nil
	}
	known := false
	for _, x := range f.done {
		known = known || x == call
	}
	if !known {
		f.done = append(f.done, call)
	}
	return f.Board.Sync(r, d)
}

// runs gives the outputs of two runs of a program on a board, with other inputs in each.
func runs(t testing.TB, path string, b hal.Board) (out [][]byte) {
	m, err := ptero.Open(path, ptero.On(b), ptero.Threads(1))
	require.NoError(t, err)
	f, err := m.Load("forward")
	require.NoError(t, err)
	for round := range uint64(2) {
		rng := rand.New(rand.NewPCG(round, 9))
		for i := range f.NumInputs() {
			in := f.Input(i).Tensor()
			if len(in.Data) == 1 { // the condition: each branch once
				require.NoError(t, f.Set(i, []bool{round == 0}))
				continue
			}
			values := make([]float32, len(in.Data)/4)
			for j := range values {
				values[j] = rng.Float32()*4 - 2
			}
			require.NoError(t, f.Set(i, values))
		}
		require.NoError(t, f.Run(context.Background()))
		for i := range f.NumOutputs() {
			out = append(out, bytes.Clone(f.Output(i).Tensor().Data))
		}
	}
	require.NoError(t, f.Close())
	require.NoError(t, m.Close())
	return out
}

// programs are files whose delegates work in planned scratch, in scratch from the temp arena, and in both arenas.
func programs(t *testing.T) []string {
	list := []string{fixtures.Path("ethosu", "nets", "net_convblock_nhwc.u55-64.ss.pte")}
	for _, name := range []string{"cond_between.u55-64.ss+ok_mem3_high.pte", "cond_between.u55-64.ss+legacy.pte"} {
		p := filepath.Join(fixtures.Path(), "..", "..", "shared", "fixtures", "ethosu", "scratch", name)
		if _, err := os.Stat(p); err == nil {
			list = append(list, p)
		}
	}
	return append(list, planned(t))
}

// planned is a program whose scratch, with inputs and outputs inside it, shares bytes with tensors of the CPU.
func planned(t *testing.T) string {
	m, err := ptero.Open(fixtures.Path("ethosu", "ops", "two_delegates_skip.u55-32.ss.pte"), ptero.BoardNamed("corstone-300"))
	require.NoError(t, err)
	r, err := m.Plan(plan.Options{AliasIO: true})
	require.NoError(t, err)
	require.Equal(t, 2, r.Report.Scratch)
	require.NotZero(t, r.Report.Aliases)
	b, err := r.File()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "planned.pte")
	require.NoError(t, os.WriteFile(path, b, 0o666))
	require.NoError(t, m.Close())
	return path
}

func spec(t *testing.T) hal.Spec {
	p, err := board.Load("corstone-300")
	require.NoError(t, err)
	return p.Spec
}

func evicting(t *testing.T, seed uint64, skip string) *forgetful {
	b, err := sim.Open(spec(t), sim.Options{EvictSeed: seed})
	require.NoError(t, err)
	return &forgetful{Board: b, skip: skip}
}

// Programs give the same results on a board that evicts lines at the worst moments as on the host.
func TestProgramsUnderEviction(t *testing.T) {
	for i, path := range programs(t) {
		seeds := uint64(1000)
		if i > 0 {
			seeds = 100
		}
		if testing.Short() {
			seeds = 20
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			host, err := sim.Host()
			require.NoError(t, err)
			want := runs(t, path, host)
			require.NoError(t, host.Close())
			for seed := range seeds {
				b := evicting(t, seed+1, "")
				require.Equal(t, want, runs(t, path, b), "seed %d", seed+1)
				require.NoError(t, b.Close())
			}
		})
	}
}

// Leaving out any one cache-maintenance call of a program is caught by at least one seed.
func TestProgramsNeedEveryMaintenanceCall(t *testing.T) {
	for _, path := range programs(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			probe := evicting(t, 1, "")
			want := runs(t, path, probe)
			require.NoError(t, probe.Close())
			require.NotEmpty(t, probe.done)
			for _, call := range probe.done {
				caught := false
				for seed := uint64(1); seed <= 1000 && !caught; seed++ {
					b := evicting(t, seed, call)
					got := runs(t, path, b)
					for i := range want {
						caught = caught || !bytes.Equal(want[i], got[i])
					}
					require.NoError(t, b.Close())
				}
				require.True(t, caught, "nobody misses %s of %v", call, probe.done)
			}
		})
	}
}
