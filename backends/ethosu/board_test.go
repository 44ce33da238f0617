package ethosu_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/hal/board"
	halsim "github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// profile is a board's profile.
func profile(t testing.TB, name string) hal.Spec {
	p, err := board.Load(name)
	require.NoError(t, err)
	return p.Spec
}

// on opens a simulated board.
func on(t testing.TB, spec hal.Spec, o halsim.Options) hal.Board {
	b, err := halsim.Open(spec, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	return b
}

// load takes a program through the front door.
func load(t testing.TB, p *pte.Program, options ...ptero.Option) (*ptero.Method, error) {
	m, err := ptero.New(p, options...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	f, err := m.Load("")
	if err == nil {
		t.Cleanup(func() { require.NoError(t, f.Close()) })
	}
	return f, err
}

func pool(t testing.TB, s *hal.Spec, name string) hal.PoolID {
	for i := range s.Pools {
		if s.Pools[i].Name == name {
			return hal.PoolID(i)
		}
	}
	t.Fatalf("no pool %s", name)
	return 0
}

// withScratch adds a planned scratch to the one delegate call of a program, in an arena of its own.
func withScratch(t testing.TB, p *pte.Program, bytes uint64, memID uint32) *pte.Program {
	p = p.Clone()
	plan := &p.Plans[0]
	for len(plan.BufferBytes) <= int(memID) {
		plan.BufferBytes = append(plan.BufferBytes, 0)
	}
	offset := (plan.BufferBytes[memID] + 15) &^ 15
	plan.BufferBytes[memID] = offset + bytes
	value := int32(len(plan.Values))
	plan.Values = append(plan.Values, pte.Value{Kind: pte.KindTensor, Tensor: &pte.Tensor{DType: pte.Byte, Sizes: []int32{int32(bytes)}, DimOrder: []uint8{0},
		Alloc: &pte.Alloc{MemID: memID, Offset: offset}}})
	for c := range plan.Chains {
		for i := range plan.Chains[c].Instructions {
			if in := &plan.Chains[c].Instructions[i]; in.Op == pte.CallDelegate {
				in.Args = append(append([]int32{}, in.Args...), value)
			}
		}
	}
	return p
}

func rulesOf(err error) (rules []string) {
	for _, e := range fault.All(err) {
		var f *fault.Error
		if errors.As(e, &f) && f.Rule != "" {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}

const (
	kws        = "net_dscnn_kws.u55-128.ss"
	kwsScratch = 22224
)

// The form with planned scratch gives the same outputs and asks nothing of the temp arena.
func TestPlannedScratchIsTheSame(t *testing.T) {
	c := corpus.Committed(t)
	p := named(t, c, kws)
	io, vectors := c.IOBytes(t, p), c.IO[p.IO]
	legacy := parsed(t, c, kws)
	planned := withScratch(t, legacy, kwsScratch, 3)
	for _, board := range []string{"host", "corstone-300"} {
		var temp []uint64
		for _, program := range []*pte.Program{legacy, planned} {
			f, err := load(t, program, ptero.BoardNamed(board))
			require.NoError(t, err)
			require.NoError(t, compare(t, f, io, vectors))
			bytes := uint64(0)
			for _, a := range f.Layout.Report("").Arenas {
				if a.What == "temp" {
					bytes += a.Bytes
				}
			}
			temp = append(temp, bytes)
		}
		require.Equal(t, []uint64{kwsScratch, 0}, temp, board)
	}
}

// Scratch in TCM is refused where the NPU does not see it and accepted where it does.
func TestScratchInTCM(t *testing.T) {
	c := corpus.Committed(t)
	p := named(t, c, kws)
	planned := withScratch(t, parsed(t, c, kws), kwsScratch, 3)
	spec := profile(t, "corstone-300")
	tcm := pool(t, &spec, "DTCM")
	spec.Placement.Arenas[3] = tcm
	_, err := load(t, planned, ptero.On(on(t, spec, halsim.Options{})))
	require.Error(t, err)
	require.Contains(t, err.Error(), "ethos-u")
	require.Contains(t, err.Error(), "DTCM")

	seen := profile(t, "corstone-300")
	seen.Placement.Arenas[3] = tcm
	seen.Pools[tcm].Views = append(seen.Pools[tcm].Views, hal.View{Device: "ethos-u", Base: 0x50000000, Limit: seen.Pools[tcm].Size})
	f, err := load(t, planned, ptero.On(on(t, seen, halsim.Options{})))
	require.NoError(t, err)
	require.NoError(t, compare(t, f, c.IOBytes(t, p), c.IO[p.IO]))
}

// Boards that contradict what the program was compiled for are refused with the rule.
func TestBoardContradicts(t *testing.T) {
	c := corpus.Committed(t)
	refused := func(name string, spec hal.Spec, options ...ptero.Option) []string {
		_, err := load(t, parsed(t, c, name), append(options, ptero.On(on(t, spec, halsim.Options{})))...)
		require.Error(t, err)
		return rulesOf(err)
	}
	noSRAM := profile(t, "corstone-300")
	for i := range noSRAM.Pools {
		if noSRAM.Pools[i].Class <= hal.SRAM {
			noSRAM.Pools[i].Views = nil
		}
	}
	require.Contains(t, refused(kws, noSRAM), "memory_mode")
	require.Contains(t, refused("net_dscnn_kws.u65-512.ds384", profile(t, "corstone-300")), "npu_product")
	require.Contains(t, refused("net_dscnn_kws.u85-256.so", profile(t, "imx93")), "npu_product")
	require.Contains(t, refused(kws, profile(t, "imx95")), "device_missing")
	blind := profile(t, "corstone-300")
	blind.Placement.Constants = pool(t, &blind, "DTCM")
	require.Contains(t, refused(kws, blind), "weights_visible")
	slow := profile(t, "corstone-300-u65")
	slow.Placement.FastBytes = 0
	require.Contains(t, refused("net_dscnn_kws.u65-512.ds384", slow), "memory_mode")
}

// On a board whose caches may write back any changed line while the NPU runs, and where CPU and NPU see separate memories,
// the outputs are as everywhere: programs with one delegate and with several, legacy and planned, and real networks.
func TestCachesAndViews(t *testing.T) {
	c := corpus.Committed(t)
	boards := map[string]string{"u55": "corstone-300", "u65": "corstone-300-u65", "u85": "corstone-320"}
	for _, name := range []string{kws, "three_delegates.u55-64.ss", "net_dscnn_kws.u65-512.ds384", "net_attention.u85-128.so", "multi_3in_3out.u55-128.ss"} {
		p := named(t, c, name)
		spec := profile(t, boards[p.Accelerator[6:9]])
		require.NotZero(t, spec.Pools[spec.Placement.Temp].Line, "a cached pool, or the test shows nothing")
		for seed := range uint64(3) {
			if testing.Short() && seed != 1 {
				continue
			}
			f, err := load(t, parsed(t, c, name), ptero.On(on(t, spec, halsim.Options{EvictSeed: seed})))
			require.NoError(t, err, name)
			require.NoError(t, compare(t, f, c.IOBytes(t, p), c.IO[p.IO]), "%s seed %d", name, seed)
		}
	}
}

// MobileNetV2 in one delegate and in eleven with CPU operators between gives the same outputs on the plain host and on
// corstone-300 with caches that write back at random.
func TestMobileNet(t *testing.T) {
	if testing.Short() {
		t.Skip("networks of 300 million multiply-accumulates")
	}
	for _, file := range []string{"mbv2_ethosu.pte", "mbv2_ethosu_N.pte"} {
		b, err := os.ReadFile(fixtures.Shared(t, "models", "ethosu-pte", file))
		require.NoError(t, err)
		program, err := pte.Parse(b)
		require.NoError(t, err)
		var want []byte
		for _, o := range []ptero.Option{ptero.BoardNamed("host"), ptero.On(on(t, profile(t, "corstone-300"), halsim.Options{})),
			ptero.On(on(t, profile(t, "corstone-300"), halsim.Options{EvictSeed: 11}))} {
			f, err := load(t, program, o)
			require.NoError(t, err, file)
			for i := range f.NumInputs() {
				own := f.Input(i).Tensor()
				in := executor.NewTensorOrder(own.DType, own.Sizes, own.DimOrder, nil)
				for k := range in.Data {
					in.Data[k] = byte(k * 7 % 61)
				}
				if own.DType == pte.Float {
					values := executor.Slice[float32](in)
					for k := range values {
						values[k] = float32(k%255)/127 - 1
					}
				}
				require.NoError(t, f.SetInputTensor(i, in))
			}
			require.NoError(t, f.Run(context.Background()))
			got := append([]byte{}, f.Output(0).Tensor().Data...)
			if want == nil {
				want = got
				require.NotEqual(t, make([]byte, len(got)), got, "some score")
			}
			require.Equal(t, want, got, "%s", file)
			ctx := context.Background()
			require.NoError(t, f.Run(ctx))
			require.Equal(t, want, f.Output(0).Tensor().Data, "the second run")
		}
	}
}

// A run allocates nothing, whatever the board, with and without planned scratch and with several delegates.
func TestRunAllocates(t *testing.T) {
	c := corpus.Committed(t)
	for _, p := range []struct {
		program *pte.Program
		name    string
	}{{parsed(t, c, kws), kws}, {withScratch(t, parsed(t, c, kws), kwsScratch, 3), kws}, {parsed(t, c, "three_delegates.u55-64.ss"), "three_delegates.u55-64.ss"}} {
		for _, board := range []string{"host", "corstone-300"} {
			f, err := load(t, p.program, ptero.BoardNamed(board), ptero.Threads(1))
			require.NoError(t, err)
			e := named(t, c, p.name)
			require.NoError(t, compare(t, f, c.IOBytes(t, e), c.IO[e.IO]))
			ctx := context.Background()
			require.Zero(t, testing.AllocsPerRun(5, func() {
				if err := f.Run(ctx); err != nil {
					t.Fatal(err)
				}
			}), fmt.Sprint(p.name, " on ", board))
		}
	}
}
