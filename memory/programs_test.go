package memory_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// models are programs on the CPU, on Ethos-U and on Neutron.
func models() []string {
	return []string{
		fixtures.Path("models", "kws_cortex_m.pte"),
		fixtures.Path("ethosu", "nets", "net_convblock_nhwc.u55-64.ss.pte"),
		fixtures.Path("ethosu", "nets", "net_unet.u85-128.so.pte"),
		fixtures.Path("neutron", "ds_cnn_n3.pte"),
	}
}

// tight is the host with no more memory than given.
func tight(bytes uint64) hal.Spec {
	spec := hal.Host()
	spec.Pools[0].Size, spec.Placement.FastBytes = bytes, bytes
	return spec
}

func load(t testing.TB, s *memory.Space, path string, st memory.Strategy) *ptero.Method {
	t.Helper()
	m, err := ptero.Open(path, ptero.In(s), ptero.Threads(1), ptero.Hold(st))
	require.NoError(t, err)
	f, err := m.Load("forward")
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, f.Close())
		require.NoError(t, m.Close())
	})
	return f
}

// outputs runs a method on the inputs of a round and gives copies of what came out.
func outputs(ctx context.Context, f *ptero.Method, round int) ([][]byte, error) {
	rng := rand.New(rand.NewPCG(uint64(round), 4))
	for i := range f.NumInputs() {
		t := f.Input(i).Tensor()
		data := make([]byte, t.NBytes())
		for j := range data {
			data[j] = byte(rng.Uint32())
		}
		if t.DType == pte.Float {
			for j, v := range executor.SliceBytes[uint32](data) {
				executor.SliceBytes[float32](data)[j] = float32(v%2000)/1000 - 1
			}
		}
		if err := f.Set(i, executor.NewTensorOrder(t.DType, t.Sizes, t.DimOrder, data)); err != nil {
			return nil, err
		}
	}
	if err := f.Run(ctx); err != nil {
		return nil, err
	}
	var out [][]byte
	for i := range f.NumOutputs() {
		out = append(out, bytes.Clone(f.Output(i).Tensor().Data))
	}
	return out, nil
}

// resident is what the methods hold while idle, and transient the largest that one needs beside it.
func footprint(t testing.TB, paths []string) (resident, transient uint64) {
	s := open(t, hal.Host())
	for _, p := range paths {
		load(t, s, p, memory.Dynamic)
	}
	for _, m := range s.Metrics().Methods {
		transient = max(transient, m.Run-m.Idle)
	}
	return s.Metrics().Pools[0].Used, transient
}

// Models that run one after the other need, above what they hold while idle, as much as the largest of them, to the byte.
func TestProgramsInSeries(t *testing.T) {
	resident, transient := footprint(t, models())
	for _, st := range []memory.Strategy{memory.Dynamic, memory.Shared} {
		s := open(t, hal.Host())
		var fs []*ptero.Method
		for _, p := range models() {
			fs = append(fs, load(t, s, p, st))
		}
		for round := range 2 {
			for _, f := range fs {
				_, err := outputs(bg, f, round)
				require.NoError(t, err)
				f.ReleaseOutputs()
			}
		}
		m := s.Metrics().Pools[0]
		require.Equal(t, resident+transient, m.UsedPeak, st.String())
		require.Zero(t, m.Leased)
	}
}

// While a dynamic program is idle it holds its constants, what its driver and operators keep, and its state, to the byte.
func TestProgramsIdle(t *testing.T) {
	for _, path := range append(models(), fixtures.Path("cpu", "models", "multi_method", "shared_mutable_buffer.bpte")) {
		s := open(t, hal.Host())
		f := load(t, s, path, memory.Dynamic)
		var want uint64
		for _, p := range f.Layout.Report("").Pools {
			for _, o := range p.Owners {
				if o.Kind == memory.Constants || o.Kind == memory.Persistent || o.Kind == memory.Driver || o.Kind == memory.IO && o.MemID == 0 {
					want += o.Bytes
				}
			}
		}
		require.NotZero(t, want)
		for round := range 2 {
			_, err := outputs(bg, f, round)
			require.NoError(t, err)
			f.ReleaseOutputs()
			m := s.Metrics().Pools[0]
			require.Zero(t, m.Leased, path)
			require.Equal(t, want, m.Used, path)
		}
	}
}

