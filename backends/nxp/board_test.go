package nxp_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/backends/nxp/sim"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/executor/backendtest"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/hal/board"
	halsim "github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// TestConformance takes the backend through the suite that every backend must pass.
func TestConformance(t *testing.T) {
	var cases []backendtest.Case
	for _, name := range []string{"ds_cnn_n3", "cifarnet_n1", "cifarnet_et_447b3538"} {
		for _, e := range manifest(t) {
			if e.Name != name {
				continue
			}
			in, out := array(t, name+".in.npy"), array(t, name+".out.npy")
			n, size := len(in.Data)/in.Shape[0], len(out.Data)/out.Shape[0]
			cases = append(cases, backendtest.Case{
				Name: name, Blob: executor.Blob{Bytes: blob(t, name+".pte"), Method: "forward", Calls: 1},
				Inputs:  []*executor.Tensor{executor.NewTensor(pte.Char, e.Input, in.Data[n:][:n])},
				Outputs: []*executor.Tensor{executor.NewTensor(pte.Char, e.Output, out.Data[size:][:size])},
			})
		}
	}
	require.Len(t, cases, 3)
	backendtest.Run(t, nxp.NewBackend(sim.New(), 0), cases...)
}

// fit links a program and fits it on a simulated board.
func fit(t testing.TB, p *pte.Program, spec hal.Spec, o halsim.Options) (*executor.Linked, *memory.Space, *memory.Layout, error) {
	b, err := halsim.Open(spec, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	l, err := executor.Link(p, "", executor.Config{Backends: []executor.Backend{nxp.NewBackend(sim.New(), 0)}})
	require.NoError(t, err)
	s := memory.NewSpace(b, memory.Poison())
	layout, err := l.Fit(s)
	return l, s, layout, err
}

func profile(t testing.TB, name string) hal.Spec {
	p, err := board.Load(name)
	require.NoError(t, err)
	return p.Spec
}

// cached is a board whose SRAM goes through a write-back cache that the NPU does not see.
func cached(t testing.TB) hal.Spec {
	p, err := board.Parse([]byte(`{
		"name": "cached", "about": "test", "cpu": {"core": "cortex-m33", "line": 32},
		"devices": [{"name": "npu0", "kind": "neutron-n3-64", "source": "test"}],
		"regions": [{"name": "SRAM", "base": "0x20000000", "size": "2M", "class": "sram", "cpu": {"cacheable": true}, "visible": [{"dev": "npu0"}], "source": "test"}],
		"arenas": {"1": "SRAM"}, "temp": "SRAM", "constants": "SRAM", "source": "test"}`))
	require.NoError(t, err)
	return p.Spec
}

// TestBoards runs on boards as they are, and on one where a missing cache maintenance is a wrong result.
func TestBoards(t *testing.T) {
	entries := map[string]entry{}
	for _, e := range manifest(t) {
		entries[e.Name] = e
	}
	for _, c := range []struct {
		board string
		spec  hal.Spec
		files []string
	}{
		{"imxrt700", profile(t, "imxrt700"), []string{"cifarnet_et_447b3538", "ds_cnn_n3"}},
		{"mcxn947", profile(t, "mcxn947"), []string{"cifarnet_n1", "ds_cnn_n1"}},
		{"cached", cached(t), []string{"cifarnet_et_bf7fd170", "ds_cnn_n3", "mobilenet_n3"}},
	} {
		for _, name := range c.files {
			for _, variant := range []string{".pte", ".scratch.pte"} {
				t.Run(c.board+" "+name+variant, func(t *testing.T) {
					l, s, layout, err := fit(t, program(t, name+variant), c.spec, halsim.Options{EvictSeed: 7})
					require.NoError(t, err)
					m, err := l.Bind(s, layout)
					require.NoError(t, err)
					want := array(t, name+".out.npy")
					n := len(want.Data) / want.Shape[0]
					for i, got := range outputs(t, m, entries[name]) {
						require.Equal(t, want.Data[i*n:][:n], got, "row %d", i)
					}
					ctx := context.Background()
					require.Zero(t, testing.AllocsPerRun(2, func() { require.NoError(t, m.Run(ctx)) }))
					require.NoError(t, m.Close())
				})
			}
		}
	}
}

func TestBoardRefusals(t *testing.T) {
	refused := func(p *pte.Program, spec hal.Spec) string {
		l, _, _, err := fit(t, p, spec, halsim.Options{})
		require.Error(t, err)
		require.NoError(t, l.Close())
		return err.Error()
	}
	require.Contains(t, refused(program(t, "ds_cnn_n3.pte"), profile(t, "mcxn947")), "npu_product: want neutron-n3 (no flag 0x10 and 32-bit biases of record 1), found neutron-n1-16")
	require.Contains(t, refused(program(t, "ds_cnn_n1.pte"), profile(t, "imxrt700")), "npu_product: want neutron-n1")

	flash := profile(t, "imxrt700")
	for i, p := range flash.Pools {
		if p.Class == hal.Flash {
			flash.Placement.Constants = hal.PoolID(i)
		}
	}
	require.Contains(t, refused(program(t, "ds_cnn_n3.pte"), flash), "weights_visible: want weights in a pool that the NPU reaches")

	// Scratch of 4 GiB is a matter of fitting, not of trying.
	require.Contains(t, refused(scratchProgram(t, blank{in: []uint32{4}, out: []uint32{4}, scratch: 0xFFFFFFFF}, nil), profile(t, "imxrt700")), "4294967")
}

// TestWeightsAreFetchedToSRAM: a microcode with SRAM scratch needs that class of memory, and then may lie in flash.
func TestWeightsAreFetchedToSRAM(t *testing.T) {
	p := scratchProgram(t, blank{version: 1, in: []uint32{4}, out: []uint32{4}, sram: 1024, weights: make([]byte, 4096)}, nil)
	spec := profile(t, "imxrt700")
	for i, pool := range spec.Pools {
		if pool.Class == hal.Flash {
			spec.Placement.Constants = hal.PoolID(i)
		}
	}
	l, _, layout, err := fit(t, p, spec, halsim.Options{})
	require.NoError(t, err)
	require.NotNil(t, layout)
	var roles []string
	for _, call := range l.Demand().Calls {
		for _, n := range call.Needs {
			roles = append(roles, n.Role)
		}
	}
	require.Equal(t, []string{"sram_scratch"}, roles)
	require.NoError(t, l.Close())

	// The same board with its SRAM declared as DRAM.
	spec.Pools = append([]hal.Pool{}, spec.Pools...)
	for i := range spec.Pools {
		if spec.Pools[i].Class == hal.SRAM {
			spec.Pools[i].Class = hal.DRAM
		}
	}
	l, _, _, err = fit(t, p, spec, halsim.Options{})
	require.ErrorContains(t, err, "sram")
	require.NoError(t, l.Close())
}

// flaky is a simulated board whose n-th call from the delegate fails.
type flaky struct {
	*halsim.Board
	left int
}

func (f *flaky) fail() error {
	f.left--
	if f.left == 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func (f *flaky) Sync(r hal.Region, d hal.Direction) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.Board.Sync(r, d)
}

func (f *flaky) DeviceBytes(device string, r hal.Region) ([]byte, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	return f.Board.DeviceBytes(device, r)
}

// TestEveryBoardCallMayFail: the run fails with the board's error, and the next is as if nothing had been.
func TestEveryBoardCallMayFail(t *testing.T) {
	b, err := halsim.Open(cached(t), halsim.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	f := &flaky{Board: b}
	l, err := executor.Link(program(t, "ds_cnn_n3.scratch.pte"), "", executor.Config{Backends: []executor.Backend{nxp.NewBackend(sim.New(), 0)}})
	require.NoError(t, err)
	s := memory.NewSpace(f)
	layout, err := l.Fit(s)
	require.NoError(t, err)
	m, err := l.Bind(s, layout)
	require.NoError(t, err)
	in, want := array(t, "ds_cnn_n3.in.npy"), array(t, "ds_cnn_n3.out.npy")
	set(t, m, in.Data[490:][:490])
	failed := 0
	for n := 1; ; n++ {
		f.left = n
		err := m.Run(context.Background())
		if err == nil {
			break
		}
		require.ErrorIs(t, err, context.DeadlineExceeded)
		failed++
		f.left = 0
		require.NoError(t, m.Run(context.Background()))
		require.Equal(t, want.Data[12:][:12], m.Output(0).Tensor().Data)
	}
	require.GreaterOrEqual(t, failed, 7, "three regions seen, three synced before and one after")
	require.NoError(t, m.Close())
}