// State lasts over a hundred dynamic runs, with other programs in the same memory between them.
func TestProgramStateSurvives(t *testing.T) {
	path := fixtures.Path("cpu", "models", "multi_method", "shared_mutable_buffer.bpte")
	static := load(t, open(t, hal.Host()), path, memory.Static)
	s := open(t, hal.Host(), memory.Poison())
	dynamic, other := load(t, s, path, memory.Dynamic), load(t, s, models()[0], memory.Dynamic)
	var last [][]byte
	for round := range 100 {
		want, err := outputs(bg, static, round)
		require.NoError(t, err)
		got, err := outputs(bg, dynamic, round)
		require.NoError(t, err)
		require.Equal(t, want, got, "run %d", round)
		require.NotEqual(t, last, got)
		last = got
		dynamic.ReleaseOutputs()
		_, err = outputs(bg, other, round)
		require.NoError(t, err)
		other.ReleaseOutputs()
	}
}

// 16 goroutines run four models, each its own copy, in memory for three runs at a time, while strategies and scopes
// change under them. Every output is right and no two leases overlap, which poison would show.
func TestProgramsUnderFlips(t *testing.T) {
	paths := models()
	want := map[string][3][][]byte{}
	for _, p := range paths {
		f := load(t, open(t, hal.Host()), p, memory.Static)
		var rounds [3][][]byte
		for r := range rounds {
			out, err := outputs(bg, f, r)
			require.NoError(t, err)
			rounds[r] = out
		}
		want[p] = rounds
	}
	var all []string
	for i := range 16 {
		all = append(all, paths[i%len(paths)])
	}
	resident, transient := footprint(t, all)
	s := open(t, tight(resident+3*transient+1<<16), memory.Poison())
	var fs []*ptero.Method
	var hs []*memory.Holding
	for _, p := range all {
		f := load(t, s, p, memory.Dynamic)
		fs, hs = append(fs, f), append(hs, f.Holding())
	}
	var wg sync.WaitGroup
	for g, f := range fs {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(bg)
			defer cancel()
			rng := rand.New(rand.NewPCG(uint64(g), 5))
			flexible := []memory.Strategy{memory.Dynamic, memory.Shared}
			for range 6 {
				f.SetStrategy(flexible[rng.IntN(2)])
				restore := s.Push(flexible[rng.IntN(2)], hs[rng.IntN(16)], hs[g])
				r := rng.IntN(3)
				out, err := outputs(ctx, f, r)
				if err != nil {
					t.Error(err)
					restore()
					return
				}
				for i := range out {
					if !bytes.Equal(want[all[g]][r][i], out[i]) {
						t.Errorf("%s: output %d of round %d is wrong", all[g], i, r)
					}
				}
				runtime.Gosched()
				restore()
				f.ReleaseOutputs()
			}
		})
	}
	wg.Wait()
	m := s.Metrics().Pools[0]
	require.Zero(t, m.Leased)
	require.LessOrEqual(t, m.UsedPeak, m.Capacity)
}

// What leasing costs a program of a millisecond or so.
func BenchmarkProgram(b *testing.B) {
	for _, st := range []memory.Strategy{memory.Static, memory.Dynamic, memory.Shared} {
		b.Run(st.String(), func(b *testing.B) {
			f := load(b, open(b, hal.Host()), models()[0], st)
			_, err := outputs(bg, f, 0)
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				if err := f.Run(bg); err != nil {
					b.Fatal(err)
				}
				f.ReleaseOutputs()
			}
		})
	}
}
